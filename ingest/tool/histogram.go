// This file is what others tell of how long requests took: histograms of
// tools that sites have already. Each tool is a form, in a package below this one;
// behind them all is one path, that of rows with latencies.
//
// Tools divide time as they like. A bin's requests are taken to have lasted for the
// middle of it, by their logarithm: of bins that are an octave wide, 41 % more or
// less. Peers are measured by the same tool, so that this moves them alike. A tail
// shows where it leaves the bins of the peers.
//
// Counts since a tool began are differenced, rates are multiplied by the time since
// the sample before. What would be negative is a restart: it tells nothing. Nothing
// else is left out.

package tool

import (
	"iter"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A HistogramForm is what a tool prints.
type HistogramForm struct {
	Name    string
	Title   string // what it is, one line
	Command string // that prints it
	Signs   []string
	// Read is the samples of a text, in its order; the last of them has an error
	// where the text is another's.
	Read func(*Text) iter.Seq2[Sample, error]
}

// A Sample is what the requests of one component took.
type Sample struct {
	Time      int64 // Unix seconds
	Component string
	Peers     string // the name of the group that it is compared with
	Op        blklat.Op
	Kind      Kind
	Bins      []Bin
}

// A Kind says what the numbers of a sample count.
type Kind int

// The kinds.
const (
	histogramSince Kind = iota // requests since the tool began
	newHistogram               // requests since the sample before
	rate                       // requests a second since the sample before
)

// A Bin is the requests that took from one time to another, in ns; the last may end
// at infinity.
type Bin struct{ LowNs, HighNs, Requests float64 }
