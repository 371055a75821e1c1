package replay

import (
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/report/action"
)

// Ending is why an action ended.
type Ending string

// The endings. An action without one was under way when the data ended.
const (
	IncidentOver Ending = "incident over"
	DidNotHelp   Ending = "did not help"
	NoVerdict    Ending = "no verdict" // too few latencies: a server reverses it, too
)

// Action is what a policy would have done to one part. Times are Unix times of the data.
type Action struct {
	Incident  string // ID; empty: a suspect
	Kind      finding.Kind
	Place     string
	Component string
	Group     string // peer group of the component
	Server    string
	Storage   string
	Effect    action.Effect
	Mode      action.Mode // of the rule
	What      string      // what the action does
	Why       string      // the headline of the incident
	Command   string
	Undo      string
	Began     int64
	Ended     int64 // 0: it was under way when the data ended
	Ending    Ending
	Reason    string          // why it ended
	Verdict   *action.Verdict // by the estimated latencies; nil: there is none

	// SavedSeconds is how much less time the requests would have taken that the action keeps away from
	// the part. It is missing (NaN) if no step could be counted.
	SavedSeconds   float64
	Steps          int // while the action was under way
	MissingSteps   int // of them, those that could not be counted
	CountedSeconds int64
	MovedRequests  float64 // that the peers would have taken over, in CountedSeconds
	PeersRequests  float64 // that the peers had anyway, in the same time
	// ForNothingSeconds is how long the part was masked while it was as fast as its peers.
	ForNothingSeconds int64
	// Fault is the component of the known fault that the part had; empty: there was none, or faults
	// are not known.
	Fault string

	counted bool
}

// SpareSeconds returns how long a group had one copy or parity less, until the end of the data.
func (a *Action) SpareSeconds(to int64) int64 {
	if a.Effect != action.TakeOut {
		return 0
	}
	if a.Ended != 0 {
		to = a.Ended
	}
	return to - a.Began
}

// Refusal counts the refusals for one reason.
type Refusal struct {
	Reason    action.Reason
	Incidents int   // incidents and suspects
	Seconds   int64 // summed over them
}

// Missed is a known fault without an action.
type Missed struct {
	Fault
	Reason        action.Reason // that held for the longest time; empty: no incident and no suspect showed the fault
	WaitedSeconds float64       // how much longer requests took because of the fault; NaN: unknown
}

// PolicyResult is what one policy would have done.
type PolicyResult struct {
	Name     string
	Actions  []Action
	Refusals []Refusal // in the order of [action.Reasons]
	Missed   []Missed  // if faults are known

	SavedSeconds      float64 // of all actions; NaN: no step of any action could be counted
	MissingSteps      int
	Steps             int
	ForNothingSeconds int64
	SpareSeconds      int64
	Wrong             int // actions on parts without a known fault
}

// Result is what policies would have done.
type Result struct {
	System   string
	From, To int64
	Policies []PolicyResult
	Known    bool // faults are known
	Faults   int
	// WaitedSeconds is how much longer than at their peers requests took: because of the known faults,
	// or, if faults are not known, of the incidents. NaN: the data do not have the number of requests.
	WaitedSeconds float64
	Curves        []Curve
}

// Share returns the share of the waited time that a policy would have saved; NaN: it is unknown.
func (r *Result) Share(p *PolicyResult) float64 {
	if !(r.WaitedSeconds > 0) {
		return math.NaN()
	}
	return p.SavedSeconds / r.WaitedSeconds
}

func (r *replay) result() *Result {
	out := &Result{System: r.system.Name, From: r.from, To: r.to, Known: r.o.Known, Faults: len(r.o.Faults), WaitedSeconds: math.NaN()}
	switch {
	case !r.measure.countsRequests():
	case r.o.Known && r.counted:
		out.WaitedSeconds = r.faulted
	case !r.o.Known:
		out.WaitedSeconds = 0
		for _, id := range slices.Sorted(maps.Keys(r.waited)) {
			out.WaitedSeconds += r.waited[id]
		}
	}
	for _, p := range r.players {
		out.Policies = append(out.Policies, r.sumUp(p))
	}
	out.Curves = r.plot.curves(func(g int) string { return r.system.Groups[g].Name }, r.measure.unit)
	return out
}

func (r *replay) sumUp(p *player) PolicyResult {
	out := PolicyResult{Name: p.Name, SavedSeconds: math.NaN()}
	if len(p.actions) == 0 && r.measure.countsRequests() {
		out.SavedSeconds = 0 // nothing was done, and nothing saved
	}
	for _, a := range p.actions {
		if a.Ended == 0 {
			a.Reason = "the data end"
		}
		out.Actions = append(out.Actions, a.Action)
		if a.counted {
			if math.IsNaN(out.SavedSeconds) {
				out.SavedSeconds = 0
			}
			out.SavedSeconds += a.SavedSeconds
		}
		out.Steps, out.MissingSteps = out.Steps+a.Steps, out.MissingSteps+a.MissingSteps
		out.ForNothingSeconds += a.ForNothingSeconds
		out.SpareSeconds += a.SpareSeconds(r.to)
		if r.o.Known && a.Fault == "" {
			out.Wrong++
		}
	}
	for _, why := range action.Reasons() {
		if n := p.refused[why]; n != nil {
			out.Refusals = append(out.Refusals, Refusal{why, len(n.causes), n.seconds})
		}
	}
	for i, f := range p.byFault {
		if f.acted {
			continue
		}
		m := Missed{Fault: r.o.Faults[i], WaitedSeconds: r.byFault[i]}
		for _, why := range action.Reasons() {
			if f.reasons[why] > f.reasons[m.Reason] {
				m.Reason = why
			}
		}
		out.Missed = append(out.Missed, m)
	}
	return out
}
