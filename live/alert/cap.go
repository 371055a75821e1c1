package alert

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/sentence"
)

// period is the stretch of row time that a number of alerts may begin in.
type period struct {
	From  int64 `json:"from"`
	Began int   `json:"began"`
	// Passed counts those that there was no room for and that are over already, and
	// Titles names some of them.
	Passed int      `json:"passed"`
	Titles []string `json:"titles,omitempty"`
}

// next is the summary that is still to be told.
const next = "next"

// mostTitles is how many alerts a summary names: the others are counted.
const mostTitles = 10

// admit says whether there is room for another alert of a severity in this period.
// Each severity has a period of its own: warnings take no room from incidents.
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

// passed notes an alert that is over before the summary that it waits for.
func (a *Alerter) passed(tx *ledger.Tx, m *memory) error {
	p, err := loadPeriod(tx, m.Note.Severity)
	if err != nil || p == nil {
		return err
	}
	if p.Passed++; len(p.Titles) < mostTitles {
		p.Titles = append(p.Titles, m.Note.Headline)
	}
	return a.savePeriod(tx, m.Note.Severity, p)
}

func loadPeriod(tx *ledger.Tx, s Severity) (*period, error) {
	row, err := tx.Alert(ofPeriod + string(s))
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
	return tx.PutAlert(ledger.Alert{ID: ofPeriod + string(s), Due: p.From + a.opts.PeriodSeconds, State: state})
}

// summarise ends a period: what there was no room for is told as one.
func (a *Alerter) summarise(tx *ledger.Tx, s Severity, now int64) error {
	p, err := loadPeriod(tx, s)
	if err != nil {
		return err
	}
	folded, err := a.folded(tx, s)
	if err != nil {
		return err
	}
	if err := tx.DropAlert(ofPeriod + string(s)); err != nil || len(folded)+p.Passed == 0 {
		return err
	}
	m := &memory{id: fmt.Sprintf("%s%s.%d", ofSummary, s, now), State: Firing, Told: true}
	n := &m.Note
	for _, f := range folded {
		f.Folded = m.id
		n.Titles = append(n.Titles, f.Note.Headline)
		if err := save(tx, f); err != nil {
			return err
		}
	}
	n.Titles = slices.Concat(n.Titles, p.Titles)
	n.Titles = n.Titles[:min(len(n.Titles), mostTitles)]
	n.Version, n.System, n.Severity, n.Starts, n.More = Version, a.voice.System.Name, s, unix(now), len(folded)+p.Passed
	n.Alert = fmt.Sprintf("more-%s.%d", s, now)
	n.Headline, n.Number, n.Action = sentence.AndMore(n.More, p.Passed, a.opts.MostPerPeriod, a.opts.PeriodSeconds)
	if a.opts.Link != nil {
		n.Link = a.opts.Link("")
	}
	n.Labels = n.labels("", "")
	if len(folded) == 0 {
		return a.resolve(tx, m, Many, now)
	}
	return a.tell(tx, m, Firing, Many, now)
}

// unfold takes an alert that has become more urgent out of the summary of those that
// are less so, and makes room for it among its likes.
func (a *Alerter) unfold(tx *ledger.Tx, m *memory, now int64) error {
	was := m.Folded
	if was == "" {
		return nil
	}
	room, err := a.admit(tx, m.Note.Severity, now)
	if err != nil {
		return err
	}
	if m.Folded = ""; !room {
		m.Folded = next
	}
	if was == next {
		return nil
	}
	if err := save(tx, m); err != nil { // oneLess counts who is still folded
		return err
	}
	return a.oneLess(tx, was, now)
}

// folded are the alerts of a severity that wait for the next summary.
func (a *Alerter) folded(tx *ledger.Tx, s Severity) ([]*memory, error) {
	all, err := memories(tx.Alerts())
	return slices.DeleteFunc(all, func(m *memory) bool { return m.Folded != next || m.Note.Severity != s }), err
}

// oneLess notes that one of those that a summary stands for is over. With the last
// of them the summary is.
func (a *Alerter) oneLess(tx *ledger.Tx, id string, now int64) error {
	all, err := memories(tx.Alerts())
	if err != nil || slices.ContainsFunc(all, func(m *memory) bool { return m.Folded == id }) {
		return err
	}
	at := slices.IndexFunc(all, func(m *memory) bool { return m.id == id })
	if at < 0 {
		return nil
	}
	return a.resolve(tx, all[at], Recovered, now)
}
