package history

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/history/segment"
	"github.com/limpet-storage/limpet/topology"
)

const (
	step                  = 15
	tortureQuarterSeconds = 900
	tortureDaySeconds     = 86400
	tortureScoreSeconds   = 3600 // that a score holds on a map
)

// start is a whole number of days since the epoch.
const start = 15103 * tortureDaySeconds

// systemOf returns a made-up system with the given groups.
func systemOf(rng *rand.Rand, groups, components int) *topology.System {
	s := &topology.System{Groups: make([]topology.PeerGroup, groups)}
	for g := range s.Groups {
		s.Groups[g] = topology.PeerGroup{ID: g + 1, Name: fmt.Sprintf("group %d", g)}
	}
	for c := range components {
		g := rng.IntN(groups)
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("fs%d/sd%d", c%7, c), Group: g + 1})
		s.Groups[g].Members = append(s.Groups[g].Members, c)
	}
	return s
}

func schemaOf(s *topology.System, metrics ...metric.Metric) table.Schema {
	return table.Schema{StepSeconds: step, Metrics: metrics, Components: len(s.Components), Load: -1}
}

// twin is a history beside a plain one that keeps everything in memory and computes each answer
// from it.
type twin struct {
	store   *Store
	dir     string
	opts    Options
	rng     *rand.Rand
	system  *topology.System
	schema  table.Schema
	steps   []twinStep
	windows []twinWindow
	now     int64
}

type twinStep struct {
	end    int64
	system *topology.System
	values map[string][]float64 // by metric, then by component
}

type twinWindow struct {
	end    int64
	system *topology.System
	metric string
	v      persistence.Verdict
}

func newTwin(tb testing.TB, seed uint64, o Options) *twin {
	return newTwinAt(tb, seed, o, tb.TempDir())
}

func newTwinAt(tb testing.TB, seed uint64, o Options, dir string) *twin {
	s, err := Open(dir, o)
	must(tb, err)
	w := &twin{store: s, dir: dir, opts: o, rng: rand.New(rand.NewPCG(seed, 5)), now: start + int64(rand.New(rand.NewPCG(seed, 6)).IntN(900)/step*step)}
	w.change(tb)
	return w
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// change makes another system: some components go, others come, and groups differ.
func (w *twin) change(tb testing.TB) {
	w.system = systemOf(w.rng, 1+w.rng.IntN(4), 1+w.rng.IntN(40))
	w.schema = schemaOf(w.system, metric.TPS, metric.Await)
	must(tb, w.store.Begin(w.system, w.schema))
}

// push adds a row to both stores, and sometimes windows.
func (w *twin) push(tb testing.TB) {
	tb.Helper()
	must(tb, w.pushErr())
}

func (w *twin) pushErr() error {
	if w.now += step; w.rng.IntN(100) == 0 {
		w.now += int64(w.rng.IntN(100)) * step // a gap
	}
	r := table.NewRow(w.schema)
	r.End = w.now
	values := map[string][]float64{}
	for m, name := range w.schema.Metrics {
		for c := range r.Values[m] {
			switch w.rng.IntN(10) {
			case 0:
			case 1, 2, 3:
				r.Values[m][c] = 0
			default:
				r.Values[m][c] = math.Exp(w.rng.NormFloat64() * 3)
			}
		}
		values[name.Name] = slices.Clone(r.Values[m])
	}
	w.steps = append(w.steps, twinStep{w.now, w.system, values})
	err := w.store.Row(r)
	if w.now%450 == 0 {
		err = errors.Join(err, w.window())
	}
	return err
}

func (w *twin) window() error {
	var errs []error
	for m, name := range w.schema.Metrics {
		for g, group := range w.system.Groups {
			if w.rng.IntN(5) == 0 {
				continue
			}
			win := &persistence.Window{Group: g, Metric: m, Start: w.now - 900, End: w.now}
			for _, c := range group.Members {
				v := persistence.Verdict{
					Component: c, State: persistence.State(w.rng.IntN(3)), Reason: persistence.Reason(w.rng.IntN(10)),
					Score: w.rng.Float64(), Threshold: w.rng.Float64() * float64(w.rng.IntN(4)), Suspect: w.rng.IntN(2) == 0,
				}
				win.Verdicts = append(win.Verdicts, v)
				w.windows = append(w.windows, twinWindow{w.now, w.system, name.Name, v})
			}
			errs = append(errs, w.store.Window(win))
		}
	}
	return errors.Join(errs...)
}

// windowOf returns a window with one verdict.
func windowOf(w *twin, v *twinWindow) *persistence.Window {
	m := slices.IndexFunc(w.schema.Metrics, func(m metric.Metric) bool { return m.Name == v.metric })
	return &persistence.Window{Metric: m, End: v.end, Verdicts: []persistence.Verdict{v.v}}
}

func (w *twin) find(s *topology.System, name string) (c, group int) {
	for c := range s.Components {
		if s.Components[c].Name == name {
			return c, s.Components[c].Group
		}
	}
	return -1, 0
}

// series computes an answer from rows of the given length; 0: from steps.
func (w *twin) series(name, metric string, from, to, length, long int64) []Bucket {
	type sums struct {
		own, peers, means []float64
	}
	found := map[int64]*sums{}
	type part struct {
		end    int64
		system *topology.System
		other  int
	}
	parts := map[part][]float64{}
	for _, st := range w.steps {
		c, group := w.find(st.system, name)
		if st.end <= from || st.end > to || c < 0 {
			continue
		}
		end := End(st.end, length)
		if found[end] == nil {
			found[end] = &sums{}
		}
		for other, v := range st.values[metric] {
			if v = segment.Round(v).Float(); table.IsMissing(v) || st.system.Components[other].Group != group {
				continue
			}
			if other == c {
				found[end].own = append(found[end].own, v)
				continue
			}
			found[end].peers = append(found[end].peers, v)
			if long == 0 {
				found[end].means = append(found[end].means, v)
				continue
			}
			key := part{End(st.end, long), st.system, other}
			parts[key] = append(parts[key], v)
		}
	}
	for key, values := range parts {
		b := found[End(key.end, length)]
		b.means = append(b.means, mean(values))
	}
	var out []Bucket
	for end, s := range found {
		if len(s.own)+len(s.peers) == 0 {
			continue
		}
		b := Bucket{End: end, Own: Summary{Least: table.Missing, Mean: mean(s.own), Largest: table.Missing, Steps: len(s.own)}}
		if len(s.own) > 0 {
			b.Own.Least, b.Own.Largest = slices.Min(s.own), slices.Max(s.own)
		}
		slices.Sort(s.means)
		b.Peers = Spread{
			Least: table.Missing, P5: at(s.means, 0.05), P25: at(s.means, 0.25), P50: at(s.means, 0.5),
			P75: at(s.means, 0.75), P95: at(s.means, 0.95), Largest: table.Missing, Values: len(s.means),
		}
		if len(s.peers) > 0 {
			b.Peers.Least, b.Peers.Largest = slices.Min(s.peers), slices.Max(s.peers)
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Bucket) int { return int(a.End - b.End) })
	return out
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values)) // missing if there are none
}

// at returns a quantile of sorted values.
func at(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return table.Missing
	}
	place := share * float64(len(sorted)-1)
	low := int(place)
	return sorted[low] + (place-float64(low))*(sorted[min(low+1, len(sorted)-1)]-sorted[low])
}

// near reports whether two numbers are as close as the history promises.
func near(a, b, relative float64) bool {
	return table.IsMissing(a) && table.IsMissing(b) || math.Abs(a-b) <= relative*math.Abs(b)+1e-30
}

// same compares buckets: extremes and counts exactly, the rest within an error.
func same(a, b Bucket, relative float64) bool {
	ok := a.End == b.End && a.Own.Steps == b.Own.Steps && a.Peers.Values == b.Peers.Values && near(a.Own.Mean, b.Own.Mean, relative)
	for _, pair := range [][2]float64{{a.Own.Least, b.Own.Least}, {a.Own.Largest, b.Own.Largest}, {a.Peers.Least, b.Peers.Least}, {a.Peers.Largest, b.Peers.Largest}} {
		ok = ok && near(pair[0], pair[1], 0)
	}
	for _, pair := range [][2]float64{{a.Peers.P5, b.Peers.P5}, {a.Peers.P25, b.Peers.P25}, {a.Peers.P50, b.Peers.P50}, {a.Peers.P75, b.Peers.P75}, {a.Peers.P95, b.Peers.P95}} {
		ok = ok && near(pair[0], pair[1], relative)
	}
	return ok
}

// ask sends random queries to both stores. long is the length of the rows that the store answers
// from, 0 for steps; they begin before a time.
func (w *twin) ask(t *testing.T, questions int, long, until int64) {
	t.Helper()
	ctx := context.Background()
	for range questions {
		from := start + w.rng.Int64N(until-start)/900*900
		to := from + 900*(1+w.rng.Int64N((w.now-from)/900+2))
		name := fmt.Sprintf("fs%d/sd%d", w.rng.IntN(7), w.rng.IntN(42))
		if w.rng.IntN(8) > 0 {
			name = w.system.Components[w.rng.IntN(len(w.system.Components))].Name
		}
		got, err := w.store.Series(ctx, name, "await", from, to, 2+w.rng.IntN(60))
		must(t, err)
		want := w.series(name, "await", from, to, got.BucketSeconds, long)
		relative := 1e-12
		if long > 0 {
			relative = 2 * segment.RelativeError
		}
		if !slices.EqualFunc(got.Buckets, want, func(a, b Bucket) bool { return same(a, b, relative) }) {
			t.Fatalf("%s from %d to %d by %d:\n%+v\nwant\n%+v", name, from, to, got.BucketSeconds, got.Buckets, want)
		}
		w.askScores(t, name, from, to)
		w.askMap(t, from+w.rng.Int64N(to-from), long)
	}
}

func (w *twin) askScores(t *testing.T, name string, from, to int64) {
	t.Helper()
	got, err := w.store.Scores(context.Background(), name, from, to)
	must(t, err)
	var want []Score
	for _, win := range w.windows {
		if c, _ := w.find(win.system, name); win.end > from && win.end <= to && c == win.v.Component {
			v := win.v
			want = append(want, Score{
				End: win.end, Metric: win.metric, Score: segment.Round(v.Score).Float(), Threshold: segment.Round(v.Threshold).Float(),
				State: v.State, Reason: v.Reason, Suspect: v.Suspect,
			})
		}
	}
	if !slices.Equal(got.Scores, want) {
		t.Fatalf("scores of %s from %d to %d:\n%+v\nwant\n%+v", name, from, to, got.Scores, want)
	}
}

// askMap compares a map of scores, and a map of values if these are single steps.
func (w *twin) askMap(t *testing.T, when, long int64) {
	t.Helper()
	got, err := w.store.Map(context.Background(), MapKind{Score: true}, when)
	must(t, err)
	want, end := map[string]float64{}, int64(0)
	for _, win := range w.windows {
		if win.end > when || win.end <= when-tortureScoreSeconds {
			continue
		}
		if win.end > end {
			clear(want)
			end = win.end
		}
		ratio := segment.Round(win.v.Score).Float() / segment.Round(win.v.Threshold).Float()
		if name := win.system.Components[win.v.Component].Name; win.v.Threshold > 0 && ratio > want[name] {
			want[name] = ratio
		}
	}
	w.compare(t, got, want, end)
	if long > 0 {
		return
	}
	got, err = w.store.Map(context.Background(), MapKind{Metric: "tps"}, when)
	must(t, err)
	clear(want)
	end = 0
	for _, st := range w.steps {
		if st.end >= when && st.end-step < when {
			end = st.end
			for c, v := range st.values["tps"] {
				if !table.IsMissing(v) {
					want[st.system.Components[c].Name] = segment.Round(v).Float()
				}
			}
		}
	}
	w.compare(t, got, want, end)
}

func (w *twin) compare(t *testing.T, got *Map, want map[string]float64, end int64) {
	t.Helper()
	have := map[string]float64{}
	for i, v := range got.Values {
		if !table.IsMissing(v) {
			have[got.Components[i]] = v
		}
	}
	if got.End != end || fmt.Sprint(have) != fmt.Sprint(want) || len(got.Groups) != len(got.Components) {
		t.Fatalf("a map at %d:\n%v\nwant at %d\n%v", got.End, have, end, want)
	}
}
