//go:build !linux

package local

import (
	"context"
	"errors"
)

// Open returns an error: only the counters of Linux are known.
func Open(context.Context, Options) (*Source, error) {
	return nil, errors.New("this machine's counters can be read on Linux only: name a directory that is recorded into, or a server with --url")
}
