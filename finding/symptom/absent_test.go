package symptom

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// broken are seven servers of which the first has everything at once.
func broken() []machine {
	list := peers(7)
	m := &list[0]
	loses(5, 5)(m)
	carry(m, rxByt, rxPck, 30, fullFrame)
	m[rd] += 15 * megabyte / sector
	m[wait], m[util] = 60, 100
	return list
}

// oddKinds are those that the first server shows; nobody else may be odd.
func oddKinds(t *testing.T, system *topology.System, list []sign) []Kind {
	t.Helper()
	var found []Kind
	for _, s := range list {
		if !s.odd {
			continue
		}
		if found = append(found, s.kind); system.Components[s.Component].Server != "ios1" {
			t.Errorf("odd as well: %+v", s)
		}
	}
	slices.Sort(found)
	return found
}

// TestWhatIsNotMeasured: metrics that nobody has take those symptoms along that
// need them, and no others, whether rows have no place for them or nothing in
// it.
func TestWhatIsNotMeasured(t *testing.T) {
	names := func(list []metric.Metric) (out []string) {
		for _, m := range list {
			out = append(out, m.Name)
		}
		return out
	}
	for name, tt := range map[string]struct {
		lack []string
		want []Kind
	}{
		"all is there":       {nil, []Kind{Slow, Loaded, Receives, LosesIn, LosesOut}},
		"no drives":          {names(metric.Device()), []Kind{Receives, LosesIn, LosesOut}},
		"no interfaces":      {names(metric.Interface()), []Kind{Slow, Loaded, LosesIn, LosesOut}},
		"no connections":     {names(metric.Host()), []Kind{Slow, Loaded, Receives}},
		"nothing":            {names(metric.All()), nil},
		"no utilisation":     {[]string{"%util"}, []Kind{Receives, LosesIn, LosesOut}}, // not far enough to be slow
		"no request rate":    {[]string{"tps"}, []Kind{Loaded, Receives, LosesIn, LosesOut}},
		"no reads":           {[]string{"rd_sec"}, []Kind{Slow, Receives, LosesIn, LosesOut}},
		"no packets":         {[]string{"rxpck", "txpck"}, []Kind{Slow, Loaded, Receives, LosesIn, LosesOut}},
		"no bytes":           {[]string{"rxbyt", "txbyt"}, []Kind{Slow, LosesIn, LosesOut}}, // packets look like requests
		"no windows":         {[]string{"cwnd_in", "cwnd_out"}, []Kind{Slow, Loaded, Receives, LosesIn, LosesOut}},
		"nothing from peers": {[]string{"retr_in", "dlv_in", "cwnd_in"}, []Kind{Slow, Loaded, Receives, LosesOut}},
	} {
		t.Run(name, func(t *testing.T) {
			system := plainShape(7).system()
			full := schemaOf(system)
			short := full
			short.Metrics = slices.DeleteFunc(slices.Clone(full.Metrics), func(m metric.Metric) bool { return slices.Contains(tt.lack, m.Name) })
			for way, schema := range map[string]table.Schema{"no place": short, "missing": full} {
				if got := oddKinds(t, system, without(t, system, schema, tt.lack)); !slices.Equal(got, tt.want) {
					t.Errorf("%s: odd are %v, want %v", way, got, tt.want)
				}
			}
		})
	}
}

// without pushes a window of rows that have nothing of some metrics.
func without(t *testing.T, system *topology.System, schema table.Schema, lack []string) (list []sign) {
	t.Helper()
	x, err := newExaminer(bounds(), place.NewMap(system), schema)
	if err != nil {
		t.Fatal(err)
	}
	all := table.NewRow(schemaOf(system))
	fill(all, system, broken())
	row := table.NewRow(schema)
	for i, m := range schema.Metrics {
		if !slices.Contains(lack, m.Name) {
			copy(row.Values[i], all.Values[metric.Index(columns[:], m.Name)])
		}
	}
	for i := range int64(64) {
		row.End = begin + i + 1
		x.push(row, func(w *window) { list = append(list, w.signs...) })
	}
	return list
}

// TestWithoutComponents: a topology without drives, interfaces or hosts leaves
// the others' symptoms.
func TestWithoutComponents(t *testing.T) {
	for name, tt := range map[string]struct {
		shape shape
		want  []Kind
	}{
		"no drives":      {shape{7, 0, 1, 1, 1}, []Kind{Receives, LosesIn, LosesOut}},
		"no interfaces":  {shape{7, 1, 0, 1, 1}, []Kind{Slow, Loaded, LosesIn, LosesOut}},
		"no hosts":       {shape{7, 1, 1, 0, 1}, []Kind{Slow, Loaded, Receives}},
		"two sets":       {shape{7, 1, 1, 1, 2}, []Kind{Slow, Loaded, Receives, LosesIn, LosesOut}},
		"groups of two":  {shape{7, 1, 1, 1, 4}, nil},
		"no servers":     {shape{0, 1, 1, 1, 1}, nil},
		"several drives": {shape{7, 3, 1, 1, 1}, []Kind{Slow, Slow, Slow, Loaded, Loaded, Loaded, Receives, LosesIn, LosesOut}},
	} {
		t.Run(name, func(t *testing.T) {
			windows := stream(t, tt.shape, broken()[:tt.shape.servers], 64)
			if len(windows) != 1 {
				t.Fatalf("%d windows", len(windows))
			}
			if got := oddKinds(t, tt.shape.system(), windows[0]); !slices.Equal(got, tt.want) {
				t.Errorf("odd are %v, want %v", got, tt.want)
			}
		})
	}
}

// TestServersWithoutAName: what belongs to no server has nothing to explain it.
func TestServersWithoutAName(t *testing.T) {
	system := plainShape(7).system()
	machines := broken()
	carry(&machines[0], txByt, txPck, 15, fullFrame) // would call for what is read
	row := table.NewRow(schemaOf(system))
	fill(row, system, machines)
	for i := range system.Components {
		system.Components[i].Server = ""
	}
	x, err := newExaminer(bounds(), place.NewMap(system), schemaOf(system))
	if err != nil {
		t.Fatal(err)
	}
	odd := map[Kind]int{}
	for i := range int64(64) {
		row.End = begin + i + 1
		x.push(row, func(w *window) {
			for _, s := range w.signs {
				if s.odd {
					odd[s.kind]++
				}
			}
		})
	}
	for _, kind := range []Kind{Slow, Loaded, Receives, Sends, LosesIn, LosesOut} {
		if odd[kind] != 1 {
			t.Errorf("kind %d: %d odd, want 1", kind, odd[kind])
		}
	}
}

// TestMembership: of two that differ nobody can say which one is odd, and who
// was there for half of a window is not judged by it.
func TestMembership(t *testing.T) {
	for name, tt := range map[string]struct {
		servers int
		absent  int // seconds of the window, of the last server
		judged  int
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
			if got := judged(t, tt.servers, tt.absent); got != tt.judged {
				t.Errorf("%d are judged, want %d", got, tt.judged)
			}
		})
	}
}

// judged counts the servers that have every kind of sign; no other has any.
func judged(t *testing.T, servers, absent int) int {
	t.Helper()
	system := plainShape(servers).system()
	x, err := newExaminer(bounds(), place.NewMap(system), schemaOf(system))
	if err != nil {
		t.Fatal(err)
	}
	count := make([]int, servers)
	row := table.NewRow(schemaOf(system))
	machines := peers(servers)
	for c := range columns {
		machines[servers-1][c] = table.Missing
	}
	for i := range 64 {
		if i == absent {
			machines[servers-1] = usual()
		}
		row.End = begin + int64(i) + 1
		fill(row, system, machines)
		x.push(row, func(w *window) {
			for _, s := range w.signs {
				count[s.Component%servers]++
			}
		})
	}
	whole := slices.DeleteFunc(slices.Clone(count), func(n int) bool { return n != int(NumKinds) })
	for _, n := range count {
		if n != 0 && n != int(NumKinds) {
			t.Errorf("signs by server: %v, want all or none", count)
		}
	}
	return len(whole)
}

// TestSuspects: three windows of five make a suspect.
func TestSuspects(t *testing.T) {
	windows := stream(t, plainShape(7), broken(), 64+3*32)
	if len(windows) != 4 {
		t.Fatalf("%d windows", len(windows))
	}
	for i, list := range windows {
		for _, s := range list {
			if s.suspect != (s.odd && i >= 2) {
				t.Errorf("window %d: %+v", i, s)
			}
		}
	}
}

// TestGapsForgetNothing: what was odd before an hour without data still counts
// after it, and the hour itself is no window.
func TestGapsForgetNothing(t *testing.T) {
	system := plainShape(7).system()
	x, err := newExaminer(bounds(), place.NewMap(system), schemaOf(system))
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schemaOf(system))
	fill(row, system, broken())
	var ends []int64
	suspects := 0
	for i := range int64(96 + 64) {
		row.End = begin + i + 1
		if i >= 96 {
			row.End += 3600 / 32 * 32
		}
		x.push(row, func(w *window) {
			ends = append(ends, w.end)
			for _, s := range w.signs {
				if s.suspect {
					suspects++
				}
			}
		})
	}
	const back = begin + 3600/32*32
	if want := []int64{begin + 64, begin + 96, back + 96 + 64}; !slices.Equal(ends, want) || suspects != 5 {
		t.Errorf("%d suspects in windows to %v, want 5 in the last of %v", suspects, ends, want)
	}
}

// TestClockSetBack: rows of an earlier time begin anew, and what came before
// them is none of their windows'.
func TestClockSetBack(t *testing.T) {
	system := plainShape(7).system()
	x, err := newExaminer(bounds(), place.NewMap(system), schemaOf(system))
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schemaOf(system))
	fill(row, system, broken())
	var ends []int64
	for i := range int64(40 + 64) {
		if row.End = begin + 640 + i + 1; i >= 40 {
			row.End = begin + i - 40 + 1
			fill(row, system, peers(7))
		}
		x.push(row, func(w *window) {
			ends = append(ends, w.end)
			for _, s := range w.signs {
				if s.odd {
					t.Errorf("odd, from another time: %+v", s)
				}
			}
		})
	}
	if want := []int64{begin + 64}; !slices.Equal(ends, want) {
		t.Errorf("windows to %v, want %v", ends, want)
	}
}
