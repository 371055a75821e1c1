package checklist

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Detector records the metrics in which each server was suspect, and returns findings about suspect
// servers.
type Detector struct {
	opts     Options
	places   *blame.Map
	metrics  []metric.Metric // metrics of the schema
	itemOf   []int           // by metric of the schema: index of this metric in the checklist (variable items); -1 if the checklist does not have it
	memory   int             // number of windows that are remembered, 2k−1: a server is reported if it was suspect in k of them
	servers  []server
	end      int64 // Unix time of the end of the last window
	examined int   // number of windows so far
	history  *onset.History
	scratch  []float64
}

// server holds one record for each metric of the checklist.
type server struct {
	compared int64 // Unix time of the end of the last window in which one of its components was compared
	records  [len(items)]onset.MetricRecord
}

// New returns a detector. Its windows come from a persistence.Detector with the options `d`. Its
// rows have the given schema.
func New(o Options, change onset.Options, m *blame.Map, schema table.Schema, d *persistence.Options) (*Detector, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	memory := 2*d.K - 1
	latency := int64(d.WinSize+memory*d.WinShift) * d.StepSeconds
	l := &Detector{
		opts: o, places: m, metrics: schema.Metrics, memory: memory, servers: make([]server, len(m.System.Servers)),
		history: onset.New(change, m.System, schema, Metrics(), latency),
	}
	for _, of := range schema.Metrics {
		l.itemOf = append(l.itemOf, slices.IndexFunc(items[:], func(i item) bool { return i.metric == of.Name }))
	}
	return l, nil
}

// Row takes the next row. If windows end with this row, the caller calls Row before it calls Window
// for these windows.
func (l *Detector) Row(row *table.Row) { l.history.Push(row) }

// Window takes the verdicts about a peer group for one metric and one window. It skips idle
// servers.
func (l *Detector) Window(w *persistence.Window, idle func(server int) bool) {
	l.examined++
	l.end = w.End
	at := l.itemOf[w.Metric]
	if at < 0 {
		return
	}
	peers := l.typicalValue(w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		of := l.places.ServerOf[v.Component]
		if of < 0 || v.State == persistence.Unjudged || idle(of) {
			continue
		}
		l.servers[of].compared = w.End
		s := &l.servers[of].records[at]
		l.expire(s, w.End)
		l.addWindow(s, w, v, peers)
	}
}

// typicalValue returns the usual value of the metric in a window: the median, over the components,
// of their medians in the window.
func (l *Detector) typicalValue(w *persistence.Window) float64 {
	l.scratch = l.scratch[:0]
	for i := range w.Verdicts {
		if m := w.Verdicts[i].Median; !math.IsNaN(m) {
			l.scratch = append(l.scratch, m)
		}
	}
	return quantile.Median(l.scratch)
}

// addWindow adds a window to the record of a metric. A lost component does not count as anomalous,
// because the checklist has no kind of fault for a lost component.
func (l *Detector) addWindow(s *onset.MetricRecord, w *persistence.Window, v *persistence.Verdict, peers float64) {
	of := &l.metrics[w.Metric]
	s.Take(l.history, &onset.WindowResult{
		Evidence: finding.Evidence{
			Metric: of.Name, Component: v.Component, Unit: of.Unit, Own: v.Median, Peers: peers,
			Score: v.Score, Threshold: v.Threshold, From: w.Start, To: w.End,
		},
		Anomalous: v.Reason == persistence.Differs, Suspect: v.Suspect, Metric: w.Metric, Group: w.Group,
	}, l.memory)
}

// expire clears the record of a metric if its last suspect window ended more than
// ForgetSeconds ago.
func (l *Detector) expire(s *onset.MetricRecord, now int64) {
	if s.IsSuspect() && now-s.Suspect.To > l.opts.ForgetSeconds {
		s.Forget(0)
	}
}

// Judged reports whether a server was compared in the windows that ended last.
func (l *Detector) Judged(server int) bool { return l.end > 0 && l.servers[server].compared == l.end }

// Forget deletes the records of a server's metrics.
func (l *Detector) Forget(at int) { l.servers[at] = server{compared: l.servers[at].compared} }

// Examined returns the number of windows so far.
func (l *Detector) Examined() int { return l.examined }
