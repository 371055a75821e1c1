package evaluate

import (
	"runtime"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// The experiments on incidents.
const (
	EventsExperiment     = "events"     // events of L13, one by one
	ConcurrentExperiment = "concurrent" // faults drawn at random, several at once
	QuietExperiment      = "quiet"      // days without a fault
)

// Experiments returns the names of all experiments on incidents.
func Experiments() []string {
	return []string{EventsExperiment, ConcurrentExperiment, QuietExperiment}
}

// IncidentsOptions are the options of the experiments on incidents.
type IncidentsOptions struct {
	Experiments      []string
	Events           []arrays.Incident
	System           arrays.IntrepidOptions // system of events and quiet days; its seed is the first seed of all runs
	Runs             int                    // number of runs with concurrent faults, each with its own seed
	Faults           []int                  // numbers of concurrent faults; the runs take them in turn
	ConcurrentSystem arrays.IntrepidOptions // system of the runs with concurrent faults
	Days             int                    // number of days without a fault
	DaysAtOnce       int                    // number of days without a fault in one run; each run has its own seed
	Diagnose         engine.Options
	Workers          int
}

// DefaultIncidents returns the default options:
//   - All events and thirty quiet days have the whole of Intrepid with all its attachments, because
//     the work that a server does for itself shows only on attachments of low priority.
//   - Two hundred runs of two days have two or three faults on four of the arrays. Four arrays have
//     enough peers, and few components.
func DefaultIncidents() IncidentsOptions {
	o := IncidentsOptions{
		Experiments: Experiments(), Events: arrays.IntrepidEvents(), System: arrays.DefaultIntrepidOptions(),
		Runs: 200, Faults: []int{2, 3}, ConcurrentSystem: arrays.DefaultIntrepidOptions(), Days: 30, DaysAtOnce: 5,
		Diagnose: engine.DefaultOptions(), Workers: runtime.GOMAXPROCS(0),
	}
	o.ConcurrentSystem.Days = 2
	o.OnArrays(4)
	return o
}

// OnArrays sets the system of the runs with concurrent faults to n arrays, each as large as at
// Intrepid.
func (o *IncidentsOptions) OnArrays(n int) {
	o.ConcurrentSystem.Arrays, o.ConcurrentSystem.Servers, o.ConcurrentSystem.LUNs = n, 8*n, 72*n
}

// Quick makes the evaluation small enough to wait for.
func (o *IncidentsOptions) Quick() {
	o.Runs, o.Days, o.DaysAtOnce = 6, 1, 1
	o.ConcurrentSystem.Arrays, o.ConcurrentSystem.Servers, o.ConcurrentSystem.LUNs = 3, 24, 72
	o.System.LUNs = quickLUNs
	o.Events = slices.DeleteFunc(slices.Clone(o.Events), func(i arrays.Incident) bool {
		return !slices.Contains(quickEvents, i.Name())
	})
}

// quickLUNs is the number of LUNs in a quick evaluation, a fifth of Intrepid.
const quickLUNs = 256

// quickEvents are events of different kinds. Their components exist in a smaller system too.
var quickEvents = []string{"2011-07-14 ddn19a", "2011-08-15 fs24", "2011-09-25 11.12"}

// Judge chooses the metrics that decide; "all": all metrics of a device.
func (o *IncidentsOptions) Judge(metrics []string) {
	if o.Diagnose.Metrics = metrics; slices.Equal(metrics, []string{"all"}) {
		o.Diagnose.Metrics = nil
		for _, m := range metric.Device() {
			o.Diagnose.Metrics = append(o.Diagnose.Metrics, m.Name)
		}
	}
}

// Choose keeps the events whose name or kind contains one of the texts.
func (o *IncidentsOptions) Choose(texts []string) (err error) {
	o.Events, err = chosen(o.Events, texts)
	return err
}

func (o *IncidentsOptions) does(experiment string) bool {
	return slices.Contains(o.Experiments, experiment)
}

// Validate returns an error that names every invalid setting.
func (o *IncidentsOptions) Validate() error {
	errs := bounds.Errors{o.System.Validate(), o.ConcurrentSystem.Validate(), o.Diagnose.Validate(), twice("experiment", o.Experiments)}
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
	errs.Need(o.ConcurrentSystem.Days >= 2, "runs of %s are too short: limpet needs 2 days to find the weakest faults; give 2 days or more", english.Count(o.ConcurrentSystem.Days, "day"))
	errs.Need(len(o.Faults) > 0, "the number of faults is missing: give at least one number, such as 3")
	for _, n := range o.Faults {
		errs.Need(n >= 1, "%d faults at the same time are too few: give 1 or more faults", n)
	}
	errs.Need(o.Days >= 1 && o.DaysAtOnce >= 1, "the number of days without a fault is %d, and the number of these days in one run is %d: give at least 1 for both numbers", o.Days, o.DaysAtOnce)
	errs.Need(o.Workers >= 1, "%d workers are too few: give 1 or more workers", o.Workers)
	return errs.Join()
}
