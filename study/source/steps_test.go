package source

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/topology"
)

// madeRows is a stream of given rows.
type madeRows struct {
	schema table.Schema
	rows   []table.Row
}

func (m *madeRows) Schema() table.Schema { return m.schema }

func (m *madeRows) Next() (*table.Row, error) {
	if len(m.rows) == 0 {
		return nil, io.EOF
	}
	row := &m.rows[0]
	m.rows = m.rows[1:]
	return row, nil
}

var recorded = []metric.Metric{metric.TPS, metric.AvgRqSz, metric.Await}

// TestFold folds steps of ten minutes, of two servers with a drive each,
// which also see a LUN of an array.
func TestFold(t *testing.T) {
	nan := math.NaN()
	system := &topology.System{
		Name: "made",
		Components: []topology.Component{
			{Name: "s1/sda", Server: "s1", Group: 1},
			{Name: "s2/sda", Server: "s2", Group: 1},
			{Name: "lun1.s1", Server: "s1", LUN: "a.1", Array: "a", Group: 2},
			{Name: "lun1.s2", Server: "s2", LUN: "a.1", Array: "a", Group: 2},
			{Name: "s1/eth0", Server: "s1", Kind: topology.Interface, Group: 3},
		},
		Groups: []topology.PeerGroup{{ID: 1, Name: "system"}, {ID: 2, Name: "primary"}, {ID: 3, Name: "net"}},
	}
	rows := func() *madeRows {
		return &madeRows{
			schema: table.Schema{StepSeconds: 600, Metrics: recorded, Components: 5},
			rows: []table.Row{
				{End: 3000, Values: [][]float64{{1, nan, 1, 1, nan}, {8, nan, 8, 8, nan}, {2, nan, 1, 3, nan}}},
				{End: 3600, Values: [][]float64{{3, 0, 0, 2, nan}, {16, 0, 0, 8, nan}, {4, 0, 0, 4, nan}}},
				{End: 4200, Values: [][]float64{{1, nan, nan, nan, nan}, {8, nan, nan, nan, nan}, {2, nan, nan, nan, nan}}},
				{End: 14400, Values: [][]float64{{nan, nan, nan, nan, nan}, {nan, nan, nan, nan, nan}, {nan, nan, nan, nan, nan}}},
			},
		}
	}
	tests := map[Grouping]string{
		// s1/sda: 600 and 1800 requests of 2 and 4 ms, of 8 and 16 sectors.
		// The LUN: 600 of 1 ms; 600 of 3 ms; 1200 of 4 ms.
		byPlace: `all 0 s1 s1/sda 2400 3500 7168
			all 0 s2 s2/sda 0 NaN NaN
			all 0 a a.1 2400 3000 4096
			all 1 s1 s1/sda 600 2000 4096`,
		byServer: `all 0 s1 s1/sda 2400 3500 7168
			all 0 s1 a.1 600 1000 4096
			all 0 s2 s2/sda 0 NaN NaN
			all 0 s2 a.1 1800 3666.6667 4096
			all 1 s1 s1/sda 600 2000 4096`,
		byArray: "all 0 a a.1 2400 3000 4096",
		ByPeers: `all 0 system s1/sda 2400 3500 7168
			all 0 system s2/sda 0 NaN NaN
			all 0 primary a.1 2400 3000 4096
			all 1 system s1/sda 600 2000 4096`,
	}
	for group, want := range tests {
		t.Run(string(group), func(t *testing.T) {
			o := DefaultStepsOptions()
			o.Group = group
			r, err := Fold(rows(), system, o)
			if err != nil {
				t.Fatal(err)
			}
			got := printedSteps(t, r)
			if want := strings.ReplaceAll(want, "\t", ""); strings.Join(got, "\n") != want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
			}
			if f := r.Folding(); f.Hours != int64(len(got)) || f.Records <= f.Hours || f.Merged() != f.Records-f.Hours {
				t.Errorf("%+v of %d hours", f, len(got))
			}
		})
	}
}

// printedSteps reads all hours, a line for each.
func printedSteps(t *testing.T, r *Rows) (out []string) {
	t.Helper()
	var b study.Batch
	for {
		err := r.Next(&b)
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			f := r.Fleet()
			out = append(out, fmt.Sprintf("%v %d %s %s %v %v %v", b.Direction, b.Hour[i], f.Groups[b.Group[i]], f.Drives[b.Drive[i]].Name, b.IOs[i], b.Latency[i], b.Size[i]))
		}
	}
}

func TestFoldRefuses(t *testing.T) {
	system := &topology.System{Name: "made", Components: []topology.Component{{Name: "a", Server: "s", Group: 1}}}
	rows := &madeRows{schema: table.Schema{StepSeconds: 15, Metrics: append(recorded, metric.Util), Components: 1}}
	tests := map[string]struct {
		change func(*StepsOptions)
		want   string
	}{
		"no such metric": {func(o *StepsOptions) { o.IOs = "iops" }, "no metric iops"},
		"unit":           {func(o *StepsOptions) { o.Latency = "%util" }, `metric %util has the unknown unit "%"`},
		"no latency":     {func(o *StepsOptions) { o.Latency = "" }, "the metric for the latency is missing"},
		"grouping":       {func(o *StepsOptions) { o.Group = "rack" }, `use "place", "server", "array", "peers" or "alike"`},
		"nobody":         {func(o *StepsOptions) { o.Group = byArray }, "made has 1 component, but no drive with a known array"},
	}
	for name, tt := range tests {
		o := DefaultStepsOptions()
		tt.change(&o)
		if _, err := Fold(rows, system, o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Fold(rows, system, DefaultStepsOptions()); err != nil {
		t.Error(err)
	}
}

var _ study.Hours = (*Rows)(nil)
