package tabular

import "fmt"

// A Fault is what is wrong with a row or a value.
type Fault uint8

// The faults, in the order in which a line meets them. The first ones cost the
// row, the others a value.
const (
	BadQuotes  Fault = iota // that do not end
	LongLine                // longer than any that is written on purpose
	fewFields               // fewer than the header has
	ManyFields              // more than the header has
	MissingTime
	BadTime     // it cannot be read
	StrangeTime // it is not between 1970 and 2200
	MissingName
	ShortLine // fewer fields than the header has: the others are missing
	notTime   // a value that is no time
	NotNumber
	Negative
	Infinite
	Unbelievable // larger than anything that was ever measured
	faultKinds

	// good says that nothing is wrong.
	good = faultKinds
)

// costsRow says that a row with the fault is left out.
func (k Fault) costsRow() bool { return k < ShortLine }

// Faults counts what is wrong with rows, and keeps the first few. A nil one
// counts nothing.
type Faults struct {
	Part   int // whose rows are being read, for the first few
	First  []Found
	counts [faultKinds]int64
	firsts [faultKinds]Found
}

// Found is a fault in its place.
type Found struct {
	Fault
	Part   int    // as its reader called it
	Row    int64  // in its part, from 0
	Column string // of a value
	Text   string // the value or line, quoted
	Detail string
}

// Shown is how many faults are kept: enough to see a pattern.
const Shown = 5

// Count is how many of some faults there were.
func (f *Faults) Count(kinds ...Fault) (n int64) {
	for _, k := range kinds {
		n += f.counts[k]
	}
	return n
}

// FirstOf is the first of some faults, of which there is one.
func (f *Faults) FirstOf(kinds ...Fault) (first Found) {
	for _, k := range kinds {
		if f.counts[k] > 0 && (first.Text == "" || f.firsts[k].before(first)) {
			first = f.firsts[k]
		}
	}
	return first
}

func (f Found) before(g Found) bool { return f.Part < g.Part || f.Part == g.Part && f.Row < g.Row }

// Rows counts those that are left out.
func (f *Faults) Rows() (n int64) {
	for k, count := range f.counts {
		if Fault(k).costsRow() {
			n += count
		}
	}
	return n
}

// Values counts those that are taken as missing.
func (f *Faults) Values() int64 {
	return f.Count(notTime, NotNumber, Negative, Infinite, Unbelievable)
}

// Merge adds what another found.
func (f *Faults) Merge(g *Faults) {
	for k, n := range g.counts {
		if n > 0 && (f.counts[k] == 0 || g.firsts[k].before(f.firsts[k])) {
			f.firsts[k] = g.firsts[k]
		}
		f.counts[k] += n
	}
	f.First = append(f.First, g.First...)
}

// Note counts a fault. The detail is only made where the fault is kept.
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

// valueFaults say what is wrong with a value.
var valueFaults = map[Fault]string{
	NotNumber: "is no number", Negative: "is below zero", Infinite: "is infinite", Unbelievable: "is beyond belief",
	notTime: "is no time", BadTime: "is no time", StrangeTime: "is no time",
}

func (f Found) String() string {
	switch f.Fault {
	case BadQuotes:
		return "quotes do not end in " + f.Text
	case LongLine:
		return "the line has more than " + f.Detail
	case fewFields, ManyFields, ShortLine:
		return f.Detail + ": " + f.Text
	case MissingTime, MissingName:
		return "no " + f.Column
	}
	text := f.Text + " in " + f.Column + " " + valueFaults[f.Fault]
	if f.Detail != "" {
		text += "; " + f.Detail
	}
	return text
}

// maxExcerpt keeps a fault to a line of a terminal.
const maxExcerpt = 40

// excerpt quotes the beginning of a field or line.
func excerpt(text []byte) string {
	if len(text) > maxExcerpt {
		return fmt.Sprintf("%q…", text[:maxExcerpt])
	}
	return fmt.Sprintf("%q", text)
}
