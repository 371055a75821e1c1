package engine

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/clockskew"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/detect/symptom"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// servers answers the question [Servers]: it finds the server whose disk or network is at fault. It
// decides by the symptoms of drives, interfaces and connections, which must agree with each other.
type servers struct {
	e       *Engine
	places  *blame.Map // map of the system with the peer groups for this question
	symptom *symptom.Detector
	watch   serverWatch
}

// serverWatch finds idle servers and wrong clocks. The questions [Servers] and [Checklist] each
// have a serverWatch.
type serverWatch struct {
	idle   *window.IdleServers
	clocks *clockskew.Clocks
}

func newServerWatch(e *Engine, span int64) (serverWatch, error) {
	clocks, err := clockskew.New(e.opts.Skew, e.opts.Criteria, e.places.System, e.schema)
	return serverWatch{window.NewIdleServers(e.places, e.schema, span), clocks}, err
}

func (w *serverWatch) row(row *table.Row) {
	w.idle.Row(row)
	w.clocks.Push(row)
}

func (w *serverWatch) addToSummary(system *topology.System, s *Summary) {
	names := system.Servers
	for _, i := range w.idle.List() {
		if system.IsCluster(names[i.Server]) { // the name of a cluster stands for services, not for a machine
			continue
		}
		s.Idle = append(s.Idle, Idleness{names[i.Server], i.From, i.To, i.Times, i.Seconds})
	}
	for _, k := range w.clocks.Skews() {
		s.Skews = append(s.Skews, Skew(k))
	}
}

func (w *serverWatch) state(c *state.Codec, axes *blame.Axes) {
	w.idle.State(c, axes)
	w.clocks.State(c, axes)
}

// missingForServers returns what the question [Servers] needs but the data lack, or nil if nothing
// is missing. The question needs three servers with interfaces, and a step of at most FineSeconds.
func (e *Engine) missingForServers() *Lack {
	with := map[string]bool{}
	for i := range e.places.System.Components {
		if c := e.places.Component(i); c.Kind == topology.Interface {
			with[c.Server] = true
		}
	}
	switch {
	case e.schema.Sparse || metric.Index(e.schema.Metrics, metric.RxByt.Name) < 0 || len(with) == 0:
		return &Lack{Servers, Interfaces, true}
	case len(with) < topology.MinPeers:
		return &Lack{Servers, Peers, true}
	case e.schema.StepSeconds > e.opts.Criteria.FineSeconds:
		return &Lack{Servers, Fineness, true}
	}
	return nil
}

func newServers(e *Engine) (*servers, error) {
	q := &servers{e: e, places: e.places}
	if e.places.System.ComparesByName() {
		q.places = blame.NewMap(e.places.System.ByName())
	}
	var err error
	if q.symptom, err = symptom.New(e.opts.Symptom, e.opts.Criteria, e.opts.Onset, q.places, e.schema); err != nil {
		return nil, err
	}
	q.watch, err = newServerWatch(e, e.opts.Symptom.WinSeconds)
	return q, err
}

func (q *servers) begin(int64) {}

func (q *servers) row(row *table.Row) {
	q.watch.row(row)
	q.symptom.Push(row, q.watch.idle.IsIdleNow, func(end int64, found []finding.Finding) {
		q.e.tracker.AddTick(incident.Tick{
			Time: end, Seconds: q.e.opts.Symptom.ShiftSeconds, Classes: symptom.Classes[:],
			Found: slices.DeleteFunc(found, q.isExplainedByClient), Judged: q.judged, Metrics: noOtherMetrics,
		})
	})
}

// isExplainedByClient reports whether requests to the drive of a finding wait only because a client
// sends all drives more requests than they can serve. When drives get too many requests, the wait
// is very different even between drives with nearly the same work. A drive with a fault would serve
// less than its peers. So the client explains the wait if two conditions hold: the drive does at
// least as much work as its peers, and the drive was not slow before the client sent so many
// requests.
func (q *servers) isExplainedByClient(f finding.Finding) bool {
	server := slices.Index(q.places.System.Servers, f.Place.Name)
	if f.Kind != finding.DiskBusy || f.Onset.Earlier || server < 0 || !q.symptom.WorksAsMuchAsPeers(server) {
		return false
	}
	since, ok := q.e.clientSlows(f.Members)
	return ok && f.Onset.Late >= since
}

// noOtherMetrics returns no metrics (incident.Tick.Metrics), because the evidence about a server
// already names all metrics that differ.
func noOtherMetrics([]finding.Member) []string { return nil }

func (q *servers) finish() {}

func (q *servers) judged(class finding.Class, c int) bool {
	s := q.places.ServerOf[c]
	return slices.Contains(symptom.Classes[:], class) && s >= 0 && q.symptom.Judged(s)
}

func (q *servers) forget(class finding.Class, c int) {
	if s := q.places.ServerOf[c]; slices.Contains(symptom.Classes[:], class) && s >= 0 {
		q.symptom.Forget(s)
	}
}

func (q *servers) apply(command.Verb, []int) {}

func (q *servers) addToSummary(s *Summary) {
	q.watch.addToSummary(q.places.System, s)
	s.Examined, s.Unlike = q.symptom.Examined(), q.symptom.Widespread()
	if s.Examined == 0 {
		return
	}
	known := q.symptom.Known()
	for _, r := range []struct {
		resource Resource
		symptoms []finding.Symptom
	}{
		{Disks, []finding.Symptom{finding.Waits, finding.Loaded}},
		{Interfaces, []finding.Symptom{finding.Receives, finding.Sends}},
		{ConnectionsIn, []finding.Symptom{finding.LosesIn}},
		{ConnectionsOut, []finding.Symptom{finding.LosesOut}},
	} {
		if !slices.ContainsFunc(r.symptoms, func(k finding.Symptom) bool { return slices.Contains(known, k) }) {
			s.Lacks = append(s.Lacks, Lack{Question: Servers, Resource: r.resource})
		}
	}
}

// state writes or reads the state. The state has values for components and servers, but none for
// peer groups. The reason is that `axes` come from the map of the engine. Components and servers
// have the same indexes in q.places as in this map. The peer groups may be different.
func (q *servers) state(c *state.Codec, axes *blame.Axes) {
	q.watch.state(c, axes)
	q.symptom.State(c, axes)
}
