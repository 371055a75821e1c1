//go:build !linux

package local

import (
	"context"
	"errors"
)

// NoMatch returns nil: without counters, there are no devices to compare with patterns.
func NoMatch([]string) error { return nil }

// Open returns an error, because limpet can read only the counters of Linux.
func Open(context.Context, Options) (*Source, error) {
	return nil, errors.New("limpet can read this machine's counters on Linux only: name a directory that a recorder writes to, or a server with --url")
}
