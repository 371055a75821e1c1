// This file keeps the data of a page's plots, and draws the plots: the series of every component,
// and the distances of every window with their thresholds.
//
// Memory is bounded for a diagnosis of any length, because old values are averaged.

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

// kept holds the data of the plots.
type kept struct {
	system *topology.System
	schema table.Schema
	lead   string                   // name of the metric that shows how slow a component is
	shift  int64                    // seconds between windows
	tracks map[int]*track           // by metric of the schema
	boards map[boardKey]*scoreBoard // by metric and group
	heat   *heatmap.Kept
	marks  []Mark
}

// Mark is a time span that plots highlight: a known fault.
type Mark struct {
	Label    string
	From, To int64
	Names    []string // names of the components that have the fault
}

// track keeps the values of one metric.
type track struct {
	*valueHistory
	metric  int   // index in the schema
	members []int // components that have the metric, by place in a row
	place   []int // place in a row, by component; -1: the component does not have the metric
}

type boardKey struct{ metric, group int }

// scoreBoard keeps the scores and thresholds of one group and metric.
type scoreBoard struct {
	members            []int
	scores, thresholds *valueHistory
	ratios             *valueHistory // value of the component / value of its peers
}

// The bounds of memory. A track has enough rows for any screen, and all tracks together take at
// most 128 MB. A score board holds five days of windows before they are averaged; the boards of all
// groups of Intrepid (the system of L13) take 100 MB.
const (
	trackRows  = 8192
	trackCells = 32 << 20
	boardRows  = 1024
	boardCells = 16 << 20
)

// newPlot returns an empty kept for the metrics of a diagnosis. lead is the name of the metric that
// shows how slow a component is.
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

// ofServers lists the metrics that can be evidence about a resource of a server. It has the
// delivered segments too, because retransmitted segments are shown as a share of all segments.
var ofServers = []string{
	metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrOut.Name, metric.RetrIn.Name, metric.DlvOut.Name, metric.DlvIn.Name,
}

// newTrack returns an empty track of metric m. All tracks together share the memory; tracks is
// their number.
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

// of returns the values of one component; missing if it does not have the metric.
func (t *track) of(component int) []float64 { return t.Series(t.place[component]) }

// Metrics returns the indexes of the kept metrics in the schema.
func (k *kept) Metrics() []int { return slices.Sorted(maps.Keys(k.tracks)) }

// Values returns the kept values of a metric of a component.
func (k *kept) Values(m, component int) []float64 { return k.tracks[m].of(component) }

// Mark adds time spans that the plots highlight.
func (k *kept) Mark(m ...Mark) { k.marks = append(k.marks, m...) }

// Span returns the times of the first and of the last row; both are 0 without rows.
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

// State writes or reads all data except the marks.
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

// board returns the score board of a key, and makes it if needed. The board of a group that no
// longer exists has no members.
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
