package slow

import (
	"errors"
	"fmt"
	"math"
)

// Options are the bounds of slowness.
type Options struct {
	// HeirTimes is how many times slower than those that it stands in for a path
	// that took over has to be. It is more than elsewhere, since no peers of its
	// own tell what is usual for it.
	HeirTimes float64 `json:"heir_times"`
	// ImbalanceTimes is how many times its peers' load makes a component slow
	// for its load.
	ImbalanceTimes float64 `json:"imbalance_times"`
	// MostBusyShare bounds what a queue may explain.
	MostBusyShare float64 `json:"most_busy_share"`
	// CacheTimes is how many times slower a path may look for lack of requests
	// that a cache answers: about what a disk takes longer.
	CacheTimes float64 `json:"cache_times"`
	// WholeTimes is how many times slower than others a LUN is over all of its
	// paths, where a server's own work no longer explains it.
	WholeTimes float64 `json:"whole_times"`
	// SeldomShare is the share of its peers' busy steps below which a component
	// has something to do too seldom to be compared with them.
	SeldomShare float64 `json:"seldom_share"`
	// AsideShare is the share of a window's steps in which other paths have work
	// before that makes a LUN look different.
	AsideShare float64 `json:"aside_share"`
	// BusyTimes is how many times slower all that shares something becomes for
	// being busier than the rest, without a fault.
	BusyTimes float64 `json:"busy_times"`
	// HitTimes is how many times slower than it was a component becomes where
	// something else has hit it.
	HitTimes float64 `json:"hit_times"`
	// OutlierTimes is how many times the slowness of nearly all others, as a
	// logarithm, makes one of them a problem of its own.
	OutlierTimes float64 `json:"outlier_times"`
	// OutlierShare is what nearly all is.
	OutlierShare float64 `json:"outlier_share"`
	// LongShare is the share of what makes an incident that a component has to
	// have gathered before others to be slow for a reason of its own.
	LongShare float64 `json:"long_share"`
	// LongSeconds is how long before the others it has to have begun.
	LongSeconds int64 `json:"long_seconds"`
	// SettleSeconds is how long a problem of many components takes in new ones.
	SettleSeconds int64 `json:"settle_seconds"`
	// StillShare is the share of its components that a known problem of many has
	// to show on to show at all.
	StillShare float64 `json:"still_share"`
	// MostTimes bounds ratios, so that one window cannot say everything.
	MostTimes float64 `json:"most_times"`
}

// DefaultOptions are settled by what healthy systems do; docs/method.md says why
// each has its value.
func DefaultOptions() Options {
	return Options{
		HeirTimes: 1.5, ImbalanceTimes: 1.5, MostBusyShare: 0.95, CacheTimes: 10, WholeTimes: 1.5,
		SeldomShare: 0.75, AsideShare: 0.1, BusyTimes: 1.5, HitTimes: 2, OutlierTimes: 1.5, OutlierShare: 0.9,
		LongShare: 0.25, LongSeconds: 3600, SettleSeconds: 10_800, StillShare: 0.125, MostTimes: 1000,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	var errs []error
	for _, t := range []struct {
		name  string
		value float64
	}{
		{"heir", o.HeirTimes},
		{"imbalance", o.ImbalanceTimes},
		{"cache", o.CacheTimes},
		{"whole", o.WholeTimes},
		{"busy", o.BusyTimes},
		{"hit", o.HitTimes},
		{"outlier", o.OutlierTimes},
		{"most", o.MostTimes},
	} {
		if !(t.value >= 1) || math.IsInf(t.value, 0) {
			errs = append(errs, fmt.Errorf("%s times of %g: at least 1 is needed", t.name, t.value))
		}
	}
	for _, s := range []struct {
		name  string
		value float64
	}{
		{"most busy", o.MostBusyShare},
		{"seldom", o.SeldomShare},
		{"aside", o.AsideShare},
		{"outlier", o.OutlierShare},
		{"long", o.LongShare},
		{"still", o.StillShare},
	} {
		if !(s.value > 0 && s.value < 1) {
			errs = append(errs, fmt.Errorf("a %s share of %g: it has to lie between 0 and 1", s.name, s.value))
		}
	}
	if o.LongSeconds < 0 || o.SettleSeconds < 0 {
		errs = append(errs, fmt.Errorf("times of %d and %d s: they cannot be negative", o.LongSeconds, o.SettleSeconds))
	}
	return errors.Join(errs...)
}
