package histogram

import (
	"iter"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A Form is what a tool prints.
type Form struct {
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
	Since Kind = iota // requests since the tool began
	New               // requests since the sample before
	Rate              // requests a second since the sample before
)

// A Bin is the requests that took from one time to another, in ns; the last may end
// at infinity.
type Bin struct{ LowNs, HighNs, Requests float64 }
