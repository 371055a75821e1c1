//go:build !linux

package local

import (
	"context"
	"errors"
)

// Open returns an error, because limpet can read only the counters of Linux.
func Open(context.Context, Options) (*Source, error) {
	return nil, errors.New("limpet can read this machine's counters on Linux only: name a directory that a recorder writes to, or a server with --url")
}
