package replay

import (
	"maps"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/report/action"
)

// Ending is the reason why an action ended.
type Ending string

// The endings. An action without an ending was under way when the data ended.
const (
	IncidentOver Ending = "incident over"
	DidNotHelp   Ending = "did not help"
	NoVerdict    Ending = "no verdict" // too few latencies: a running server reverses the action, too
)

// Action is an action that a policy would have carried out on one part. Times are Unix times of the
// data.
type Action struct {
	Incident  string // ID; empty: a suspect
	Kind      finding.Kind
	Place     string
	Component string
	Group     string // peer group of the component
	Server    string
	Storage   string
	Effect    action.Effect
	Mode      action.Mode // mode of the rule
	What      string      // effect of the action, in words
	Why       string      // headline of the incident
	Command   string
	Undo      string
	Began     int64
	Ended     int64 // 0: the action was under way when the data ended
	Ending    Ending
	Reason    string          // reason of the ending, in words
	Verdict   *action.Verdict // by the estimated latencies; nil: there is none

	// SavedSeconds is the time that the action would have saved: the requests that it keeps away
	// from the part would have been faster at the peers. NaN: no step could be counted.
	SavedSeconds   float64
	Steps          int // number of steps while the action was under way
	MissingSteps   int // number of these steps that could not be counted
	CountedSeconds int64
	MovedRequests  float64 // requests that the peers would have taken over during CountedSeconds
	PeersRequests  float64 // requests that the peers had anyway in the same time
	// ForNothingSeconds is the time for which the part was masked although it was as fast as its
	// peers.
	ForNothingSeconds int64
	// Fault is the component of the known fault of the part; empty: there was no fault, or faults
	// are unknown.
	Fault string

	counted bool
}

// SpareSeconds returns the time for which a group had one copy or parity less. The time ends with
// the action, or at the end of the data.
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
	Incidents int   // number of incidents and suspects
	Seconds   int64 // sum over these incidents and suspects
}

// Missed is a known fault without an action.
type Missed struct {
	Fault
	Reason        action.Reason // reason of refusals that held for the longest time; empty: no incident and no suspect showed the fault
	WaitedSeconds float64       // additional time of requests because of the fault; NaN: unknown
}

// PolicyResult holds the actions and refusals of one policy.
type PolicyResult struct {
	Name     string
	Actions  []Action
	Refusals []Refusal // in the order of [action.Reasons]
	Missed   []Missed  // known faults without an action

	SavedSeconds      float64 // sum over all actions; NaN: no step of any action could be counted
	MissingSteps      int
	Steps             int
	ForNothingSeconds int64
	SpareSeconds      int64
	Wrong             int // number of actions on parts without a known fault
}

// Result is the result of a replay.
type Result struct {
	System   string
	From, To int64
	Policies []PolicyResult
	Known    bool // faults are known
	Faults   int
	// WaitedSeconds is the additional time of requests, compared with their peers: because of the
	// known faults, or, if faults are unknown, in the incidents. NaN: the data do not have the
	// number of requests.
	WaitedSeconds float64
	Curves        []Curve
}

// Share returns the share of WaitedSeconds that a policy would have saved; NaN: unknown.
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
		out.SavedSeconds = 0 // without actions, nothing was saved
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
