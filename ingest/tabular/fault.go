package tabular

import "fmt"

// A Fault is a reason why a row is left out, or why a value counts as missing.
type Fault uint8

// Values of Fault, in the order of the checks of a line. The faults before ShortLine concern a whole
// row, and the row is left out. The other faults concern single values, which count as missing.
const (
	BadQuotes  Fault = iota // quotes without an end
	LongLine                // longer than MaxRecord
	fewFields               // fewer fields than the header has, without Options.Ragged
	ManyFields              // more fields than the header has
	MissingTime
	BadTime     // the time cannot be parsed
	StrangeTime // the time is not between 1970 and 2200
	SkippedTime // the local time does not exist, because clocks were set forward
	MissingName
	ShortLine // fewer fields than the header has, with Options.Ragged: the last fields are missing
	notTime   // a value that is not a time
	NotNumber
	Negative
	Infinite
	Unbelievable // the value is too large to be plausible
	faultKinds

	// noFault means that there is no fault.
	noFault = faultKinds
)

// costsRow reports whether a row with the fault is left out.
func (k Fault) costsRow() bool { return k < ShortLine }

// Faults counts faults. The field First has the first faults, at most Shown of them. A nil *Faults
// may be used, and counts nothing.
type Faults struct {
	Part   int // number of the part of the file that is being read
	First  []Found
	counts [faultKinds]int64
	firsts [faultKinds]Found
}

// Found is a fault, and the row and column in which it was found.
type Found struct {
	Fault
	Part   int    // number of the part in the file: the value of Faults.Part
	Row    int64  // index of the row in its part, from 0
	Column string // column of a value with a fault
	Text   string // the value or line, quoted
	Detail string
}

// Shown is the largest number of faults in Faults.First. This number of examples is enough to see a
// pattern.
const Shown = 5

// Count returns the number of faults of the given kinds.
func (f *Faults) Count(kinds ...Fault) (n int64) {
	for _, k := range kinds {
		n += f.counts[k]
	}
	return n
}

// FirstOf returns the first fault of the given kinds. There must be at least one such fault.
func (f *Faults) FirstOf(kinds ...Fault) (first Found) {
	for _, k := range kinds {
		if f.counts[k] > 0 && (first.Text == "" || f.firsts[k].before(first)) {
			first = f.firsts[k]
		}
	}
	return first
}

func (f Found) before(g Found) bool { return f.Part < g.Part || f.Part == g.Part && f.Row < g.Row }

// Rows returns the number of rows that are left out.
func (f *Faults) Rows() (n int64) {
	for k, count := range f.counts {
		if Fault(k).costsRow() {
			n += count
		}
	}
	return n
}

// Values returns the number of values that count as missing because of a fault.
func (f *Faults) Values() int64 {
	return f.Count(notTime, NotNumber, Negative, Infinite, Unbelievable)
}

// Merge adds the faults in g to f.
func (f *Faults) Merge(g *Faults) {
	for k, n := range g.counts {
		if n > 0 && (f.counts[k] == 0 || g.firsts[k].before(f.firsts[k])) {
			f.firsts[k] = g.firsts[k]
		}
		f.counts[k] += n
	}
	f.First = append(f.First, g.First...)
}

// Note counts a fault. The given function makes a text with details. Note calls this function only
// if it stores the fault.
func (f *Faults) Note(k Fault, row int64, column string, text []byte, detail func() string) {
	if f == nil {
		return
	}
	f.counts[k]++
	if f.counts[k] > 1 && len(f.First) == Shown {
		return
	}
	found := Found{Fault: k, Part: f.Part, Row: row, Column: column, Text: excerpt(text)}
	if detail != nil {
		found.Detail = detail()
	}
	if f.counts[k] == 1 {
		f.firsts[k] = found
	}
	if len(f.First) < Shown {
		f.First = append(f.First, found)
	}
}

// valueFaults has a phrase for each fault of a value, for messages.
var valueFaults = map[Fault]string{
	NotNumber: "is not a number", Negative: "is below zero", Infinite: "is infinite", Unbelievable: "is implausibly large",
	notTime: "is not a time", BadTime: "is not a time", StrangeTime: "is not a time", SkippedTime: "is not a time",
}

func (f Found) String() string {
	switch f.Fault {
	case BadQuotes:
		return "a quote is not closed in " + f.Text
	case LongLine:
		return "the line has more than " + f.Detail
	case fewFields, ManyFields, ShortLine:
		return f.Detail + ": " + f.Text
	case MissingTime, MissingName:
		return "column " + f.Column + " is empty"
	}
	text := f.Text + " in column " + f.Column + " " + valueFaults[f.Fault]
	if f.Detail != "" {
		text += "; " + f.Detail
	}
	return text
}

// maxExcerpt is the largest number of bytes of a quoted text, so that a message fits into
// a line.
const maxExcerpt = 40

// excerpt quotes the beginning of a field or line.
func excerpt(text []byte) string {
	if len(text) > maxExcerpt {
		return fmt.Sprintf("%q…", text[:maxExcerpt])
	}
	return fmt.Sprintf("%q", text)
}
