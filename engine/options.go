package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/clockskew"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/capacity"
	"github.com/limpet-storage/limpet/engine/detect/checklist"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/detect/pause"
	"github.com/limpet-storage/limpet/engine/detect/requests"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/detect/stall"
	"github.com/limpet-storage/limpet/engine/detect/symptom"
	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of a diagnosis: the questions that it answers, the bounds that detectors
// share (package criteria), and the settings of each detector. A table in docs/method.md explains
// the numbers.
type Options struct {
	Method    string     `json:"method"` // name of the preset
	Questions []Question `json:"questions"`
	Metrics   []string   `json:"metrics"`       // names of the metrics by which components are compared; by default only await, as in L13
	Top       int        `json:"top" least:"1"` // number of entries in the list of each hour

	Criteria  criteria.Options         `json:"criteria"` // bounds that all detectors share
	Detect    persistence.Options      `json:"detect"`
	Localise  slow.LocalisationOptions `json:"localise"`
	Evidence  evidence.Options         `json:"evidence"`
	Slow      slow.Options             `json:"slow"`
	Path      path.Options             `json:"path"`
	Stall     stall.Options            `json:"stall"`
	Requests  requests.Options         `json:"requests"`
	Symptom   symptom.Options          `json:"symptom"`
	Checklist checklist.Options        `json:"checklist"`
	Onset     onset.Options            `json:"onset"`
	Skew      clockskew.Options        `json:"skew"`
	Pause     pause.Options            `json:"pause"`
	Capacity  capacity.Options         `json:"capacity"`
}

// Question is a question that a diagnosis answers.
type Question string

// The questions of a diagnosis.
const (
	Components Question = "components" // which drives, LUNs and paths are slow among their peers
	Servers    Question = "servers"    // which server's disk or network is at fault; several metrics of the server must agree
	Checklist  Question = "checklist"  // the same question as Servers, answered by the checklist and the trained thresholds of F10
)

// DefaultOptions returns options with the questions [Components] and [Servers].
// Components are compared by await, and the hourly list has a hundred lines (L13 §5.1).
func DefaultOptions() Options {
	return Options{
		Method: "default", Questions: []Question{Components, Servers}, Metrics: []string{metric.Await.Name}, Top: 100,
		Criteria: criteria.DefaultOptions(), Detect: persistence.DefaultOptions(), Localise: slow.DefaultLocalisationOptions(),
		Evidence: evidence.DefaultOptions(), Slow: slow.DefaultOptions(), Path: path.DefaultOptions(), Stall: stall.DefaultOptions(), Requests: requests.DefaultOptions(),
		Symptom: symptom.DefaultOptions(), Checklist: checklist.DefaultOptions(), Onset: onset.DefaultOptions(), Skew: clockskew.DefaultOptions(),
		Pause: pause.DefaultOptions(), Capacity: capacity.DefaultOptions(),
	}
}

// Methods returns the names of the presets.
func Methods() []string { return []string{"default", "servers", "l13", "f10"} }

// Preset returns the options of a method by its name: "default" has the questions
// [Components] and [Servers], and "servers" has only [Servers]. The methods "l13" and
// "f10" follow the papers exactly.
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
	default:
		return o, fmt.Errorf("method %q is unknown: use one of %s", method, strings.Join(Methods(), ", "))
	}
	return o, nil
}

// isFromPaper reports whether the method comes from a paper. The papers have no detectors for
// clients that make drives slow (Clients of package past), for pauses of servers, and for
// components at their limit (package capacity). So these detectors are off.
func (o *Options) isFromPaper() bool { return o.Method == "l13" || o.HasQuestion(Checklist) }

// Incidents returns the settings that decide when an incident begins and when it ends.
func (o *Options) Incidents() incident.Options {
	recovers, over := o.Symptom.IncidentTimes()
	if o.HasQuestion(Checklist) {
		// The paper F10 gives one verdict for a whole experiment. So an incident must last until
		// the experiment ends.
		over = o.Checklist.ForgetSeconds
	}
	return incident.Options{Criteria: o.Criteria, ResourceRecoverSeconds: recovers, ResourceClearSeconds: over}
}

// HasQuestion reports whether a question is among the options.
func (o *Options) HasQuestion(q Question) bool { return slices.Contains(o.Questions, q) }

// WantedMetrics returns the metrics that a source must have (needed), and the metrics that are
// used if the source has them (wanted).
func (o *Options) WantedMetrics() (needed, wanted []string) {
	if o.HasQuestion(Components) || o.HasQuestion(Checklist) {
		needed = slices.Clone(o.Metrics)
	}
	if o.HasQuestion(Components) && slices.Contains(needed, metric.Await.Name) {
		needed = add(needed, metric.RdSec.Name, metric.WrSec.Name) // the load distinguishes a slow component from a busy component
	}
	if o.HasQuestion(Servers) {
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

// FitTo fits the options to the rows of a schema. The step in which components are judged becomes a
// multiple of the rows' step: FitTo rounds it up. FitTo also changes the windows of the question
// [Servers] to whole numbers of steps.
func (o *Options) FitTo(schema table.Schema) {
	rows := max(1, (o.Detect.StepSeconds+schema.StepSeconds-1)/schema.StepSeconds)
	o.Detect.StepSeconds = rows * schema.StepSeconds
	o.Symptom.Fit(schema.StepSeconds)
}

// LeastSeconds returns the shortest length of data that can give a result, in seconds. For the
// question [Components], a window can be judged when half of it has data.
func (o *Options) LeastSeconds() int64 {
	d := &o.Detect
	switch {
	case o.HasQuestion(Checklist):
		return int64(d.WinSize+(d.K-1)*d.WinShift) * d.StepSeconds
	case o.HasQuestion(Servers) && !o.HasQuestion(Components):
		return o.Symptom.LeastSeconds()
	}
	return int64(d.WinSize/2+(d.K-1)*d.WinShift) * d.StepSeconds
}

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error {
	errs := []error{
		bounds.Check(*o), o.Criteria.Validate(), o.Detect.Validate(), o.Localise.Validate(), o.Evidence.Validate(), o.Slow.Validate(), o.Path.Validate(), o.Stall.Validate(), o.Requests.Validate(),
		o.Symptom.Validate(), o.Checklist.Validate(), o.Onset.Validate(), o.Skew.Validate(), o.Pause.Validate(), o.Capacity.Validate(),
	}
	if len(o.Questions) == 0 {
		errs = append(errs, errors.New("no check is chosen: choose the check of components, the check of servers, or both"))
	}
	if len(o.Metrics) == 0 {
		errs = append(errs, errors.New("no metric is chosen: choose at least one metric"))
	}
	for i, m := range o.Metrics {
		if slices.Contains(o.Metrics[:i], m) {
			errs = append(errs, fmt.Errorf("metric %s is listed twice: name this metric once", m))
		}
	}
	return errors.Join(errs...)
}
