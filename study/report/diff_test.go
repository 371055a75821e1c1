package report

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
)

// TestDifference holds differences against those computed by hand: the ends
// are a root of squares away.
func TestDifference(t *testing.T) {
	value := func(x float64, ends ...float64) finding.Value {
		v := finding.Value{Number: x, Unit: finding.Share}
		if len(ends) > 0 {
			v.Interval = &boot.Interval{Low: ends[0], High: ends[1]}
		}
		return v
	}
	tests := map[string]struct {
		a, b    finding.Value
		want    float64
		ends    [2]float64
		verdict Verdict
	}{
		"more":        {value(0.10, 0.07, 0.14), value(0.20, 0.17, 0.24), 0.10, [2]float64{0.10 - 0.05, 0.10 + 0.05}, More},
		"less":        {value(0.20, 0.17, 0.24), value(0.10, 0.07, 0.14), -0.10, [2]float64{-0.10 - 0.05, -0.10 + 0.05}, Less},
		"chance":      {value(0.10, 0.04, 0.13), value(0.12, 0.08, 0.20), 0.02, [2]float64{0.02 - 0.05, 0.02 + 0.10}, Chance},
		"the same":    {value(0.10, 0.04, 0.13), value(0.10, 0.04, 0.13), 0, [2]float64{-math.Hypot(0.06, 0.03), math.Hypot(0.06, 0.03)}, Chance},
		"no interval": {value(0.10, 0.04, 0.13), value(0.9), 0.8, [2]float64{}, Unsure},
		"none":        {value(0.10, 0.04, 0.13), finding.Value{Unit: finding.Share, None: true}, -0.10, [2]float64{}, Unsure},
	}
	for name, test := range tests {
		d := difference(test.a, test.b)
		if math.Abs(d.Number-test.want) > 1e-12 || d.Unit != finding.Points || verdict(d) != test.verdict {
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
	f[1] = figure("slow-hours-2", "of the drive hours of disks are at least 2× slow", finding.Share, 0.0034, 0.0030, 0.0039, 0.0022)
	f[5] = figure("replace-at-1-4", "of slowdown at 4× would be saved by each replacement of disks at slow hour 1", finding.Hours, 12, 9.7, 15)
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
	for _, want := range []string{"0.14 points (0.075 to 0.2 points)", "no difference beyond it", "S, april", "S, may", "study periods of one length"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	save(t, "diff", b.Bytes())
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
