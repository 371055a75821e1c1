package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/clockskew"
	"github.com/limpet-storage/limpet/engine/detect/checklist"
	"github.com/limpet-storage/limpet/engine/detect/load"
	"github.com/limpet-storage/limpet/engine/detect/ownwork"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/detect/stall"
	"github.com/limpet-storage/limpet/engine/detect/symptom"
	"github.com/limpet-storage/limpet/engine/detect/tail"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of a diagnosis: what is asked, and every bound that
// decides. docs/method.md has a table of the bounds.
type Options struct {
	Method    string     `json:"method"` // the preset that the options began as
	Questions []Question `json:"questions"`
	Metrics   []string   `json:"metrics"`       // that components are judged by; L13 lists on await
	Top       int        `json:"top" least:"1"` // lines of a list
	// FineSeconds is the longest step in which the resources of servers are asked
	// for beside components.
	FineSeconds int64 `json:"fine_seconds" least:"1"`

	Detect    persistence.Options    `json:"detect"`
	Window    window.Options         `json:"window"`
	Localise  slow.LocalisingOptions `json:"localise"`
	Evidence  evidence.Options       `json:"evidence"`
	Slow      slow.Options           `json:"slow"`
	Path      path.Options           `json:"path"`
	Stall     stall.Options          `json:"stall"`
	Tail      tail.Options           `json:"tail"`
	Load      load.Options           `json:"load"`
	OwnWork   ownwork.Options        `json:"own_work"`
	Symptom   symptom.Options        `json:"symptom"`
	Checklist checklist.Options      `json:"checklist"`
	Skew      clockskew.Options      `json:"skew"`
	Incident  incident.Options       `json:"incident"`
}

// Question is what a diagnosis asks of the data.
type Question string

// The questions of a diagnosis.
const (
	Components Question = "components" // what limps among components: drives, LUNs, paths
	Servers    Question = "servers"    // which server's resource is at fault, by symptoms that answer to each other
	Checklist  Question = "checklist"  // the same, by F10's checklist and trained thresholds
)

// DefaultOptions ask both questions, judge components by await and list the
// hundred most persistent, every hour, as L13 §5.1 does.
func DefaultOptions() Options {
	return Options{
		Method: "default", Questions: []Question{Components, Servers}, Metrics: []string{metric.Await.Name}, Top: 100, FineSeconds: 5,
		Detect: persistence.DefaultOptions(), Window: window.DefaultOptions(), Localise: slow.DefaultLocalisingOptions(),
		Evidence: evidence.DefaultOptions(), Slow: slow.DefaultOptions(), Path: path.DefaultOptions(), Stall: stall.DefaultOptions(), Tail: tail.DefaultOptions(), Load: load.DefaultOptions(), OwnWork: ownwork.DefaultOptions(),
		Symptom: symptom.DefaultOptions(), Checklist: checklist.DefaultOptions(), Skew: clockskew.DefaultOptions(),
		Incident: incident.DefaultOptions(),
	}
}

// Methods lists the presets by name.
func Methods() []string { return []string{"default", "servers", "l13", "f10"} }

// Preset returns the options of a method by its name. Default asks both
// questions; servers asks for servers alone; l13 and f10 are the papers to the
// letter.
func Preset(method string) (Options, error) {
	o := DefaultOptions()
	o.Method = method
	switch method {
	case "default":
	case "servers":
		o.Questions, o.Detect.StepSeconds = []Question{Servers}, 1
	case "l13":
		o.Questions, o.Detect = []Question{Components}, persistence.L13Options()
	case "f10":
		o.Questions, o.Detect, o.Metrics = []Question{Checklist}, persistence.F10Options(), checklist.Metrics()
		// An experiment is judged as a whole: what showed in it stays.
		o.Incident.ResourceClearSeconds = o.Checklist.ForgetSeconds
	default:
		return o, fmt.Errorf("method %q is unknown: use %s", method, strings.Join(Methods(), ", "))
	}
	return o, nil
}

// Matters sets how many times slower than its peers a component has to be to
// matter. The other rungs of the evidence stay above it.
func (o *Options) Matters(times float64) {
	e := &o.Evidence
	e.SmallestTimes = times
	e.MiddleTimes, e.LargeTimes = max(e.MiddleTimes, rungTimes*times), max(e.LargeTimes, rungTimes*rungTimes*times)
}

// Ends sets for how long nothing of an incident may show before it recovers, and
// before it is over. What a component has gathered ends as it recovers.
func (o *Options) Ends(recoverSeconds, clearSeconds int64) {
	o.Incident.RecoverSeconds, o.Incident.ClearSeconds = recoverSeconds, clearSeconds
	o.Slow.CalmSeconds = recoverSeconds
}

// rungTimes is how far the rungs of the evidence are apart at the least.
const rungTimes = 1.3

// Asks says whether a question is asked.
func (o *Options) Asks(q Question) bool { return slices.Contains(o.Questions, q) }

// Wants lists the metrics that the questions need of a source. Those of the
// servers' question are wanted only where the source has them.
func (o *Options) Wants() (needed, wanted []string) {
	if o.Asks(Components) || o.Asks(Checklist) {
		needed = slices.Clone(o.Metrics)
	}
	if o.Asks(Components) && slices.Contains(needed, metric.Await.Name) {
		needed = add(needed, metric.RdSec.Name, metric.WrSec.Name) // what a component has to do tells whether it is slow for that
	}
	if o.Asks(Servers) {
		wanted = window.Metrics()
	}
	if len(needed) == 0 {
		needed, wanted = wanted, nil
	}
	return needed, wanted
}

func add(list []string, more ...string) []string {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// Settle makes the options fit rows of a schema: components are judged by the
// step of the options, or of the rows where theirs is longer, in whole rows.
func (o *Options) Settle(schema table.Schema) {
	rows := max(1, (o.Detect.StepSeconds+schema.StepSeconds-1)/schema.StepSeconds)
	o.Detect.StepSeconds = rows * schema.StepSeconds
	o.Symptom.Fit(schema.StepSeconds)
}

// LeastSeconds is how many seconds of data a verdict takes. Of a window half is
// enough.
func (o *Options) LeastSeconds() int64 {
	d := &o.Detect
	switch {
	case o.Asks(Checklist):
		return int64(d.WinSize+(d.K-1)*d.WinShift) * d.StepSeconds
	case o.Asks(Servers) && !o.Asks(Components):
		return o.Symptom.LeastSeconds()
	}
	return int64(d.WinSize/2+(d.K-1)*d.WinShift) * d.StepSeconds
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := []error{
		bounds.Check(*o), o.Detect.Validate(), o.Window.Validate(), o.Localise.Validate(), o.Evidence.Validate(), o.Slow.Validate(), o.Path.Validate(), o.Stall.Validate(), o.Tail.Validate(), o.Load.Validate(),
		o.OwnWork.Validate(), o.Symptom.Validate(), o.Checklist.Validate(), o.Skew.Validate(), o.Incident.Validate(),
	}
	if len(o.Questions) == 0 {
		errs = append(errs, errors.New("nothing is asked: ask at least one question"))
	}
	if len(o.Metrics) == 0 {
		errs = append(errs, errors.New("no metric is chosen: name at least one"))
	}
	for i, m := range o.Metrics {
		if slices.Contains(o.Metrics[:i], m) {
			errs = append(errs, fmt.Errorf("metric %s is named twice: name it once", m))
		}
	}
	return errors.Join(errs...)
}
