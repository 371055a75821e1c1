package store

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// A Match is a condition on the value of a label.
type Match struct {
	Name, Value string
	Regexp      bool // true if Value is a regular expression that must match the whole value
}

// A Request selects the samples of all series that fulfil the conditions in
// Matches. From is the first time of the period, and To is the first time after the
// period, both in ms since 1970.
type Request struct {
	Matches  []Match
	From, To int64
}

// SeriesFunc is a function that receives samples of one series, in time order. It may be called
// several times for one series, with later samples each time. The arguments are valid only during
// the call, because the Reader uses their memory again.
type SeriesFunc func(labels []exporter.Label, samples []exporter.Sample) error

// A Reader reads raw samples from a store.
type Reader interface {
	// Read calls the given function for every series that fulfils the conditions of the request. It
	// returns the warnings of the store about its answer, for example that a part is missing. Read
	// stops at the first error that this function returns.
	Read(ctx context.Context, a Request, each SeriesFunc) (warnings []string, err error)
}

// ErrTooMuch reports that the answer is larger than the store or limpet allows.
// A shorter period may work.
var ErrTooMuch = errors.New("the answer of the store is too large (select fewer series, or allow larger answers in the settings of the store)")

// ErrNoStore reports that the server at the address is not a store, or does not support the
// protocol.
var ErrNoStore = errors.New("no store answers at this address")

// Selector returns the conditions on labels as a selector of PromQL.
func (a *Request) Selector() string {
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

// Within returns the samples within the period of the request. Stores answer with whole chunks. A
// chunk may begin before the period or end after it.
func (a *Request) Within(samples []exporter.Sample) []exporter.Sample {
	for len(samples) > 0 && samples[0].Time < a.From {
		samples = samples[1:]
	}
	for n := len(samples); n > 0 && samples[n-1].Time >= a.To; n-- {
		samples = samples[:n-1]
	}
	return samples
}
