package history

import (
	"github.com/limpet-storage/limpet/engine/persistence"
)

// Span holds the time range of each tier: steps, quarter hours and windows.
type Span struct {
	Steps, Quarters, Windows Range
}

// Usage is the disk space that a tier (steps, quarter hours or windows) takes.
type Usage struct {
	Tier  string
	Files int
	Bytes int64
	Range Range // time range of the tier, including rows in memory
}

// Series holds the values of a component and of its peers.
type Series struct {
	Component, Metric string
	Group             string // peer group of the component at the end of the range
	BucketSeconds     int64
	// A bucket is an interval of time. Buckets holds the buckets with values, in order of time. A
	// period without values has no bucket, so that a plot shows a gap.
	Buckets  []Bucket
	Troubles []string // sentences about files that cannot be read
}

// Scores holds the scores and verdicts of a component, one Score for each window and metric.
type Scores struct {
	Component string
	Scores    []Score // in order of time; scores of the same time are in the order of metrics
	Troubles  []string
}

// Score is the score and the verdict of one component, in one window and one metric.
type Score struct {
	End              int64 // end of the window
	Metric           string
	Score, Threshold float64 // the threshold is 0 if the component was not judged
	State            persistence.State
	Reason           persistence.Reason
	Suspect          bool
}

// A MapKind selects the values that a map shows.
type MapKind struct {
	Metric string // name of the metric; if it is empty, a map of scores shows the worst metric of each component
	Score  bool   // true if the map shows the score divided by its threshold; false if it shows the measured value
}

// Map is one value of every component at one time.
type Map struct {
	End        int64 // end of the step, quarter hour or window; 0 if the map has no values
	Seconds    int64 // length of the step or quarter hour; 0 for scores
	Components []string
	Groups     []string // names of peer groups, by component
	Values     []float64
	Troubles   []string
}
