package study

import (
	"testing"
)

func TestText(t *testing.T) {
	tests := []struct {
		unit Unit
		x    float64
		want string
	}{
		{Share, 0.0022, "0.22 %"},
		{Share, 0.00222, "0.22 %"},
		{Share, 0.4, "40 %"},
		{Share, 1, "100 %"},
		{Share, 0, "0 %"},
		{Share, 0.0999, "10 %"},
		{Points, -0.0031, "-0.31 percentage points"},
		{Times, 2.25, "2.2×"},
		{Times, 1.97, "1.97×"}, // not 2×: a drive with no hour at 2× is below
		{Times, 1.9996, "1.9996×"},
		{Times, 1.94, "1.9×"},
		{Times, 2.04, "2×"},
		{Times, 1141.3, "1141×"},
		{InHours, 9.34, "9.3 h"},
		{Number, 2461, "2461"},
		{Number, 0.00001234, "0.000012"},
	}
	for _, test := range tests {
		if got := test.unit.Text(test.x); got != test.want {
			t.Errorf("%v as %s is %q, want %q", test.x, test.unit, got, test.want)
		}
	}
}

func TestSay(t *testing.T) {
	t16 := 0.0022
	f := Figure{Value: Value{Number: 0.0021, Unit: Share, Interval: &Interval{Low: 0.0019, High: 0.0024}, T16: &t16}}
	want := "0.21 % of disk drive hours are slow (0.19 % to 0.24 %); in T16: 0.22 %."
	if got := f.Say("of disk drive hours are slow"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Interval, f.T16 = nil, nil
	if got, want := f.Say("so"), "0.21 % so."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWords has differences and savings in words, with their sign.
func TestWords(t *testing.T) {
	t16 := 0.07
	tests := []struct {
		value Value
		want  string
	}{
		{Value{Number: -0.00082, Unit: Points, Interval: &Interval{Low: -0.002, High: 0.001}, T16: &t16}, "0.082 percentage points lower so (0.2 percentage points lower to 0.1 percentage points higher); in T16: 7 percentage points higher."},
		{Value{Number: 0.5, Unit: Points}, "50 percentage points higher so."},
		{Value{Number: -0.3, Unit: Points, Interval: &Interval{Low: -0.5, High: -0.2}}, "30 percentage points lower so (50 percentage points to 20 percentage points)."},
		{Value{Number: 2, Unit: InHours, Interval: &Interval{Low: 1, High: 5}}, "2 h less slowness so (1 h to 5 h)."},
		{Value{Number: -0.018, Unit: InHours, Unsure: "only 3 groups have such values"}, "0.018 h more slowness so (no confidence interval: only 3 groups have such values)."},
		{Value{Number: 3.2, Unit: InHours, Interval: &Interval{Low: -1, High: 5}}, "3.2 h less slowness so (1 h more slowness to 5 h less slowness)."},
	}
	for _, test := range tests {
		f := Figure{Value: test.value}
		if got := f.Say("so"); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestPublished(t *testing.T) {
	p := T16()["slow-hours-2"]
	if disk, ssd := p.Of(All, Disk), p.Of(All, SSD); *disk != 0.0022 || *ssd != 0.0058 {
		t.Errorf("T16 has %v of disks and %v of SSDs, want 0.0022 and 0.0058", *disk, *ssd)
	}
	for name, none := range map[string]*float64{
		"of reads": p.Of(Reads, Disk), "of drives of unknown kind": p.Of(All, Unknown),
		"of exact ratios of disks": T16()["exact-ratios"].Of(All, Disk), "of nothing": T16()["no such"].Of(All, Disk),
	} {
		if none != nil {
			t.Errorf("T16 has no figure %s: %v", name, *none)
		}
	}
}
