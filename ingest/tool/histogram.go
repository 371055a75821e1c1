package tool

import (
	"iter"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A HistogramFormat reads histograms of latencies from the output of a tool.
//
// Each tool divides latencies into its own bins. limpet takes the geometric middle of the bin as
// the latency of all requests in the bin. If the upper end of a bin is twice its lower end, the
// latency is wrong by a factor of at most 1.41. Peers are measured by the same tool with the same
// bins, so the error hardly changes their comparison. A long tail is visible if the slow requests
// are in higher bins than the requests of the peers.
type HistogramFormat struct {
	Name    string // value of the flag --tables that selects this format
	Title   string // description in one line, for lists of formats
	Command string // the command that prints the output, for messages
	Sign    Sign   // sign by which the output is recognised; empty if the output has no sign
	// Read yields the samples of a text, in the order of the text. If the text is not the
	// output of the tool, Read yields an error and ends.
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

// A CountKind states how the tool counts the requests in the bins of a sample.
type CountKind int

// The kinds of counts.
const (
	sinceStart      CountKind = iota // number of requests since the counters of the tool began at 0
	sinceLastSample                  // number of requests since the previous sample
	perSecond                        // mean number of requests per second since the previous sample
)

// A Bin is the number of requests with a latency from LowNs to HighNs. HighNs of the last
// bin may be infinite.
type Bin struct{ LowNs, HighNs, Requests float64 }
