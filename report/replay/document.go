package replay

import (
	"encoding/json"
	"io"

	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/document"
)

// The JSON form of a result. An unknown number is null.
type (
	resultDocument struct {
		Version  int              `json:"version"`
		System   string           `json:"system"`
		From     document.Time    `json:"from"`
		To       document.Time    `json:"to"`
		Known    bool             `json:"faults_known"`
		Faults   int              `json:"faults"`
		Waited   document.Number  `json:"waited_request_seconds"`
		Policies []policyDocument `json:"policies"`
	}
	policyDocument struct {
		Name       string            `json:"policy"`
		Saved      document.Number   `json:"saved_request_seconds"`
		Share      document.Number   `json:"saved_share"`
		Steps      int               `json:"steps"`
		Missing    int               `json:"steps_not_counted"`
		ForNothing int64             `json:"masked_for_nothing_seconds"`
		Spare      int64             `json:"one_spare_less_seconds"`
		Wrong      *int              `json:"wrong_actions"`
		Actions    []actionDocument  `json:"actions"`
		Refusals   []refusalDocument `json:"refusals"`
		Missed     []missedDocument  `json:"faults_without_action"`
	}
	actionDocument struct {
		Incident   string          `json:"incident,omitempty"`
		Kind       string          `json:"kind"`
		Place      string          `json:"place"`
		Component  string          `json:"component"`
		Server     string          `json:"server"`
		Storage    string          `json:"storage"`
		Effect     action.Effect   `json:"effect"`
		Mode       action.Mode     `json:"mode"`
		Command    string          `json:"command"`
		Undo       string          `json:"undo"`
		Began      document.Time   `json:"began"`
		Ended      document.Time   `json:"ended,omitzero"`
		Ending     Ending          `json:"ending,omitempty"`
		Verdict    *action.Verdict `json:"verdict,omitempty"`
		Saved      document.Number `json:"saved_request_seconds"`
		Steps      int             `json:"steps"`
		Missing    int             `json:"steps_not_counted"`
		Counted    int64           `json:"counted_seconds"`
		Moved      document.Number `json:"moved_requests"`
		Peers      document.Number `json:"peers_requests"`
		ForNothing int64           `json:"masked_for_nothing_seconds"`
		Spare      int64           `json:"one_spare_less_seconds"`
		Fault      string          `json:"fault,omitempty"`
	}
	refusalDocument struct {
		Reason    action.Reason `json:"reason"`
		Incidents int           `json:"incidents"`
		Seconds   int64         `json:"seconds"`
	}
	missedDocument struct {
		Kind      string          `json:"kind"`
		Component string          `json:"component"`
		From      document.Time   `json:"from"`
		To        document.Time   `json:"to"`
		Reason    action.Reason   `json:"reason,omitempty"`
		Waited    document.Number `json:"waited_request_seconds"`
	}
)

// JSON writes the result as a document, without the curves.
func (r *Result) JSON(w io.Writer) error {
	d := resultDocument{
		Version: document.Version, System: r.System, From: document.Time(r.From), To: document.Time(r.To), Known: r.Known, Faults: r.Faults, Waited: document.Number(r.WaitedSeconds),
		Policies: []policyDocument{},
	}
	for i := range r.Policies {
		p := &r.Policies[i]
		out := policyDocument{
			Name: p.Name, Saved: document.Number(p.SavedSeconds), Share: document.Number(r.Share(p)), Steps: p.Steps, Missing: p.MissingSteps, ForNothing: p.ForNothingSeconds, Spare: p.SpareSeconds,
			Actions:  document.Each(p.Actions, func(a Action) actionDocument { return r.action(&a) }),
			Refusals: document.Each(p.Refusals, func(n Refusal) refusalDocument { return refusalDocument(n) }),
			Missed: document.Each(p.Missed, func(m Missed) missedDocument {
				return missedDocument{m.Kind, m.Component, document.Time(m.From), document.Time(m.To), m.Reason, document.Number(m.WaitedSeconds)}
			}),
		}
		if r.Known {
			out.Wrong = &p.Wrong
		}
		d.Policies = append(d.Policies, out)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&d)
}

func (r *Result) action(a *Action) actionDocument {
	return actionDocument{
		Incident: a.Incident, Kind: string(a.Kind), Place: a.Place, Component: a.Component, Server: a.Server, Storage: a.Storage, Effect: a.Effect, Mode: a.Mode, Command: a.Command, Undo: a.Undo,
		Began: document.Time(a.Began), Ended: document.Time(a.Ended), Ending: a.Ending, Verdict: a.Verdict, Saved: document.Number(a.SavedSeconds), Steps: a.Steps, Missing: a.MissingSteps, Counted: a.CountedSeconds,
		Moved: document.Number(a.MovedRequests), Peers: document.Number(a.PeersRequests), ForNothing: a.ForNothingSeconds, Spare: a.SpareSeconds(r.To), Fault: a.Fault,
	}
}
