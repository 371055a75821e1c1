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
	// CostSteps is the least cost, in steps, at which a certain finding becomes an incident. The
	// cost is the ratio to the peers minus one, summed over the steps since the onset.
	CostSteps float64 `json:"cost_steps" above:"0"`
	// CostSeconds is a second condition for an incident, if the number of requests is
	// known. The additional wait of all requests together, compared with the peers, must
	// be at least CostSeconds.
	CostSeconds float64 `json:"cost_seconds" above:"0"`
	// TickSteps is the number of steps between two ticks. At each tick the detector
	// updates the suspects.
	TickSteps int64 `json:"tick_steps" least:"1"`
	// LoadSteps is the half-life, in steps, of a component's average load.
	LoadSteps float64 `json:"load_steps" above:"0"`
	// RecentSteps is the half-life, in steps, of the moving average that is taken as a component's
	// current slowness.
	RecentSteps float64 `json:"recent_steps" above:"0"`
	// SteadySeconds is the half-life, in seconds, of the moving average that is taken as a
	// component's slowness over hours.
	SteadySeconds float64 `json:"steady_seconds" above:"0"`
	// ApartDeviations bounds the normal differences between the members of a group. Each member has
	// an average slowness over hours. Differences of up to ApartDeviations standard deviations of
	// these averages are normal.
	ApartDeviations float64 `json:"apart_deviations" above:"0"`
	// ShowsShare decides whether a component is still slow. Slowness is the logarithm of the ratio
	// to the peers. A component is still slow if its present slowness is at least this share of its
	// mean slowness since the onset. It is calm if its present slowness is below this share of the
	// smaller of two values: its mean slowness since the onset, and ln PlainTimes. Its episode ends
	// after CalmSeconds of calm.
	ShowsShare float64 `json:"shows_share" above:"0" below:"1"`
	// PlainTimes is a limit in the test for calm: a mean slowness above ln PlainTimes
	// counts as ln PlainTimes. Without this limit, a component that was 25 times slower
	// while its peers were idle would count as calm when it is twice as slow under load.
	PlainTimes float64 `json:"plain_times" least:"1"`
	// CalmSeconds is how long a component must be calm before its episode ends.
	CalmSeconds int64 `json:"calm_seconds"`
	// PauseSeconds is how long a component with far more load than its peers may be
	// without work. A longer pause ends its episode.
	PauseSeconds int64 `json:"pause_seconds"`
	// BeginSeconds is a time after the first row. If an onset was found within this time, but may
	// lie before the first row, it is reported as older than the data.
	BeginSeconds int64 `json:"begin_seconds"`
	// RebuildTimes is the largest ratio of a LUN's latency to its peers' latency that a rebuild of
	// a drive causes under light load. A larger ratio has another cause.
	RebuildTimes float64 `json:"rebuild_times" least:"1"`
	// RebuildBusyTimes is the largest ratio of a LUN's latency to its peers' latency that a rebuild
	// of a drive causes under any load. A larger ratio has another cause.
	RebuildBusyTimes float64 `json:"rebuild_busy_times" least:"1"`
	// RebuildSeconds is the longest time that a rebuild takes. Slowness that lasts longer has
	// another cause.
	RebuildSeconds int64 `json:"rebuild_seconds"`
	// LightTimes decides whether a group is under light load: the ratio of its present latency to
	// its least latency so far must be at most LightTimes.
	LightTimes float64 `json:"light_times" least:"1"`
	// LightSteps is the number of steps under light load after which the service time of a
	// component is known.
	LightSteps float64 `json:"light_steps" above:"0"`
	// HeavyTimes is the ratio of a group's latency to its least latency under heavy load. Light
	// load can be recognised in a group only after its latency has reached this ratio at least
	// once.
	HeavyTimes float64 `json:"heavy_times" least:"1"`
	// PhaseTimes separates the phases of a group. A group is busy when its latency
	// reaches PhaseTimes times its least latency, and full when its latency reaches
	// PhaseTimes² times its least latency.
	PhaseTimes float64 `json:"phase_times" least:"1"`
	// OddShare decides whether a component is odd: its evidence must be at least this share of the
	// evidence that a suspect needs. Odd components take part in localisation.
	OddShare float64 `json:"odd_share" above:"0" below:"1"`
	// IdleShare is a share of a group's members. If more than this share of the members has no
	// requests, the other members are compared with an idle peer. This comparison is made only in
	// groups of standby paths, and in groups in which fewer than three members can be compared with
	// each other.
	IdleShare float64 `json:"idle_share" above:"0" below:"1"`
	// IdleLoadTimes is the assumed ratio of the load of a component with work to the
	// load of idle peers.
	IdleLoadTimes float64 `json:"idle_load_times" least:"1"`
	// TakeoverTimes is a bound for a path that took over. The path may be TakeoverTimes
	// times slower than the peers of the first path to its LUN. The reason is that such
	// a path has no peers of its own that show its usual latency.
	TakeoverTimes float64 `json:"heir_times" least:"1"`
	// ImbalanceTimes is the ratio of a component's load to its peers' load at which load
	// is the cause of its slowness.
	ImbalanceTimes float64 `json:"imbalance_times" least:"1"`
	// LoadedShare is a share of a finding's members. If more than this share of the
	// members has at least ImbalanceTimes times the load of their peers, the finding is
	// a workload imbalance.
	LoadedShare float64 `json:"loaded_share" above:"0" below:"1"`
	// ImbalanceSeconds is how long an imbalance must last before it is an incident. A
	// single job ends earlier.
	ImbalanceSeconds int64 `json:"imbalance_seconds"`
	// MostBusyShare is the largest utilisation that the queue model assumes. Near 1 the
	// model would explain any latency.
	MostBusyShare float64 `json:"most_busy_share" above:"0" below:"1"`
	// AcquaintSeconds is the length of data after which the least latency of a group is
	// known. The detector needs the least latency to compute how busy the peers are.
	AcquaintSeconds int64 `json:"acquaint_seconds"`
	// CacheTimes limits the ratio of latencies that own work of a server explains. A path without
	// requests that a cache answers looks slower than a path with such requests. If it is at least
	// CacheTimes times slower, there is another cause. CacheTimes is about the ratio of a disk's
	// latency to the latency of a cache.
	CacheTimes float64 `json:"cache_times" least:"1"`
	// WholeTimes limits the latency that own work of a server explains. If a LUN is at
	// least WholeTimes times slower than other LUNs over all of its paths, own work does
	// not explain its latency.
	WholeTimes float64 `json:"whole_times" least:"1"`
	// SeldomShare is a share of the busy steps of the peers. If a component is busy in fewer steps
	// than this share, it is compared only if it is clearly slow (isOwnWork).
	SeldomShare float64 `json:"seldom_share" above:"0" below:"1"`
	// AsideShare is a share of the steps of a window. If other paths carry own work of a
	// server in more than this share of the steps, the first path looks different from
	// its peers.
	AsideShare float64 `json:"aside_share" above:"0" below:"1"`
	// BusyTimes is how many times slower all components of a place may become without a
	// fault, while the place has more work than other places.
	BusyTimes float64 `json:"busy_times" least:"1"`
	// BusySeconds is the longest time for which more work than at other places counts as the cause
	// of a place's slowness. In this time after the onset, only slowness beyond BusyTimes counts.
	// Later, all slowness counts.
	BusySeconds int64 `json:"busy_seconds"`
	// WideSeconds is the time after its onset in which slowness of several components at one place
	// is no incident, because a short period of heavy work may be the cause.
	WideSeconds int64 `json:"wide_seconds"`
	// HitTimes decides whether a second problem has reached a slow component: the component must
	// have become slower by at least this factor.
	HitTimes float64 `json:"hit_times" least:"1"`
	// OutlierTimes decides whether one member of a common problem has a problem of its
	// own. Slowness is the logarithm of the ratio to the peers. The slowness of the
	// member must be more than OutlierTimes times the slowness that nearly all members
	// do not exceed.
	OutlierTimes float64 `json:"outlier_times" least:"1"`
	// OutlierShare is the share of the members that counts as nearly all members.
	OutlierShare float64 `json:"outlier_share" above:"0" below:"1"`
	// LongShare is a share of the cost of an incident. If a component became slow more than
	// LongSeconds before the other members, and its cost is at least this share, it has a problem
	// of its own.
	LongShare float64 `json:"long_share" above:"0" below:"1"`
	// LongSeconds is the least time between the onset of a component with a problem of its own and
	// the onset of the other members (see LongShare).
	LongSeconds int64 `json:"long_seconds"`
	// SettleSeconds is how long a problem of many components accepts any slow component of its
	// place as a new member. Later, it accepts only a component whose slowness began before the
	// problem.
	SettleSeconds int64 `json:"settle_seconds"`
	// StillShare decides whether a known problem of many components continues: at least this share
	// of its members must still be slow.
	StillShare float64 `json:"still_share" above:"0" below:"1"`
	// StillMembers is a second condition for a known problem of many components to continue: at
	// least this number of members must still be slow.
	StillMembers int `json:"still_members" least:"1"`
	// MostTimes is the largest ratio to the peers that is used in one step. A larger ratio counts
	// as MostTimes, so that no single step decides.
	MostTimes float64 `json:"most_times" least:"1"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each
// value.
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
// an incident, in nats, for a number of components and a step in seconds. A healthy
// component reaches evidence of n nats by chance once in eⁿ steps.
func (o *Options) evidenceBounds(components int, step int64) (suspect, incident float64) {
	perDay := 86400 / float64(step)
	suspect = math.Log(1000 * perDay / o.FalseSuspectsPerDay)
	incident = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return suspect, max(incident, suspect)
}

// daysPerYear is the mean number of days in a year, with leap years.
const daysPerYear = 365.25

// keep returns the weight of the old value of an average in one step. The caller passes the
// half-life of the average, in steps.
func keep(steps float64) float64 { return math.Exp2(-1 / steps) }

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
