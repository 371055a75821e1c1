package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Policy is a policy with its name for reports.
type Policy struct {
	Name string
	*action.Policy
}

// Fault is a known fault in the data.
type Fault struct {
	Kind, Component, Text string
	From, To              int64 // Unix times
	Components            []int // components that have the fault
}

// Options holds the input of a replay besides the data.
type Options struct {
	Diagnose engine.Options
	Model    *persistence.Model // nil: no model
	Policies []Policy
	Known    bool    // all faults in the data are known
	Faults   []Fault // known faults; empty if Known is false
}

// lookSeconds is the time between two decisions, in the time of the data. A running server looks
// more often, but its detectors decide once a minute.
const lookSeconds = 60

// Run diagnoses a stream, and lets the policies decide about its incidents.
func Run(ctx context.Context, o Options, system *topology.System, s table.Stream) (*Result, error) {
	if len(o.Policies) == 0 {
		return nil, errors.New("internal error: a replay needs a policy")
	}
	r := &replay{o: o, system: system, schema: s.Schema()}
	e, err := engine.New(o.Diagnose, system, r.schema, o.Model, engine.NoListener{})
	if err != nil {
		return nil, err
	}
	r.begin(e.Options())
	for ctx.Err() == nil {
		row, err := s.Next()
		if err == io.EOF {
			e.Finish()
			return r.result(), nil
		}
		if err != nil {
			return nil, err
		}
		e.Push(row)
		r.row(row)
		if row.End >= r.lookAt {
			r.lookAt = (row.End/lookSeconds + 1) * lookSeconds
			now := e.Open(incident.Combined)
			r.look(row.End, &now)
		}
	}
	return nil, ctx.Err()
}

// replay is the state of a replay.
type replay struct {
	o       Options
	system  *topology.System
	schema  table.Schema
	options engine.Options
	writer  *sentence.Writer
	measure measure

	from, to int64
	lookAt   int64 // time of the next look
	players  []*player
	waited   map[string]float64 // time that users waited, in request-seconds, by the ID of an incident
	faulted  float64            // time that users waited because of known faults, in request-seconds
	byFault  []float64          // the same, by fault; NaN: no step could be counted
	counted  bool               // some step of a known fault could be counted
	plot     plot
}

// player is one policy with its actions.
type player struct {
	Policy
	actions []*underWay
	refused map[action.Reason]*refusals
	byFault []fate
}

// refusals counts the refusals for one reason.
type refusals struct {
	causes  map[action.Cause]bool
	seconds int64
}

// fate holds the reaction of a policy to a known fault.
type fate struct {
	acted   bool
	reasons map[action.Reason]int64 // seconds
}

// underWay is an action with the data for its verdict.
type underWay struct {
	Action
	cause     action.Cause
	component int
	due       int64 // time at which the action must have helped
	latencies action.Latencies
	judged    bool // there is a verdict, or no verdict is possible
	unknown   int  // steps since the action that have latencies, but not the share of reads
	stretch   stretch
}

func (r *replay) begin(o engine.Options) {
	r.options = o
	r.writer = sentence.New(r.system, r.schema, &o)
	window := int64(action.VerdictSeconds)
	for _, p := range r.o.Policies {
		window = max(window, p.VerifySeconds)
		q := &player{Policy: p, refused: map[action.Reason]*refusals{}, byFault: make([]fate, len(r.o.Faults))}
		for i := range q.byFault {
			q.byFault[i].reasons = map[action.Reason]int64{}
		}
		r.players = append(r.players, q)
	}
	for range r.o.Faults {
		r.byFault = append(r.byFault, math.NaN())
	}
	r.waited = map[string]float64{}
	r.measure = newMeasure(r.system, r.schema, o.Metrics, window)
	r.plot = newPlot(len(r.system.Groups), len(r.players))
}

// row counts the effect of the actions under way in a step.
func (r *replay) row(row *table.Row) {
	if r.from == 0 {
		r.from = row.End - r.schema.StepSeconds
	}
	r.to = row.End
	r.measure.take(row)
	r.plot.take(row.End, r.schema.StepSeconds, r.groupSums)
	r.addFaults(row.End)
	for i, p := range r.players {
		masked := p.masked()
		for _, a := range p.actions {
			if a.Ended == 0 && row.End-r.schema.StepSeconds >= a.Began {
				r.step(row, i, a, masked)
			}
		}
	}
}

func (r *replay) groupSums(group int) (wait, weight float64) {
	s := r.measure.sum(r.measure.last(), r.system.Groups[group].Members, nil)
	return s.wait, s.weight
}

// masked returns the components that are masked now.
func (p *player) masked() map[int]bool {
	list := map[int]bool{}
	for _, a := range p.actions {
		if a.Ended == 0 {
			list[a.component] = true
		}
	}
	return list
}

// step counts one step of an action, and judges whether the action helps.
func (r *replay) step(row *table.Row, number int, a *underWay, masked map[int]bool) {
	a.Steps++
	m, reason := r.measure.moved(row, a.component, a.Effect, masked)
	if !m.saves {
		a.MissingSteps++
	}
	if m.saves && r.measure.countsRequests() {
		if !a.counted {
			a.SavedSeconds, a.counted = 0, true
		}
		seconds := float64(r.schema.StepSeconds)
		a.SavedSeconds += m.saved * seconds * r.measure.unitSeconds
		a.MovedRequests += m.requests * seconds
		a.PeersRequests += m.peersWeight * seconds
		a.CountedSeconds += r.schema.StepSeconds
	}
	if m.saves {
		r.plot.save(number, r.system.Components[a.component].Group-1, m.saved)
		one := action.Sample{End: row.End, Group: m.group, Others: m.others, Load: m.load, OthersLoad: m.peersWeight + m.requests}
		if r.schema.Load < 0 {
			one.Load, one.OthersLoad = table.Missing, table.Missing
		}
		a.latencies.Samples = append(a.latencies.Samples, one)
	}
	if reason == readsUnknown {
		a.unknown++
	}
	if m.compares {
		a.stretch.add(row.End, r.schema.StepSeconds, m.own, m.expected)
	}
	a.ForNothingSeconds += a.stretch.close(row.End, r.options.Criteria.RecoverSeconds, r.options.Criteria.SmallestTimes)
	if !a.judged {
		a.verify(row.End)
	}
}

// verify judges an action as a running server would, by the estimated latencies of its group.
func (a *underWay) verify(now int64) {
	v, err := action.Judge(&a.latencies, a.Began, a.Began, action.VerdictSeconds)
	switch {
	case err == nil && v.Helped:
		a.Verdict, a.judged = v, true
	case now < a.due:
		return
	case err == nil:
		a.Verdict, a.judged = v, true
		a.end(now, DidNotHelp, v.String())
	case a.unknown > 0 && errors.Is(err, action.ErrNoneAfter):
		a.judged = true // the storage would have shown whether the action helped, but the recording does not: the action goes on
	default:
		a.judged = true
		a.end(now, NoVerdict, fmt.Sprintf("it is unknown whether the action helped: %v", err))
	}
	a.latencies.Samples = nil
}

func (a *underWay) end(now int64, why Ending, reason string) {
	a.Ended, a.Ending, a.Reason = now, why, reason
}

// useless reports whether an action did not help, or had no verdict. Then the policy pauses.
func (a *underWay) useless() bool { return a.Ending == DidNotHelp || a.Ending == NoVerdict }

// look lets every policy decide.
func (r *replay) look(now int64, s *engine.Summary) {
	var open []incident.Incident
	for i := range s.Incidents {
		in := &s.Incidents[i]
		if in.Confirmed > 0 && !in.Harmless() && in.WaitedSeconds > 0 {
			r.waited[in.ID] = max(r.waited[in.ID], in.WaitedSeconds)
		}
		if in.Phase != incident.Cleared {
			open = append(open, *in)
		}
	}
	for i := range s.Suspects {
		open = append(open, s.Suspects[i].Incident)
	}
	var silent []string
	for _, q := range s.Silent {
		silent = append(silent, q.Server)
	}
	for _, p := range r.players {
		for _, a := range p.actions {
			if a.Ended == 0 && !slices.ContainsFunc(open, func(in incident.Incident) bool { return a.cause.Is(&in) }) {
				a.end(now, IncidentOver, "the incident was over")
			}
		}
		r.mark(now, p)
		if len(open) > 0 {
			r.decide(now, p, open, silent)
		}
	}
}

// mark records the known faults whose parts are masked.
func (r *replay) mark(now int64, p *player) {
	for i := range r.o.Faults {
		f := &r.o.Faults[i]
		for _, a := range p.actions {
			if a.Ended == 0 && r.lasts(f, now) && slices.Contains(f.Components, a.component) {
				p.byFault[i].acted = true
			}
		}
	}
}

// decide lets one policy decide about the open incidents.
func (r *replay) decide(now int64, p *player, open []incident.Incident, silent []string) {
	situation := action.Situation{System: r.system, Now: now, Open: open, Silent: silent}
	for _, a := range p.actions {
		situation.PastActions = append(situation.PastActions, action.PastAction{Component: a.component, Effect: a.Effect, Began: a.Began, Ended: a.Ended, Useless: a.useless()})
	}
	situation.Decided = func(in *incident.Incident) bool {
		return slices.ContainsFunc(p.actions, func(a *underWay) bool {
			kept := int64(action.KeptSeconds)
			if a.Ending == IncidentOver { // the part had recovered, and is slow for another time
				kept = p.PauseSeconds
			}
			return a.Ended != 0 && now-a.Ended < kept && a.cause.Is(in)
		})
	}
	plan := action.New(p.Policy.Policy, situation)
	for i := range open {
		in := &open[i]
		d, ok := plan.For(in)
		switch {
		case !ok:
		case d.Refused == "":
			r.act(now, p, in, &d)
		case slices.ContainsFunc(p.actions, func(a *underWay) bool { return a.Ended == 0 && a.cause.Is(in) }):
			// An action on this incident is under way.
		default:
			r.refuse(now, p, in, d.Refused)
		}
	}
}

// act begins an action. The modes propose, ask and do do not differ here: a replay assumes that an
// operator says yes at once, and that the checks of the storage hold.
func (r *replay) act(now int64, p *player, in *incident.Incident, d *action.Decision) {
	c := &r.system.Components[d.Component]
	a := &underWay{
		Action: Action{
			Incident: in.ID, Kind: in.Kind, Place: in.Place.Name, Component: c.Name, Group: r.system.Groups[c.Group-1].Name, Server: c.Server, Storage: d.Driver.Storage, Effect: d.Driver.Effect,
			What: d.What, Command: d.Do.String(), Undo: d.Undo.String(), Why: r.writer.Headline(in), Mode: d.Rule.Mode, Began: now, SavedSeconds: math.NaN(),
		},
		cause: action.CauseOf(in), component: d.Component, due: now + p.VerifySeconds,
	}
	others := p.masked()
	a.latencies = action.Latencies{StepSeconds: r.schema.StepSeconds, Unit: r.measure.unit, Samples: r.measure.before(d.Component, now-p.VerifySeconds, others)}
	for i := range r.o.Faults {
		f := &r.o.Faults[i]
		if r.lasts(f, now) && slices.Contains(f.Components, d.Component) {
			a.Fault, p.byFault[i].acted = f.Component, true
		}
	}
	p.actions = append(p.actions, a)
}

// lasts reports whether a fault goes on, or ended so recently that its incident may not be over
// yet.
func (r *replay) lasts(f *Fault, now int64) bool {
	return f.From <= now && now <= f.To+r.options.Criteria.OverSeconds
}

// refuse counts a refusal.
func (r *replay) refuse(now int64, p *player, in *incident.Incident, why action.Reason) {
	seconds := max(lookSeconds, r.schema.StepSeconds)
	n := p.refused[why]
	if n == nil {
		n = &refusals{causes: map[action.Cause]bool{}}
		p.refused[why] = n
	}
	n.causes[action.CauseOf(in)] = true
	n.seconds += seconds
	for i := range r.o.Faults {
		f := &r.o.Faults[i]
		if !r.lasts(f, now) {
			continue
		}
		for _, m := range in.Members {
			if slices.Contains(f.Components, m.Component) {
				p.byFault[i].reasons[why] += seconds
				break
			}
		}
	}
}

// addFaults counts how long users wait because of known faults in the last step. A component with
// two faults counts once in the sum.
func (r *replay) addFaults(end int64) {
	hit := map[int]bool{}
	var lasting []int
	for i := range r.o.Faults {
		if f := &r.o.Faults[i]; f.From <= end-r.schema.StepSeconds && end <= f.To {
			lasting = append(lasting, i)
			for _, c := range f.Components {
				hit[c] = true
			}
		}
	}
	if len(hit) == 0 || !r.measure.countsRequests() {
		return
	}
	f := r.measure.last()
	peers := map[int]sum{}      // by group, without the parts that have faults
	longer := map[int]float64{} // by component
	for _, c := range slices.Sorted(maps.Keys(hit)) {
		group := r.system.Components[c].Group - 1
		s, ok := peers[group]
		if !ok {
			s = r.measure.sum(f, r.system.Groups[group].Members, hit)
			peers[group] = s
		}
		if math.IsNaN(f.weight[c]) || s.weight == 0 {
			continue
		}
		longer[c] = f.weight[c] * (f.latency[c] - s.wait/s.weight) * float64(r.schema.StepSeconds) * r.measure.unitSeconds
		r.counted = true
		r.faulted += longer[c]
	}
	for _, i := range lasting {
		for _, c := range r.o.Faults[i].Components {
			if seconds, ok := longer[c]; ok {
				if math.IsNaN(r.byFault[i]) {
					r.byFault[i] = 0
				}
				r.byFault[i] += seconds
			}
		}
	}
}
