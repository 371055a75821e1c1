package criteria

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds that detectors share. The package comment explains the word bound.
type Options struct {
	// FalseIncidentsPerYear is the number of incidents per year, in the whole system, that may be
	// false: caused by chance. It sets the evidence that an incident needs (method Evidence).
	FalseIncidentsPerYear float64 `json:"false_incidents_per_year" above:"0"`
	// FalseSuspectsPerDay is the number of suspects per day and thousand components that may be
	// false: caused by chance. In a system of at most 33 components, it is the number per month in
	// the whole system. It sets the evidence that a suspect needs (method Evidence).
	FalseSuspectsPerDay float64 `json:"false_suspects_per_day" above:"0"`

	// SmallestTimes is the smallest ratio of a component to its peers, for example of latencies,
	// that is reported.
	SmallestTimes float64 `json:"smallest_times" above:"1"`
	// ClearTimes is the smallest ratio at which two values, such as latencies or loads, clearly
	// differ.
	ClearTimes float64 `json:"clear_times" above:"1"`
	// DoubleTimes is the smallest ratio at which one value counts as a multiple of another value.
	// If a detector needs a larger ratio, it uses the square of DoubleTimes.
	DoubleTimes float64 `json:"double_times" above:"1"`
	// LargeTimes is the smallest ratio that counts as a large difference. Such a difference is
	// obvious even in noisy data.
	LargeTimes float64 `json:"large_times" above:"1"`

	// CostSteps is the smallest cost, in steps, of an incident: a finding with enough evidence
	// becomes an incident when its cost reaches CostSteps. The cost is the sum of (ratio to the
	// peers − 1) over the steps since the onset. For example, a component with twice the latency of
	// its peers becomes an incident after CostSteps steps.
	//
	// CostSteps is also the half-life, in steps, of the average that measures the noise of a group.
	// So the noise is learned in about the time after which such a component becomes an incident.
	CostSteps float64 `json:"cost_steps" above:"0"`
	// CostSeconds is a second condition for an incident, if the number of requests is known. The
	// problem makes requests wait longer than requests to the peers. This additional wait, summed
	// over all requests, must be at least CostSeconds.
	CostSeconds float64 `json:"cost_seconds" above:"0"`

	// RecoverSeconds is how long a problem must be absent before its incident recovers. After this
	// time detectors also drop the evidence of a component, and end its episode: the time in which
	// it had the problem.
	RecoverSeconds int64 `json:"recover_seconds" least:"1"`
	// OverSeconds is how long a problem must be absent before its incident is over. OverSeconds has
	// a second use if a component has far more load than its peers. If this component then has no
	// work for longer than OverSeconds, its next work begins a new episode.
	OverSeconds int64 `json:"over_seconds"`
	// RememberSeconds is how long an incident is remembered after its end. If the problem comes
	// back within this time, the same incident continues. Detectors learn from healthy components
	// how large deviations are by chance. After RememberSeconds, a learned deviation has half of
	// its weight.
	RememberSeconds int64 `json:"remember_seconds"`
	// ForgetTimes makes detectors forget old extremes. A detector remembers the smallest and the
	// greatest latency of a group. After each window, it multiplies the smallest latency by
	// ForgetTimes, and divides the greatest latency by ForgetTimes.
	ForgetTimes float64 `json:"forget_times" least:"1"`
	// SameCauseSeconds is the greatest time between two events with the same cause. It is also the
	// greatest length of a short event. For example, a server that reads or writes for itself (own
	// work) is an incident only if this work lasts longer. Comments call an average "over hours" if
	// its half-life is SameCauseSeconds.
	SameCauseSeconds int64 `json:"same_cause_seconds" least:"1"`
	// BurstSeconds is the longest time of a short period of heavy work, such as a checkpoint.
	BurstSeconds int64 `json:"burst_seconds" least:"1"`
	// SilentSeconds is how long a server must have sent no data, while other servers send data,
	// before it counts as silent.
	SilentSeconds int64 `json:"silent_seconds" least:"1"`
	// FineSeconds is the longest step at which some detectors work. If the step of the rows is
	// longer, limpet does not look for a faulty disk or network of a server: a long step hides how
	// drives and network affect each other. A long step also hides a clock that is wrong by
	// seconds.
	FineSeconds int64 `json:"fine_seconds" least:"1"`
	// TickSteps is the number of steps between two ticks. At each tick detectors update their
	// suspects. Averages of the load, and averages of a component's present latency, have a
	// half-life of one or two ticks.
	TickSteps int64 `json:"tick_steps" least:"1"`

	// SureDeviations is a number of standard deviations. A healthy value deviates by more than this
	// only once in thirty thousand cases. A single step adds at most SureDeviations to a cumulative
	// sum (CUSUM) of package evidence.
	SureDeviations float64 `json:"sure_deviations" above:"0"`
	// HalfShare is a factor that lowers other bounds, and a bound for shares of a whole. For
	// example, a component is anomalous if its evidence reaches HalfShare times the bound for a
	// suspect. A client explains a slowness only if it has at least HalfShare of the additional
	// traffic of all clients.
	HalfShare float64 `json:"half_share" above:"0" below:"1"`
	// QuarterShare is the smallest share of a whole, for example of all requests, that matters.
	QuarterShare float64 `json:"quarter_share" above:"0" below:"1"`
	// FewShare is a small share of a whole, for example of all requests. A part that is at most
	// this share does not matter, because a mean over the whole hardly depends on the part.
	FewShare float64 `json:"few_share" above:"0" below:"1"`
	// RebuildShare is how much longer drives work on a request while their array rebuilds or checks
	// a drive. A value of 0.25 means that they work a quarter longer than at other times. A
	// component that works at most this much longer on a request than its peers counts as healthy.
	RebuildShare float64 `json:"rebuild_share" above:"0" below:"1"`
	// NearlyAllShare is the share of a whole that counts as nearly all of it.
	NearlyAllShare float64 `json:"nearly_all_share" above:"0.5" most:"1"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each value.
func DefaultOptions() Options {
	return Options{
		FalseIncidentsPerYear: 1, FalseSuspectsPerDay: 1,
		SmallestTimes: 1.1, ClearTimes: 1.5, DoubleTimes: 2, LargeTimes: 3, CostSteps: 240, CostSeconds: 30,
		RecoverSeconds: 1350, OverSeconds: 7200, RememberSeconds: 7 * 86400, ForgetTimes: 1.001, SameCauseSeconds: 3600, BurstSeconds: 600, SilentSeconds: 300, FineSeconds: 5, TickSteps: 4,
		SureDeviations: 4, HalfShare: 0.5, QuarterShare: 0.25, FewShare: 0.05, NearlyAllShare: 0.9, RebuildShare: 0.25,
	}
}

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.OverSeconds >= o.RecoverSeconds, "the time after which an incident is over (%d s) is shorter than the time after which its component counts as recovered (%d s): choose at least %[2]d s as the time after which an incident is over", o.OverSeconds, o.RecoverSeconds)
	return errs.Join()
}

// Evidence returns the evidence that makes a suspect and the evidence that makes an incident, in
// nats. The first parameter is the number of components, and the second parameter is the length of
// a step. A healthy component reaches evidence of n nats by chance once in eⁿ steps.
func (o *Options) Evidence(components int, stepSeconds int64) (suspect, incident float64) {
	perDay := 86400 / float64(stepSeconds)
	suspect = math.Log(min(1000, daysPerMonth*float64(max(components, 1))) * perDay / o.FalseSuspectsPerDay)
	incident = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return suspect, max(incident, suspect)
}

// WideSeconds returns how long several components at one place must be slow before their problem is
// an incident. It is twice BurstSeconds, because a burst of work may slow down all components of a
// place.
func (o *Options) WideSeconds() int64 { return 2 * o.BurstSeconds }

const (
	daysPerYear  = 365.25 // mean number of days in a year, with leap years
	daysPerMonth = 30
)
