// This file keeps what the plots of a page show, and draws them: the series of
// every component, and the distances of every window with their thresholds.
//
// What is kept is bounded, however long a diagnosis runs: old values are averaged.
// Everything else on a page is said by package report.

package report

import (
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/heatmap"
	"github.com/limpet-storage/limpet/topology"
)

// kept is what plots show.
type kept struct {
	system *topology.System
	schema table.Schema
	lead   string                   // the metric that tells how slow a component is
	shift  int64                    // seconds between windows
	tracks map[int]*track           // by metric of the schema
	boards map[boardKey]*scoreBoard // by metric and group
	heat   *heatmap.Kept
	marks  []Mark
}

// Mark is a stretch of time that plots point at: a fault that is known.
type Mark struct {
	Label    string
	From, To int64
	Names    []string // of the components that it touches
}

// track keeps one metric of the components that it is measured on.
type track struct {
	*valueHistory
	metric  int   // of the schema
	members []int // components, by place in a row
	place   []int // by component, -1 where the metric is not measured
}

type boardKey struct{ metric, group int }

// scoreBoard keeps the scores and thresholds of one group and metric.
type scoreBoard struct {
	members            []int
	scores, thresholds *valueHistory
	ratios             *valueHistory // how many times what its peers have
}

// The bounds of what is kept: rows that are enough for any screen, and values
// that take 128 MB over all metrics of rows. A score board holds five days of
// windows before they are averaged, and all groups of Intrepid take 100 MB.
const (
	trackRows  = 8192
	trackCells = 32 << 20
	boardRows  = 1024
	boardCells = 16 << 20
)

// newPlot returns what keeps the metrics that a diagnosis goes by; lead names the one
// that tells how slow a component is.
func newPlot(system *topology.System, schema table.Schema, o *engine.Options, lead string) *kept {
	k := &kept{
		system: system, schema: schema, lead: lead, shift: int64(o.Detect.WinShift) * o.Detect.StepSeconds,
		tracks: map[int]*track{}, boards: map[boardKey]*scoreBoard{}, heat: heatmap.New(schema),
	}
	for m := range schema.Metrics {
		if name := schema.Metrics[m].Name; slices.Contains(o.Metrics, name) || slices.Contains(ofServers, name) && o.Method != "l13" {
			k.tracks[m] = nil
		}
	}
	for m := range k.tracks {
		k.tracks[m] = newTrack(system, schema, m, len(k.tracks))
	}
	return k
}

// ofServers are the metrics that may speak for a resource of a server. Segments
// that arrived are what those sent again are a share of.
var ofServers = []string{
	metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrOut.Name, metric.RetrIn.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// newTrack returns one of so many tracks.
func newTrack(system *topology.System, schema table.Schema, m, tracks int) *track {
	subjects := map[topology.Kind]metric.Subject{topology.Interface: metric.SubjectInterface, topology.Host: metric.SubjectHost}
	t := &track{metric: m, place: make([]int, len(system.Components))}
	for c := range system.Components {
		t.place[c] = -1
		if subjects[system.Components[c].Kind] == schema.Metrics[m].Subject {
			t.place[c] = len(t.members)
			t.members = append(t.members, c)
		}
	}
	t.valueHistory = newValueHistory(len(t.members), schema.StepSeconds, trackRows, trackCells/tracks)
	return t
}

// of are the values of one component, missing where it has none.
func (t *track) of(component int) []float64 { return t.Series(t.place[component]) }

// Metrics are those that are kept, by their place in the schema.
func (k *kept) Metrics() []int { return slices.Sorted(maps.Keys(k.tracks)) }

// Values are what is kept of a metric that a component has.
func (k *kept) Values(m, component int) []float64 { return k.tracks[m].of(component) }

// Mark adds a stretch of time to point at.
func (k *kept) Mark(m ...Mark) { k.marks = append(k.marks, m...) }

// Span is the time of the first and of the last row; both are 0 without rows.
func (k *kept) Span() (from, to int64) {
	from = math.MaxInt64
	for _, t := range k.tracks {
		if n := len(t.Ends); n > 0 {
			from, to = min(from, t.Ends[0]), max(to, t.Ends[n-1])
		}
	}
	return min(from, to), to
}

// Row keeps the values of a row.
func (k *kept) Row(row *table.Row) {
	k.heat.Row(row)
	for m, t := range k.tracks {
		t.Push(row.End, func(i int) float64 { return row.Values[m][t.members[i]] })
	}
}

// Window keeps the scores of a window.
func (k *kept) Window(w *persistence.Window) {
	judged := func(v *persistence.Verdict, value float64) float64 {
		if v.State == persistence.Unjudged || v.Reason == persistence.Gone {
			return table.Missing
		}
		return value
	}
	b := k.board(boardKey{w.Metric, w.Group})
	b.scores.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Score) })
	b.thresholds.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Threshold) })
	b.ratios.Push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], ratio(&w.Verdicts[i])) })
}

// State writes or reads all that is kept. Marks are not part of it.
func (k *kept) State(c *state.Codec, axes *blame.Axes) {
	k.heat.State(c, axes)
	for _, m := range k.Metrics() {
		k.tracks[m].State(c, c.Sub(axes.Components, k.tracks[m].members))
	}
	keys := slices.SortedFunc(maps.Keys(k.boards), func(a, b boardKey) int {
		return slices.Compare([]int{a.metric, a.group}, []int{b.metric, b.group})
	})
	state.List(c, &keys, func(c *state.Codec, key *boardKey) {
		state.Int(c, &key.metric)
		axes.Groups.Index(c, &key.group)
		k.board(*key).state(c, axes)
	})
	maps.DeleteFunc(k.boards, func(key boardKey, _ *scoreBoard) bool { return key.group < 0 })
}

// board finds the one of a key, or makes it. One of a group that is no more has
// no members.
func (k *kept) board(key boardKey) *scoreBoard {
	if b := k.boards[key]; b != nil {
		return b
	}
	var members []int
	if key.group >= 0 && key.group < len(k.system.Groups) {
		members = k.system.Groups[key.group].Members
	}
	kept := func() *valueHistory { return newValueHistory(len(members), k.shift, boardRows, boardCells) }
	k.boards[key] = &scoreBoard{members, kept(), kept(), kept()}
	return k.boards[key]
}

func (b *scoreBoard) state(c *state.Codec, axes *blame.Axes) {
	members := c.Sub(axes.Components, b.members)
	b.scores.State(c, members)
	b.thresholds.State(c, members)
	b.ratios.State(c, members)
}
