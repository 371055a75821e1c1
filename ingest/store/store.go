package store

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Match is a label that series must have.
type Match struct {
	Name, Value string
	Regexp      bool // the value is an anchored regular expression
}

// An Ask is for the samples of some series from one time to another, in ms since
// 1970. To is not among them.
type Ask struct {
	Matches  []Match
	From, To int64
}

// Each takes some samples of a series, in the order of time. Of one series it may
// be called several times, each later than the one before. Its memory is used
// again.
type Each func(labels []exporter.Label, samples []exporter.Sample) error

// A Reader asks a store for raw samples.
type Reader interface {
	// Read calls each for every series that matches. It returns what the store
	// said of its own answer, such as that a part of it is missing. Errors of
	// each end it.
	Read(ctx context.Context, a Ask, each Each) (warnings []string, err error)
}

// ErrTooMuch says that the answer would be larger than the store, or we, bear.
// A shorter time may do.
var ErrTooMuch = errors.New("the answer is too large")

// ErrNoStore says that what answers is no store, or not one of this kind.
var ErrNoStore = errors.New("no store answers there")

// Selector is what the matches are in PromQL.
func (a *Ask) Selector() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range a.Matches {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(m.Name)
		if b.WriteByte('='); m.Regexp {
			b.WriteByte('~')
		}
		b.WriteString(strconv.Quote(m.Value))
	}
	return b.String() + "}"
}

// Within are the samples that the ask is for. Stores answer with whole chunks.
func (a *Ask) Within(samples []exporter.Sample) []exporter.Sample {
	for len(samples) > 0 && samples[0].Time < a.From {
		samples = samples[1:]
	}
	for n := len(samples); n > 0 && samples[n-1].Time >= a.To; n-- {
		samples = samples[:n-1]
	}
	return samples
}
