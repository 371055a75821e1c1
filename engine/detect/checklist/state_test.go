package checklist

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

func save(t *testing.T, l *Detector) []byte {
	t.Helper()
	data, err := state.Encode(1, func(c *state.Codec) { l.State(c, l.places.Axes(c)) })
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func restore(t *testing.T, data []byte, l *Detector) *Detector {
	t.Helper()
	if err := state.Decode(data, 1, func(c *state.Codec) { l.State(c, l.places.Axes(c)) }); err != nil {
		t.Fatal(err)
	}
	return l
}

// bench trains a detector on fault-free runs of a simulated cluster.
type bench struct {
	cluster testbench.Cluster
	places  *blame.Map
	schema  table.Schema
	model   *persistence.Model
}

func (b *bench) run(t *testing.T, w testbench.Workload, f testbench.Fault, seed uint64) *testbench.Run {
	t.Helper()
	e := testbench.New(b.cluster, w, f, seed)
	e.Watched = 1
	run, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{cluster: testbench.Clusters()[0]}
	run := b.run(t, testbench.DDR, testbench.None, 900)
	b.places, b.schema = blame.NewMap(run.System()), run.Schema()
	trainer, err := persistence.NewTrainer(persistence.F10Options(), run.System(), run.Schema(), Metrics())
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []*testbench.Run{run, b.run(t, testbench.DDW, testbench.None, 901)} {
		for row, err := run.Next(); err == nil; row, err = run.Next() {
			trainer.Push(row)
		}
		trainer.EndRun()
	}
	b.model = trainer.Model()
	return b
}

// TestState: a detector that was saved at any row and restored finds the same to the
// last bit as the uncut one, and saves the same bytes.
func TestState(t *testing.T) {
	b, rng, found := newBench(t), rand.New(rand.NewPCG(8, 10)), 0
	for seed, fault := range []testbench.Fault{testbench.DiskHog, testbench.DiskBusy, testbench.WriteNetworkHog, testbench.ReceiveLoss} {
		d, err := persistence.New(persistence.F10Options(), b.places.System, b.schema, Metrics(), b.model)
		if err != nil {
			t.Fatal(err)
		}
		whole, cut := fresh(t, b.places, b.schema), fresh(t, b.places, b.schema)
		run := b.run(t, testbench.DDW, fault, uint64(20+seed))
		for range 420 {
			row, err := run.Next()
			if err != nil {
				t.Fatal(err)
			}
			if rng.IntN(40) == 0 {
				data := save(t, cut)
				cut = restore(t, data, fresh(t, b.places, b.schema))
				if !slices.Equal(save(t, cut), data) {
					t.Fatalf("%s: what was restored is saved as other bytes", fault)
				}
			}
			whole.Row(row)
			cut.Row(row)
			d.Push(row, func(w *persistence.Window) {
				whole.Window(w, noneIdle)
				cut.Window(w, noneIdle)
			})
			want := whole.Findings(row.End)
			if got := cut.Findings(row.End); !reflect.DeepEqual(got, want) || cut.Judged(1) != whole.Judged(1) || cut.Examined() != whole.Examined() {
				t.Fatalf("%s: %+v, want\n%+v", fault, got, want)
			}
			found += len(want)
		}
	}
	if found < 200 {
		t.Errorf("%d findings", found)
	}
}

// TestStateOfOtherServers: the memory of a server belongs to its name; removed servers
// are forgotten.
func TestStateOfOtherServers(t *testing.T) {
	m, schema := servers(t, "ios[0-9]")
	l := fresh(t, m, schema)
	await := slices.Index(names(schema), "await")
	for _, component := range []int{0, 3, 5} {
		l.Window(&persistence.Window{Metric: await, Start: 0, End: 64, Verdicts: []persistence.Verdict{
			{Component: component, State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 2 + float64(component), Threshold: 1},
		}}, noneIdle)
	}
	now, nowSchema := servers(t, "a1,ios[5-9],ios[1-3]")
	other := restore(t, save(t, l), fresh(t, now, nowSchema))
	var got []string
	for _, f := range other.Findings(64) {
		got = append(got, f.Place.Name+" "+now.Component(f.Members[0].Component).Name)
	}
	if want := []string{"ios5 ios5/sda", "ios3 ios3/sda"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func names(schema table.Schema) (list []string) {
	for _, m := range schema.Metrics {
		list = append(list, m.Name)
	}
	return list
}
