package history

import (
	"io"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestQuarters writes two days of steps and reads the means of quarter hours back, for the components of
// the present system.
func TestQuarters(t *testing.T) {
	const step, day = 60, 86400
	system, _, err := topology.Parse("made.yaml", []byte("name: made\nservers: s[1-2]\ndrives:\n  - devices: sd[a-c]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.TempDir(), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(system.Components)}
	if err := s.Begin(system, schema); err != nil {
		t.Fatal(err)
	}
	wait := func(component int, end int64) float64 { return float64(component+1) + float64(end/900%4) }
	for end := int64(step); end <= 2*day; end += step {
		row := table.Row{End: end, Values: [][]float64{make([]float64, 6), make([]float64, 6)}}
		for c := range 6 {
			row.Values[0][c], row.Values[1][c] = 8, wait(c, end-1)
		}
		row.Values[1][5] = table.Missing
		if err := s.Row(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	wanted := *system
	wanted.Components = append([]topology.Component{{Name: "s9/sda"}}, system.Components...)
	q := s.Quarters(t.Context(), &wanted, []metric.Metric{metric.Await}, day/2, day+2700)
	n, last := 0, int64(day/2)
	for {
		row, err := q.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if n++; row.End != last+900 {
			t.Fatalf("a quarter hour ends at %d, want %d", row.End, last+900)
		}
		last = row.End
		for c, v := range row.Values[0] {
			want := math.NaN()
			if c > 0 && c < 6 {
				want = wait(c-1, row.End-1)
			}
			if math.Abs(v-want) > 0.01*want || math.IsNaN(v) != math.IsNaN(want) {
				t.Fatalf("component %d at %d: %v, want %v", c, row.End, v, want)
			}
		}
	}
	if n != 48+3 || len(q.Troubles()) > 0 {
		t.Errorf("%d quarter hours, want 51; troubles %q", n, q.Troubles())
	}
}
