package render

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestDifference holds differences against those computed by hand: the ends
// are a root of squares away.
func TestDifference(t *testing.T) {
	value := func(x float64, ends ...float64) study.Value {
		v := study.Value{Number: x, Unit: study.Share}
		if len(ends) > 0 {
			v.Interval = &study.Interval{Low: ends[0], High: ends[1]}
		}
		return v
	}
	tests := map[string]struct {
		a, b    study.Value
		want    float64
		ends    [2]float64
		verdict Verdict
	}{
		"more":        {value(0.10, 0.07, 0.14), value(0.20, 0.17, 0.24), 0.10, [2]float64{0.10 - 0.05, 0.10 + 0.05}, More},
		"less":        {value(0.20, 0.17, 0.24), value(0.10, 0.07, 0.14), -0.10, [2]float64{-0.10 - 0.05, -0.10 + 0.05}, Less},
		"chance":      {value(0.10, 0.04, 0.13), value(0.12, 0.08, 0.20), 0.02, [2]float64{0.02 - 0.05, 0.02 + 0.10}, Chance},
		"the same":    {value(0.10, 0.04, 0.13), value(0.10, 0.04, 0.13), 0, [2]float64{-math.Hypot(0.06, 0.03), math.Hypot(0.06, 0.03)}, Chance},
		"no interval": {value(0.10, 0.04, 0.13), value(0.9), 0.8, [2]float64{}, Unsure},
		"none":        {value(0.10, 0.04, 0.13), study.Value{Unit: study.Share, None: true}, -0.10, [2]float64{}, Unsure},
	}
	for name, test := range tests {
		d := difference(test.a, test.b)
		if math.Abs(d.Number-test.want) > 1e-12 || d.Unit != study.Points || verdict(d) != test.verdict {
			t.Errorf("%s: %+v, %s; want %v, %s", name, d, verdict(d), test.want, test.verdict)
		}
		if test.verdict == Unsure {
			continue
		}
		if math.Abs(d.Interval.Low-test.ends[0]) > 1e-12 || math.Abs(d.Interval.High-test.ends[1]) > 1e-12 {
			t.Errorf("%s: %+v, want %v", name, *d.Interval, test.ends)
		}
	}
}

// other is some a month later: slower, with another figure, of half the time.
func other() *Result {
	r := some()
	r.From, r.To = r.To, r.To+43*24
	f := r.Parts[0].Figures
	f[1] = figure("slow-hours-2", "of the drive hours of disks are slow (2× or more)", study.Share, 0.0034, 0.0030, 0.0039, 0.0022)
	f[5] = figure("replace-at-1-4", "per replaced drive, if disks are replaced after 1 slow hour (4×)", study.InHours, 12, 9.7, 15)
	return r
}

func TestDiffGolden(t *testing.T) {
	d := Compare([2]string{"april", "may"}, some(), other())
	for _, format := range DiffFormats() {
		golden(t, "diff."+format, func(w io.Writer) error { return WriteDiff(w, format, d) })
	}
	var b bytes.Buffer
	if err := DiffHTML(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.14 percentage points (0.075 to 0.2 percentage points)", "chance alone can explain the difference", "S, april", "S, may", "Study periods of the same length", "the two values cannot be compared, because one of the results has no confidence interval"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	save(t, "diff", b.Bytes())
}

// TestUnequalPeriods: what grows with time is not compared between a month and
// two, and counts neither as a difference nor as judged.
func TestUnequalPeriods(t *testing.T) {
	make := func(days int32, ever float64) *Result {
		p := &study.Part{Direction: "all", Kind: "disk", Figures: []study.Figure{
			figure("ever-2", "of the disks were slow (2× or more) in at least one hour", study.Share, ever, ever-0.01, ever+0.01),
			figure("often-2", "of them were slow for 100 hours or more", study.Share, ever, ever-0.01, ever+0.01),
			figure("seldom-2", "of them were slow for fewer than 5 hours", study.Share, ever, ever-0.01, ever+0.01),
			figure("again-2", "of the slow hours come within a day of another", study.Share, ever, ever-0.01, ever+0.01),
			figure("hazard-never-2", "is the chance of a first slow hour", study.Share, ever, ever-0.01, ever+0.01),
			figure("hazard-lift-2", "is how much more often they are slow if they were slow lately", study.Times, 100*ever, 99*ever, 101*ever),
			figure("hazard-after-slow-2", "is the chance that the next hour is slow", study.Share, ever, ever-0.01, ever+0.01),
			figure("replace-at-1-2", "of slowdown would be saved", study.InHours, 100*ever, 99*ever, 101*ever),
			figure("slow-hours-2", "of the drive hours are slow", study.Share, ever, ever-0.01, ever+0.01),
		}}
		return &Result{Findings: &study.Findings{To: 24 * days, Level: 0.95, Thresholds: []float64{2}, Parts: []*study.Part{p}}}
	}
	all := func(*Change) bool { return true }
	if differ, judged := Compare([2]string{"a", "b"}, make(30, 0.1), make(31, 0.2)).differing(all); differ != 9 || judged != 9 {
		t.Errorf("of one length: %d of %d differ", differ, judged)
	}
	d := Compare([2]string{"a", "b"}, make(30, 0.1), make(60, 0.2))
	if differ, judged := d.differing(all); differ != 2 || judged != 2 {
		t.Errorf("of two lengths: %d of %d differ", differ, judged)
	}
	want := "“… of the disks were slow (2× or more) in at least one hour”: 10 % in the first result, 20 % in the second result; the two values cannot be compared, because the value depends on how much time the data cover: 720 hours and 1,440 hours."
	if got := d.Changes[0].Sentence(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestWorst: the worst vendors of two fleets are compared if they are the same
// one; and what has no interval is not said to be of too few groups.
func TestWorst(t *testing.T) {
	of := func(vendor string) *Result {
		p := &study.Part{Direction: "all", Kind: "ssd", Figures: []study.Figure{
			figure("worst-vendor-2", "of the drive hours of SSDs by "+vendor+", the worst vendor, are slow", study.Share, 0.1, 1, 0),
			figure("worst-hour-of-day", "the mean is the share of slow hours in the worst hour of the day", study.Times, 1.5, 1, 0),
		}}
		p.Figures[1].Unsure = "the value was chosen as the largest of 24 values"
		return &Result{Findings: &study.Findings{To: 24, Level: 0.95, Thresholds: []float64{2}, Parts: []*study.Part{p}}}
	}
	d := Compare([2]string{"a", "b"}, of("C"), of("D"))
	if len(d.Changes) != 1 || len(d.Lone) != 2 || d.Lone[1] != "the finding “… of the drive hours of SSDs by D, the worst vendor, are slow” is only in b" {
		t.Errorf("%d changes, alone %q", len(d.Changes), d.Lone)
	}
	d = Compare([2]string{"a", "b"}, of("C"), of("C"))
	if got := d.Changes[0].Reason; got != "one of the results has no confidence interval" {
		t.Errorf("cannot be decided, because %s", got)
	}
	if len(d.Changes) != 2 || len(d.Lone) != 0 || !strings.HasSuffix(d.Changes[1].Sentence(), "the two values cannot be compared, because a has no confidence interval: the value was chosen as the largest of 24 values.") {
		t.Errorf("%+v, alone %q", d.Changes, d.Lone)
	}
}

// TestAlike holds fleets that differ in nothing but their seed against each
// other: of twenty findings one may seem to differ, hardly three.
func TestAlike(t *testing.T) {
	differ, judged := 0, 0
	for seed := uint64(1); seed <= 3; seed++ {
		d := Compare([2]string{"a", "b"}, studied(t, 60, 12, seed), studied(t, 60, 12, 100+seed))
		m, n := d.differing(func(*Change) bool { return true })
		t.Logf("seed %d: %d of %d differ", seed, m, n)
		differ, judged = differ+m, judged+n
	}
	if judged < 100 || 100*differ > 15*judged {
		t.Errorf("%d of %d findings of fleets that are alike differ beyond chance", differ, judged)
	}
}
