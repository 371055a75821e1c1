package engine_test

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// lasting repeats the last seconds of a recording until it has a given length.
func (r *recording) lasting(from, seconds int) *recording {
	out := &recording{system: r.system, schema: r.schema, rows: slices.Clone(r.rows)}
	for len(out.rows) < seconds {
		row := *r.rows[from+(len(out.rows)-len(r.rows))%(len(r.rows)-from)]
		row.End = out.rows[len(out.rows)-1].End + 1
		out.rows = append(out.rows, &row)
	}
	return out
}

// both diagnoses a recording with both questions.
func both(t *testing.T, r *recording) (engine.Summary, *diary) {
	t.Helper()
	d, l := &diary{}, ledger{}
	e, err := engine.New(engine.DefaultOptions(), r.system, r.schema, nil, pairOfEars{d, l})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.rows {
		e.Push(row)
	}
	e.Finish()
	s := e.Summary(incident.Combined)
	l.audit(t, s.Incidents)
	return s, d
}

// pairOfEars passes events to two listeners.
type pairOfEars struct {
	*diary
	ledger ledger
}

func (p pairOfEars) Event(v *incident.Event) {
	p.diary.Event(v)
	p.ledger.Event(v)
}

// TestBothQuestions: from disks, interfaces and connections at steps of one second, the
// engine finds slow components and the server whose resource is at fault. It reports each
// problem once.
func TestBothQuestions(t *testing.T) {
	for _, tt := range []struct {
		fault  testbench.Fault
		faulty []int
		want   string
		also   bool // its drives are slow among their peers
	}{
		{testbench.None, nil, "", false},
		{testbench.DiskBusy, []int{3}, "disk-busy ios4 active", true},
		{testbench.DiskHog, []int{3, 7}, "disk-hog ios4 active; disk-hog ios8 active", true},
		{testbench.ReadNetworkHog, []int{3}, "network-hog ios4 active", false},
	} {
		t.Run(string(tt.fault), func(t *testing.T) {
			r := record(t, experiment(pvfs, testbench.DDR, tt.fault, tt.faulty...), lasts).lasting(benchmark+strikes+20, 3*3600)
			s, d := both(t, r)
			if got := tell(s.Incidents); got != tt.want {
				t.Fatalf("%s, want %s; heard %s", got, tt.want, d)
			}
			if s.Examined == 0 || len(s.Lacks) > 0 || s.Heard != 10 {
				t.Errorf("examined in %d windows, %d servers heard, lacks %v", s.Examined, s.Heard, s.Lacks)
			}
			for i := range s.Incidents {
				in := &s.Incidents[i]
				if drives := len(in.Also) == 1 && in.Also[0].Class == finding.Slow; drives != tt.also || in.Class != finding.Resource {
					t.Errorf("%s of %s: also %+v", in.Kind, in.Place.Name, in.Also)
				}
			}
			if len(tt.faulty) > 0 && len(s.Suspects) > 0 {
				t.Errorf("suspects beside them: %+v", s.Suspects)
			}
		})
	}
}

// TestFaultEnds: after the resource of a server is healthy again, its drive, which was
// slow because of it, is not reported a second time.
func TestFaultEnds(t *testing.T) {
	well := record(t, experiment(pvfs, testbench.DDR, testbench.None), lasts).rows[benchmark+20:]
	for _, fault := range []testbench.Fault{testbench.DiskHog, testbench.DiskBusy} {
		r := record(t, experiment(pvfs, testbench.DDR, fault, 3), lasts).lasting(benchmark+strikes+20, 4*3600)
		for n := range 3 * 3600 {
			row := *well[n%len(well)]
			row.End = r.rows[len(r.rows)-1].End + 1
			r.rows = append(r.rows, &row)
		}
		s, d := both(t, r)
		if got, want := tell(s.Incidents), string(fault)+" ios4 cleared"; got != want {
			t.Errorf("%s, want %s; heard %s", got, want, d)
		}
	}
}

// TestLacks: a resource that is missing for a question is reported once.
func TestLacks(t *testing.T) {
	full := record(t, experiment(pvfs, testbench.DDR, testbench.None), 120)
	few := testbench.Cluster{FileSystem: testbench.PVFS, Clients: 4, Servers: 2}
	w := newWorld(t, site, 1)
	coarse := *full
	coarse.schema.StepSeconds = 15
	for _, tt := range []struct {
		name string
		of   *recording
		want []engine.Lack
	}{
		{"nothing", full, nil},
		{"interfaces", w.tape(1), []engine.Lack{{Question: engine.Servers, Resource: engine.Interfaces, Whole: true}}},
		{"servers", record(t, experiment(few, testbench.DDR, testbench.None), 120), []engine.Lack{{Question: engine.Servers, Resource: engine.Peers, Whole: true}}},
		{"short steps", &recording{coarse.system, coarse.schema, nil}, []engine.Lack{{Question: engine.Servers, Resource: engine.Fineness, Whole: true}}},
	} {
		s, _ := both(t, tt.of)
		if !slices.Equal(s.Lacks, tt.want) {
			t.Errorf("%s: lacks %+v, want %+v", tt.name, s.Lacks, tt.want)
		}
	}
	unheard := full.without("", 0, len(full.rows), 0)
	for c := range unheard.system.Components {
		for _, row := range unheard.rows {
			if unheard.system.Components[c].Kind == topology.Host {
				for m := range row.Values {
					row.Values[m][c] = table.Missing
				}
			}
		}
	}
	s, _ := both(t, unheard)
	want := []engine.Lack{{Question: engine.Servers, Resource: engine.ConnectionsIn}, {Question: engine.Servers, Resource: engine.ConnectionsOut}}
	if !slices.Equal(s.Lacks, want) {
		t.Errorf("without connections: lacks %+v, want %+v", s.Lacks, want)
	}
}

// TestCutBoth: both questions at once, saved and restored within a coarse step.
func TestCutBoth(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDR, testbench.DiskBusy, 3, 6), lasts).lasting(benchmark+strikes+20, 4000)
	cutAnywhere(t, &tape{recording: r.resting("ios9", 1200, 1500), opts: engine.DefaultOptions()}, 40, 900)
}
