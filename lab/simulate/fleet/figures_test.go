package fleet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// A held figure is one of T16's beside what a fleet has, and how far it may
// be off, as a share of T16's.
type held struct {
	name              string
	t16, ours, within float64
}

// TestT16 holds every figure of T16 §4 against a fleet, measured from its
// records. Print them with -v.
//
// Tolerances are wide where few drives make a figure: a tenth of the slow
// drives has most of the slow hours, and a tenth of those the largest.
func TestT16(t *testing.T) {
	o := DefaultOptions()
	o.DiskGroups, o.SSDGroups = 2000, 3000 // a hundred million drive hours
	if testing.Short() {
		o.DiskGroups, o.SSDGroups = 500, 750
	}
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := studyOf(f)
	sum := f.Summary()
	for kind, part := range map[Kind]*Part{Disk: sum.Disk, SSD: sum.SSD} {
		if got, want := part.Counts, s.kinds[kind].Counts; got != want {
			t.Errorf("%s: counted\n%+v\nwhile drawing, but the records have\n%+v", kind, got, want)
		}
	}
	for kind := range s.kinds {
		if p := s.plugs(kind); p.near > p.runs/10 || p.near == 0 {
			t.Errorf("%s: %d of %d slow runs have an event near: T16 §4.3.1 has few", kind, p.near, p.runs)
		}
	}
	s.holdAges(t)
	s.holdDiskModels(t)
	t.Run("disk", func(t *testing.T) { hold(t, append(s.diskFigures(), s.figuresOf(Disk)...)) })
	t.Run("ssd", func(t *testing.T) { hold(t, append(s.ssdFigures(), s.figuresOf(SSD)...)) })
}

func hold(t *testing.T, figures []held) {
	t.Helper()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tT16\there\toff\tmay be off")
	for _, f := range figures {
		off := f.ours/f.t16 - 1
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%+.0f %%\t%.0f %%\n", f.name, f.t16, f.ours, 100*off, 100*f.within)
		within := f.within
		if testing.Short() {
			within *= 2 // a quarter of the drives: the figures of rare events vary twice as much
		}
		if math.IsNaN(off) || math.Abs(off) > within {
			t.Errorf("%s: %.4g, T16 has %.4g", f.name, f.ours, f.t16)
		}
	}
	w.Flush()
	t.Log("simulated, in percent where it is a share\n" + text.String())
}

func percent[N int | int64](part, whole N) float64 { return 100 * float64(part) / float64(whole) }

// of chooses T16's figure.
func of(kind Kind, disk, ssd float64) float64 {
	if kind == SSD {
		return ssd
	}
	return disk
}

// figuresOf are those that T16 has of both kinds.
func (s *study) figuresOf(kind Kind) []held {
	c, p := s.kinds[kind], s.plugs(kind)
	t16 := func(disk, ssd float64) float64 { return of(kind, disk, ssd) }
	return []held{
		{"data drives a group", t16(458482/38029.0, 4069/572.0), float64(c.DataDrives) / float64(c.Groups), 0.05},
		{"S ≥ 1.5 (Finding 1)", t16(0.7, 1.3), percent(c.Slow15, c.DriveHours), 0.15},
		{"S ≥ 2 (Finding 1)", t16(0.22, 0.58), percent(c.Slow2, c.DriveHours), 0.15},
		{"S at four nines", 9, c.at(1e-4), 0.25},
		{"S at five nines", 30, c.at(1e-5), 0.35},
		{"hours at 100×, in a million", t16(3.02, 1.43), 1e6 * float64(c.Slow100) / float64(c.DriveHours), 0.6},
		{"T1 ≥ 2", t16(1.54, 2.23), percent(c.Tail1, c.GroupHours), 0.15},
		{"T2 ≥ 2 (Finding 3)", t16(0.6, 1.4), percent(c.Tail2, c.GroupHours), 0.15},
		{"T3 ≥ 2 (Finding 3)", t16(0.3, 0.8), percent(c.Tail3, c.GroupHours), 0.2},
		{"T1 ≥ 1.5", t16(4.6, 4.8), percent(c.Tail15, c.GroupHours), 0.15},
		{"slow past the hour (Finding 4)", t16(40, 35), percent(c.RunsPast1, c.Runs), 0.1},
		{"slow for 8 h and more (Finding 4)", t16(13, 3), percent(c.Runs8, c.Runs), 0.15},
		{"again within a day (Finding 5)", t16(90, 85), percent(c.RepeatsDay, c.Repeats), 0.05},
		{"drives ever ≥ 2 (Finding 6)", t16(26, 29), percent(c.EverSlow, c.DataDrives), 0.1},
		{"drives ever ≥ 16 (Finding 6)", t16(1.6, 2.5), percent(c.Ever16, c.DataDrives), 0.2},
		{"of slow drives: ≥ 100 times (Finding 7)", t16(6, 5), percent(c.Over100, c.EverSlow), 0.2},
		{"of slow drives: < 5 times (Finding 7)", t16(62, 70), percent(c.Under5, c.EverSlow), 0.1},
		{"RI ≥ 2 in slow hours (§4.2)", 5, percent(c.rateSlow, c.Slow2), 0.1},
		{"slow within RI ≥ 2", t16(1, 5), percent(c.rateSlow, c.rate), 0.2},
		{"ZI ≥ 2 in slow hours", t16(2.5, 1.1), percent(c.sizeSlow, c.Slow2), 0.1},
		{"slow within ZI ≥ 2", t16(0.1, 0.2), percent(c.sizeSlow, c.size), 0.2},
		{"events that lead to slowdowns (§4.3.1)", 90, percent(p.led, p.warned), 0.05},
		{"RIO ≥ 2, tail less stable hours (Finding 13)", t16(7, 23), percent(c.tenseFell, c.tense) - percent(c.calmFell, c.calm), 0.2},
		{"unplugged within a day (Finding 14)", t16(4, 8), percent(p.pulled, p.runs), 0.2},
		{"mild ones (Finding 14)", t16(3, 6), percent(p.mildPulled, p.mildRuns), 0.2},
		{"replugged (Finding 15)", t16(89, 100), percent(p.back, p.out), 0.05},
		{"of these within 2 h", t16(54, 61), percent(p.in2, p.back), 0.1},
		{"of these within 10 h", t16(90, 97), percent(p.in10, p.back), 0.05},
		{"slow again within a day (Finding 15)", t16(18, 35), percent(p.relapsed, p.slowBack), 0.2},
		{"busiest over mean hour of the day (§4.3.3)", 1, c.mostByHour(), 0.1},
	}
}

func (s *study) diskFigures() []held {
	c := s.kinds[Disk]
	return []held{{"hours at 1000×, in ten million", 1.45, 1e7 * float64(c.Slow1000) / float64(c.DriveHours), 0.95}}
}

func (s *study) ssdFigures() []held {
	c := s.kinds[SSD]
	slc, mlc, small := s.by["SLC"], s.by["MLC"], s.by["vendor CMLC"]
	return []held{
		{"S at exactly 1.5, 2 or 3", 0.4, percent(c.Exact, c.DriveHours), 0.15},
		{"T1 at exactly 2", 0.6, percent(c.exactly2, c.GroupHours), 0.2},
		{"RIO ≥ 2, stable hours (Finding 13)", 12, percent(c.calmFell, c.calm), 0.1},
		{"S ≥ 1.5, SLC (Finding 11)", 0.5, percent(slc.mild, slc.hours), 0.2},
		{"S ≥ 1.5, MLC (Finding 11)", 1.8, percent(mlc.mild, mlc.hours), 0.2},
		{"S ≥ 1.5, MLC of one vendor (Finding 12)", 5.7, percent(small.mild, small.hours), 0.2},
		{"S ≥ 2, MLC less SLC (Finding 11)", 0.1, percent(mlc.slow, mlc.hours) - percent(slc.slow, slc.hours), 1.5},
	}
}

// mostByHour is the most slow hours at an hour of the day, over their mean.
func (f *figures) mostByHour() float64 {
	return float64(slices.Max(f.byHour[:])) / (float64(f.Slow2) / hoursPerDay)
}

// holdAges holds that older disks are slow more often, up to the eighth year
// (T16 Finding 10).
func (s *study) holdAges(t *testing.T) {
	t.Helper()
	var byAge []float64
	for _, years := range [][2]int{{1, 2}, {3, 4}, {5, 6}, {7, 8}} {
		a, b := s.by[fmt.Sprint("disk year ", years[0])], s.by[fmt.Sprint("disk year ", years[1])]
		byAge = append(byAge, percent(a.mild+b.mild, a.hours+b.hours))
	}
	if !slices.IsSorted(byAge) {
		t.Errorf("S ≥ 1.5 of disks by age, two years each: %.3g %%", byAge)
	}
}

// holdDiskModels holds that a disk's model makes no difference (T16 §4.3.3).
func (s *study) holdDiskModels(t *testing.T) {
	t.Helper()
	all := percent(s.kinds[Disk].Slow15, s.kinds[Disk].DriveHours)
	for _, m := range diskModels {
		one := s.by["model "+m.Name]
		if share := percent(one.mild, one.hours); m.Name != "" && math.Abs(share/all-1) > 0.3 {
			t.Errorf("S ≥ 1.5 of %s: %.3g %%, of all %.3g %%", m.Name, share, all)
		}
	}
}
