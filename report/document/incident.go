package document

import (
	"cmp"
	"encoding/json"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Incident is an incident, a suspect, or the result of a further detector about one of them.
type Incident struct {
	ID          string          `json:"id,omitempty"`
	Class       finding.Class   `json:"class"`
	Kind        finding.Kind    `json:"kind"`
	Harmless    bool            `json:"harmless"`
	MayBe       finding.Kind    `json:"may_be,omitempty"`
	Place       Place           `json:"place"`
	Joined      []Place         `json:"joined,omitempty"`
	Phase       incident.Phase  `json:"phase"`
	Muted       bool            `json:"muted"`
	Onset       Onset           `json:"onset"`
	Spell       Onset           `json:"present_onset"`
	Suspected   Time            `json:"suspected,omitzero"`
	Confirmed   Time            `json:"confirmed,omitzero"`
	Becomes     Time            `json:"becomes,omitzero"`
	Last        Time            `json:"last,omitzero"`
	Unjudged    Time            `json:"unjudged,omitzero"`
	Cleared     Time            `json:"cleared,omitzero"`
	Ending      incident.Ending `json:"ending,omitempty"`
	Spans       []Span          `json:"spans"`
	Again       string          `json:"again,omitempty"`
	TimesSlower Number          `json:"times_slower,omitzero"` // see incident.Incident.Effect
	Low         Number          `json:"least_times_slower,omitzero"`
	High        Number          `json:"most_times_slower,omitzero"`
	Now         Number          `json:"now_times_slower,omitzero"`
	Worst       Number          `json:"worst_times_slower,omitzero"` // see incident.Incident.WorstEffect
	Peak        Number          `json:"peak_times_slower,omitzero"`
	Windows     int             `json:"persistence_windows"`
	Amount      Number          `json:"amount"`
	Nats        Number          `json:"nats,omitzero"`
	Waited      Number          `json:"waited_seconds,omitzero"`
	ChanceYears Number          `json:"chance_years,omitzero"` // only in documents that a server sends, see Served
	Judged      int             `json:"judged"`
	Elsewhere   Tally           `json:"elsewhere"`
	Members     []Member        `json:"members"`
	Evidence    []Evidence      `json:"evidence"`
	RuledOut    []RuledOut      `json:"ruled_out"`
	NotChecked  []RuledOut      `json:"not_checked,omitempty"`
	Also        []Incident      `json:"also"`
	Metrics     []string        `json:"other_metrics"`
	Comments    []Comment       `json:"comments"`
	Title       string          `json:"title"`
	Headline    string          `json:"headline"`
	Because     []string        `json:"because"`
	Alike       []Place         `json:"alike"`
	Shared      []Place         `json:"shared,omitempty"`
	Next        []Next          `json:"next"`
	Action      *Action         `json:"action,omitempty"`
}

// Action is the action that the policy proposes for an incident, or the reason why it proposes
// none.
type Action struct {
	Decision  sentence.Verdict `json:"decision"`
	Reason    action.Reason    `json:"reason,omitempty"` // reason of a refusal
	Component string           `json:"component,omitempty"`
	Storage   string           `json:"storage,omitempty"`
	Effect    action.Effect    `json:"effect,omitempty"`
	Text      string           `json:"text"`
	Note      string           `json:"note,omitempty"`
	Command   string           `json:"command,omitempty"`
	Before    []ActionCheck    `json:"before,omitempty"` // all must hold before the command
	After     []ActionCheck    `json:"after,omitempty"`  // all hold after the command
	Undo      string           `json:"undo,omitempty"`
}

// ActionCheck is a command and the answer that it must have.
type ActionCheck struct {
	Command string `json:"command"`
	Wants   string `json:"wants"`
}

func ofAction(p *sentence.Proposal) *Action {
	if p == nil {
		return nil
	}
	check := func(c sentence.Checked) ActionCheck { return ActionCheck(c) }
	out := &Action{Decision: p.Verdict, Reason: p.Reason, Component: p.Component, Storage: p.Storage, Effect: p.Effect, Text: p.Text, Note: p.Note, Command: p.Command, Undo: p.Undo}
	if p.Verdict == sentence.WouldDo {
		out.Before, out.After = Each(p.Before, check), Each(p.After, check)
	}
	return out
}

// Proposal returns the sentences of an action that was read from a document.
func (a *Action) Proposal() *sentence.Proposal {
	if a == nil {
		return nil
	}
	check := func(c ActionCheck) sentence.Checked { return sentence.Checked(c) }
	return &sentence.Proposal{
		Verdict: a.Decision, Reason: a.Reason, Component: a.Component, Storage: a.Storage, Effect: a.Effect, Text: a.Text, Note: a.Note, Command: a.Command,
		Before: Each(a.Before, check), After: Each(a.After, check), Undo: a.Undo,
	}
}

// Next is a step for an operator. limpet never runs the command.
type Next struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"`
	Guard   string `json:"guard,omitempty"`
}

// Place is the part, or the set of parts, that has to be repaired.
type Place struct {
	Tier blame.Tier `json:"tier"`
	Name string     `json:"name"`
}

// MarshalJSON also writes the usual word for the place, if the word is not its tier.
func (p Place) MarshalJSON() ([]byte, error) {
	type plain Place
	return json.Marshal(struct {
		plain
		Noun string `json:"noun,omitempty"`
	}{plain(p), sentence.Noun(blame.Place(p))})
}

// Onset is the time at which something began.
type Onset struct {
	At      Time `json:"at"`
	Early   Time `json:"early"`
	Late    Time `json:"late"`
	Earlier bool `json:"earlier"`
	// Unknown: only the bounds early and late of the onset are known.
	Unknown bool `json:"unknown"`
}

// Span is a time span. It has no end while it lasts.
type Span struct {
	From Time `json:"from"`
	To   Time `json:"to,omitzero"`
}

// Tally counts components.
type Tally struct {
	Odd    int `json:"odd"`
	Judged int `json:"judged"`
}

// Comment is a comment of an operator.
type Comment struct {
	Time Time   `json:"time"`
	Text string `json:"text"`
}

// Member is a component that an incident affects.
type Member struct {
	Component string       `json:"component"`
	Server    string       `json:"server,omitempty"`
	Role      finding.Role `json:"role"`
	Odd       bool         `json:"odd"`
	Windows   int          `json:"persistence_windows"`
	Times     Number       `json:"times_slower,omitzero"`
	Mean      Number       `json:"mean_times_slower,omitzero"` // same number as times_slower, under the name of earlier versions
	Low       Number       `json:"least_times_slower,omitzero"`
	High      Number       `json:"most_times_slower,omitzero"`
	Now       Number       `json:"now_times_slower,omitzero"`
	Peak      Number       `json:"peak_times_slower,omitzero"`
	Own       Number       `json:"own,omitzero"`
	Peers     Number       `json:"peers,omitzero"`
	Unit      string       `json:"unit,omitempty"`
	Load      Number       `json:"times_load,omitzero"`
	Since     Time         `json:"since,omitzero"`
}

// Evidence is a metric in which a component differs from its peers.
type Evidence struct {
	Metric    string `json:"metric"`
	Component string `json:"component"`
	Client    string `json:"client,omitempty"`
	Decides   bool   `json:"decides"`
	Own       Number `json:"own"`
	Peers     Number `json:"peers"`
	Unit      string `json:"unit"`
	Score     Number `json:"score"`
	Threshold Number `json:"threshold"`
	Scale     string `json:"scale,omitempty"`
	From      Time   `json:"from"`
	To        Time   `json:"to"`
}

// RuledOut is another explanation of an incident, and why it is wrong or could not be checked.
type RuledOut struct {
	What     string         `json:"explanation"`
	Why      string         `json:"why"`
	Reason   finding.Reason `json:"reason,omitempty"`
	Evidence []Evidence     `json:"evidence,omitempty"`
}

// OfSuspect converts a suspect.
func OfSuspect(v *sentence.Writer, s *engine.Suspect) Incident {
	out := OfIncident(v, &s.Incident)
	out.Becomes = Time(s.ByTime)
	return out
}

// OfIncident converts an incident.
func OfIncident(v *sentence.Writer, in *incident.Incident) Incident {
	timed, effect := in.HasTimeRatio(), in.Effect()
	place := func(p blame.Place) Place { return Place(p) }
	evidence := func(e finding.Evidence) Evidence { return ofEvidence(v, e) }
	return Incident{
		ID: in.ID, Class: in.Class, Kind: in.Kind, Harmless: in.Harmless(), MayBe: in.MayBe, Place: Place(in.Place), Joined: Each(in.Joined, place), Phase: in.Phase, Muted: in.Muted,
		Onset: ofOnset(in.Onset), Spell: ofOnset(in.PresentOnset()), Suspected: Time(in.Suspected), Confirmed: Time(in.Confirmed), Last: Time(in.Last),
		Unjudged: Time(in.Unjudged), Cleared: Time(in.Cleared), Ending: in.Ending,
		Spans:       Each(in.Spans, func(s incident.Span) Span { return Span{Time(s.From), Time(s.To)} }),
		Again:       v.Again(in),
		TimesSlower: above(effect.Times, timed), Low: above(effect.Low, timed), High: above(effect.High, timed),
		Now: above(in.Severity, timed), Worst: above(in.WorstEffect(), timed), Peak: above(in.Worst, timed), Windows: in.Windows, Amount: Number(in.Amount),
		Nats: Number(in.Nats), Waited: above(in.WaitedSeconds, true), ChanceYears: missing,
		Judged: in.Judged, Elsewhere: Tally(in.Elsewhere), Metrics: List(in.Metrics),
		Members:    Each(in.Members, func(m finding.Member) Member { return ofMember(v, in, &m) }),
		Evidence:   Each(in.Evidence, evidence),
		RuledOut:   Each(v.RuledOut(in), func(x sentence.Excluded) RuledOut { return ofRuledOut(x, evidence) }),
		NotChecked: Each(v.NotChecked(in), func(x sentence.Excluded) RuledOut { return ofRuledOut(x, evidence) }),
		Also:       Each(in.Parts()[1:], func(a *incident.Incident) Incident { return OfIncident(v, a) }),
		Comments:   Each(in.Comments, func(c incident.Comment) Comment { return Comment{Time(c.Time), c.Text} }),
		Title:      v.Title(in), Headline: v.Headline(in), Because: List(v.Because(in)),
		Alike: Each(in.Alike, place), Shared: Each(v.Shared(in), place), Next: Each(v.Next(in), func(n sentence.Step) Next { return Next(n) }),
		Action: ofAction(v.Proposal(in)),
	}
}

// Served returns an incident as a server sends it: with chance_years, the mean number of
// years between two findings as strong as this one if only chance were at work. A reader
// of a single document has no system from which to compute that.
func Served(w *sentence.Writer, in Incident) Incident {
	if len(w.System.Components) == 0 { // nothing has been read yet
		return in
	}
	in.ChanceYears = above(w.ChanceYears(in.Class, float64(in.Nats)), true)
	return in
}

func ofOnset(o finding.Onset) Onset {
	return Onset{Time(o.At), Time(o.Early), Time(o.Late), o.Earlier, o.Unknown}
}

func ofMember(v *sentence.Writer, in *incident.Incident, m *finding.Member) Member {
	c, unit, timed := &v.System.Components[m.Component], "", in.HasTimeRatio()
	if timed {
		unit = v.Lead.Unit
	}
	times := above(cmp.Or(m.Effect.Times, m.Worst), timed)
	lasts := m.Odd && (in.Phase == incident.Active || in.Phase == incident.Pending) // otherwise the ratio is that of the last finding
	return Member{
		c.Name, c.Server, m.Role, m.Odd, m.Windows, times, above(m.Effect.Times, timed), above(m.Effect.Low, timed), above(m.Effect.High, timed),
		above(m.Ratio, timed && lasts), above(m.Worst, timed),
		above(m.Own, timed), above(m.Peers, timed), unit, above(m.Load, true), Time(in.SinceOf(m)),
	}
}

func ofEvidence(v *sentence.Writer, e finding.Evidence) Evidence {
	return Evidence{
		e.Metric, v.System.Components[e.Component].Name, e.Client, e.Decides, Number(e.Own), Number(e.Peers), e.Unit,
		Number(e.Score), Number(e.Threshold), sentence.Measure(e.Scale), Time(e.From), Time(e.To),
	}
}

func ofRuledOut(x sentence.Excluded, evidence func(finding.Evidence) Evidence) RuledOut {
	out := RuledOut{What: x.What, Why: x.Why}
	if r := x.Found; r != nil {
		out.Reason = r.Reason
		if r.Evidence != nil {
			out.Evidence = []Evidence{evidence(*r.Evidence)}
		}
	}
	return out
}
