package symptom

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// noneIdle reports no server as idle.
func noneIdle(int) bool { return false }

// fresh returns a detector of servers of a shape.
func fresh(t testing.TB, s shape) *Detector {
	t.Helper()
	system := s.System()
	d, err := New(DefaultOptions(), criteria.DefaultOptions(), onset.DefaultOptions(), blame.NewMap(system), schema(system, 1))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// broken returns seven servers, of which the first shows all symptoms at once.
func broken() []machine {
	list := alike(7)
	m := &list[0]
	m.Loses(5, 5)
	m.Receives(30, fullFrame)
	m.Reads(15)
	m[window.Await], m[window.Util] = 60, 100
	return list
}

// rowOf returns a row of machines.
func rowOf(system *topology.System, machines []machine) *table.Row {
	row := table.NewRow(schema(system, 1))
	fill(row, system, machines)
	return row
}

// examined are the ends of windows and their signs.
type examined struct {
	ends  []int64
	signs [][]Sign
}

// examine pushes a row several times, changed before each time.
func examine(t *testing.T, system *topology.System, row *table.Row, schema table.Schema, seconds int, change func(i int)) (out examined) {
	t.Helper()
	x, err := newExaminer(DefaultOptions(), criteria.DefaultOptions(), blame.NewMap(system), schema)
	if err != nil {
		t.Fatal(err)
	}
	for i := range seconds {
		row.End = begin + int64(i) + 1
		if change != nil {
			change(i)
		}
		x.push(row, func() {
			out.ends = append(out.ends, x.window.End)
			out.signs = append(out.signs, slices.Clone(x.window.Signs))
		})
	}
	return out
}

// steadily examines machines that do the same every second.
func steadily(t *testing.T, s shape, machines []machine, seconds int) [][]Sign {
	t.Helper()
	system := s.System()
	return examine(t, system, rowOf(system, machines), schema(system, 1), seconds, nil).signs
}

// oddIn returns the odd symptoms of the first server; no other server may be odd.
func oddIn(t *testing.T, system *topology.System, list []Sign) []finding.Symptom {
	t.Helper()
	var found []finding.Symptom
	for _, s := range list {
		if !s.Anomalous {
			continue
		}
		if found = append(found, s.Symptom); system.Components[s.Component].Server != "ios1" {
			t.Errorf("odd as well: %+v", s)
		}
	}
	slices.Sort(found)
	return found
}

const (
	waits, loaded, receives = finding.Waits, finding.Loaded, finding.Receives
	losesIn, losesOut       = finding.LosesIn, finding.LosesOut
)

// TestShownBy: every metric that shows a symptom has a history for its onset.
func TestShownBy(t *testing.T) {
	for _, s := range steadily(t, plain(7), broken(), 64)[0] {
		if !slices.Contains(symptomMetrics, s.Metric) {
			t.Errorf("symptom %d is shown by %s, which has no history", s.Symptom, s.Metric)
		}
	}
}

// TestWhatIsNotMeasured: missing metrics remove the symptoms that need them, and no
// others, whether rows lack the column or only its values.
func TestWhatIsNotMeasured(t *testing.T) {
	names := func(list []metric.Metric) (out []string) {
		for _, m := range list {
			out = append(out, m.Name)
		}
		return out
	}
	for name, tt := range map[string]struct {
		lack []string
		want []finding.Symptom
	}{
		"all is there":       {nil, []finding.Symptom{waits, loaded, receives, losesIn, losesOut}},
		"no drives":          {names(metric.Device()), []finding.Symptom{receives, losesIn, losesOut}},
		"no interfaces":      {names(metric.Interface()), []finding.Symptom{waits, loaded, losesIn, losesOut}},
		"no connections":     {names(metric.Host()), []finding.Symptom{waits, loaded, receives}},
		"nothing":            {names(metric.All()), nil},
		"no utilisation":     {[]string{"%util"}, []finding.Symptom{receives, losesIn, losesOut}}, // not far enough to be slow
		"no request rate":    {[]string{"tps"}, []finding.Symptom{loaded, receives, losesIn, losesOut}},
		"no reads":           {[]string{"rd_sec"}, []finding.Symptom{waits, receives, losesIn, losesOut}},
		"no packets":         {[]string{"rxpck", "txpck"}, []finding.Symptom{waits, loaded, receives, losesIn, losesOut}},
		"no bytes":           {[]string{"rxbyt", "txbyt"}, []finding.Symptom{finding.Asked, losesIn, losesOut}}, // packets look like requests
		"no windows":         {[]string{"cwnd_in", "cwnd_out"}, []finding.Symptom{waits, loaded, receives, losesIn, losesOut}},
		"nothing from peers": {[]string{"retr_in", "dlv_in", "cwnd_in"}, []finding.Symptom{waits, loaded, receives, losesOut}},
	} {
		t.Run(name, func(t *testing.T) {
			system := plain(7).System()
			full := schema(system, 1)
			short := full
			short.Metrics = slices.DeleteFunc(slices.Clone(full.Metrics), func(m metric.Metric) bool { return slices.Contains(tt.lack, m.Name) })
			all := rowOf(system, broken())
			for way, schema := range map[string]table.Schema{"no place": short, "missing": full} {
				row := table.NewRow(schema)
				for i, m := range schema.Metrics {
					if !slices.Contains(tt.lack, m.Name) {
						copy(row.Values[i], all.Values[metric.Index(full.Metrics, m.Name)])
					}
				}
				list := examine(t, system, row, schema, 64, nil).signs[0]
				if got := oddIn(t, system, list); !slices.Equal(got, tt.want) {
					t.Errorf("%s: odd are %v, want %v", way, got, tt.want)
				}
			}
		})
	}
}

// TestWithoutComponents: a topology without drives, interfaces or hosts keeps the
// symptoms of the others.
func TestWithoutComponents(t *testing.T) {
	of := func(servers, drives, interfaces, hosts, sets int) shape {
		return shape{Servers: servers, Drives: drives, Interfaces: interfaces, Hosts: hosts, Sets: sets}
	}
	for name, tt := range map[string]struct {
		shape shape
		want  []finding.Symptom
	}{
		"no drives":      {of(7, 0, 1, 1, 1), []finding.Symptom{receives, losesIn, losesOut}},
		"no interfaces":  {of(7, 1, 0, 1, 1), []finding.Symptom{waits, loaded, losesIn, losesOut}},
		"no hosts":       {of(7, 1, 1, 0, 1), []finding.Symptom{waits, loaded, receives}},
		"two sets":       {of(7, 1, 1, 1, 2), []finding.Symptom{waits, loaded, receives, losesIn, losesOut}},
		"groups of two":  {of(7, 1, 1, 1, 4), nil},
		"no servers":     {of(0, 1, 1, 1, 1), nil},
		"several drives": {of(7, 3, 1, 1, 1), []finding.Symptom{waits, waits, waits, loaded, loaded, loaded, receives, losesIn, losesOut}},
	} {
		t.Run(name, func(t *testing.T) {
			list := steadily(t, tt.shape, broken()[:tt.shape.Servers], 64)[0]
			if got := oddIn(t, tt.shape.System(), list); !slices.Equal(got, tt.want) {
				t.Errorf("odd are %v, want %v", got, tt.want)
			}
		})
	}
}

// TestMembership: two servers that differ make no sign, because either may be the odd
// one, and a server that was absent for half of a window is not compared.
func TestMembership(t *testing.T) {
	for name, tt := range map[string]struct {
		servers  int
		absent   int // seconds of the window, of the last server
		compared int
	}{
		"two":                         {2, 0, 0},
		"three":                       {3, 0, 3},
		"one of three half the time":  {3, 32, 0},
		"one of three nearly half":    {3, 31, 3},
		"one of four half the time":   {4, 32, 3},
		"one of four nearly half":     {4, 31, 4},
		"one of four all of the time": {4, 64, 3},
	} {
		t.Run(name, func(t *testing.T) {
			system := plain(tt.servers).System()
			there, gone := alike(tt.servers, connected), alike(tt.servers, connected)
			for c := range window.NumColumns {
				gone[tt.servers-1][c] = table.Missing
			}
			row := rowOf(system, gone)
			list := examine(t, system, row, schema(system, 1), 64, func(i int) {
				if i == tt.absent {
					fill(row, system, there)
				}
			}).signs[0]
			if want := tt.compared * int(finding.NumSymptoms); len(list) != want {
				t.Errorf("%d signs, want all of %d servers", len(list), tt.compared)
			}
		})
	}
}

// TestSuspects: three odd windows of five make a suspect.
func TestSuspects(t *testing.T) {
	for i, list := range steadily(t, plain(7), broken(), 64+3*32) {
		for _, s := range list {
			if s.Suspect != (s.Anomalous && i >= 2) {
				t.Errorf("window %d: %+v", i, s)
			}
		}
	}
}

// TestGapsForgetNothing: odd windows before an hour without data still count after it,
// and the hour itself is no window.
func TestGapsForgetNothing(t *testing.T) {
	const back = 3600 / 32 * 32
	system := plain(7).System()
	row := rowOf(system, broken())
	got := examine(t, system, row, schema(system, 1), 96+64, func(i int) {
		if i >= 96 {
			row.End += back
		}
	})
	suspects := 0
	for _, list := range got.signs {
		for _, s := range list {
			if s.Suspect {
				suspects++
			}
		}
	}
	if want := []int64{begin + 64, begin + 96, begin + back + 96 + 64}; !slices.Equal(got.ends, want) || suspects != 5 {
		t.Errorf("%d suspects in windows to %v, want 5 in the last of %v", suspects, got.ends, want)
	}
}

// TestClockSetBack: rows with an earlier time begin new windows, without the rows before
// them.
func TestClockSetBack(t *testing.T) {
	system := plain(7).System()
	row := rowOf(system, broken())
	got := examine(t, system, row, schema(system, 1), 40+64, func(i int) {
		if row.End += 640; i >= 40 {
			row.End -= 680
			fill(row, system, alike(7))
		}
	})
	if want := []int64{begin + 64}; !slices.Equal(got.ends, want) || len(oddIn(t, system, got.signs[0])) > 0 {
		t.Errorf("windows to %v, want %v and nothing odd", got.ends, want)
	}
}

// pushShift pushes the rows of a shift.
func pushShift(d *Detector, row *table.Row) {
	for range 32 {
		row.End++
		d.Push(row, noneIdle, func(int64, []finding.Finding) {})
	}
}

// TestNoAllocation: rows and windows without a fault allocate no memory.
func TestNoAllocation(t *testing.T) {
	d := fresh(t, plain(20))
	row := rowOf(d.places.System, alike(20))
	row.End = begin
	pushShift(d, row)
	pushShift(d, row)
	if n := testing.AllocsPerRun(5, func() { pushShift(d, row) }); n > 0 {
		t.Errorf("%g allocations a window", n)
	}
}

// BenchmarkPush: a window of a thousand servers, 32 rows.
func BenchmarkPush(b *testing.B) {
	d := fresh(b, plain(1000))
	row := rowOf(d.places.System, alike(1000))
	row.End = begin
	b.ReportAllocs()
	for b.Loop() {
		pushShift(d, row)
	}
}
