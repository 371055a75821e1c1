package alert

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options set which incidents become alerts, and when. All times are times of rows.
type Options struct {
	// FireSeconds is how long an incident has to last before its alert fires.
	FireSeconds int64 `json:"fire_seconds"`
	// ResolveSeconds is how long an incident has to be over before its alert resolves. If the
	// incident comes back within this time, its alert continues to fire, and no notification is
	// sent.
	ResolveSeconds int64 `json:"resolve_seconds"`
	// Suspects makes alerts fire for suspects too, as warnings.
	Suspects bool `json:"suspects"`
	// Harmless makes alerts fire even for incidents that need no repair.
	Harmless bool `json:"harmless"`
	// In PeriodSeconds, receivers get separate notifications about at most MostPerPeriod alerts of
	// one severity. All further alerts go into one summary at the end of the period.
	MostPerPeriod int   `json:"most_per_period" least:"1"`
	PeriodSeconds int64 `json:"period_seconds" least:"1"`
	// QuietBefore is a row time, in Unix seconds. After the installation, limpet also reads old
	// rows. Rows before this time cause no notification, because nobody needs an alert about an
	// incident that is already over. If an incident still lasts at this time, receivers are
	// notified at this time. The value must not change while alerts are pending.
	QuietBefore int64 `json:"quiet_before"`
	// Receivers lists the receivers of notifications.
	Receivers []Receiver `json:"receivers"`
	// Identity is the text with which the keys of notifications begin. It is the identity of the
	// cluster, so that a notification has the same key on every node. If it is empty, the keys
	// begin with the identity of the ledger.
	Identity string `json:"-"`
	// Link returns the address of the page of an incident. If Link is nil, notifications
	// have no links.
	Link func(id string) string `json:"-"`
	// Statements returns texts about limpet's actions on open incidents and suspects. The second
	// result is false if these actions are not known yet. If Statements is nil, notifications do
	// not mention actions of limpet.
	Statements func() ([]Statement, bool) `json:"-"`
}

// Statement is a text about an action on an incident or a suspect. The text contains the state of
// the action: for example, limpet proposes the action, waits for its approval, or has taken the
// action.
type Statement struct {
	Incident *incident.Incident
	Text     string
}

// Receiver is the part of a receiver's configuration that decides which notifications the receiver
// gets.
type Receiver struct {
	Name  string   `json:"name"`
	Least Severity `json:"least_severity"` // lowest severity of the notifications that the receiver gets; empty if the receiver gets all notifications
	// Groups marks a receiver that groups alerts itself, as Alertmanager does. A receiver with this
	// mark gets each alert and no summaries.
	Groups bool `json:"groups"`
}

// DefaultOptions returns the default options. An alert fires after one minute, because nobody
// should be woken for a shorter incident. An alert resolves after five minutes, because an incident
// that comes back within minutes was not over. In ten minutes, receivers get separate notifications
// about at most twenty alerts of one severity, because a person cannot read more.
func DefaultOptions() Options {
	return Options{FireSeconds: 60, ResolveSeconds: 300, MostPerPeriod: 20, PeriodSeconds: 600}
}

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	for i, r := range o.Receivers {
		errs.Need(r.Name != "", "receiver %d has no name", i+1)
		errs.Need(r.Least == "" || r.Least.rank() > 0, "receiver %s has the severity %q; use info, warning or critical", r.Name, r.Least)
		errs.Need(!slices.ContainsFunc(o.Receivers[:i], func(p Receiver) bool { return p.Name == r.Name }), "two receivers are called %q; give each receiver its own name", r.Name)
	}
	return errs.Join()
}

// Accepts reports whether a receiver gets alerts of a severity.
func (r *Receiver) Accepts(s Severity) bool { return s.rank() >= r.Least.rank() }
