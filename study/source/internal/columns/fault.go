package columns

import "fmt"

// Faults counts what is wrong with rows, and keeps the first few. A nil one
// counts nothing.
type Faults struct {
	Rows   int64 // left out
	Values int64 // taken as missing
	First  []Fault
	Part   int // whose rows are being read, for the first few
}

// A Fault is a row with something wrong, left out or with a value missing.
type Fault struct {
	Part int   // as its reader called it
	Row  int64 // in its part, from 0
	Text string
}

// Shown is how many faults are kept: enough to see a pattern.
const Shown = 5

// row notes a row that is left out.
func (f *Faults) row(row int64, format string, args ...any) {
	if f != nil {
		f.Rows++
		f.note(row, format, args...)
	}
}

// value notes a value that is taken as missing.
func (f *Faults) value(row int64, format string, args ...any) {
	if f != nil {
		f.Values++
		f.note(row, format, args...)
	}
}

func (f *Faults) note(row int64, format string, args ...any) {
	if len(f.First) < Shown {
		f.First = append(f.First, Fault{f.Part, row, fmt.Sprintf(format, args...)})
	}
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
