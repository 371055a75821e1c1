package history

import (
	"github.com/limpet-storage/limpet/engine/persistence"
)

// Span says what is there.
type Span struct {
	Steps, Quarters, Windows Range
}

// Usage says what a tier takes.
type Usage struct {
	Tier  string
	Files int
	Bytes int64
	Range Range // with what is not written yet
}

// Series is what a component did beside its peers.
type Series struct {
	Component, Metric string
	Group             string // its peer group at the end of the time asked for
	BucketSeconds     int64
	// Buckets are those in which anything was measured, in order of time. Where
	// nothing was, there is none: a plot has a gap there.
	Buckets  []Bucket
	Troubles []string // parts of the past that cannot be read
}

// Scores are what windows said of a component.
type Scores struct {
	Component string
	Scores    []Score // in order of time, then as the metrics are ordered
	Troubles  []string
}

// Score is what one window said of a component in one metric.
type Score struct {
	End              int64 // of the window
	Metric           string
	Score, Threshold float64 // the threshold is 0 where it was not judged
	State            persistence.State
	Reason           persistence.Reason
	Suspect          bool
}

// What says what a map shows.
type What struct {
	Metric string // empty, of scores: the metric that is worst by each component
	Score  bool   // the score as a multiple of its threshold instead of the value
}

// Map is one value of every component at a time.
type Map struct {
	End        int64 // of the step, quarter hour or window; 0 where there is none
	Seconds    int64 // that a value covers; 0 of scores
	Components []string
	Groups     []string // by component
	Values     []float64
	Troubles   []string
}
