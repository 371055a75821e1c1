package evaluate

import (
	"runtime"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// The experiments on incidents.
const (
	EventsExperiment     = "events"     // L13's, one by one
	ConcurrentExperiment = "concurrent" // faults drawn at random, several at once
	QuietExperiment      = "quiet"      // days without a fault
)

// Experiments on incidents are all of them.
func Experiments() []string {
	return []string{EventsExperiment, ConcurrentExperiment, QuietExperiment}
}

// IncidentsOptions choose what is simulated, and how it is diagnosed.
type IncidentsOptions struct {
	Experiments []string
	Events      []arrays.Incident
	System      arrays.IntrepidOptions // of events and quiet days; its seed is the first of all
	Runs        int                    // with concurrent faults, each of another seed
	Faults      []int                  // at once, in turn
	Drawn       arrays.IntrepidOptions // the system that has them
	Days        int                    // without a fault
	DaysAtOnce  int                    // of them, in one run; each has another seed
	Diagnose    engine.Options
	Workers     int
}

// DefaultIncidents are all events and thirty quiet days of the whole of
// Intrepid with all of its attachments, since work that a server does for
// itself shows only on those of low priority; and two hundred runs of two days
// with two or three faults, on four of its arrays: enough peers for each other,
// and as few components that are to be told apart as there may be.
func DefaultIncidents() IncidentsOptions {
	o := IncidentsOptions{
		Experiments: Experiments(), Events: arrays.IntrepidEvents(), System: arrays.DefaultIntrepidOptions(),
		Runs: 200, Faults: []int{2, 3}, Drawn: arrays.DefaultIntrepidOptions(), Days: 30, DaysAtOnce: 5,
		Diagnose: engine.DefaultOptions(), Workers: runtime.GOMAXPROCS(0),
	}
	o.Drawn.Days = 2
	o.OnArrays(4)
	return o
}

// OnArrays draws faults for so many arrays, each as large as at Intrepid.
func (o *IncidentsOptions) OnArrays(n int) {
	o.Drawn.Arrays, o.Drawn.Servers, o.Drawn.LUNs = n, 8*n, 72*n
}

// Quick cuts the evaluation to what can be waited for.
func (o *IncidentsOptions) Quick() {
	o.Runs, o.Days, o.DaysAtOnce = 6, 1, 1
	o.Drawn.Arrays, o.Drawn.Servers, o.Drawn.LUNs = 3, 24, 72
	o.System.LUNs = quickLUNs
	o.Events = slices.DeleteFunc(slices.Clone(o.Events), func(i arrays.Incident) bool {
		return !slices.Contains(quickEvents, i.Name())
	})
}

// quickLUNs is the size of the system that a quick evaluation simulates: a fifth of
// Intrepid.
const quickLUNs = 256

// quickEvents are of different kinds, at components that a system with fewer
// LUNs has, too.
var quickEvents = []string{"2011-07-14 ddn19a", "2011-08-15 fs24", "2011-09-25 11.12"}

// Judge chooses the metrics that decide; all of a device where the name is all.
func (o *IncidentsOptions) Judge(metrics []string) {
	if o.Diagnose.Metrics = metrics; slices.Equal(metrics, []string{"all"}) {
		o.Diagnose.Metrics = nil
		for _, m := range metric.Device() {
			o.Diagnose.Metrics = append(o.Diagnose.Metrics, m.Name)
		}
	}
}

// Choose keeps the events of which the name or the kind has one of the texts in
// it.
func (o *IncidentsOptions) Choose(texts []string) (err error) {
	o.Events, err = chosen(o.Events, texts)
	return err
}

func (o *IncidentsOptions) does(experiment string) bool {
	return slices.Contains(o.Experiments, experiment)
}

// Validate reports every setting that cannot work.
func (o *IncidentsOptions) Validate() error {
	errs := bounds.Errors{o.System.Validate(), o.Drawn.Validate(), o.Diagnose.Validate(), twice("experiment", o.Experiments)}
	known := strings.Join(Experiments(), ", ")
	errs.Need(len(o.Experiments) > 0, "no experiment is chosen: choose one or more of %s", known)
	for _, e := range o.Experiments {
		errs.Need(slices.Contains(Experiments(), e), "experiment %q is unknown: use %s", e, known)
	}
	for _, name := range o.Diagnose.Metrics {
		errs.Need(metric.Index(metric.Device(), name) >= 0, "%q is not a metric of a storage device: name metrics of storage devices, such as await, or write all", name)
	}
	errs.Need(!o.does(EventsExperiment) || len(o.Events) > 0, "no event is chosen: name at least one event")
	errs.Need(o.Runs >= 1, "%d runs are too few: give 1 or more runs", o.Runs)
	errs.Need(o.Drawn.Days >= 2, "runs of %d days are too short: the smallest faults can be seen only after 2 days; give 2 days or more", o.Drawn.Days)
	errs.Need(len(o.Faults) > 0, "the number of faults is missing: give at least one number, such as 3")
	for _, n := range o.Faults {
		errs.Need(n >= 1, "%d faults at the same time are too few: give 1 or more faults", n)
	}
	errs.Need(o.Days >= 1 && o.DaysAtOnce >= 1, "%d days without a fault, in runs of %d days, are too few: give 1 or more days for both numbers", o.Days, o.DaysAtOnce)
	errs.Need(o.Workers >= 1, "%d workers are too few: give 1 or more workers", o.Workers)
	return errs.Join()
}
