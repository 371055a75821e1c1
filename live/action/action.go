package action

import (
	"encoding/json"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
)

// State is the state of an action. The constants below are all states.
type State string

// The states of an action that may still change.
const (
	Asked    State = "asked"    // the action waits for the answer of an operator
	Approved State = "approved" // the action may begin; limpet has changed nothing yet
	Doing    State = "doing"    // the driver's command has started
	Watching State = "watching" // the storage masks the part (sends no requests or fewer requests to it); limpet waits for the effect on latencies
	Helped   State = "helped"   // the part is masked, and users wait less
	Undoing  State = "undoing"  // limpet is reversing the action
)

// The final states of an action.
const (
	Refused  State = "refused"  // an operator refused the action
	Expired  State = "expired"  // no operator answered in time
	Blocked  State = "blocked"  // the policy, a cap or a guard did not allow the action; a cap is a limit that no policy can raise, and a guard is a command that tests whether the action is safe
	Failed   State = "failed"   // the command did not mask the part
	Undone   State = "undone"   // limpet reversed the action
	Reversed State = "reversed" // a person, or the storage itself, reversed the action
)

// States returns all states.
func States() []State {
	return []State{Asked, Approved, Doing, Watching, Helped, Undoing, Refused, Expired, Blocked, Failed, Undone, Reversed}
}

// IsFinal reports whether an action in this state does not change any more.
func (s State) IsFinal() bool {
	return slices.Contains([]State{Refused, Expired, Blocked, Failed, Undone, Reversed}, s)
}

// Masks reports whether the part is masked, or may be masked, while an action is in this state. The
// storage sends fewer requests to a masked part, or none.
func (s State) Masks() bool { return slices.Contains([]State{Doing, Watching, Helped, Undoing}, s) }

// Action holds all data about one action on one slow part of the storage. Times are Unix times by
// the clock of this machine. A time is 0 if its event has not happened yet.
type Action struct {
	ID        string       `json:"id"`
	Incident  string       `json:"incident,omitempty"` // ID of the incident; empty if the action is about a suspect
	Kind      finding.Kind `json:"kind"`
	Tier      blame.Tier   `json:"tier"`
	Place     string       `json:"place"`
	Component string       `json:"component"`
	Server    string       `json:"server"`
	Storage   string       `json:"storage"` // the fields Storage and Effect together identify the driver, which holds the commands of the action
	Effect    plan.Effect  `json:"effect"`
	Names     plan.Names   `json:"names"` // the words by which the commands name the part
	What      string       `json:"what"`  // sentence that describes the action
	Why       string       `json:"why"`   // headline of the incident
	Mode      plan.Mode    `json:"mode"`  // plan.Ask: an operator must approve the action; plan.Do: limpet starts it without approval
	Command   string       `json:"command"`
	Undo      string       `json:"undo"`

	State   State `json:"state"`
	Created int64 `json:"created"`
	// Due is the deadline of the current state. In the state Asked, an operator must answer before
	// Due. In the state Approved, the command must start before Due. In the state Watching,
	// latencies must show before Due that users wait less.
	Due      int64 `json:"due,omitempty"`
	Began    int64 `json:"began,omitempty"`    // time at which the command started
	Masked   int64 `json:"masked,omitempty"`   // time at which the storage showed that the part is masked
	Ended    int64 `json:"ended,omitempty"`    // time at which the state became final
	Checked  int64 `json:"checked,omitempty"`  // time at which limpet last read the state of the part from the storage
	Attempts int   `json:"attempts,omitempty"` // number of attempts to undo the action

	ApprovedBy string        `json:"approved_by,omitempty"` // name of the operator; empty if the policy approved the action
	UndoBy     string        `json:"undo_by,omitempty"`     // name of the operator who requested the undo; empty if no operator requested it
	Useless    bool          `json:"useless,omitempty"`     // true if the action did not help
	Reason     string        `json:"reason,omitempty"`      // sentence with the reason why the action ended or is being reversed
	Trouble    string        `json:"trouble,omitempty"`     // sentence with the reason why the action does not proceed
	Verdict    *plan.Verdict `json:"verdict,omitempty"`     // comparison of the latencies before and after the action
}

// Event is the kind of a Record. It names the step of the action, or the operator's command.
type Event string

// The kinds of records.
const (
	Created  Event = "created"
	Answered Event = "answered" // an operator approved or refused the action, or requested its undo
	Checks   Event = "check"    // limpet ran a guard (a command that tests whether the action is safe), or queried the state of the part
	Does     Event = "do"
	Measured Event = "latency"
	Undoes   Event = "undo"
	Ends     Event = "end"
	Switched Event = "switch" // all actions were stopped or allowed again
)

// Record is one entry in the history of an action. A command that changes the storage has two
// records: the first is written before the command starts, the second after the command ended. A
// command that only reads has one record.
type Record struct {
	Seq     int64  `json:"seq"`
	Action  string `json:"action,omitempty"`
	Time    int64  `json:"time"`
	Who     string `json:"who"`
	Event   Event  `json:"event"`
	State   State  `json:"state,omitempty"` // state of the action after the record
	Command string `json:"command,omitempty"`
	Starts  bool   `json:"starts,omitempty"` // true if the record was written before the start of the command
	Answer  string `json:"answer,omitempty"` // output of the command, shortened
	Failed  bool   `json:"failed,omitempty"` // true if the command failed, or its output was not the expected output
	Text    string `json:"text,omitempty"`   // sentence for people about the reason or the result
}

// Switch is the state of the switch that stops all actions.
type Switch struct {
	Stopped bool   `json:"stopped"`
	Who     string `json:"who"`
	Time    int64  `json:"time"`
	Text    string `json:"text,omitempty"`
}

// limpet is the name in Record.Who if the program itself makes a change, without an operator.
const limpet = "limpet"

// steps returns the commands of an action. The commands come from the driver of the action: a
// driver has the commands for one kind of storage. The second result is false if this driver is not
// in this version of limpet, and not in the policy.
func (a *Action) steps(p *plan.Policy) (plan.Steps, bool) {
	d := p.Lookup(a.Storage, a.Effect)
	if d == nil {
		return plan.Steps{}, false
	}
	return d.Steps(a.Names), true
}

// belongsTo reports whether the action was created because of the given incident.
func (a *Action) belongsTo(in *incident.Incident) bool {
	return plan.Cause{Incident: a.Incident, Kind: a.Kind, Tier: a.Tier, Place: a.Place}.Is(in)
}

// hadRecovered reports whether the part recovered after the action, and has now become slow again.
// The result is true if the action helped and was reversed, and if the given incident began after
// the action had ended.
func (a *Action) hadRecovered(in *incident.Incident) bool {
	return (a.State == Undone || a.State == Reversed) && !a.Useless && a.Verdict != nil && a.Verdict.Helped && max(in.Spell.Early, in.LatestSince()) > a.Ended
}

// Decode reads an action from the ledger.
func Decode(stored ledger.Action) (a Action, err error) {
	err = json.Unmarshal(stored.Document, &a)
	a.ID = stored.ID // when a node joins a cluster, its ledger changes the IDs of actions
	return a, err
}

// DecodeRecord reads a record from the ledger.
func DecodeRecord(stored ledger.ActionRecord) (r Record, err error) {
	err = json.Unmarshal(stored.Document, &r)
	return r, err
}

// PastActions converts actions to the type that the planner (package report/action) uses. The
// function `component` returns the index of a component by its name. If an action is not over, and
// its component is not in the topology, the result `unknown` is the name of this component.
// Otherwise `unknown` is empty.
func PastActions(list []Action, component func(name string) (int, bool)) (past []plan.PastAction, unknown string) {
	for i := range list {
		a := &list[i]
		if a.State.IsFinal() && a.Began == 0 {
			continue // the action has changed nothing
		}
		c, ok := component(a.Component)
		if !ok && !a.State.IsFinal() {
			unknown = a.Component
			continue
		}
		// If the topology does not have the component of an action that is over, c is 0. This does
		// no harm, because the planner does not use the component of an action that is over.
		began := a.Began
		if began == 0 {
			began = a.Created
		}
		past = append(past, plan.PastAction{Component: c, Effect: a.Effect, Began: began, Ended: a.Ended, Useless: a.Useless})
	}
	return past, unknown
}
