package symptom

import (
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// recording holds the rows of a simulated cluster, second by second.
type recording struct {
	system *topology.System
	schema table.Schema
	rows   []*table.Row
}

// record takes the first seconds of a run in which some servers have a fault for a
// while; times count from the start of the benchmark.
func record(t *testing.T, fs testbench.FileSystem, w testbench.Workload, f testbench.Fault, seconds int, from, to time.Duration, faulty ...int) *recording {
	t.Helper()
	e := testbench.New(testbench.Cluster{FileSystem: fs, Clients: 10, Servers: 10}, w, f, 1)
	e.Watched, e.Faulty, e.From, e.To = 1, faulty, from, to
	run, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	r := &recording{system: run.System(), schema: run.Schema()}
	for range seconds {
		row, err := run.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out := table.NewRow(r.schema)
		out.End = row.End
		for m := range row.Values {
			copy(out.Values[m], row.Values[m])
		}
		r.rows = append(r.rows, out)
	}
	return r
}

// runs are recordings with different faults.
func runs(t *testing.T) map[string]*recording {
	t.Helper()
	return map[string]*recording{
		"disk-hog":    record(t, testbench.PVFS, testbench.PostMark, testbench.DiskHog, 230, time.Minute, 4*time.Minute, 1, 4, 7),
		"disk-busy":   record(t, testbench.Lustre, testbench.DDW, testbench.DiskBusy, 230, time.Minute, 4*time.Minute, 5),
		"network-hog": record(t, testbench.PVFS, testbench.DDW, testbench.WriteNetworkHog, 230, time.Minute, 4*time.Minute, 5),
		"packet loss": record(t, testbench.PVFS, testbench.DDW, testbench.ReceiveLoss, 230, time.Minute, 4*time.Minute, 5),
	}
}

func (r *recording) detector(t *testing.T) *Detector {
	t.Helper()
	d, err := New(DefaultOptions(), criteria.DefaultOptions(), onset.DefaultOptions(), blame.NewMap(r.system), r.schema)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func save(t *testing.T, d *Detector) []byte {
	t.Helper()
	data, err := state.Encode(1, func(c *state.Codec) { d.State(c, d.places.Axes(c)) })
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func restore(t *testing.T, data []byte, d *Detector) *Detector {
	t.Helper()
	if err := state.Decode(data, 1, func(c *state.Codec) { d.State(c, d.places.Axes(c)) }); err != nil {
		t.Fatal(err)
	}
	return d
}

// emitted is the output of a detector after a row.
type emitted struct {
	End        int64
	Found      []finding.Finding
	Judged     []bool
	Examined   int
	Known      []finding.Symptom
	Widespread []finding.Symptom
}

func push(d *Detector, row *table.Row) (all []emitted) {
	idle := func(server int) bool { return row.End%7 == 0 && server == 2 } // whatever the reason
	d.Push(row, idle, func(end int64, found []finding.Finding) {
		all = append(all, emitted{end, found, slices.Clone(d.compared), d.Examined(), d.Known(), d.Widespread()})
	})
	return all
}

// TestState: a detector that was saved at any row and restored finds the same to the
// last bit as the uncut one, and saves the same bytes.
func TestState(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for name, r := range runs(t) {
		t.Run(name, func(t *testing.T) {
			whole, cut, found := r.detector(t), r.detector(t), 0
			for i, row := range r.rows {
				if rng.IntN(40) == 0 {
					data := save(t, cut)
					cut = restore(t, data, r.detector(t))
					if !slices.Equal(save(t, cut), data) {
						t.Fatalf("row %d: what was restored is saved as other bytes", i)
					}
				}
				want, got := push(whole, row), push(cut, row)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("row %d: %+v, want\n%+v", i, got, want)
				}
				for _, w := range want {
					for _, f := range w.Found {
						if found++; string(f.Kind) != name {
							t.Errorf("%s at %s", f.Kind, f.Place.Name)
						}
					}
				}
			}
			if found == 0 {
				t.Error("nothing was found")
			}
		})
	}
}

// moved returns the recording of a system in which one server was removed and another
// one added, which works as a healthy one.
func (r *recording) moved(t *testing.T, removed, added, like string) *recording {
	t.Helper()
	var names []string
	for _, s := range slices.Backward(r.system.Servers) {
		if s != removed {
			names = append(names, s)
		}
	}
	list := strings.Join(append(names, added), ", ")
	text := fmt.Sprintf("servers: [%[1]s]\ndrives:\n  - {servers: [%[1]s], devices: %[2]s, peers: all}\ninterfaces:\n  - {servers: [%[1]s], names: %[3]s}\nhosts: [%[1]s]\n",
		list, r.system.Components[0].Device, "eth0")
	system, _, err := topology.Parse("moved.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out := &recording{system: system, schema: r.schema}
	out.schema.Components, out.schema.Servers = len(system.Components), len(system.Servers)
	for _, row := range r.rows {
		now := table.NewRow(out.schema)
		now.End = row.End
		for c := range system.Components {
			was, ok := r.system.Lookup(strings.Replace(system.Components[c].Name, added, like, 1))
			if !ok {
				t.Fatalf("%s is not known", system.Components[c].Name)
			}
			for m := range row.Values {
				now.Values[m][c] = row.Values[m][was]
			}
		}
		out.rows = append(out.rows, now)
	}
	return out
}

// TestStateOfOtherServers: the memory of a server belongs to its name. A removed server
// is forgotten, and a new one has no memory.
func TestStateOfOtherServers(t *testing.T) {
	r := record(t, testbench.PVFS, testbench.PostMark, testbench.DiskHog, 260, time.Minute, 4*time.Minute, 1, 4, 7)
	other := r.moved(t, "ios2", "spare", "ios3")
	for _, cut := range []int{70, 131, 170, 200} {
		d := r.detector(t)
		last := map[string]finding.Finding{}
		for _, row := range r.rows[:cut] {
			for _, w := range push(d, row) {
				for _, f := range w.Found {
					last[f.Place.Name] = f
				}
			}
		}
		now := restore(t, save(t, d), other.detector(t))
		found := map[string]finding.Finding{}
		for _, row := range other.rows[cut:] {
			for _, w := range push(now, row) {
				for _, f := range w.Found {
					found[f.Place.Name] = f
				}
			}
		}
		if len(found) != 2 || cut >= 170 && len(last) != 3 {
			t.Fatalf("cut at %d: %d servers before, then %v", cut, len(last), found)
		}
		for name, f := range found {
			if was, ok := last[name]; ok && (was.Onset != f.Onset || was.Evidence[0].From != f.Evidence[0].From) || f.Kind != finding.DiskHog {
				t.Errorf("cut at %d: %s was %+v, is\n%+v", cut, name, was, f)
			}
			if drive := other.system.Components[f.Members[0].Component]; drive.Server != name {
				t.Errorf("%s is blamed for %s", name, drive.Name)
			}
		}
	}
}

// TestStateOfAnotherDrive: the memory of a drive belongs to the drive.
func TestStateOfAnotherDrive(t *testing.T) {
	d := fresh(t, plain(7))
	d.update([]Sign{shows(finding.Waits, 0, 9, true), shows(finding.Receives, 7, 2, true)}, nil, noneIdle)
	d.places.System.Components[0].WWN = "1"
	data := save(t, d)
	other := fresh(t, plain(7))
	other.places.System.Components[0].WWN = "2"
	s := &restore(t, data, other).episodes[0][0]
	if s.symptoms[finding.Waits].IsSuspect() || !s.symptoms[finding.Receives].IsSuspect() || s.anomalousWindows != 1 {
		t.Errorf("%+v", s)
	}
}

// TestStateOfOtherWindows: a state of other windows is refused.
func TestStateOfOtherWindows(t *testing.T) {
	data := save(t, fresh(t, plain(5)))
	o := DefaultOptions()
	o.WinSeconds = 96
	system := plain(5).System()
	d, err := New(o, criteria.DefaultOptions(), onset.DefaultOptions(), blame.NewMap(system), schema(system, 1))
	if err != nil {
		t.Fatal(err)
	}
	err = state.Decode(data, 1, func(c *state.Codec) { d.State(c, d.places.Axes(c)) })
	if err == nil || !strings.Contains(err.Error(), "2 shifts in a window, but the present settings need 3") {
		t.Errorf("%v", err)
	}
}
