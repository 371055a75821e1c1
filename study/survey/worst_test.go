package survey

import (
	"fmt"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestWorst has drives whose slow hours are known: the worst ten are named, in
// order, with what they were.
func TestWorst(t *testing.T) {
	f := &study.Fleet{Groups: []string{"g1"}}
	const drives = 16
	for i := range drives {
		f.Drives = append(f.Drives, study.Drive{Name: fmt.Sprintf("d%02d", i)})
	}
	r, err := study.NewReducer(f, study.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	const hours = 40
	for h := range int32(hours) {
		b := &study.Batch{}
		for d := range int32(drives) {
			latency := float32(1)
			if d >= 1 && d <= 12 && h%16 == d%16 { // each slow at times of its own
				latency = float32(d) + 2
			}
			if d == 15 && h < 20 { // 20 hours at 1.75: never twice as slow
				latency = 1.75
			}
			b.Hour, b.Group, b.Drive = append(b.Hour, h), append(b.Group, 0), append(b.Drive, d)
			b.IOs, b.Latency, b.Size = append(b.IOs, 1), append(b.Latency, latency), append(b.Size, 1)
		}
		if err := r.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	reduction, err := r.Reduction()
	if err != nil {
		t.Fatal(err)
	}
	out, err := Find(reduction, f, nil, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	row := rowOf(t, out.Parts[0], "worst-drives", "d15 in g1")
	for i, want := range []float64{0, hours, 1.75, 20 * math.Log2(1.75), 20} {
		if got := row.Values[i].Number; math.Abs(got-want) > 1e-6 {
			t.Errorf("d15, value %d: %v, want %v", i, got, want)
		}
	}
	row = rowOf(t, out.Parts[0], "worst-drives", "d07 in g1") // slow at 7, 23 and 39
	for i, want := range []float64{3, hours, 9, 3 * math.Log2(9), 0} {
		if got := row.Values[i].Number; math.Abs(got-want) > 1e-6 {
			t.Errorf("d07, value %d: %v, want %v", i, got, want)
		}
	}
	for _, table := range out.Parts[0].Tables {
		if table.Name != "worst-drives" {
			continue
		}
		if len(table.Rows) != 10 || table.Rows[0].Label != "d15 in g1" || table.Rows[1].Label != "d07 in g1" {
			t.Errorf("%d rows, the first %s, then %s", len(table.Rows), table.Rows[0].Label, table.Rows[1].Label)
		}
		for i := range table.Rows[1:] {
			if table.Rows[i].Values[3].Number < table.Rows[i+1].Values[3].Number {
				t.Errorf("row %d is worse than the one before", i+1)
			}
		}
	}
}
