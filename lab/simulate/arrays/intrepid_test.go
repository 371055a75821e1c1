package arrays

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/topology"
)

// TestIntrepidTopology holds the file that is made against the example that
// people start from, component by component.
func TestIntrepidTopology(t *testing.T) {
	s, err := Intrepid(DefaultIntrepidOptions())
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.System()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(checkout.Path(t, "examples/intrepid.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := topology.Parse("intrepid.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Components) != 9216 || len(got.LUNs) != 1152 || len(got.Servers) != 128 || len(got.Groups) != 16 {
		t.Errorf("%d attachments, %d LUNs, %d servers, %d groups", len(got.Components), len(got.LUNs), len(got.Servers), len(got.Groups))
	}
	for i := range want.Components {
		a, b := got.Components[i], want.Components[i]
		a.Line, b.Line = 0, 0
		if a != b {
			t.Fatalf("component %d is %+v, in the example %+v", i, a, b)
		}
	}
}

// TestScale makes systems of other sizes and wants them whole.
func TestScale(t *testing.T) {
	for _, tt := range []struct{ arrays, servers, luns int }{
		{1, 2, 3}, {1, 8, 72}, {2, 16, 48}, {3, 12, 360}, {5, 50, 1200}, {32, 256, 2304},
	} {
		o := smallOptions()
		o.Arrays, o.Servers, o.LUNs, o.Priorities = tt.arrays, tt.servers, tt.luns, 2
		s, err := Intrepid(o)
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		system, err := s.System()
		if err != nil {
			t.Fatalf("%+v: %v\n%s", tt, err, s.Topology)
		}
		perArray := tt.servers / tt.arrays
		if len(system.Servers) != tt.servers || len(system.Arrays) != tt.arrays || len(system.LUNs) != tt.luns ||
			len(system.Components) != tt.luns*perArray || len(system.Groups) != 2*perArray || len(system.Controllers) != 2*tt.arrays {
			t.Errorf("%+v: %d servers, %d arrays, %d LUNs, %d attachments, %d groups, %d controllers", tt, len(system.Servers),
				len(system.Arrays), len(system.LUNs), len(system.Components), len(system.Groups), len(system.Controllers))
		}
		wantPart(t, s, system)
	}
}

// wantPart wants what is watched to be the first two priorities of the whole,
// in groups of the same numbers.
func wantPart(t *testing.T, s *Scenario, whole *topology.System) {
	t.Helper()
	part, err := s.watched(whole)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.Watched)
	}
	if len(part.Components) != 2*len(whole.LUNs) || len(part.Groups) != 4 {
		t.Errorf("%d attachments in %d groups are watched", len(part.Components), len(part.Groups))
	}
	for i := range part.Components {
		c := part.Components[i]
		at, ok := whole.Lookup(c.Name)
		if !ok {
			t.Fatalf("there is no %s", c.Name)
		}
		same := whole.Components[at]
		same.Line, c.Line = 0, 0
		if c != same {
			t.Fatalf("watched is %+v, which is %+v", c, same)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for want, change := range map[string]func(*IntrepidOptions){
		"0 days are not possible: choose 1 to 1000 days":                                                         func(o *IntrepidOptions) { o.Days = 0 },
		"0 arrays are not possible: choose 1 to 1000 arrays":                                                     func(o *IntrepidOptions) { o.Arrays = 0 },
		"128 servers cannot be divided over 2 arrays: each array needs the same even number":                     func(o *IntrepidOptions) { o.Arrays = 2 },
		"With 8 servers per array, as in the supercomputer Intrepid, choose 128 servers":                         func(o *IntrepidOptions) { o.Servers = 16 },
		"100 LUNs cannot be divided over 16 arrays: each array needs the same number of LUNs, 3 to 240. With 72": func(o *IntrepidOptions) { o.LUNs = 100 },
		"16 LUNs cannot be divided over 16 arrays":                                                               func(o *IntrepidOptions) { o.LUNs = 16 },
		"9 priorities are not possible: choose at most 8":                                                        func(o *IntrepidOptions) { o.Priorities = 9 },
		"a record every 1.5s is not possible: choose whole seconds, up to an hour":                               func(o *IntrepidOptions) { o.Interval = 1500 * time.Millisecond },
		"a start at 0001-01-01 00:00:00 +0000 UTC is not possible: choose a whole second":                        func(o *IntrepidOptions) { o.Start = time.Time{} },
	} {
		o := DefaultIntrepidOptions()
		change(&o)
		if s, err := Intrepid(o); s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// rowsOf prints the rows of a scenario's first minutes.
func rowsOf(t *testing.T, s *Scenario, metrics ...string) string {
	t.Helper()
	s.End = s.Start.Add(20 * time.Minute)
	rows, err := s.Rows(15, metrics...)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return text.String()
		}
		fmt.Fprintln(&text, row.End, row.Values)
	}
}

func smallIntrepid(t *testing.T, change func(*IntrepidOptions)) *Scenario {
	t.Helper()
	o := smallOptions()
	change(&o)
	s, err := Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRowsAgain(t *testing.T) {
	nothing := func(*IntrepidOptions) {}
	first := rowsOf(t, smallIntrepid(t, nothing))
	if again := rowsOf(t, smallIntrepid(t, nothing)); again != first {
		t.Error("the same options give other rows")
	}
	for name, change := range map[string]func(*IntrepidOptions){
		"seed":  func(o *IntrepidOptions) { o.Seed = 2 },
		"start": func(o *IntrepidOptions) { o.Start = o.Start.Add(24 * time.Hour) },
	} {
		if other := rowsOf(t, smallIntrepid(t, change)); other == first {
			t.Errorf("another %s gives the same rows", name)
		}
	}
	if _, err := smallIntrepid(t, nothing).Rows(15, "awaits"); err == nil || !strings.Contains(err.Error(), `"awaits" is not a metric`) {
		t.Errorf("a metric that is none: %v", err)
	}
}

// TestRowsOfAnyProcessors wants the same rows from one processor and from
// several, of a system that is large enough for them.
func TestRowsOfAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first string
	for _, processors := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(processors)
		s := smallIntrepid(t, func(o *IntrepidOptions) { o.Arrays, o.Servers, o.LUNs = 5, 40, 5*72 })
		rows := rowsOf(t, s, "await", "tps", "%util")
		if processors == 1 {
			first = rows
		}
		if rows != first || len(rows) < 79*5*8*72*3*2 {
			t.Errorf("%d processors give other rows, or %d bytes of them", processors, len(rows))
		}
	}
}

// TestPartOfRows wants rows of some metrics and priorities to hold what rows
// of all hold.
func TestPartOfRows(t *testing.T) {
	quiet := func(o *IntrepidOptions) { o.Quiet = true }
	s := smallIntrepid(t, quiet)
	s.End = s.Start.Add(20 * time.Minute)
	whole := shoot(t, s, 15)
	two := smallIntrepid(t, func(o *IntrepidOptions) { quiet(o); o.Priorities = 2 })
	two.End = s.End
	rows, err := two.Rows(15, "await", "tps")
	if err != nil {
		t.Fatal(err)
	}
	schema, compared := rows.Schema(), 0
	if len(schema.Metrics) != 2 || schema.Metrics[schema.Load].Name != "tps" || schema.Components != 96 {
		t.Fatalf("rows of %+v", schema)
	}
	for i := 0; ; i++ {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		for c := range rows.System().Components {
			at := whole.component(t, rows.System().Components[c].Name)
			for m, column := range []int{tps, await} {
				got, want := row.Values[m][c], whole.rows[i].Values[column][at]
				if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s of %s at %d is %v, among all it is %v", schema.Metrics[m].Name, rows.System().Components[c].Name, row.End, got, want)
				}
				compared++
			}
		}
	}
	if compared < 70*96*2 {
		t.Errorf("only %d values compared", compared)
	}
}

// TestWatchOthers refuses to watch what is not there.
func TestWatchOthers(t *testing.T) {
	s := smallIntrepid(t, func(*IntrepidOptions) {})
	s.Watched = []byte("name: other\nservers: fs1\ndrives:\n  - devices: sd[b-e]\n")
	if _, err := s.Rows(15); err == nil || !strings.Contains(err.Error(), "fs1/sdb cannot be recorded, because no path has this name") {
		t.Errorf("watching others: %v", err)
	}
}

// TestMachinesStay wants a LUN to be as fast on other days, and only on those
// of the same system.
func TestMachinesStay(t *testing.T) {
	speeds := func(change func(*IntrepidOptions)) []float64 {
		s := smallIntrepid(t, func(o *IntrepidOptions) { o.Quiet = true; change(o) })
		s.End = s.Start.Add(12 * time.Hour)
		s.Jobs = []Job{{From: s.Start, To: s.End, Reads: Flow{PerSecond: 60, KiB: 128}}}
		f := shoot(t, s, 300)
		var list []float64
		for i := range f.system.Components {
			if c := &f.system.Components[i]; c.Priority == 1 && c.Set == "old" {
				requests, ms := f.waited(all(f), i)
				list = append(list, ms/requests)
			}
		}
		return list
	}
	today := speeds(func(*IntrepidOptions) {})
	tomorrow := speeds(func(o *IntrepidOptions) { o.Start = o.Start.Add(24 * time.Hour) })
	other := speeds(func(o *IntrepidOptions) { o.Seed = 2 })
	if r := correlation(today, tomorrow); r < 0.8 {
		t.Errorf("a LUN's speed on two days correlates by %.2f", r)
	}
	if r := correlation(today, other); math.Abs(r) > 0.6 {
		t.Errorf("the speeds of two systems correlate by %.2f", r)
	}
}

func all(f film) []int {
	rows := make([]int, len(f.rows))
	for i := range rows {
		rows[i] = i
	}
	// Steps in which a server missed a record say nothing.
	return slices.DeleteFunc(rows, func(i int) bool { return slices.ContainsFunc(f.rows[i].Values[tps], math.IsNaN) })
}

func correlation(a, b []float64) float64 {
	var sa, sb, saa, sbb, sab float64
	n := float64(len(a))
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		saa, sbb, sab = saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}
