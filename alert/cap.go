package alert

import (
	"encoding/json"
	"fmt"

	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/words"
)

// period is the stretch of row time that a number of alerts may begin in.
type period struct {
	From  int64 `json:"from"`
	Began int   `json:"began"`
}

// next is the summary that is still to be told.
const next = "next"

// mostTitles is how many alerts a summary names: the others are counted.
const mostTitles = 10

// admit says whether there is room for another alert in this period.
func (a *Alerter) admit(tx *ledger.Tx, now int64) (bool, error) {
	row, err := tx.Alert(ofPeriod)
	if err != nil {
		return false, err
	}
	p := period{From: now}
	if row != nil && row.Due > now {
		if err := json.Unmarshal(row.State, &p); err != nil {
			return false, fmt.Errorf("alert %s: %w", ofPeriod, err)
		}
	} else if row != nil {
		if err := a.summarise(tx, now); err != nil {
			return false, err
		}
	}
	p.Began++
	state, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	return p.Began <= a.opts.MostPerPeriod, tx.PutAlert(ledger.Alert{ID: ofPeriod, Due: p.From + a.opts.PeriodSeconds, State: state})
}

// summarise ends a period: what there was no room for, and still fires, is told as
// one.
func (a *Alerter) summarise(tx *ledger.Tx, now int64) error {
	if err := tx.DropAlert(ofPeriod); err != nil {
		return err
	}
	folded, err := a.folded(tx)
	if err != nil || len(folded) == 0 {
		return err
	}
	m := &memory{id: fmt.Sprintf("%s%d", ofSummary, now), State: Firing, Told: true}
	m.Note.Alert = fmt.Sprintf("more.%d", now)
	var titles []string
	for _, f := range folded {
		f.Folded = m.id
		if err := save(tx, f); err != nil {
			return err
		}
		if m.Note.Severity.rank() < f.Note.Severity.rank() {
			m.Note.Severity = f.Note.Severity
		}
		titles = append(titles, f.Note.Headline)
	}
	m.Note.Version, m.Note.System, m.Note.Starts, m.Note.More = Version, a.voice.System.Name, unix(now), len(folded)
	m.Note.Titles = titles[:min(len(titles), mostTitles)]
	m.Note.Headline, m.Note.Number, m.Note.Action = words.AndMore(len(folded), a.opts.MostPerPeriod, a.opts.PeriodSeconds)
	if a.opts.Link != nil {
		m.Note.Link = a.opts.Link("")
	}
	m.Note.Labels = m.Note.labels("", "")
	return a.tell(tx, m, Firing, Many, now)
}

// folded are the alerts that wait for the next summary.
func (a *Alerter) folded(tx *ledger.Tx) ([]*memory, error) {
	rows, err := tx.Alerts()
	if err != nil {
		return nil, err
	}
	var list []*memory
	for i := range rows {
		if rows[i].ID == ofPeriod {
			continue
		}
		m, err := remember(&rows[i])
		if err != nil {
			return nil, err
		}
		if m.Folded == next {
			list = append(list, m)
		}
	}
	return list, nil
}

// oneLess notes that one of those that a summary stands for is over. With the last
// of them the summary is.
func (a *Alerter) oneLess(tx *ledger.Tx, id string, now int64) error {
	rows, err := tx.Alerts()
	if err != nil {
		return err
	}
	var summary *memory
	for i := range rows {
		if rows[i].ID == ofPeriod {
			continue
		}
		m, err := remember(&rows[i])
		switch {
		case err != nil:
			return err
		case m.Folded == id:
			return nil // another still fires
		case m.id == id:
			summary = m
		}
	}
	if summary == nil {
		return nil
	}
	return a.resolve(tx, summary, Recovered, now)
}
