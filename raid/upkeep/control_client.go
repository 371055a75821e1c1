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

// A Client sends commands to the process that serves an array.
type Client struct{ path string }

// NewClient returns a client of the control socket at path.
func NewClient(path string) *Client { return &Client{strings.TrimPrefix(path, "unix:")} }

// Status returns the status of the array.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return c.order(ctx, http.MethodGet, "/status", nil)
}

// Scrub starts a scrub.
func (c *Client) Scrub(ctx context.Context, repair bool) (Status, error) {
	return c.order(ctx, http.MethodPost, "/scrub", scrubOrder{repair})
}

// Rebuild puts the member at a path in the place of a lost member, and starts to fill it. The path
// is a path on the server.
func (c *Client) Rebuild(ctx context.Context, place int, path string, force bool) (Status, error) {
	return c.order(ctx, http.MethodPost, "/rebuild", rebuildOrder{place, path, force})
}

// Mask masks a member.
func (c *Client) Mask(ctx context.Context, o MaskOrder) (Status, error) {
	return c.order(ctx, http.MethodPost, "/mask", o)
}

// Unmask ends the mask of a member. If incident is not empty, Unmask refuses to end the mask of
// another incident.
func (c *Client) Unmask(ctx context.Context, member, incident string) (Status, error) {
	return c.order(ctx, http.MethodPost, "/unmask", unmaskOrder{member, incident})
}

// Cancel ends the running job.
func (c *Client) Cancel(ctx context.Context) (Status, error) {
	return c.order(ctx, http.MethodPost, "/cancel", struct{}{})
}

// slowest is how long the server may take, because it may wait for a member that hangs.
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
		return s, fmt.Errorf("limpet raid serve does not answer at the control socket %s: %w; start limpet raid serve, or name another socket", c.path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, longestOrder))
		return s, errors.New(strings.TrimSpace(string(text)))
	}
	return s, json.NewDecoder(answer.Body).Decode(&s)
}
