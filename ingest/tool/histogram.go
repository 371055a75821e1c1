package tool

import (
	"iter"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A HistogramFormat reads histograms of latencies from the output of a tool.
//
// Tools divide latencies into bins of their own. All requests of a bin count with
// the geometric middle of the bin: with bins that are an octave wide, this is up to
// 41 % too much or too little. Peers are measured by the same tool, so the error is
// the same for all of them. A tail shows where it leaves the bins of the peers.
type HistogramFormat struct {
	Name    string // as --tables takes it
	Title   string // one line, for lists
	Command string // the command that prints it
	Sign    Sign   // empty: the output cannot be recognised
	// Read yields the samples of a text, in its order. An error ends the sequence:
	// the text is not the output of the tool.
	Read func(*Text) iter.Seq2[Sample, error]
}

// A Sample is a histogram of the latencies of one component.
type Sample struct {
	Time      int64 // Unix seconds
	Component string
	Peers     string // peer group of the component
	Op        blklat.Op
	Kind      CountKind
	Bins      []Bin
}

// A CountKind is the meaning of the numbers in a sample.
type CountKind int

// The kinds of counts.
const (
	sinceStart      CountKind = iota // requests since the tool started
	sinceLastSample                  // requests since the last sample
	perSecond                        // requests per second since the last sample
)

// A Bin is the number of requests with a latency from LowNs to HighNs. The last bin
// may end at infinity.
type Bin struct{ LowNs, HighNs, Requests float64 }
