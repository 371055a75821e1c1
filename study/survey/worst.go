package survey

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// worstDrives is how many drives are named: what an operator can look at.
const worstDrives = 10

// A seated drive is a drive in one group: in another group it is compared with other
// drives.
type seated struct{ drive, group int32 }

// sickness is what is known of a drive that was slow.
type sickness struct {
	seated
	slow      int64   // hours at the main threshold
	hours     int64   // that were compared
	largest   float64 // slowdown
	doublings float64 // how slow times how long: the binary logarithm of the slowdown, added up over all hours that are kept
	last      int32   // hour that was slow
}

// worst names the drives of one direction and kind that were slow the most.
func worst(r *study.Reduction, f *study.Fleet, d study.Direction, k study.Kind) study.Table {
	at := mainThreshold(r.Options)
	t := study.Table{
		Name: "worst-drives", Title: "The worst drives, by size and duration of the slowdown",
		Columns: []string{"drive", fmt.Sprintf("hours at %g×", at), "all hours", "largest", "doublings × hours", "since slow"},
		Note: fmt.Sprintf("“Largest” is the largest slowdown in one hour. “Doublings × hours” is a sum over all hours with a slowdown of at least %g×: an hour at 2× adds 1, an hour at 4× adds 2. “Since slow” is the time from the last of these hours to the end of the data.",
			r.Options.Kept()),
	}
	_, end := span(r)
	for _, s := range ranked(r, f, d, k, at) {
		number := func(v float64, u study.Unit) study.Value { return study.Value{Number: v, Unit: u} }
		t.Add(called(f, s.seated), number(float64(s.slow), study.Number), number(float64(s.hours), study.Number),
			number(s.largest, study.Times), number(s.doublings, study.Number), number(float64(end-s.last-1), study.InHours))
	}
	return t
}

// mainThreshold is that of T16 where it is asked for, else the largest.
func mainThreshold(o study.Options) float64 {
	if slices.Contains(o.Thresholds, study.Slow) {
		return study.Slow
	}
	return o.Thresholds[len(o.Thresholds)-1]
}

func called(f *study.Fleet, s seated) string {
	return DriveLabel(f.Drives[s.drive].Name, f.Groups[s.group])
}

// DriveLabel names a drive in the table worst-drives: with its group, unless its own name
// begins with that.
func DriveLabel(drive, group string) string {
	if strings.HasPrefix(drive, group) {
		return drive
	}
	return drive + " in " + group
}

// ranked are the worst drives, the worst first. Equals stand in the order of their
// names.
func ranked(r *study.Reduction, f *study.Fleet, d study.Direction, k study.Kind, threshold float64) []*sickness {
	sick := map[seated]*sickness{}
	for i := range r.Slow {
		h := &r.Slow[i]
		if c := &r.Cells[h.Cell]; c.Direction == d && c.Kind == k {
			at := seated{h.Drive, c.Group}
			if sick[at] == nil {
				sick[at] = &sickness{seated: at}
			}
			sick[at].add(h, threshold)
		}
	}
	for _, s := range r.Seats {
		c := &r.Cells[s.Cell]
		if one := sick[seated{s.Drive, c.Group}]; one != nil && c.Direction == d && c.Kind == k {
			one.hours += s.Hours
		}
	}
	var list []*sickness
	for _, s := range sick {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *sickness) int {
		return cmp.Or(cmp.Compare(b.doublings, a.doublings), cmp.Compare(called(f, a.seated), called(f, b.seated)))
	})
	return list[:min(len(list), worstDrives)]
}

func (s *sickness) add(h *study.SlowHour, threshold float64) {
	if h.S >= threshold {
		s.slow++
	}
	s.largest = max(s.largest, h.S)
	s.doublings += math.Log2(h.S)
	s.last = max(s.last, h.Hour)
}
