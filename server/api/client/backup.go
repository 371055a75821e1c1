package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// Backup writes a tar archive with all that a server needs to continue on another machine, and
// returns its size. It has no time limit; the server disconnects a client that reads nothing.
func (c *Client) Backup(ctx context.Context, w io.Writer) (int64, error) {
	answer, err := c.ask(ctx, http.MethodPost, "/backup", nil, []byte("{}"))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	n, err := io.Copy(w, answer.Body)
	if err != nil {
		return n, fmt.Errorf("the backup stopped after %d bytes: %w; the log of the server at %s shows the cause", n, err, c.options.Server)
	}
	return n, nil
}
