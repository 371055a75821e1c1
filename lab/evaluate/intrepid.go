package evaluate

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// IntrepidOptions choose the events to simulate, and the way to diagnose them.
type IntrepidOptions struct {
	Incidents []arrays.Incident
	System    arrays.IntrepidOptions // its size, its seed, and the last priority of attachments that are judged
	Measures  []string               // the other measures are compared with cdf
	Operator  Operator
	Persist   []int // values of an accumulator from which there is a verdict
	Workers   int
}

// DefaultIntrepid returns the evaluation of L13 (§5, §5.3): primaries and secondaries by await, one
// training day, every event from a day before its onset to two days after it.
func DefaultIntrepid() IntrepidOptions {
	o := IntrepidOptions{
		Incidents: arrays.IntrepidEvents(), System: arrays.DefaultIntrepidOptions(), Measures: []string{"cdf", "median", "thresh"},
		Operator: defaultOperator(), Persist: DefaultTruthOptions().Persist, Workers: runtime.GOMAXPROCS(0),
	}
	o.System.Priorities = 2
	return o
}

// Quick reduces the evaluation to one event of a smaller system, by cdf. It then takes some ten
// seconds.
func (o *IntrepidOptions) Quick() {
	o.Incidents, o.Measures = o.Incidents[:1], []string{"cdf"}
	o.System.LUNs = quickLUNs
}

// Choose keeps the events whose name or kind contains one of the texts: 2011-07, ddn19a, drawer.
func (o *IntrepidOptions) Choose(texts []string) (err error) {
	o.Incidents, err = chosen(o.Incidents, texts)
	return err
}

// chosen returns the events whose name or kind contains one of the texts. Each text must match at
// least one event.
func chosen(events []arrays.Incident, texts []string) ([]arrays.Incident, error) {
	var kept []arrays.Incident
	found := make([]bool, len(texts))
	for _, i := range events {
		wanted := false
		for n, text := range texts {
			if strings.Contains(i.Name(), text) || strings.Contains(string(i.Category), text) {
				wanted, found[n] = true, true
			}
		}
		if wanted {
			kept = append(kept, i)
		}
	}
	if n := slices.Index(found, false); n >= 0 {
		return nil, fmt.Errorf("no event has %q in its name or kind: write a date, a component or a kind, such as 2011-07-14, ddn19a or drawer", texts[n])
	}
	return kept, nil
}

// Validate returns an error that names every invalid setting.
func (o *IntrepidOptions) Validate() error {
	errs := bounds.Errors{o.Operator.Validate(), o.System.Validate(), checkPersist(o.Persist)}
	errs.Need(len(o.Incidents) > 0, "no event is chosen: name at least one event")
	errs.Need(len(o.Measures) > 0, "no measure is chosen: name at least one measure")
	for i, m := range o.Measures {
		errs.Need(slices.Contains(persistence.Measures(), m), "measure %q is unknown: use one of these: %s", m, strings.Join(persistence.Measures(), ", "))
		errs.Need(!slices.Contains(o.Measures[:i], m), "measure %s is given twice: give each measure once", m)
	}
	errs.Need(o.Workers >= 1, "%d workers are too few: give 1 or more workers", o.Workers)
	return errs.Join()
}
