package sentence

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/advice"
)

// Verdict is the decision about an action.
type Verdict string

// The verdicts.
const (
	WouldDo Verdict = "would do"
	Refused Verdict = "refused"
)

// Proposal is the action that the policy proposes for an incident, or the reason why it proposes
// none.
type Proposal struct {
	Verdict   Verdict
	Reason    action.Reason // reason of a refusal
	Component string        // part; empty: there is no single part
	Storage   string
	Effect    action.Effect
	Text      string // effect of the action, or the reason of a refusal
	Note      string // remark for an operator; empty: none
	Command   string
	Before    []Checked // must hold before the command
	After     []Checked // must hold after the command
	Undo      string
}

// Checked is a command and the answer that it must have.
type Checked struct{ Command, Wants string }

// Proposal returns the sentences about the action on an incident; nil: no policy applies, or the
// incident needs no action.
func (w *Writer) Proposal(in *incident.Incident) *Proposal {
	if w.Actions == nil {
		return nil
	}
	plan := w.Actions()
	d, ok := plan.For(in)
	if !ok {
		return nil
	}
	p := &Proposal{Verdict: Refused, Reason: d.Refused}
	if d.Component >= 0 {
		p.Component = w.of(d.Component).Name
	}
	if d.Refused != "" {
		p.Text = w.refusal(in, plan.Policy, &d)
		return p
	}
	p.Verdict, p.Storage, p.Effect, p.Text, p.Note = WouldDo, d.Driver.Storage, d.Driver.Effect, d.What, d.Driver.Note
	p.Command, p.Undo, p.After = d.Do.String(), d.Undo.String(), []Checked{{d.State.Command.String(), d.State.Masked}}
	for _, g := range d.Guards {
		p.Before = append(p.Before, checked(g))
	}
	return p
}

func checked(c action.Check) Checked { return Checked{c.Command.String(), c.Wants} }

// Lines returns the proposal as lines of a report. The first line is enough for a short report.
func (p *Proposal) Lines() []string {
	if p == nil {
		return nil
	}
	if p.Verdict == Refused {
		why := p.Text
		return []string{"Refused: limpet takes no action" + on(p.Component) + ", because " + why}
	}
	lines := []string{fmt.Sprintf("Proposed action: %s; command: %s", p.Text, p.Command)}
	add := func(format string, args ...any) { lines = append(lines, "          "+fmt.Sprintf(format, args...)) }
	for _, c := range p.Before {
		add("Check before the action: %s; expected: %s", c.Command, c.Wants)
	}
	for _, c := range p.After {
		add("Check after the action: %s; expected: %s", c.Command, c.Wants)
	}
	add("Undo: %s", p.Undo)
	if p.Note != "" {
		add("%s", p.Note)
	}
	return lines
}

func on(component string) string {
	if component == "" {
		return ""
	}
	return " on " + component
}

// kindMissing states that a component has no kind of storage, and in which file to name it.
func (w *Writer) kindMissing(part string) string {
	if w.System.File != "" {
		return fmt.Sprintf("the topology file does not name the kind of storage of %s, so no rule in the policy file applies. Add the setting \"kind\" to the topology file.", part)
	}
	return fmt.Sprintf("no file names the kind of storage of %s, so no rule in the policy file applies. With --tables, add the setting \"kind\" to the description file of the tables. With activity files, draft a topology file with limpet topology discover, add the setting \"kind\", and give the file with --topology.", part)
}

// refusal states why an action is refused.
func (w *Writer) refusal(in *incident.Incident, policy *action.Policy, d *action.Decision) string {
	part := ""
	if d.Component >= 0 {
		part = w.of(d.Component).Name
	}
	switch d.Refused {
	case action.Stopped:
		if !policy.Stop {
			return "an operator has stopped all actions."
		}
		return "the policy file stops all actions (stop: true)."
	case action.NotMaskable:
		return fmt.Sprintf("limpet has no action for the kind of incident %q.", KindName(in.Kind))
	case action.SeveralParts:
		return "an action can mask only one component, and this incident has several components."
	case action.NoRule:
		if d.Rule == nil && d.Component >= 0 && w.of(d.Component).Storage == "" {
			return w.kindMissing(part)
		}
		if d.Rule == nil {
			return fmt.Sprintf("no rule in the policy file applies to %s.", part)
		}
		return fmt.Sprintf("the rule in the policy file for %s has the mode off.", part)
	case action.KindNotIn:
		return fmt.Sprintf("the rule in the policy file for %s does not list the kind of incident %q.", part, in.Kind)
	case action.OnlySuspect:
		return fmt.Sprintf("there is only a suspect, not an incident, and the rule in the policy file for %s allows actions only for incidents.", part)
	case action.TooFast:
		return fmt.Sprintf("the rule in the policy file allows actions only for components that are at least %s times slower than their peers, and %s may not be that slow.", english.Digits(d.Rule.TimesSlower), part)
	case action.RatioUnknown:
		return fmt.Sprintf("limpet does not know how many times slower than its peers %s is.", part)
	case action.TooShort:
		return fmt.Sprintf("the rule in the policy file allows actions only after a problem has lasted for %s.", english.Seconds(d.Rule.LastedSeconds))
	case action.WrongHour:
		return fmt.Sprintf("the rule in the policy file for %s allows actions only at %s.", part, d.Rule.Hours)
	case action.ActedBefore:
		return "an operator has refused or reversed an action for this incident, or an earlier action did not help."
	case action.IsMuted:
		return "the incident is muted."
	case action.IsRecovering:
		return "the incident is recovering."
	case action.NotJudged:
		return fmt.Sprintf("limpet has no current data about %s.", part)
	case action.MayBeOther:
		return fmt.Sprintf("a harmless cause (%s) would give the same data.", KindName(in.MayBe))
	case action.OtherPlace:
		return fmt.Sprintf("a fault of %s %s is an equally good explanation of the problem.", in.Alike[0].Tier, in.Alike[0].Name)
	}
	return w.capped(part, policy, d)
}

// capped states which cap refuses an action. A policy cannot raise a cap, but can lower it.
func (w *Writer) capped(part string, policy *action.Policy, d *action.Decision) string {
	switch d.Refused {
	case action.UnknownRedundancy:
		if d.Guard.Reason != advice.NotSaid {
			return fmt.Sprintf("the redundancy of some components of %s is unknown. Add the setting \"redundancy\" to the topology file.", d.Guard.Group)
		}
		return guarded(d.Guard)
	case action.UnknownStorage, action.NoRedundancy, action.BeneathPart:
		return guarded(d.Guard)
	case action.UnknownServer, action.UnknownName:
		return fmt.Sprintf("the topology file does not have the setting %q for %s, or its value cannot be used in a command.", d.Missing, part)
	case action.NoDriver:
		c := w.of(d.Component)
		return fmt.Sprintf("limpet has no command for the storage %s with the redundancy %s and the effect %s.", c.Storage, c.Redundancy, either(d.Rule.Effects))
	case action.RedundancyUsed:
		g := d.Guard
		text := fmt.Sprintf("%s (%s) tolerates %s, and %d of its other parts %s already slow, masked or without data", g.Group, g.Name,
			lossesOf(g.Spares), g.Lost, english.Verb(g.Lost, "is", "are"))
		if d.Driver.Effect == action.TakeOut {
			text += ". Without " + part + ", the group must still tolerate the loss of 1 part"
		}
		return text + "."
	case action.NoOtherPlace:
		g := d.Guard
		return fmt.Sprintf("%s of %s needs %d parts, and only %d other parts can take over the data. Without a place for the data, %s stays in use.", g.Name, g.Group, g.Width, g.Others, part)
	case action.Rebuilding:
		return fmt.Sprintf("an array in the peer group or on the server of %s is being rebuilt or checked.", part)
	case action.AlreadyMasked:
		return fmt.Sprintf("another action on %s is already under way or proposed.", part)
	case action.OtherServer:
		return "an action on another server is under way or proposed. limpet allows actions on only one server at a time."
	case action.AtOnce:
		return fmt.Sprintf("%s %s under way or proposed. The policy allows no more actions at the same time.", english.Count(policy.MostAtOnce, "action"), english.Verb(policy.MostAtOnce, "is", "are"))
	case action.AnHour:
		return fmt.Sprintf("the policy allows only %s an hour.", english.Count(policy.MostAnHour, "action"))
	case action.Pausing:
		return fmt.Sprintf("an earlier action did not help. After an action that did not help, the policy allows no action for %s.", english.Seconds(policy.PauseSeconds))
	}
	return fmt.Sprintf("of the fixed limit %q. A policy file cannot change this limit.", d.Refused)
}

func either(effects []action.Effect) string {
	var words []string
	for _, e := range effects {
		words = append(words, string(e))
	}
	return strings.Join(words, " or ")
}
