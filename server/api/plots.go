package api

import "github.com/limpet-storage/limpet/report/document"

// What a series or a map shows.
const (
	Values = "value" // of a metric, in its unit
	Scores = "score" // how far from the peers, by that metric
)

// What a map shows besides: percentiles of the latencies of requests in the device, in ms, over the
// last minutes. Values are missing where no histograms of requests are recorded.
const (
	P50     = "p50"
	P99     = "p99"
	Slowest = "slowest"
)

// Percentiles has the share of requests that take no longer than each percentile.
var Percentiles = map[string]float64{P50: 0.5, P99: 0.99, Slowest: 1}

// SeriesQuery asks for a component beside its peers.
type SeriesQuery struct {
	Component string // by its name
	Metric    string
	What      string // Values or Scores
	From, To  int64  // Unix times
	Points    int    // at most: steps are joined where there are more
}

// Series is a component beside its peers. Values are of steps of equal length: the
// first ends StepSeconds after From. A step without data is null, so that a gap is
// a gap.
type Series struct {
	Component   string        `json:"component"`
	Group       int           `json:"group"`
	Metric      string        `json:"metric"`
	What        string        `json:"what"`
	Unit        string        `json:"unit"`
	From        document.Time `json:"from"`
	StepSeconds int64         `json:"step_seconds"`
	Values      Numbers       `json:"values"`
	Thresholds  Numbers       `json:"thresholds,omitempty"` // of scores
	Peers       []Band        `json:"peers"`                // by quantile, ascending
	Members     int           `json:"members"`              // of the peer group
	Warnings    []string      `json:"warnings,omitempty"`   // files of the history that cannot be read, with the gap that each leaves
}

// Band is a quantile over the peers, step by step.
type Band struct {
	Quantile float64 `json:"quantile"`
	Values   Numbers `json:"values"`
}

// MapQuery asks for the whole system at a time.
type MapQuery struct {
	Metric string
	What   string // Values, Scores or a percentile
	At     int64  // Unix time; 0: the newest
}

// Map is a value of every component at a time, in the order of the system.
type Map struct {
	Metric     string          `json:"metric"`
	What       string          `json:"what"`
	Unit       string          `json:"unit"`
	At         document.Time   `json:"at"`             // end of the step or window that is shown
	Bound      document.Number `json:"bound,omitzero"` // from which on a value is odd, where there is one for all
	Components []string        `json:"components,omitempty"`
	Values     Numbers         `json:"values"`
	Warnings   []string        `json:"warnings,omitempty"` // as of a series
}
