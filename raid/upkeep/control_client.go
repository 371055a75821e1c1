package upkeep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// A Client gives orders to the process that serves an array.
type Client struct{ path string }

// NewClient is one for the socket at a path.
func NewClient(path string) *Client { return &Client{strings.TrimPrefix(path, "unix:")} }

// Status is how the array stands.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return c.order(ctx, http.MethodGet, "/status", nil)
}

// Scrub begins to scrub.
func (c *Client) Scrub(ctx context.Context, repair bool) (Status, error) {
	return c.order(ctx, http.MethodPost, "/scrub", scrubOrder{repair})
}

// Rebuild puts the member at a path, as the server sees it, in the place of a
// lost one, and begins to fill it.
func (c *Client) Rebuild(ctx context.Context, place int, path string, force bool) (Status, error) {
	return c.order(ctx, http.MethodPost, "/rebuild", rebuildOrder{place, path, force})
}

// Mask masks a member.
func (c *Client) Mask(ctx context.Context, o MaskOrder) (Status, error) {
	return c.order(ctx, http.MethodPost, "/mask", o)
}

// Unmask ends the mask of a member. If incident is not empty, only the mask of that incident
// is ended.
func (c *Client) Unmask(ctx context.Context, member, incident string) (Status, error) {
	return c.order(ctx, http.MethodPost, "/unmask", unmaskOrder{member, incident})
}

// Cancel ends the job that runs.
func (c *Client) Cancel(ctx context.Context) (Status, error) {
	return c.order(ctx, http.MethodPost, "/cancel", struct{}{})
}

// slowest is how long a server may take: it may wait for a member that hangs.
const slowest = time.Minute

func (c *Client) order(ctx context.Context, method, path string, order any) (s Status, err error) {
	body, err := json.Marshal(order)
	if err != nil {
		return s, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://array"+path, bytes.NewReader(body))
	if err != nil {
		return s, err
	}
	to := http.Client{Timeout: slowest, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", c.path)
		},
	}}
	answer, err := to.Do(r)
	if err != nil {
		return s, fmt.Errorf("no running limpet raid serve uses the control socket %s: %w", c.path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, longestOrder))
		return s, errors.New(strings.TrimSpace(string(text)))
	}
	return s, json.NewDecoder(answer.Body).Decode(&s)
}
