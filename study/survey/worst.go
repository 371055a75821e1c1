package survey

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// worstDrives is the number of drives in the list: as many as an operator can examine.
const worstDrives = 10

// A seated is a drive in one group. In another group the drive is compared with other drives.
type seated struct{ drive, group int32 }

// sickness holds the counts of a drive that was slow.
type sickness struct {
	seated
	slow      int64   // slow hours at the main threshold
	hours     int64   // hours in which the drive was a member
	largest   float64 // largest slowdown
	doublings float64 // sum of log2(slowdown) over all kept hours: severity × duration
	last      int32   // last kept hour
}

// worst returns the table of the worst drives of one direction and kind.
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

// mainThreshold returns study.Slow if it is one of the thresholds, else the largest threshold.
func mainThreshold(o study.Options) float64 {
	if slices.Contains(o.Thresholds, study.Slow) {
		return study.Slow
	}
	return o.Thresholds[len(o.Thresholds)-1]
}

func called(f *study.Fleet, s seated) string {
	return DriveLabel(f.Drives[s.drive].Name, f.Groups[s.group])
}

// DriveLabel returns the label of a drive in the table worst-drives: its name and its group. The
// group is left out if the name begins with it.
func DriveLabel(drive, group string) string {
	if strings.HasPrefix(drive, group) {
		return drive
	}
	return drive + " in " + group
}

// ranked returns the worst drives, the worst first. Equal drives are in the order of their
// labels.
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
