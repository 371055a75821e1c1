package history

import (
	"github.com/limpet-storage/limpet/engine/persistence"
)

// Span is the range of each tier.
type Span struct {
	Steps, Quarters, Windows Range
}

// Usage is the disk space of a tier.
type Usage struct {
	Tier  string
	Files int
	Bytes int64
	Range Range // including rows in memory
}

// Series is a component beside its peers.
type Series struct {
	Component, Metric string
	Group             string // its peer group at the end of the range
	BucketSeconds     int64
	// Buckets holds the buckets with values, in order of time. A stretch without values
	// has no bucket: a plot has a gap there.
	Buckets  []Bucket
	Troubles []string // sentences about files that cannot be read
}

// Scores are the results of windows for a component.
type Scores struct {
	Component string
	Scores    []Score // in order of time, then of metrics
	Troubles  []string
}

// Score is the result of one window for a component in one metric.
type Score struct {
	End              int64 // of the window
	Metric           string
	Score, Threshold float64 // the threshold is 0 if the component was not judged
	State            persistence.State
	Reason           persistence.Reason
	Suspect          bool
}

// What selects the values of a map.
type What struct {
	Metric string // empty, for scores: the worst metric of each component
	Score  bool   // the score divided by its threshold, instead of the value
}

// Map is one value of every component at one time.
type Map struct {
	End        int64 // of the step, quarter hour or window; 0: there is none
	Seconds    int64 // length of the step or quarter hour; 0 for scores
	Components []string
	Groups     []string // by component
	Values     []float64
	Troubles   []string
}
