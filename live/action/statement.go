package action

import (
	"fmt"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	plan "github.com/limpet-storage/limpet/report/action"
)

// Statement is a text about an action on an incident or a suspect, for the receivers of alerts. The
// text contains the state of the action: for example, limpet proposes the action, waits for its
// approval, or has taken the action.
type Statement struct {
	Incident incident.Incident
	Text     string
}

// Statements returns a Statement about each open incident or suspect for which an action is
// proposed or exists. The second result is false if the executor has not made this list yet.
func (x *Executor) Statements() ([]Statement, bool) {
	if all := x.statements.Load(); all != nil {
		return *all, true
	}
	return nil, false
}

// makeStatements sets the list that Statements returns. If there are actions on an incident, its
// Statement is about the last of these actions. Otherwise its Statement is about the action that
// the policy proposes.
func (x *Executor) makeStatements(now *Now) {
	policy, list := x.o.Policy(), x.Actions()
	proposed := plan.New(policy, x.Situation(now))
	var all []Statement
	for i := range now.Open {
		in := &now.Open[i]
		text := ""
		for k := range list {
			if a := &list[k]; a.belongsTo(in) && !a.hadRecovered(in) && a.text() != "" {
				text = a.text()
			}
		}
		if d, ok := proposed.For(in); ok && text == "" && d.Refused == "" && d.Rule.Mode == plan.Propose {
			text = fmt.Sprintf("Proposed action: %s; command: %s. limpet does not run this command.", d.What, d.Do)
		}
		if text != "" {
			all = append(all, Statement{*in, text})
		}
	}
	x.statements.Store(&all)
}

// text returns the statement about an action. The text is empty in a state that needs no
// notification. The state Watching follows the state Doing within seconds. Both states have the same
// text, so that receivers get only one notification. Undoing and Undone have the same text for the
// same reason.
func (a *Action) text() string {
	what := fmt.Sprintf("%s; command: %s", a.What, a.Command)
	reason := strings.TrimSuffix(a.Reason, ".")
	switch a.State {
	case Asked:
		return fmt.Sprintf("limpet waits until %s for an operator's approval of this action: %s. To approve it: limpet act approve %[3]s. To refuse it: limpet act refuse %[3]s.",
			time.Unix(a.Due, 0).UTC().Format("2006-01-02 15:04Z"), what, a.ID)
	case Doing, Watching:
		return fmt.Sprintf("limpet takes this action: %s. limpet then checks whether users wait less.", what)
	case Helped:
		return fmt.Sprintf("limpet has taken this action, and users wait less: %s.", what)
	case Undoing, Undone:
		return fmt.Sprintf("limpet reverses this action: %s. Reason: %s.", what, reason)
	case Expired:
		return fmt.Sprintf("limpet did not take this action, because no operator approved it in time: %s.", what)
	case Blocked:
		return fmt.Sprintf("limpet did not take this action: %s. Reason: %s.", what, reason)
	case Failed:
		return fmt.Sprintf("This action failed: %s. Reason: %s.", what, reason)
	case Reversed:
		return fmt.Sprintf("A person or the storage has reversed this action of limpet: %s.", what)
	}
	return "" // the state Approved lasts only for seconds; after Refused, the operator knows the end of the action without a notification
}
