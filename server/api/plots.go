package api

import "github.com/limpet-storage/limpet/report/document"

// The contents of a series or a map.
const (
	Values = "value" // values of a metric, in its unit
	Scores = "score" // distance from the peers in that metric
)

// A map can also show percentiles of the latencies of requests in the device, in ms, over the last
// minutes. If no histograms of requests are recorded, the values are missing.
const (
	P50     = "p50"
	P99     = "p99"
	Slowest = "slowest"
)

// Percentiles holds, for each percentile, the share of requests that take no longer.
var Percentiles = map[string]float64{P50: 0.5, P99: 0.99, Slowest: 1}

// SeriesQuery is a request for the values of a component and of its peers over time.
type SeriesQuery struct {
	Component string // name of the component
	Metric    string
	What      string // Values or Scores
	From, To  int64  // Unix times
	Points    int    // largest number of points; if there are more steps, neighbouring steps are merged
}

// Series holds the values of a component and of its peers over time. All steps have the same
// length; the first step ends StepSeconds after From. A step without data is null.
type Series struct {
	Component   string        `json:"component"`
	Group       int           `json:"group"`
	Metric      string        `json:"metric"`
	What        string        `json:"what"`
	Unit        string        `json:"unit"`
	From        document.Time `json:"from"`
	StepSeconds int64         `json:"step_seconds"`
	Values      Numbers       `json:"values"`
	Thresholds  Numbers       `json:"thresholds,omitempty"` // thresholds of the scores
	Peers       []Band        `json:"peers"`                // in ascending order of quantiles
	Members     int           `json:"members"`              // number of members of the peer group
	Warnings    []string      `json:"warnings,omitempty"`   // files of the history that cannot be read, with the gap that each leaves
}

// Band is a quantile over the peers, for each step.
type Band struct {
	Quantile float64 `json:"quantile"`
	Values   Numbers `json:"values"`
}

// MapQuery is a request for one value of every component at one time.
type MapQuery struct {
	Metric string
	What   string // Values, Scores or a percentile
	At     int64  // Unix time; 0: the newest
}

// Map holds one value of every component at one time, in the order of the system.
type Map struct {
	Metric string        `json:"metric"`
	What   string        `json:"what"`
	Unit   string        `json:"unit"`
	At     document.Time `json:"at"` // end of the step, quarter hour or window that is shown
	// From is the begin of that step, quarter hour or window; absent if it is not known.
	From document.Time `json:"from,omitzero"`
	// Bound is the value from which on a component is anomalous; absent: no value applies to all
	// components.
	Bound      document.Number `json:"bound,omitzero"`
	Components []string        `json:"components,omitempty"`
	Values     Numbers         `json:"values"`
	Warnings   []string        `json:"warnings,omitempty"` // as in Series
}
