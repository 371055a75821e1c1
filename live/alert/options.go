package alert

import (
	"slices"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are what is told, and after how long. Times are of rows.
type Options struct {
	// FireSeconds is for how long an incident has to last before it is told.
	FireSeconds int64 `json:"fire_seconds"`
	// ResolveSeconds is for how long it has to be over before that is told. If it
	// comes back within that time, nothing is told.
	ResolveSeconds int64 `json:"resolve_seconds"`
	// Suspects tells suspects, too, as warnings.
	Suspects bool `json:"suspects"`
	// Harmless tells what nobody has to repair, too.
	Harmless bool `json:"harmless"`
	// MostPerPeriod is how many alerts may begin within PeriodSeconds; what is more
	// becomes one summary at the end of that time.
	MostPerPeriod int   `json:"most_per_period" least:"1"`
	PeriodSeconds int64 `json:"period_seconds" least:"1"`
	// QuietBefore is the row time before which nothing is told: what began and
	// ended before a server was installed is no news. What still lasts then is told
	// then. It must not change while alerts are pending.
	QuietBefore int64 `json:"quiet_before"`
	// Receivers are who is told.
	Receivers []Receiver `json:"receivers"`
	// Link makes the address of the page of an incident; nil where there is none.
	Link func(id string) string `json:"-"`
}

// Receiver is who is told, as far as that decides what is put into the outbox.
type Receiver struct {
	Name  string   `json:"name"`
	Least Severity `json:"least_severity"` // what is less urgent is not told; empty tells all
	// Groups says that the receiver makes one message of many alerts itself, as
	// Alertmanager does. It is told each of them, and gets no summary.
	Groups bool `json:"groups"`
}

// DefaultOptions tell an incident that lasts a minute, and its end after five:
// less is not worth getting up for, and what comes back within minutes was not over.
// Twenty alerts in ten minutes are as many as somebody reads.
func DefaultOptions() Options {
	return Options{FireSeconds: 60, ResolveSeconds: 300, MostPerPeriod: 20, PeriodSeconds: 600}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	for i, r := range o.Receivers {
		errs.Need(r.Name != "", "receiver %d has no name", i+1)
		errs.Need(r.Least == "" || r.Least.rank() > 0, "receiver %s is told from %q on; use info, warning or critical", r.Name, r.Least)
		errs.Need(!slices.ContainsFunc(o.Receivers[:i], func(p Receiver) bool { return p.Name == r.Name }), "two receivers are called %q; give each a name of its own", r.Name)
	}
	return errs.Join()
}

// Hears says whether a receiver is told an alert of a severity.
func (r *Receiver) Hears(s Severity) bool { return s.rank() >= r.Least.rank() }
