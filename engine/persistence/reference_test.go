package persistence

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// The reference values come from testdata/reference.R, an implementation in
// another language that shares nothing with this package.

const tolerance = 1e-9

type referenceLine struct{ bins, width, score float64 }

func TestScoresAgreeWithReference(t *testing.T) {
	want := readReference(t)
	compared := 0
	for name, series := range readInput(t) {
		for _, measure := range Measures() {
			o := L13Options()
			o.Measure = measure
			for _, w := range detectAll(t, o, series) {
				for i, v := range w.Verdicts {
					key := fmt.Sprintf("%s,%s,%d,c%d", name, measure, w.End/o.StepSeconds, i)
					ref, ok := want[key]
					if !ok {
						t.Fatalf("no reference for %s", key)
					}
					compared++
					if !near(v.Score, ref.score) || measure == "cdf" && (float64(w.Bins.Count) != ref.bins || !near(w.Bins.Width, ref.width)) {
						t.Errorf("%s: score %.17g bins %+v, want %+v", key, v.Score, w.Bins, ref)
					}
				}
			}
		}
	}
	if compared != 5*7*(9+8+7+4+3) {
		t.Errorf("%d scores compared", compared)
	}
}

func TestThresholdsAgreeWithReference(t *testing.T) {
	want := readReference(t)
	for name, series := range readInput(t) {
		for _, measure := range Measures() {
			o := L13Options()
			o.Measure = measure
			system, schema := peers(len(series))
			trainer, err := NewTrainer(o, system, schema, []string{"await"})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rowsOf(o, series) {
				trainer.Push(row)
			}
			for component, got := range trainer.Model().Groups[0].Thresholds {
				key := fmt.Sprintf("%s,%s,threshold,%s", name, measure, component)
				if !near(got, want[key].score) {
					t.Errorf("%s: %.17g, want %.17g", key, got, want[key].score)
				}
			}
		}
	}
}

// TestReferenceIsCurrent runs R again, where it is installed.
func TestReferenceIsCurrent(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("Rscript (r-base-core) is not installed")
	}
	out, err := exec.Command(r, "testdata/reference.R", "testdata/input.csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out, committed) {
		t.Error("testdata/reference.csv is not what testdata/reference.R prints; run it again")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

func readReference(t *testing.T) map[string]referenceLine {
	lines := map[string]referenceLine{}
	for _, f := range readCSV(t, "testdata/reference.csv") {
		var l referenceLine
		for i, dst := range []*float64{&l.bins, &l.width, &l.score} {
			v, err := strconv.ParseFloat(f[4+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			*dst = v
		}
		lines[fmt.Sprintf("%s,%s,%s,%s", f[0], f[1], f[2], f[3])] = l
	}
	return lines
}

func readInput(t *testing.T) map[string][][]float64 {
	cases := map[string][][]float64{}
	for _, f := range readCSV(t, "testdata/input.csv") {
		series := make([]float64, len(f)-2)
		for i, text := range f[2:] {
			v, err := strconv.ParseFloat(text, 64)
			if text == "NA" {
				v, err = table.Missing, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			series[i] = v
		}
		cases[f[0]] = append(cases[f[0]], series)
	}
	return cases
}

func readCSV(t *testing.T, name string) [][]string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// peers returns a system of n components of one server that are one peer group.
func peers(n int) (*topology.System, table.Schema) {
	s := &topology.System{Servers: []string{"fs1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "peers"}}}
	for i := range n {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("c%d", i), Server: "fs1", Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	return s, table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}, Components: n, Load: -1}
}

// rowsOf turns series into rows, one for each step from the first.
func rowsOf(o Options, series [][]float64) []*table.Row {
	rows := make([]*table.Row, len(series[0]))
	for step := range rows {
		row := &table.Row{End: int64(step+1) * o.StepSeconds, Values: [][]float64{nil}}
		for _, s := range series {
			row.Values[0] = append(row.Values[0], s[step])
		}
		rows[step] = row
	}
	return rows
}

// detectAll passes series through a detector without a model.
func detectAll(t *testing.T, o Options, series [][]float64) []*Window {
	t.Helper()
	system, schema := peers(len(series))
	d, err := New(o, system, schema, []string{"await"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []*Window
	for _, row := range rowsOf(o, series) {
		d.Push(row, func(w *Window) {
			kept := *w
			kept.Verdicts = append([]Verdict(nil), w.Verdicts...)
			all = append(all, &kept)
		})
	}
	return all
}
