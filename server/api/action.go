package api

import (
	"context"

	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/report/document"
)

// Action is an action on the storage that limpet proposed, did or reversed because of an incident.
type Action struct {
	ID        string        `json:"id"`
	Incident  string        `json:"incident,omitempty"` // ID of the incident; empty: the action is about a suspect
	Component string        `json:"component"`
	Server    string        `json:"server"`
	Storage   string        `json:"storage"`
	Effect    string        `json:"effect"`
	Text      string        `json:"text"` // effect of the action in words
	Why       string        `json:"why"`  // headline of the incident
	Mode      string        `json:"mode"` // ask: an operator must approve; do: limpet starts without approval
	State     action.State  `json:"state"`
	Command   string        `json:"command"`
	Undo      string        `json:"undo"`
	Created   document.Time `json:"created"`
	// Due is the deadline of the state: for the operator's answer, the start of the command, or the
	// first success.
	Due        document.Time `json:"due,omitzero"`
	Began      document.Time `json:"began,omitzero"`  // time at which the command started
	Masked     document.Time `json:"masked,omitzero"` // time at which the storage showed that the part is masked
	Ended      document.Time `json:"ended,omitzero"`
	ApprovedBy string        `json:"approved_by,omitempty"`
	UndoBy     string        `json:"undo_by,omitempty"`
	Useless    bool          `json:"useless"`           // the action did not help
	Reason     string        `json:"reason,omitempty"`  // why the action ended, or what the latencies showed
	Trouble    string        `json:"trouble,omitempty"` // why the action does not proceed at present
}

// ActionOf returns the document of an action.
func ActionOf(a *action.Action) Action {
	return Action{
		ID: a.ID, Incident: a.Incident, Component: a.Component, Server: a.Server, Storage: a.Storage, Effect: string(a.Effect), Text: a.What, Why: a.Why, Mode: string(a.Mode),
		State: a.State, Command: a.Command, Undo: a.Undo, Created: document.Time(a.Created), Due: document.Time(a.Due), Began: document.Time(a.Began), Masked: document.Time(a.Masked),
		Ended: document.Time(a.Ended), ApprovedBy: a.ApprovedBy, UndoBy: a.UndoBy, Useless: a.Useless, Reason: a.Reason, Trouble: a.Trouble,
	}
}

// ActionRecord is an event in the life of an action.
type ActionRecord struct {
	Number  int64         `json:"number"`
	Time    document.Time `json:"time"`
	User    string        `json:"user"` // name of the operator; "limpet" if no operator acted
	Event   action.Event  `json:"event"`
	State   action.State  `json:"state,omitempty"`
	Command string        `json:"command,omitempty"`
	Starts  bool          `json:"starts"` // the record was written just before the command started
	Failed  bool          `json:"failed"` // the command failed, or its answer was not the expected one
	Answer  string        `json:"answer,omitempty"`
	Text    string        `json:"text,omitempty"`
}

// ActionRecordOf returns the document of a record.
func ActionRecordOf(r *action.Record) ActionRecord {
	return ActionRecord{r.Seq, document.Time(r.Time), r.Who, r.Event, r.State, r.Command, r.Starts, r.Failed, r.Answer, r.Text}
}

// ActionSwitch is the state of the switch that stops all actions.
type ActionSwitch struct {
	Stopped bool          `json:"stopped"`
	User    string        `json:"user,omitempty"` // operator who used the switch last
	Time    document.Time `json:"time,omitzero"`
	Text    string        `json:"text,omitempty"`
}

// ActionList is a page of actions.
type ActionList struct {
	Switch  ActionSwitch `json:"switch"`
	Note    string       `json:"note,omitempty"` // why no action may begin; empty: actions may begin
	Actions []Action     `json:"actions"`        // latest first
}

// ActionKept is an action with its records.
type ActionKept struct {
	Action  Action         `json:"action"`
	Records []ActionRecord `json:"records"`
}

// ActionVerb is an operator's command about actions.
type ActionVerb string

// The verbs. Stop and Resume apply to all actions.
const (
	Approve ActionVerb = "approve"
	Refuse  ActionVerb = "refuse"
	Undo    ActionVerb = "undo"
	Stop    ActionVerb = "stop"
	Resume  ActionVerb = "resume"
)

// ActionRequest is the body of an operator's command.
type ActionRequest struct {
	Verb ActionVerb `json:"verb"`
	Text string     `json:"text,omitempty"`
}

// Acting is the interface by which operators list actions and decide about them.
type Acting interface {
	// Actions lists at most limit actions, latest first. If incident is not empty, it lists only
	// the actions of this incident.
	Actions(ctx context.Context, incident string, limit int) (*ActionList, error)
	// Action returns an action with its records.
	Action(ctx context.Context, id string) (*ActionKept, error)
	// ActOn approves, refuses or reverses an action.
	ActOn(ctx context.Context, id string, verb ActionVerb, who, text string) (Action, error)
	// SwitchActions stops all actions, or allows them again.
	SwitchActions(ctx context.Context, stop bool, who, text string) (ActionSwitch, error)
}
