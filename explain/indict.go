package explain

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/topology"
)

// Indictment names a server and the resource of it that is at fault.
type Indictment struct {
	Server   string
	Cause    Cause
	From, To int64      // Unix times between which it was suspect in any of the metrics
	Metrics  []Evidence // in which it was suspect, in the order of [Metrics]
}

// Evidence is a metric in which a server was suspect, by the window that
// exceeds its threshold most.
type Evidence struct {
	Metric    string
	Component string // of the server
	Score     float64
	Threshold float64
	Median    float64 // of the component over the window
	Peers     float64 // the median of its group's medians
	From, To  int64   // begin of the first suspect window, end of the last
}

// Indictments gathers what indicts servers over a whole run, as F10's
// analysis of an experiment does: a server is indicted where it was suspect in
// one or more metrics at any time.
type Indictments struct {
	system  *topology.System
	metrics []metric.Metric // of the schema
	decides []bool          // by metric of the schema
	found   map[charge]Evidence
}

// charge is what a server is accused of.
type charge struct{ server, metric string }

// NewIndictments returns none yet, for windows over the metrics of a schema.
func NewIndictments(system *topology.System, metrics []metric.Metric) *Indictments {
	d := &Indictments{system: system, metrics: metrics, found: map[charge]Evidence{}}
	deciding := Metrics()
	for _, m := range metrics {
		d.decides = append(d.decides, slices.Contains(deciding, m.Name))
	}
	return d
}

// Window takes what a window says. Absence is evidence of another kind: the
// checklist has no cause for a drive that is gone.
func (d *Indictments) Window(w *detect.Window) {
	if !d.decides[w.Metric] {
		return
	}
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.Suspect && v.Reason == detect.Differs {
			d.add(w, v)
		}
	}
}

func (d *Indictments) add(w *detect.Window, v *detect.Verdict) {
	c := &d.system.Components[v.Component]
	at := charge{c.Server, d.metrics[w.Metric].Name}
	e, known := d.found[at]
	if !known {
		e.Metric, e.From = at.metric, w.Start
	}
	if !known || stronger(v, &e) {
		e.Component, e.Score, e.Threshold = c.Name, v.Score, v.Threshold
		e.Median, e.Peers = v.Median, typical(w)
	}
	e.To = w.End
	d.found[at] = e
}

// stronger says whether a verdict exceeds its threshold by more than the
// evidence does. Products compare ratios where a threshold is zero, too.
func stronger(v *detect.Verdict, e *Evidence) bool {
	own, known := v.Score*e.Threshold, e.Score*v.Threshold
	return own > known || own == known && v.Score > e.Score
}

// typical is the median of the medians of a window's components.
func typical(w *detect.Window) float64 {
	var medians []float64
	for i := range w.Verdicts {
		if m := w.Verdicts[i].Median; !math.IsNaN(m) {
			medians = append(medians, m)
		}
	}
	slices.Sort(medians)
	n := len(medians)
	return (medians[(n-1)/2] + medians[n/2]) / 2
}

// List gives the servers indicted so far, in the order of the system.
func (d *Indictments) List() []Indictment {
	var list []Indictment
	for _, server := range d.system.Servers {
		suspect := func(name string) bool {
			_, ok := d.found[charge{server, name}]
			return ok
		}
		if cause, ok := Checklist(suspect); ok {
			list = append(list, d.indictment(server, cause))
		}
	}
	return list
}

func (d *Indictments) indictment(server string, cause Cause) Indictment {
	out := Indictment{Server: server, Cause: cause, From: math.MaxInt64}
	for _, name := range Metrics() {
		if e, ok := d.found[charge{server, name}]; ok {
			out.Metrics = append(out.Metrics, e)
			out.From, out.To = min(out.From, e.From), max(out.To, e.To)
		}
	}
	return out
}
