package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// FetchOptions are what is read, and how much at once.
type FetchOptions struct {
	Dir      string // of the files
	From, To time.Time
	// Choose says whether a server is read; nil: all are.
	Choose func(server string) bool
	// SpanSeconds are asked for at first. Where the answer is too large it is
	// less, where it is small more, but never beyond MaxSpanSeconds.
	SpanSeconds, MaxSpanSeconds int64
	// MaxSamples of one answer are held, 16 bytes each, by each of the Workers.
	MaxSamples int `least:"1"`
	Workers    int `least:"1"`
	// Progress hears how much is done, in seconds of servers; nil: nobody does.
	// It is called by one goroutine at a time.
	Progress func(done, total int64)
}

// DefaultFetchOptions only lack a directory and a time.
func DefaultFetchOptions() FetchOptions {
	return FetchOptions{SpanSeconds: 3600, MaxSpanSeconds: 6 * 3600, MaxSamples: 2 << 20, Workers: 2}
}

// leastSpanSeconds: who cannot answer for a minute of a server cannot answer.
const leastSpanSeconds = 60

// Validate says what is wrong with the options.
func (o *FetchOptions) Validate() error {
	switch {
	case o.Dir == "":
		return errors.New("no directory for what is fetched")
	case !o.From.Before(o.To):
		return fmt.Errorf("from %s to %s is no time: let it begin ahead of its end", o.From.UTC().Format(time.RFC3339), o.To.UTC().Format(time.RFC3339))
	case o.SpanSeconds < leastSpanSeconds || o.MaxSpanSeconds < o.SpanSeconds:
		return fmt.Errorf("%d to %d s at once: give at least %d, and the longest last", o.SpanSeconds, o.MaxSpanSeconds, leastSpanSeconds)
	}
	return bounds.Check(*o)
}

// A Result is what was read.
type Result struct {
	Kind     string // how the store was asked
	Servers  int
	Samples  int64 // that came
	Records  uint64
	Bytes    int64 // of the files
	Warnings []string
	// Partial says that something could not be read: the warnings say what.
	Partial bool
}
