package slow

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of slowness.
type Options struct {
	// FalseIncidentsPerYear is how many incidents a year the whole system may have
	// by chance.
	FalseIncidentsPerYear float64 `json:"false_incidents_per_year" above:"0"`
	// FalseSuspectsPerDay is how many suspects a day a thousand components may
	// have by chance.
	FalseSuspectsPerDay float64 `json:"false_suspects_per_day" above:"0"`
	// CostSteps is what makes an incident of what is sure: how many times slower,
	// less one, times how many steps.
	CostSteps float64 `json:"cost_steps" above:"0"`
	// CostSeconds is for how long requests have to have waited as well, all together
	// and beyond what they wait for at the peers, where requests are counted.
	CostSeconds float64 `json:"cost_seconds" above:"0"`
	// TickSteps is after how many steps what components show is summed up.
	TickSteps int64 `json:"tick_steps" least:"1"`
	// LoadSteps is after how many steps what a component had to do counts half, and
	// RecentSteps the same of how slow it is now.
	LoadSteps   float64 `json:"load_steps" above:"0"`
	RecentSteps float64 `json:"recent_steps" above:"0"`
	// SteadySeconds is after how long what a component differs by for hours counts
	// half, and ApartDeviations how many deviations of that its peers may be apart.
	SteadySeconds   float64 `json:"steady_seconds" above:"0"`
	ApartDeviations float64 `json:"apart_deviations" above:"0"`
	// ShowsShare is the share of how slow it was since its onset that a component has
	// to show of late to show anything. It is calm when it shows less than that, and less
	// than that share of PlainTimes, and all is over when it was calm for CalmSeconds.
	ShowsShare  float64 `json:"shows_share" above:"0" below:"1"`
	PlainTimes  float64 `json:"plain_times" least:"1"`
	CalmSeconds int64   `json:"calm_seconds"`
	// PauseSeconds is how long a component may have nothing to do before what its
	// load made it show is over.
	PauseSeconds int64 `json:"pause_seconds"`
	// BeginSeconds is how soon after the begin of the data what shows was there
	// before them.
	BeginSeconds int64 `json:"begin_seconds"`
	// RebuildTimes is how many times longer than usual a LUN that rebuilds a drive
	// answers, at the most, while there is little to do, RebuildBusyTimes the same
	// under load, and RebuildSeconds how long a rebuild may take.
	RebuildTimes     float64 `json:"rebuild_times" least:"1"`
	RebuildBusyTimes float64 `json:"rebuild_busy_times" least:"1"`
	RebuildSeconds   int64   `json:"rebuild_seconds"`
	// LightTimes is how many times the least latency of a group there is little to
	// do at, and LightSteps in how many such steps a component shows how long it
	// works on a request.
	LightTimes float64 `json:"light_times" least:"1"`
	LightSteps float64 `json:"light_steps" above:"0"`
	// HeavyTimes is how many times its least latency a group has to have taken once
	// to tell when it has little to do.
	HeavyTimes float64 `json:"heavy_times" least:"1"`
	// PhaseTimes is from how many times the least latency of a group on it is busy, and
	// from how many times that on it is as busy as can be.
	PhaseTimes float64 `json:"phase_times" least:"1"`
	// OddShare is the share of what makes a suspect from which on a component
	// counts among those that may have something in common.
	OddShare float64 `json:"odd_share" above:"0" below:"1"`
	// IdleShare is the share of a group's members that have to be exceeded by
	// those without a request for the others to be compared with doing nothing.
	IdleShare float64 `json:"idle_share" above:"0" below:"1"`
	// IdleLoadTimes is how many times the load of idle peers any work counts as.
	IdleLoadTimes float64 `json:"idle_load_times" least:"1"`
	// HeirTimes is how many times slower than those that it stands in for a path
	// that took over may be. No peers of its own tell what is usual for it.
	HeirTimes float64 `json:"heir_times" least:"1"`
	// ImbalanceTimes is how many times its peers' load makes a component slow
	// for its load, LoadedShare the share of a problem's members that have to be,
	// and ImbalanceSeconds for how long before it is more than a job.
	ImbalanceTimes   float64 `json:"imbalance_times" least:"1"`
	LoadedShare      float64 `json:"loaded_share" above:"0" below:"1"`
	ImbalanceSeconds int64   `json:"imbalance_seconds"`
	// MostBusyShare bounds what a queue may explain, and AcquaintSeconds is after how
	// long it is known how busy peers are: the least latency of a group tells.
	MostBusyShare   float64 `json:"most_busy_share" above:"0" below:"1"`
	AcquaintSeconds int64   `json:"acquaint_seconds"`
	// CacheTimes is how many times slower a path may look for lack of requests
	// that a cache answers: about what a disk takes longer.
	CacheTimes float64 `json:"cache_times" least:"1"`
	// WholeTimes is how many times slower than others a LUN is over all of its
	// paths, where a server's own work no longer explains it.
	WholeTimes float64 `json:"whole_times" least:"1"`
	// SeldomShare is the share of its peers' busy steps below which a component
	// has something to do too seldom to be compared with them.
	SeldomShare float64 `json:"seldom_share" above:"0" below:"1"`
	// AsideShare is the share of a window's steps in which other paths have work
	// before that makes a LUN look different.
	AsideShare float64 `json:"aside_share" above:"0" below:"1"`
	// BusyTimes is how many times slower all that shares something becomes for
	// being busier than the rest, without a fault.
	BusyTimes float64 `json:"busy_times" least:"1"`
	// BusySeconds is for how long they may be, and WideSeconds for how long a burst
	// may hit them that is far more.
	BusySeconds int64 `json:"busy_seconds"`
	WideSeconds int64 `json:"wide_seconds"`
	// HitTimes is how many times slower than it was a component becomes where
	// something else has hit it.
	HitTimes float64 `json:"hit_times" least:"1"`
	// OutlierTimes is how many times the slowness of nearly all others, as a
	// logarithm, makes one of them a problem of its own.
	OutlierTimes float64 `json:"outlier_times" least:"1"`
	// OutlierShare is what nearly all is.
	OutlierShare float64 `json:"outlier_share" above:"0" below:"1"`
	// LongShare is the share of what makes an incident that a component has to
	// have gathered before others to be slow for a reason of its own.
	LongShare float64 `json:"long_share" above:"0" below:"1"`
	// LongSeconds is how long before the others it has to have begun.
	LongSeconds int64 `json:"long_seconds"`
	// SettleSeconds is how long a problem of many components takes in new ones.
	SettleSeconds int64 `json:"settle_seconds"`
	// StillShare is the share of its components that a known problem of many has
	// to show on to show at all, and StillMembers the least number of them.
	StillShare   float64 `json:"still_share" above:"0" below:"1"`
	StillMembers int     `json:"still_members" least:"1"`
	// MostTimes bounds ratios, so that one step cannot say everything.
	MostTimes float64 `json:"most_times" least:"1"`
}

// DefaultOptions are settled by what healthy systems do; docs/method.md says why
// each has its value.
func DefaultOptions() Options {
	return Options{
		FalseIncidentsPerYear: 1, FalseSuspectsPerDay: 1, CostSteps: 240, CostSeconds: 30,
		TickSteps: 4, LoadSteps: 4, RecentSteps: 8, SteadySeconds: 3600, ApartDeviations: 4, ShowsShare: 0.5, PlainTimes: 1.5, CalmSeconds: 1350, PauseSeconds: 7200,
		BeginSeconds: 450, RebuildTimes: 1.37, RebuildBusyTimes: 2, RebuildSeconds: 32_400, LightTimes: 1.15, LightSteps: 40, HeavyTimes: 1.5, PhaseTimes: 2, OddShare: 0.5, IdleShare: 0.5, IdleLoadTimes: 3,
		HeirTimes: 1.5, ImbalanceTimes: 1.5, LoadedShare: 0.5, ImbalanceSeconds: 6300, MostBusyShare: 0.95, AcquaintSeconds: 86_400, CacheTimes: 10, WholeTimes: 1.5,
		SeldomShare: 0.75, AsideShare: 0.1, BusyTimes: 1.5, BusySeconds: 45_000, WideSeconds: 1200, HitTimes: 2, OutlierTimes: 1.5, OutlierShare: 0.9,
		LongShare: 0.25, LongSeconds: 3600, SettleSeconds: 43_200, StillShare: 0.125, StillMembers: 2, MostTimes: 1000,
	}
}

// nats are how much evidence makes a suspect, and how much an incident, of a
// system of so many components in steps of so many seconds: at n nats one in eⁿ
// component-steps is a false alarm.
func (o *Options) nats(components int, step int64) (told, sure float64) {
	perDay := 86400 / float64(step)
	told = math.Log(1000 * perDay / o.FalseSuspectsPerDay)
	sure = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return told, max(sure, told)
}

const daysPerYear = 365.25

// keep is what is left of an average after one step, if it counts half after so
// many.
func keep(steps float64) float64 { return math.Exp2(-1 / steps) }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
