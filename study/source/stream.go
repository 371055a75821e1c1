package source

import (
	"context"
	"io"
)

// A sortedFeed reads the records of the hours from ≤ hour < to, from units that are in order.
type sortedFeed struct {
	*reader
	units    []unit
	next     int   // index of the next unit
	from, to int32 // hours
	isFirst  bool  // the feed of the first range
	begun    bool  // a unit is being read
}

// Read appends some records of the range.
func (f *sortedFeed) Read(ctx context.Context, out *records) error {
	for from := out.Len(); out.Len() == from; {
		if !f.begun {
			if err := f.begin(); err != nil {
				return err
			}
		}
		err := f.read(ctx, out)
		if err == io.EOF {
			f.end()
			continue
		}
		if err != nil {
			return err
		}
		if past := f.trim(out, from); past && !f.listening {
			f.begun = false
		}
	}
	return nil
}

// begin begins the next unit with records of the range. The feed that has the first hour of a
// unit counts its faults.
func (f *sortedFeed) begin() error {
	for f.next < len(f.units) {
		u := &f.units[f.next]
		f.next++
		if !f.has(u) {
			continue
		}
		f.begun = true
		return f.reader.begin(u, f.next-1, u.Good == 0 || f.hourOf(u.First) >= f.from)
	}
	return io.EOF
}

// has reports whether the feed must read a unit. The first feed also reads units without a good
// row, to count their faults.
func (f *sortedFeed) has(u *unit) bool {
	if u.Good == 0 {
		return f.isFirst
	}
	return f.hourOf(u.Last) >= f.from && f.hourOf(u.First) < f.to
}

// end ends a unit.
func (f *sortedFeed) end() {
	f.begun = false
	if f.listening {
		f.progress.finish(&f.units[f.next-1])
	}
}

// trim removes the records from index from on that are before or after the range, and reports
// whether some were after the range.
func (f *sortedFeed) trim(out *records, from int) (past bool) {
	n := out.Len()
	if n == from || out.Hour[from] >= f.from && out.Hour[n-1] < f.to {
		return false
	}
	first, end := from, n
	for first < n && out.Hour[first] < f.from {
		first++
	}
	for end > first && out.Hour[end-1] >= f.to {
		end--
	}
	kept := newRecords(len(out.Measure))
	kept.Add(out, first, end)
	out.Cut(from)
	out.Add(kept, 0, kept.Len())
	return end < n
}
