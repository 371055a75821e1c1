package onset

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// TestFind: a clear change is found exactly, and the interval contains the true step in
// 95 % of cases.
func TestFind(t *testing.T) {
	o := DefaultOptions()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		change   float64
		off, out int // steps that are tolerated, cases of 400 beyond the interval
	}{{10, 0, 0}, {3, 3, 20}, {1.2, 40, 24}} {
		missed, off := 0, 0
		for range 400 {
			at := 40 + rng.IntN(100)
			x := make([]float64, 200)
			for i := range x {
				x[i] = rng.NormFloat64()
				if i >= at {
					x[i] += tt.change
				}
			}
			got, certain := o.find(x, ones(x), len(x))
			if got.early > got.step || got.late < got.step || tt.change >= 3 && !certain {
				t.Fatalf("%d is not between %d and %d, or not certain: %t", got.step, got.early, got.late, certain)
			}
			if at < got.early || at > got.late {
				missed++
			}
			off = max(off, int(math.Abs(float64(got.step-at))))
		}
		if missed > tt.out || off > tt.off {
			t.Errorf("change of %g deviations: %d of 400 outside, off by up to %d steps", tt.change, missed, off)
		}
	}
}

// TestFindNothing: there is no change in noise alone.
func TestFindNothing(t *testing.T) {
	o := DefaultOptions()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		x := make([]float64, 30+rng.IntN(300))
		for i := range x {
			x[i] = 3 + rng.NormFloat64()
		}
		if c, certain := o.find(x, ones(x), len(x)); certain {
			t.Fatalf("%d steps of noise change for certain at %d", len(x), c.step)
		}
	}
}

// ones gives every step the same weight.
func ones(x []float64) []float64 { return slices.Repeat([]float64{1}, len(x)) }

// TestFindByWeight: steps with little weight do not move the change.
func TestFindByWeight(t *testing.T) {
	o := DefaultOptions()
	x, weights := make([]float64, 100), make([]float64, 100)
	for i := range x {
		x[i], weights[i] = 0.01*float64(i%2), 100
		if i >= 60 {
			x[i] += 1
		}
		if i >= 40 && i < 60 { // as far as afterwards every other step, of which hardly anything is known
			x[i], weights[i] = float64(i%2), 0.001
		}
	}
	if c, certain := o.find(x, weights, len(x)); !certain || c.late < 60 || c.early < 40 {
		t.Errorf("%+v, certain %t", c, certain)
	}
}

const begin = 1_300_000_000

func servers(t *testing.T, list string) (*topology.System, table.Schema) {
	t.Helper()
	text := "servers: LIST\ndrives:\n  - {servers: LIST, devices: sda, peers: all}\ninterfaces:\n  - {servers: LIST, names: eth0}\nhosts: LIST\n"
	system, _, err := topology.Parse("pfs.yaml", []byte(strings.ReplaceAll(text, "LIST", `"`+list+`"`)))
	if err != nil {
		t.Fatal(err)
	}
	return system, table.Schema{StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components)}
}

// play returns 250 s in which all servers are alike, except that ios4 waits four times as
// long from 120 s on.
func play(system *topology.System, schema table.Schema, push func(*table.Row)) {
	for second := range int64(250) {
		row := table.NewRow(schema)
		row.End = begin + second + 1
		for m, of := range schema.Metrics {
			for c := range system.Components {
				name := system.Components[c].Name
				if subjects[system.Components[c].Kind] != of.Subject {
					continue
				}
				// The load of a server depends only on its name and on the time.
				rng := rand.New(rand.NewPCG(uint64(name[3]), uint64(second)<<8|uint64(m)))
				row.Values[m][c] = 50 * max(1, of.Noise) * math.Exp(0.05*rng.NormFloat64())
				if of.Name == "await" && name == "ios4/sda" && second >= 120 {
					row.Values[m][c] *= 4
				}
			}
		}
		push(row)
	}
}

// ask returns the onset of ios4's waiting.
func ask(h *History, latest int64) finding.Onset {
	drive, _ := h.system.Lookup("ios4/sda")
	await := metric.Index(metric.All(), "await")
	return h.Onset(await, drive, h.system.Components[drive].Group-1, WindowBounds{FirstEnd: latest, LastEnd: begin + 250})
}

// TestBeforeTheData: a difference that was there when the data began has no onset in
// them. Seconds without load do not count.
func TestBeforeTheData(t *testing.T) {
	system, schema := servers(t, "ios[0-9]")
	fresh := func() *History { return New(DefaultOptions(), system, schema, []string{"await"}, 150) }
	late := fresh()
	play(system, schema, late.Push)
	if got := ask(late, begin+100); got.At > begin+100 {
		t.Errorf("odd at 100 s, but only since %d s", got.At-begin)
	}
	at := func(second int64) finding.Onset {
		return finding.Onset{At: begin + second, Early: begin + second, Late: begin + second}
	}
	for name, tt := range map[string]struct {
		from, to int64 // of the data that are seen
		idle     int64 // until then nobody does anything
		want     finding.Onset
	}{
		"within":         {0, 250, 0, at(120)},
		"at once":        {130, 250, 0, finding.OnsetBefore(begin + 130)},
		"after a rest":   {0, 250, 125, finding.OnsetBefore(begin + 125)},
		"soon":           {108, 250, 0, at(120)},
		"hardly any":     {0, 6, 0, finding.OnsetBefore(begin)},
		"nothing at all": {0, 0, 0, finding.OnsetBefore(0)},
	} {
		h := fresh()
		play(system, schema, func(row *table.Row) {
			if row.End <= begin+tt.from || row.End > begin+tt.to {
				return
			}
			if row.End <= begin+tt.idle {
				clear(row.Values[metric.Index(schema.Metrics, "await")])
				clear(row.Values[metric.Index(schema.Metrics, "tps")])
			}
			h.Push(row)
		})
		if got := ask(h, begin+250); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestUnknown: if no step stands out and an earlier window was not odd, only the bounds
// from the windows are known.
func TestUnknown(t *testing.T) {
	system, schema := servers(t, "ios[0-9]")
	await := metric.Index(schema.Metrics, "await")
	drive, _ := system.Lookup("ios4/sda")
	rng := rand.New(rand.NewPCG(5, 5))
	h := New(DefaultOptions(), system, schema, []string{"await"}, 150)
	play(system, schema, func(row *table.Row) {
		row.Values[await][drive] = 10 * math.Exp(3*rng.NormFloat64()) // swings from second to second
		h.Push(row)
	})
	group := system.Components[drive].Group - 1
	got := h.Onset(await, drive, group, WindowBounds{CalmStart: begin + 90, FirstEnd: begin + 186, LastEnd: begin + 250})
	if want := finding.OnsetBetween(begin+90, begin+186); got != want || !got.Unknown || got.Early > got.At || got.At > got.Late {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestNoRequest: a second without a request contains no information about latency.
func TestNoRequest(t *testing.T) {
	system, schema := servers(t, "ios[0-9]")
	await, tps := metric.Index(schema.Metrics, "await"), metric.Index(schema.Metrics, "tps")
	drive, _ := system.Lookup("ios4/sda")
	h := New(DefaultOptions(), system, schema, []string{"await"}, 150)
	play(system, schema, func(row *table.Row) {
		if row.End%2 == 0 {
			row.Values[await][drive], row.Values[tps][drive] = 0, 0
		}
		h.Push(row)
	})
	if got := ask(h, begin+250); got.Unknown || got.Earlier || got.At < begin+118 || got.At > begin+122 {
		t.Errorf("%+v, want about %d", got, begin+120)
	}
}

// TestShare: the onset of a loss is found by the share of lost segments. A period with
// few segments does not hide it.
func TestShare(t *testing.T) {
	system, schema := servers(t, "ios[0-9]")
	retr, dlv := metric.Index(schema.Metrics, "retr_in"), metric.Index(schema.Metrics, "dlv_in")
	h := New(DefaultOptions(), system, schema, []string{"retr_in"}, 150)
	rng := rand.New(rand.NewPCG(6, 6))
	host, _ := system.FindHost("ios4")
	play(system, schema, func(row *table.Row) {
		second, sent := row.End-begin, 1000
		if second > 110 && second <= 150 { // few, and fewer are lost than while there were many
			sent = 60
		}
		for c := range system.Components {
			if system.Components[c].Kind != topology.Host {
				continue
			}
			lost := 0
			for range sent {
				share := 0.0005
				if c == host && second > 120 {
					share = 0.02
				}
				if rng.Float64() < share {
					lost++
				}
			}
			row.Values[retr][c], row.Values[dlv][c] = float64(lost), float64(sent-lost)
		}
		h.Push(row)
	})
	got := h.Onset(retr, host, system.Components[host].Group-1, WindowBounds{FirstEnd: begin + 200, LastEnd: begin + 250})
	if got.Unknown || got.Earlier || got.Early > begin+120 || got.Late < begin+120 || got.At < begin+112 || got.At > begin+128 {
		t.Errorf("%+v, want about %d", got, begin+120)
	}
}

// TestState: a history that is saved at any row and restored continues as the uncut one,
// even if servers were added and removed in between.
func TestState(t *testing.T) {
	for cut := int64(5); cut < 250; cut += 35 {
		for _, later := range []string{"ios[0-9]", "ios[1-9,a]"} {
			system, schema := servers(t, "ios[0-9]")
			now, nowSchema := servers(t, later)
			h := New(DefaultOptions(), system, schema, []string{"await"}, 150)
			play(system, schema, func(row *table.Row) {
				if row.End <= begin+cut {
					h.Push(row)
				}
			})
			data, err := state.Encode(1, func(c *state.Codec) { h.State(c, blame.NewMap(system).Axes(c)) })
			if err != nil {
				t.Fatal(err)
			}
			restored := New(DefaultOptions(), now, nowSchema, []string{"await"}, 150)
			if err := state.Decode(data, 1, func(c *state.Codec) { restored.State(c, blame.NewMap(now).Axes(c)) }); err != nil {
				t.Fatal(err)
			}
			play(now, nowSchema, func(row *table.Row) {
				if row.End > begin+cut {
					restored.Push(row)
				}
			})
			if got := ask(restored, begin+250); got.At != begin+120 || got.Earlier {
				t.Errorf("cut at %d s, then %s: %+v", cut, later, got)
			}
		}
	}
}

// TestStateOfOtherData: a history of another length or with other metrics is refused.
func TestStateOfOtherData(t *testing.T) {
	system, schema := servers(t, "ios[0-9]")
	h := New(DefaultOptions(), system, schema, []string{"await"}, 150)
	data, err := state.Encode(1, func(c *state.Codec) { h.State(c, blame.NewMap(system).Axes(c)) })
	if err != nil {
		t.Fatal(err)
	}
	for want, other := range map[string]*History{
		"320 time steps of history":         New(DefaultOptions(), system, schema, []string{"await"}, 151),
		"these data have tps, await, %util": New(DefaultOptions(), system, schema, []string{"await", "%util"}, 150),
	} {
		err := state.Decode(data, 1, func(c *state.Codec) { other.State(c, blame.NewMap(system).Axes(c)) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

func TestValidate(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	o = Options{FewestSteps: 0, CertainDeviance: math.NaN()}
	for _, want := range []string{"the setting fewest_steps must be at least 1, not 0", "the setting certain_deviance must be at least 0, not NaN"} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
