package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// FetchOptions set the data to read, and the amount of data that is read at a time.
type FetchOptions struct {
	Dir      string // directory into which the files are written
	From, To time.Time
	// Choose reports whether to read a server. If it is nil, all servers are read.
	Choose func(server string) bool
	// SpanSeconds is the length of the first span of time that is requested, in seconds.
	// If an answer is too large, the next span is shorter. If an answer is small, the
	// next span is longer, up to MaxSpanSeconds.
	SpanSeconds, MaxSpanSeconds int64
	// MaxSamples is the largest number of samples of one answer. A sample takes 16 bytes,
	// and each of the Workers holds one answer.
	MaxSamples int `least:"1"`
	Workers    int `least:"1"` // number of servers that are read at the same time
	// Progress reports how much was read: `done` of `total` seconds of data, summed over all
	// servers. Progress may be nil. It is never called by two goroutines at the same time.
	Progress func(done, total int64)
}

// DefaultFetchOptions returns the default options. The caller must set the directory and
// the period.
func DefaultFetchOptions() FetchOptions {
	return FetchOptions{SpanSeconds: 3600, MaxSpanSeconds: 6 * 3600, MaxSamples: 2 << 20, Workers: 2}
}

// leastSpanSeconds is the shortest span, in seconds. If even the answer for one server
// and one minute is too large, the server cannot be read.
const leastSpanSeconds = 60

// Validate returns an error if an option is wrong.
func (o *FetchOptions) Validate() error {
	switch {
	case o.Dir == "":
		return errors.New("no directory is given for the fetched data: name a directory")
	case !o.From.Before(o.To):
		return fmt.Errorf("the period from %s to %s ends before it starts: give a start before the end", o.From.UTC().Format(time.RFC3339), o.To.UTC().Format(time.RFC3339))
	case o.SpanSeconds < leastSpanSeconds || o.MaxSpanSeconds < o.SpanSeconds:
		return fmt.Errorf("the option SpanSeconds is %d and MaxSpanSeconds is %d: give SpanSeconds of at least %d, and MaxSpanSeconds of at least SpanSeconds", o.SpanSeconds, o.MaxSpanSeconds, leastSpanSeconds)
	}
	return bounds.Check(*o)
}

// A Result has the results of a fetch.
type Result struct {
	Kind     string // protocol that was used
	Servers  int
	Samples  int64  // number of samples received
	Records  uint64 // number of records or lines that were written
	Bytes    int64  // size of all files, in bytes
	Warnings []string
	// Partial is true if some data could not be read. The warnings name these data.
	Partial bool
}
