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

// State is how far an action is.
type State string

// The states of an action that is not over.
const (
	Asked    State = "asked"    // it waits for an operator
	Approved State = "approved" // it may begin; nothing was changed yet
	Doing    State = "doing"    // its command has started
	Watching State = "watching" // the part is masked; it is not known yet whether that helps
	Helped   State = "helped"   // the part is masked, and users wait less
	Undoing  State = "undoing"  // it is being reversed
)

// The states of an action that is over.
const (
	Refused  State = "refused"  // by an operator
	Expired  State = "expired"  // no operator answered in time
	Blocked  State = "blocked"  // a cap, the policy or a guard did not allow it
	Failed   State = "failed"   // its command had no effect
	Undone   State = "undone"   // limpet reversed it
	Reversed State = "reversed" // somebody else, or the storage itself, reversed it
)

// States returns all states.
func States() []State {
	return []State{Asked, Approved, Doing, Watching, Helped, Undoing, Refused, Expired, Blocked, Failed, Undone, Reversed}
}

// Over reports whether nothing more will happen to an action in this state.
func (s State) Over() bool {
	return slices.Contains([]State{Refused, Expired, Blocked, Failed, Undone, Reversed}, s)
}

// Masks reports whether the part is masked in this state, or may be.
func (s State) Masks() bool { return slices.Contains([]State{Doing, Watching, Helped, Undoing}, s) }

// Action is an action on one part. Times are Unix times by the clock of this machine; 0: not yet.
type Action struct {
	ID        string       `json:"id"`
	Incident  string       `json:"incident,omitempty"` // ID; empty: a suspect
	Kind      finding.Kind `json:"kind"`
	Tier      blame.Tier   `json:"tier"`
	Place     string       `json:"place"`
	Component string       `json:"component"`
	Server    string       `json:"server"`
	Storage   string       `json:"storage"` // storage and effect identify the driver
	Effect    plan.Effect  `json:"effect"`
	Names     plan.Names   `json:"names"` // that the commands contain
	What      string       `json:"what"`  // what the action does
	Why       string       `json:"why"`   // the headline of the incident
	Mode      plan.Mode    `json:"mode"`  // ask or do
	Command   string       `json:"command"`
	Undo      string       `json:"undo"`

	State    State `json:"state"`
	Created  int64 `json:"created"`
	Due      int64 `json:"due,omitempty"`      // of Asked: when the question ends; of Approved: when it must have begun; of Watching: when the action must have helped
	Began    int64 `json:"began,omitempty"`    // when its command started
	Masked   int64 `json:"masked,omitempty"`   // when the storage showed that the part is masked
	Ended    int64 `json:"ended,omitempty"`    // when it was over
	Checked  int64 `json:"checked,omitempty"`  // when the storage was last asked for the state of the part
	Attempts int   `json:"attempts,omitempty"` // of the undo

	ApprovedBy string        `json:"approved_by,omitempty"` // operator; empty: the policy
	UndoBy     string        `json:"undo_by,omitempty"`     // operator who wants the undo; empty: limpet
	Useless    bool          `json:"useless,omitempty"`     // it did not help
	Reason     string        `json:"reason,omitempty"`      // why it ended or is being reversed: a sentence
	Trouble    string        `json:"trouble,omitempty"`     // why it does not proceed: a sentence
	Verdict    *plan.Verdict `json:"verdict,omitempty"`     // of the latencies
}

// Event is a kind of record.
type Event string

// The kinds of records.
const (
	Created  Event = "created"
	Answered Event = "answered" // an operator approved or refused the action, or wants its undo
	Checks   Event = "check"    // a guard, or a query of the state
	Does     Event = "do"
	Measured Event = "latency"
	Undoes   Event = "undo"
	Ends     Event = "end"
	Switched Event = "switch" // all actions were stopped or allowed again
)

// Record is one thing that happened to an action. A command has two records: one before it starts,
// and one after it ended.
type Record struct {
	Seq     int64  `json:"seq"`
	Action  string `json:"action,omitempty"`
	Time    int64  `json:"time"`
	Who     string `json:"who"`
	Event   Event  `json:"event"`
	State   State  `json:"state,omitempty"` // of the action after the record
	Command string `json:"command,omitempty"`
	Starts  bool   `json:"starts,omitempty"` // the command is about to start
	Answer  string `json:"answer,omitempty"` // of the command, shortened
	Failed  bool   `json:"failed,omitempty"` // the command failed, or its answer is not the wanted one
	Text    string `json:"text,omitempty"`   // a sentence
}

// Switch is the state of the switch that stops all actions.
type Switch struct {
	Stopped bool   `json:"stopped"`
	Who     string `json:"who"`
	Time    int64  `json:"time"`
	Text    string `json:"text,omitempty"`
}

// limpet is the name of the program in records, where no operator acts.
const limpet = "limpet"

// steps returns the commands of an action. It is false if neither this version of limpet nor the policy
// has its driver.
func (a *Action) steps(p *plan.Policy) (plan.Steps, bool) {
	d := p.Lookup(a.Storage, a.Effect)
	if d == nil {
		return plan.Steps{}, false
	}
	return d.Steps(a.Names), true
}

// of reports whether an action is about an incident.
func (a *Action) of(in *incident.Incident) bool {
	return plan.Cause{Incident: a.Incident, Kind: a.Kind, Tier: a.Tier, Place: a.Place}.Is(in)
}

// Decode reads an action from the ledger.
func Decode(stored ledger.Action) (a Action, err error) {
	err = json.Unmarshal(stored.Document, &a)
	return a, err
}

// DecodeRecord reads a record from the ledger.
func DecodeRecord(stored ledger.ActionRecord) (r Record, err error) {
	err = json.Unmarshal(stored.Document, &r)
	return r, err
}

// Deeds returns actions as the planner counts them. The second result names a part of an action that
// is not over, and that the topology does not have; empty: there is none.
func Deeds(list []Action, component func(name string) (int, bool)) (deeds []plan.Deed, unknown string) {
	for i := range list {
		a := &list[i]
		if a.State.Over() && a.Began == 0 {
			continue // nothing was changed
		}
		c, ok := component(a.Component)
		if !ok && !a.State.Over() {
			unknown = a.Component
			continue
		}
		// Of an action that is over only its times count, so that any component does.
		began := a.Began
		if began == 0 {
			began = a.Created
		}
		deeds = append(deeds, plan.Deed{Component: c, Effect: a.Effect, Began: began, Ended: a.Ended, Useless: a.Useless})
	}
	return deeds, unknown
}
