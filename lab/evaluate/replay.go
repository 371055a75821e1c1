package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/report/replay"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// ReplayFaults returns the faults of a truth file with the components that they hit.
func ReplayFaults(system *topology.System, truth *simulate.Truth) (list []replay.Fault, err error) {
	for i := range truth.Faults {
		f := &truth.Faults[i]
		hit, err := hitBy(system, f)
		if err != nil {
			return nil, err
		}
		list = append(list, replay.Fault{Kind: string(f.Kind), Component: f.Component, Text: f.Text, From: f.From.Unix(), To: f.To.Unix(), Components: hit})
	}
	return list, nil
}

// ReplayReport shows the actions that policies would have taken, and their estimated effect.
func ReplayReport(r *replay.Result) *Report {
	t := &replayReport{r: r, out: &Report{Page: page.New(page.Options{
		Title:    fmt.Sprintf("What the %s would have done: %s", english.Verb(len(r.Policies), "policy", "policies"), cmp.Or(r.System, "a recording")),
		Subtitle: fmt.Sprintf("From %s to %s, an estimate from a recording. No command was run.", minute(r.From), minute(r.To)),
		Footer:   "limpet act replay",
	})}}
	t.summary()
	for i := range r.Policies {
		t.policy(&r.Policies[i])
	}
	t.charts()
	t.assumptions()
	return t.out
}

type replayReport struct {
	r   *replay.Result
	out *Report
}

func (t *replayReport) add(policy, subject, name, unit string, value float64, n int) {
	t.out.Figures = append(t.out.Figures, Figure{Study: "act replay", System: t.r.System, Method: policy, Subject: subject, Name: name, Unit: unit, Value: value, Paper: math.NaN(), N: n})
}

const requestSeconds = "request-seconds"

func (t *replayReport) summary() {
	table := page.Table{Columns: []page.Column{
		{Name: "policy"},
		{Name: "actions", Numeric: true},
		{Name: "wrong", Numeric: true},
		{Name: "saved, request-s", Numeric: true},
		{Name: "share of all", Numeric: true},
		{Name: "masked though fast", Numeric: true},
		{Name: "less redundancy", Numeric: true},
	}}
	for i := range t.r.Policies {
		p := &t.r.Policies[i]
		wrong, share := math.NaN(), t.r.Share(p)
		if t.r.Known {
			wrong = float64(p.Wrong)
		}
		table.Rows = append(table.Rows, page.Cells(p.Name, fmt.Sprint(len(p.Actions)), fixed(wrong, 0), amount(p.SavedSeconds), percentage(share), clock(float64(p.ForNothingSeconds)), clock(float64(p.SpareSeconds))))
		n := len(p.Actions)
		t.add(p.Name, "", "actions", "actions", float64(n), n)
		t.add(p.Name, "", "wrong actions", "actions", wrong, n)
		t.add(p.Name, "", "saved", requestSeconds, p.SavedSeconds, p.Steps-p.MissingSteps)
		t.add(p.Name, "", "share of all waiting time", "share", share, p.Steps-p.MissingSteps)
		t.add(p.Name, "", "steps that could not be counted", "steps", float64(p.MissingSteps), p.Steps)
		t.add(p.Name, "", "masked though fast", "s", float64(p.ForNothingSeconds), n)
		t.add(p.Name, "", "less redundancy", "s", float64(p.SpareSeconds), n)
	}
	of := "the incidents"
	if t.r.Known {
		of = fmt.Sprintf("the %s", english.Count(t.r.Faults, "known fault"))
	}
	text := fmt.Sprintf("Because of %s, requests took %s request-seconds (%s in total) longer than requests to the peers of the slow components. A request that takes 10 ms longer is 0.01 request-seconds. ", of, amount(t.r.WaitedSeconds), english.Seconds(int64(max(t.r.WaitedSeconds, 0))))
	if math.IsNaN(t.r.WaitedSeconds) {
		text = "The data do not have the number of requests and their latency, so it is unknown how long users waited. "
	}
	text += "Wrong: actions on components that have no known fault"
	if !t.r.Known {
		text += " (unknown without --truth)"
	}
	text += ". Masked though fast: how long components were masked (an action kept requests away from them) while they were as fast as their peers. Less redundancy: how long peer groups had one copy or one parity drive less than usual, because an action had taken out a component."
	t.out.Page.Section("Policies", page.Text(text), table)
}

func (t *replayReport) policy(p *replay.PolicyResult) {
	section := t.out.Page.Section("Policy " + p.Name)
	if len(p.Actions) == 0 {
		section.Add(page.Text("This policy would have done nothing."))
	} else {
		section.Add(t.actions(p))
		for i := range p.Actions {
			section.Add(page.Text(t.action(i+1, &p.Actions[i])))
		}
	}
	if p.MissingSteps > 0 {
		section.Add(page.Warning(fmt.Sprintf("%s of %s during actions are not counted: the data lack the latency or the load of the component or of its peers, or do not show which requests are reads.",
			english.Thousands(p.MissingSteps), english.Count(p.Steps, "step"))))
	}
	if len(p.Refusals) > 0 {
		table := page.Table{Caption: "Refusals", Columns: []page.Column{{Name: "reason"}, {Name: "incidents and suspects", Numeric: true}, {Name: "time", Numeric: true}, {Name: "meaning"}}}
		for _, n := range p.Refusals {
			table.Rows = append(table.Rows, page.Cells(string(n.Reason), fmt.Sprint(n.Incidents), clock(float64(n.Seconds)), n.Reason.Meaning()))
			t.add(p.Name, string(n.Reason), "refused", "incidents and suspects", float64(n.Incidents), n.Incidents)
			t.add(p.Name, string(n.Reason), "refused for", "s", float64(n.Seconds), n.Incidents)
		}
		section.Add(table)
	}
	if len(p.Missed) > 0 {
		table := page.Table{Caption: "Known faults without an action", Columns: []page.Column{{Name: "fault"}, {Name: "component"}, {Name: "since"}, {Name: "waited, request-s", Numeric: true}, {Name: "reason"}}}
		for _, m := range p.Missed {
			table.Rows = append(table.Rows, page.Cells(sentence.KindName(finding.Kind(m.Kind)), m.Component, minute(m.From), amount(m.WaitedSeconds), cmp.Or(string(m.Reason), "no incident and no suspect")))
		}
		section.Add(table)
	}
}

func (t *replayReport) actions(p *replay.PolicyResult) page.Table {
	table := page.Table{Columns: []page.Column{
		{Name: "action", Numeric: true},
		{Name: "component"},
		{Name: "effect"},
		{Name: "from"},
		{Name: "until"},
		{Name: "saved, request-s", Numeric: true},
		{Name: "moved, 1/s", Numeric: true},
		{Name: "more for peers", Numeric: true},
		{Name: "masked though fast", Numeric: true},
	}}
	for i := range p.Actions {
		a := &p.Actions[i]
		until := "end of data"
		if a.Ended != 0 {
			until = minute(a.Ended)
		}
		moved, more := a.MovedRequests/float64(a.CountedSeconds), a.MovedRequests/a.PeersRequests
		part := page.Cell{Text: a.Component}
		if t.r.Known && a.Fault == "" {
			part = page.Cell{Text: a.Component + " (wrong)", Role: page.Suspect}
		}
		row := append(page.Cells(fmt.Sprint(i+1)), part)
		table.Rows = append(table.Rows, append(row, page.Cells(string(a.Effect), minute(a.Began), until, amount(a.SavedSeconds), fixed(moved, 1), percentage(more), clock(float64(a.ForNothingSeconds)))...))
		subject := fmt.Sprintf("%d: %s", i+1, a.Component)
		counted := a.Steps - a.MissingSteps
		t.add(p.Name, subject, "saved", requestSeconds, a.SavedSeconds, counted)
		t.add(p.Name, subject, "moved", "1/s", moved, counted)
		t.add(p.Name, subject, "extra load of peers", "share", more, counted)
		t.add(p.Name, subject, "began", "unix time", float64(a.Began), 1)
		ended := math.NaN()
		if a.Ended != 0 {
			ended = float64(a.Ended)
		}
		t.add(p.Name, subject, "ended", "unix time", ended, 1)
		t.add(p.Name, subject, "masked though fast", "s", float64(a.ForNothingSeconds), 1)
		t.add(p.Name, subject, "less redundancy", "s", float64(a.SpareSeconds(t.r.To)), 1)
	}
	return table
}

// action describes one action in sentences.
func (t *replayReport) action(number int, a *replay.Action) string {
	text := fmt.Sprintf("Action %d: %s: %s. Why: %s.", number, a.What, a.Command, a.Why)
	switch {
	case a.Ended == 0:
		text += " The action was under way when the data ended."
	case a.Ending == replay.IncidentOver:
		text += fmt.Sprintf(" The action ended at %s, because the incident was over.", minute(a.Ended))
	default:
		text += fmt.Sprintf(" The action was undone at %s: %s.", minute(a.Ended), a.Reason)
		return text
	}
	if a.Verdict != nil {
		text += fmt.Sprintf(" According to the estimate, %s.", a.Verdict)
	} else {
		text += " It is unknown whether the action would have helped."
	}
	return text
}

func (t *replayReport) charts() {
	for _, c := range t.r.Curves {
		chart := page.Chart{
			Title: "Mean time of a request to the peer group, by load, as recorded and as estimated with the actions", X: page.Axis{Label: "time", Scale: page.Time}, Y: page.Axis{Label: "mean time of a request", Unit: c.Unit},
			Series: []page.Series{{Name: "as recorded", Role: page.Suspect, Values: c.Recorded}},
		}
		for _, at := range c.At {
			chart.At = append(chart.At, float64(at))
		}
		if len(t.r.Policies) == 1 { // the spans of several policies would overlap
			for i, a := range t.r.Policies[0].Actions {
				if a.Group == c.Group {
					chart.Spans = append(chart.Spans, page.Span{Label: fmt.Sprintf("action %d on %s", i+1, a.Component), Role: page.Spell, From: float64(a.Began), To: float64(cmp.Or(a.Ended, t.r.To))})
				}
			}
		}
		for i, with := range c.With {
			chart.Series = append(chart.Series, page.Series{Name: "with " + t.r.Policies[i].Name + " (estimated)", Values: with})
		}
		t.out.Page.Section("Requests of the peer group "+c.Group, chart)
	}
}

func (t *replayReport) assumptions() {
	t.out.Page.Section("What the estimate assumes", page.Text(
		"The recording does not change: it shows a component as slow while the component is masked in the replay. "+
			"Requests that an action keeps away from a component take as long as the requests of its peers at the same time. The peers do not become slower because of these requests. "+
			"The effect \"relieve\" keeps reads away, the effect \"take out\" all requests. If the data have no latencies of reads, reads are the same share of the requests as of the sectors, and take as long as other requests.\n\n"+
			"The replay treats the modes propose, ask and do alike: it assumes that an operator approves every action at once. The checks of the storage before a command hold, and commands take no time. "+
			"An operator undoes an action when its incident is over. All times of the policy count in the time of the data, and limpet decides once a minute."))
}

// minute prints a time in UTC, to the minute.
func minute(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01-02 15:04Z") }

// amount prints a number of request-seconds.
func amount(v float64) string {
	if math.Abs(v) >= 100 {
		return english.Thousands(int64(math.Round(v)))
	}
	return fixed(v, 1)
}

func percentage(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fixed(100*v, 1) + " %"
}
