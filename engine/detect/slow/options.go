package slow

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of the slowness detector. The table in docs/method.md gives the
// reason for each default value.
type Options struct {
	// FalseIncidentsPerYear is how many incidents per year chance may cause in the whole
	// system. It sets the evidence that an incident needs (evidenceBounds).
	FalseIncidentsPerYear float64 `json:"false_incidents_per_year" above:"0"`
	// FalseSuspectsPerDay is how many suspects per day chance may cause among a thousand
	// components. It sets the evidence that a suspect needs (evidenceBounds).
	FalseSuspectsPerDay float64 `json:"false_suspects_per_day" above:"0"`
	// CostSteps is the delay that turns a certain finding into an incident, in steps:
	// the ratio to the peers minus one, summed over the steps since the onset.
	CostSteps float64 `json:"cost_steps" above:"0"`
	// CostSeconds is a second condition where requests are counted: all requests
	// together must have waited at least CostSeconds longer than they would wait at the
	// peers.
	CostSeconds float64 `json:"cost_seconds" above:"0"`
	// TickSteps is the number of steps between two ticks. Tick updates the suspects.
	TickSteps int64 `json:"tick_steps" least:"1"`
	// LoadSteps is the half-life, in steps, of a component's average load.
	LoadSteps float64 `json:"load_steps" above:"0"`
	// RecentSteps is the half-life, in steps, of a component's current slowness.
	RecentSteps float64 `json:"recent_steps" above:"0"`
	// SteadySeconds is the half-life of a component's slowness over hours.
	SteadySeconds float64 `json:"steady_seconds" above:"0"`
	// ApartDeviations is how many standard deviations of the members' slowness over
	// hours count as normal variation of a group.
	ApartDeviations float64 `json:"apart_deviations" above:"0"`
	// ShowsShare is the share of its slowness since the onset that a component must have
	// now to count as slow now. A component is calm if its slowness is below that share
	// of both its slowness since the onset and PlainTimes. Its episode ends after
	// CalmSeconds of calm.
	ShowsShare float64 `json:"shows_share" above:"0" below:"1"`
	// PlainTimes bounds the slowness of which ShowsShare is taken for calm. A component
	// that was 25 times slower while its peers were idle, and is twice as slow under
	// load, is not calm.
	PlainTimes float64 `json:"plain_times" least:"1"`
	// CalmSeconds is how long a component must be calm before its episode ends.
	CalmSeconds int64 `json:"calm_seconds"`
	// PauseSeconds is how long a component with far more load than its peers may be
	// without work. A longer pause ends its episode.
	PauseSeconds int64 `json:"pause_seconds"`
	// BeginSeconds is the longest time from the first row to an onset that is still
	// dated before the data.
	BeginSeconds int64 `json:"begin_seconds"`
	// RebuildTimes is how many times slower than usual a LUN answers at most while it
	// rebuilds a drive under little load.
	RebuildTimes float64 `json:"rebuild_times" least:"1"`
	// RebuildBusyTimes is the same bound under load.
	RebuildBusyTimes float64 `json:"rebuild_busy_times" least:"1"`
	// RebuildSeconds is how long a rebuild may take.
	RebuildSeconds int64 `json:"rebuild_seconds"`
	// LightTimes bounds light load: the group's latency is at most LightTimes times its
	// least latency.
	LightTimes float64 `json:"light_times" least:"1"`
	// LightSteps is the number of steps under light load from which a component's
	// service time is known.
	LightSteps float64 `json:"light_steps" above:"0"`
	// HeavyTimes bounds heavy load. Light load can be recognised in a group only after
	// its latency has once reached HeavyTimes times its least latency.
	HeavyTimes float64 `json:"heavy_times" least:"1"`
	// PhaseTimes separates the phases of a group. A group is busy when its latency
	// reaches PhaseTimes times its least latency, and full when it reaches PhaseTimes²
	// times.
	PhaseTimes float64 `json:"phase_times" least:"1"`
	// OddShare is the share of the evidence for a suspect at which a component counts as
	// odd. Odd components take part in localisation.
	OddShare float64 `json:"odd_share" above:"0" below:"1"`
	// IdleShare is a share of a group's members. If more members than that have no
	// request, the other members are compared with an idle peer.
	IdleShare float64 `json:"idle_share" above:"0" below:"1"`
	// IdleLoadTimes is the assumed ratio of the load of a component with work to the
	// load of idle peers.
	IdleLoadTimes float64 `json:"idle_load_times" least:"1"`
	// TakeoverTimes is how many times slower than the peers of the first path to its LUN
	// a path that took over may be. Such a path has no peers of its own that show its
	// usual latency.
	TakeoverTimes float64 `json:"heir_times" least:"1"`
	// ImbalanceTimes is the ratio of a component's load to its peers' load at which load
	// is the cause of its slowness.
	ImbalanceTimes float64 `json:"imbalance_times" least:"1"`
	// LoadedShare is the share of a finding's members that must have such a load for the
	// finding to be a workload imbalance.
	LoadedShare float64 `json:"loaded_share" above:"0" below:"1"`
	// ImbalanceSeconds is how long an imbalance must last before a single job no longer
	// explains it.
	ImbalanceSeconds int64 `json:"imbalance_seconds"`
	// MostBusyShare is the largest utilisation that the queue model assumes. Near 1 the
	// model would explain any latency.
	MostBusyShare float64 `json:"most_busy_share" above:"0" below:"1"`
	// AcquaintSeconds is how much data the least latency of a group needs before it
	// shows how busy the peers are.
	AcquaintSeconds int64 `json:"acquaint_seconds"`
	// CacheTimes is how many times slower a path may look because it lacks the requests
	// that a cache answers. It is about the ratio of a disk's latency to the cache's.
	CacheTimes float64 `json:"cache_times" least:"1"`
	// WholeTimes is how many times slower than other LUNs a LUN must be over all of its
	// paths before a server's own work no longer explains it.
	WholeTimes float64 `json:"whole_times" least:"1"`
	// SeldomShare is a share of the busy steps of the peers. A component with fewer busy
	// steps is not compared.
	SeldomShare float64 `json:"seldom_share" above:"0" below:"1"`
	// AsideShare is a share of the steps of a window. If other paths carry a server's
	// own work in more steps than that, the first path looks different from its peers.
	AsideShare float64 `json:"aside_share" above:"0" below:"1"`
	// BusyTimes is how many times slower all components of one place become without a
	// fault while the place is busier than the rest.
	BusyTimes float64 `json:"busy_times" least:"1"`
	// BusySeconds is how long such a busy period may last.
	BusySeconds int64 `json:"busy_seconds"`
	// WideSeconds is the time after its onset in which slowness of several components at
	// one place is no incident, because a short burst of work may be the cause.
	WideSeconds int64 `json:"wide_seconds"`
	// HitTimes is how many times slower than before a component becomes when a second
	// problem reaches it.
	HitTimes float64 `json:"hit_times" least:"1"`
	// OutlierTimes makes one member of a common problem a problem of its own. It
	// multiplies the logarithm of the slowness of nearly all other members.
	OutlierTimes float64 `json:"outlier_times" least:"1"`
	// OutlierShare is the share of the members that counts as nearly all.
	OutlierShare float64 `json:"outlier_share" above:"0" below:"1"`
	// LongShare is the least amount, as a share of an incident's, at which a component
	// that began LongSeconds before the others is slow for a reason of its own.
	LongShare float64 `json:"long_share" above:"0" below:"1"`
	// LongSeconds is how long before the others such a component must have begun.
	LongSeconds int64 `json:"long_seconds"`
	// SettleSeconds is how long a problem of many components accepts new members.
	SettleSeconds int64 `json:"settle_seconds"`
	// StillShare is the share of its members on which a known problem of many components
	// must still show.
	StillShare float64 `json:"still_share" above:"0" below:"1"`
	// StillMembers is the least number of such members.
	StillMembers int `json:"still_members" least:"1"`
	// MostTimes bounds the ratio to the peers in one step, so that no single step
	// decides.
	MostTimes float64 `json:"most_times" least:"1"`
}

// DefaultOptions returns the bounds that keep healthy systems free of false alarms;
// docs/method.md gives the reason for each value.
func DefaultOptions() Options {
	return Options{
		FalseIncidentsPerYear: 1, FalseSuspectsPerDay: 1, CostSteps: 240, CostSeconds: 30,
		TickSteps: 4, LoadSteps: 4, RecentSteps: 8, SteadySeconds: 3600, ApartDeviations: 4, ShowsShare: 0.5, PlainTimes: 1.5, CalmSeconds: 1350, PauseSeconds: 7200,
		BeginSeconds: 450, RebuildTimes: 1.37, RebuildBusyTimes: 2, RebuildSeconds: 32_400, LightTimes: 1.15, LightSteps: 40, HeavyTimes: 1.5, PhaseTimes: 2, OddShare: 0.5, IdleShare: 0.5, IdleLoadTimes: 3,
		TakeoverTimes: 1.5, ImbalanceTimes: 1.5, LoadedShare: 0.5, ImbalanceSeconds: 6300, MostBusyShare: 0.95, AcquaintSeconds: 86_400, CacheTimes: 10, WholeTimes: 1.5,
		SeldomShare: 0.75, AsideShare: 0.1, BusyTimes: 1.5, BusySeconds: 45_000, WideSeconds: 1200, HitTimes: 2, OutlierTimes: 1.5, OutlierShare: 0.9,
		LongShare: 0.25, LongSeconds: 3600, SettleSeconds: 43_200, StillShare: 0.125, StillMembers: 2, MostTimes: 1000,
	}
}

// evidenceBounds returns the evidence that makes a suspect and the evidence that makes
// an incident, in nats, for a number of components and a step in seconds. Evidence of n
// nats is a false alarm in one of eⁿ component-steps.
func (o *Options) evidenceBounds(components int, step int64) (suspect, incident float64) {
	perDay := 86400 / float64(step)
	suspect = math.Log(1000 * perDay / o.FalseSuspectsPerDay)
	incident = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return suspect, max(incident, suspect)
}

// daysPerYear is the mean number of days in a year, with leap years.
const daysPerYear = 365.25

// keep returns the share of an average that is left after one step, for a half-life in
// steps.
func keep(steps float64) float64 { return math.Exp2(-1 / steps) }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
