package alert

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/sentence"
)

// period is an interval of row time. Its length is Options.PeriodSeconds. In a period, receivers
// get separate notifications about at most MostPerPeriod alerts of one severity. At the end of the
// period, one notification, the summary, lists all further alerts.
type period struct {
	From  int64 `json:"from"`
	Began int   `json:"began"`
	// Passed is the number of alerts beyond MostPerPeriod that were over before the summary was
	// made. Titles holds the headlines of some of these alerts.
	Passed int      `json:"passed"`
	Titles []string `json:"titles,omitempty"`
}

// nextSummary marks an alert that waits for the summary at the end of the period.
const nextSummary = "next"

// maxTitles is the largest number of headlines in a summary. If a summary is about more alerts, it
// has the headlines of only some alerts, but it has the number of all alerts.
const maxTitles = 10

// admit counts an alert that is about to fire. The result is true if the alert gets a notification
// of its own. If the result is false, the alert goes into the next summary. Each severity has its
// own period, so that critical alerts get notifications even if there are many warnings.
func (a *Alerter) admit(tx *ledger.Tx, s Severity, now int64) (bool, error) {
	p, err := loadPeriod(tx, s)
	if err != nil {
		return false, err
	}
	if p != nil && p.From+a.opts.PeriodSeconds <= now {
		if err := a.summarise(tx, s, now); err != nil {
			return false, err
		}
		p = nil
	}
	if p == nil {
		p = &period{From: now}
	}
	p.Began++
	return p.Began <= a.opts.MostPerPeriod, a.savePeriod(tx, s, p)
}

// countEnded counts an alert that ends while it waits for the next summary.
func (a *Alerter) countEnded(tx *ledger.Tx, m *alertState) error {
	p, err := loadPeriod(tx, m.Note.Severity)
	if err != nil || p == nil {
		return err
	}
	if p.Passed++; len(p.Titles) < maxTitles {
		p.Titles = append(p.Titles, m.Note.Headline)
	}
	return a.savePeriod(tx, m.Note.Severity, p)
}

func loadPeriod(tx *ledger.Tx, s Severity) (*period, error) {
	row, err := tx.Alert(periodPrefix + string(s))
	if err != nil || row == nil {
		return nil, err
	}
	p := &period{}
	return p, json.Unmarshal(row.State, p)
}

func (a *Alerter) savePeriod(tx *ledger.Tx, s Severity, p *period) error {
	state, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return tx.PutAlert(ledger.Alert{ID: periodPrefix + string(s), Due: p.From + a.opts.PeriodSeconds, State: state})
}

// summarise ends a period. It makes one notification, the summary, about all alerts beyond
// MostPerPeriod.
func (a *Alerter) summarise(tx *ledger.Tx, s Severity, now int64) error {
	p, err := loadPeriod(tx, s)
	if err != nil {
		return err
	}
	waiting, err := a.waitingAlerts(tx, s)
	if err != nil {
		return err
	}
	if err := tx.DropAlert(periodPrefix + string(s)); err != nil || len(waiting)+p.Passed == 0 {
		return err
	}
	m := &alertState{id: fmt.Sprintf("%s%s.%d", summaryPrefix, s, now), State: Firing, Told: true}
	n := &m.Note
	for _, f := range waiting {
		f.Summary = m.id
		n.Titles = append(n.Titles, f.Note.Headline)
		if err := saveState(tx, f); err != nil {
			return err
		}
	}
	n.Titles = slices.Concat(n.Titles, p.Titles)
	n.Titles = n.Titles[:min(len(n.Titles), maxTitles)]
	n.Version, n.System, n.Severity, n.Starts, n.More = Version, a.sentences.System.Name, s, unix(now), len(waiting)+p.Passed
	n.Alert = fmt.Sprintf("more-%s.%d", s, now)
	n.Headline, n.Number, n.Action = sentence.AndMore(n.More, p.Passed, a.opts.MostPerPeriod, a.opts.PeriodSeconds)
	if a.opts.Link != nil {
		n.Link = a.opts.Link("")
	}
	n.Labels = n.labels("", "")
	if len(waiting) == 0 {
		return a.resolve(tx, m, Many, now)
	}
	return a.enqueue(tx, m, Firing, Many, now)
}

// leaveSummary removes an alert from its summary after the severity of the alert has risen. The
// alert then counts in the period of its new severity. If this period already has MostPerPeriod
// alerts, the alert goes into the next summary of its new severity.
func (a *Alerter) leaveSummary(tx *ledger.Tx, m *alertState, now int64) error {
	was := m.Summary
	if was == "" {
		return nil
	}
	room, err := a.admit(tx, m.Note.Severity, now)
	if err != nil {
		return err
	}
	if m.Summary = ""; !room {
		m.Summary = nextSummary
	}
	if was == nextSummary {
		return nil
	}
	if err := saveState(tx, m); err != nil { // save first, because endSummaryIfEmpty reads the saved states
		return err
	}
	return a.endSummaryIfEmpty(tx, was, now)
}

// waitingAlerts returns the alerts of a severity that wait for the next summary.
func (a *Alerter) waitingAlerts(tx *ledger.Tx, s Severity) ([]*alertState, error) {
	all, err := parseStates(tx.Alerts())
	return slices.DeleteFunc(all, func(m *alertState) bool { return m.Summary != nextSummary || m.Note.Severity != s }), err
}

// endSummaryIfEmpty resolves a summary if each alert of the summary is over, or was removed from
// the summary.
func (a *Alerter) endSummaryIfEmpty(tx *ledger.Tx, id string, now int64) error {
	all, err := parseStates(tx.Alerts())
	if err != nil || slices.ContainsFunc(all, func(m *alertState) bool { return m.Summary == id }) {
		return err
	}
	at := slices.IndexFunc(all, func(m *alertState) bool { return m.id == id })
	if at < 0 {
		return nil
	}
	return a.resolve(tx, all[at], Recovered, now)
}
