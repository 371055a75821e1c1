package render

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden holds what is written against a file in testdata.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("not as in %s; see the difference after go test -update:\n%s", path, got.String())
	}
}

// figure makes one as a study does; those without an interval have low > high.
func figure(name, phrase string, unit study.Unit, value, low, high float64, t16 ...float64) study.Figure {
	f := study.Figure{Name: name, Value: study.Value{Number: value, Unit: unit}}
	if low <= high {
		f.Interval = &study.Interval{Low: low, High: high}
	}
	if len(t16) > 0 {
		f.Source, f.T16 = "Finding 1", &t16[0]
	}
	f.Sentence = f.Say(phrase)
	return f
}

// some is a result with one of everything.
func some() *Result {
	disks := &study.Part{
		Direction: "all", Kind: "disk", Groups: 380, Drives: 4626, GroupHours: 722488, DriveHours: 8750860,
		Figures: []study.Figure{
			figure("slow-hours-1.5", "of the drive hours of disks are slow (1.5× or more)", study.Share, 0.0071, 0.0063, 0.008, 0.007),
			figure("slow-hours-2", "of the drive hours of disks are slow (2× or more)", study.Share, 0.00203, 0.0016, 0.0025, 0.0022),
			figure("four-nines", "is the slowdown that 99.99 % of the drive hours of disks do not exceed", study.Times, 8.6, 7.1, 12, 9),
			figure("four-digits", "of the drive hours of disks have a slowdown of 1,000× or more", study.Share, 0, 1, 0),
			figure("persist-1.5", "of the slow runs of disks (1.5×) continue after their first hour", study.Share, 0.42, 0.41, 0.43),
			figure("replace-at-1-2", "per replaced drive, if disks are replaced after 1 slow hour (2×)", study.InHours, 12, 9.7, 15),
			figure("drift-2", ": share of slow drive hours (2× or more) of disks in the last month, compared with the first month", study.Points, 0.00018, -0.00036, 0.00097),
		},
		Tables: []study.Table{{
			Name: "nines", Title: "Percentiles of the slowdown", Source: "T16 Table 3a", Columns: []string{"percentile", "S", "T1"}, Note: "In bins.",
			Rows: []study.Row{
				{Label: "99 %", Values: []study.Value{{Number: 1.4, Unit: study.Times, Interval: &study.Interval{Low: 1.3, High: 1.5}}, {Unit: study.Times, None: true}}},
				{Label: "drives", Values: []study.Value{{Number: 12345, Unit: study.Number}, {Number: 0, Unit: study.Number}}},
			},
		}},
		Charts: []study.Chart{{
			Name: "slowdown-cdf", Title: "Slowdown", Source: "T16 Figure 4", X: study.Axis{Title: "slowdown", From: 1, To: 5}, Y: study.Axis{Title: "share of hours with a smaller value", From: 0.95, To: 1},
			Curves: []study.Curve{{Name: "S", Points: []study.Point{{X: 1, Y: 0.5}, {X: 1.5, Y: 0.98}, {X: 7, Y: 1}}}, {Name: "T1", Points: []study.Point{{X: 1.2, Y: 0.9}, {X: 4, Y: 1}}}},
		}},
	}
	disks.Figures[1].Part, disks.Figures[1].Whole = 17752, 8750860
	reads := &study.Part{
		Direction: "reads", Kind: "drive", Groups: 1, Drives: 3, GroupHours: 1, DriveHours: 3,
		Figures: []study.Figure{figure("slow-hours-2", "of the drive hours of drives (reads) are slow (2× or more)", study.Share, 1.0/3, 1, 0)},
	}
	return &Result{
		Input: Input{Paths: []string{"fleet"}, WrongRows: 2, WrongValues: 1, First: []string{"fleet/a.csv:3: no drive", "fleet/a.csv:9: <b>ten</b> is no number"}},
		Findings: &study.Findings{
			From: 490896, To: 490896 + 87*24, Thresholds: []float64{1.5, 2}, Level: 0.95,
			Accounts: []study.DirectionAccount{
				{Direction: "all", Account: study.Account{Rows: 12181396, Counted: 9472640, Parity: 1770624, Idle: 938130, Narrow: 2, NarrowHours: 1}, Groups: 437, Drives: 5007, ParityOut: 848, Moved: 1},
				{Direction: "reads", Account: study.Account{Rows: 3, Counted: 3}, Groups: 1, Drives: 3},
			},
			Parts: []*study.Part{disks, reads}, Warnings: []string{"1 groups of drives (reads): too few slow groups for reliable confidence intervals"},
		},
	}
}

// studied studies a simulated fleet of some groups of each kind.
func studied(t testing.TB, groups, days int, seed uint64) *Result {
	t.Helper()
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Seed = groups, groups, days, seed
	dir := filepath.Join(t.TempDir(), "fleet")
	if _, err := fleet.Write(t.Context(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
	src, err := source.Open(t.Context(), []string{dir}, source.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var parts []*study.Reduction
	for _, hours := range src.Streams(t.Context()) {
		r, err := study.Reduce(hours, src.Fleet(), study.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, r)
	}
	r, err := study.Merge(src.Fleet(), parts...)
	if err != nil {
		t.Fatal(err)
	}
	f, err := survey.Find(r, src.Fleet(), src.Events(), survey.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return &Result{Input: Input{Paths: []string{"fleet"}}, Findings: f}
}
