package clockskew

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// resume saves clocks and returns clocks of a system that continue from there.
func resume(t *testing.T, c *Clocks, system *topology.System, schema table.Schema) *Clocks {
	t.Helper()
	save := func(c *Clocks) []byte {
		data, err := state.Encode(1, func(s *state.Codec) { c.State(s, blame.NewMap(c.system).Axes(s)) })
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data, out := save(c), clocks(system, schema)
	if err := state.Decode(data, 1, func(s *state.Codec) { out.State(s, blame.NewMap(system).Axes(s)) }); err != nil {
		t.Fatal(err)
	}
	if system == c.system && !slices.Equal(save(out), data) {
		t.Error("what was restored is saved as other bytes")
	}
	return out
}

// late returns rows of servers of which the third has a clock that is five seconds ahead.
func late(servers int) *tape {
	rng := rand.New(rand.NewPCG(3, 7))
	work := bursts(rng, 4500)
	return carry(rng, topology.Interface, traffic, servers, len(work), 1, func(s, t int) bool {
		return work[max(0, t-5)] && s == 2 || work[t] && s != 2
	})
}

// TestState: saved and restored at any row, the clocks give the same skews every minute.
func TestState(t *testing.T) {
	r := late(6)
	rng := rand.New(rand.NewPCG(3, 8))
	whole, cut := clocks(r.system, r.schema), clocks(r.system, r.schema)
	told := 0
	for i, row := range r.rows {
		if rng.IntN(60) == 0 {
			cut = resume(t, cut, r.system, r.schema)
		}
		whole.Push(row)
		cut.Push(row)
		if i%60 == 0 {
			told += len(whole.Skews())
			if got, want := cut.Skews(), whole.Skews(); !slices.Equal(got, want) {
				t.Fatalf("row %d: %v, want %v", i, got, want)
			}
		}
	}
	if told < 50 {
		t.Errorf("a skew was told %d times", told)
	}
}

// TestStateOfOtherServers: the state of a server follows its name. A new server must be
// compared for a while first.
func TestStateOfOtherServers(t *testing.T) {
	r := late(6)
	c := clocks(r.system, r.schema)
	for _, row := range r.rows[:1000] {
		c.Push(row)
	}
	other := &topology.System{Servers: []string{"s5", "s2", "new", "s3", "s4"}}
	for _, name := range other.Servers {
		other.Components = append(other.Components, topology.Component{Name: name + "/x", Server: name, Kind: topology.Interface})
	}
	schema := r.schema
	schema.Components = len(other.Components)
	got := resume(t, c, other, schema).Skews()
	if want := []Skew{{"s2", 5}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	few := &topology.System{Servers: other.Servers[:2], Components: other.Components[:2]}
	if got := resume(t, c, few, schema).Skews(); len(got) > 0 {
		t.Errorf("of two servers: %v", got)
	}
	if got := resume(t, resume(t, c, few, schema), other, schema).Skews(); len(got) > 0 {
		t.Errorf("by way of two servers: %v", got)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"the setting nearest_seconds must be at least 1, not 0":                    func(o *Options) { o.NearestSeconds = 0 },
		"the setting unison_correlation must be above 0 and at most 0.5, not 0.75": func(o *Options) { o.UnisonCorrelation = 0.75 },
	} {
		o := DefaultOptions()
		change(&o)
		if _, err := New(o, criteria.DefaultOptions(), late(3).system, table.Schema{StepSeconds: 1}); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
