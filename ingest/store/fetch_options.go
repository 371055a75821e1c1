package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// FetchOptions set what is read, and how much at a time.
type FetchOptions struct {
	Dir      string // directory of the files
	From, To time.Time
	// Choose reports whether to read a server; nil: all are read.
	Choose func(server string) bool
	// SpanSeconds is the length of the first span. It gets shorter where an
	// answer is too large, and longer, up to MaxSpanSeconds, where answers are
	// small.
	SpanSeconds, MaxSpanSeconds int64
	// MaxSamples bounds the samples of one answer, 16 bytes each, for each of
	// the Workers.
	MaxSamples int `least:"1"`
	Workers    int `least:"1"`
	// Progress is called with the work done, in seconds × servers; nil: nothing
	// is called. One goroutine at a time calls it.
	Progress func(done, total int64)
}

// DefaultFetchOptions returns options that lack only a directory and a period.
func DefaultFetchOptions() FetchOptions {
	return FetchOptions{SpanSeconds: 3600, MaxSpanSeconds: 6 * 3600, MaxSamples: 2 << 20, Workers: 2}
}

// leastSpanSeconds is the shortest span: a store that cannot answer for a
// minute of one server has failed.
const leastSpanSeconds = 60

// Validate reports what is wrong with the options.
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

// A Result is a summary of what was read.
type Result struct {
	Kind     string // protocol that was used
	Servers  int
	Samples  int64 // number of samples received
	Records  uint64
	Bytes    int64 // size of the files
	Warnings []string
	// Partial reports that something could not be read; the warnings name it.
	Partial bool
}
