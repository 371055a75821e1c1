//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"net"
)

// Claim makes this process the only one on the machine that builds and removes
// clusters, for as long as it lives or until the claim is closed. The kernel
// forgets the claim of a process that was killed.
func Claim(ctx context.Context) (io.Closer, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", "@limpet-testbed")
	if err != nil {
		return nil, fmt.Errorf("another limpet-testbed runs on this machine: wait until the other limpet-testbed ends, or stop the other limpet-testbed (%w)", err)
	}
	return l, nil
}
