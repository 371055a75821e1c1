package replay

import (
	"fmt"
	"math"
	"time"
)

// Periodic is a member that is slow for a while every few hours, like an SSD that T16 §5 rented.
type Periodic struct {
	Member   int
	Slow     float64       // factor by which reads take longer
	Min, Max time.Duration // length of a slow period
	From, To time.Duration // time between the starts of two slow periods

	// Share is the share of the time in which the member is slow. It shapes the distribution of the
	// lengths between Min and Max.
	Share float64
}

// defaultPeriodic returns the periods of T16: 5 times slower for 3 to 6 minutes every 2 to 3 hours,
// 2.3 % of the time. Uniformly distributed lengths would give 3 %.
func defaultPeriodic() Periodic {
	return Periodic{
		Slow: 5, Min: 3 * time.Minute, Max: 6 * time.Minute,
		From: 2 * time.Hour, To: 3 * time.Hour, Share: 0.023,
	}
}

// Validate returns an error if the periods are not possible.
func (p *Periodic) Validate() error {
	switch length := p.length(); {
	case p.Member < 0:
		return fmt.Errorf("the setting member is %d: write 0 or more", p.Member)
	case !(p.Slow >= 1 && p.Slow <= 1e9):
		return fmt.Errorf("the setting slow=%v is not possible: write a slowdown from 1 to 1e9", p.Slow)
	case p.Min <= 0 || p.Max < p.Min:
		return fmt.Errorf("the range for=%v-%v is not possible: write a time above 0 and then a time that is not shorter, such as for=3m-6m", p.Min, p.Max)
	case p.From <= p.Max || p.To < p.From || p.To > maxTime:
		return fmt.Errorf("the times of every=%v-%v must be longer than the times of for=%v-%v and shorter than %v", p.From, p.To, p.Min, p.Max, maxTime)
	case !(length >= float64(p.Min) && length <= float64(p.Max)):
		return fmt.Errorf("the setting share=%v needs slow periods of %v, but for=%v-%v does not allow this length: change share, for or every", p.Share, time.Duration(length), p.Min, p.Max)
	case length == float64(p.Min) && p.Min < p.Max:
		return fmt.Errorf("the setting share=%v needs slow periods that all last %v: write for=%v-%v", p.Share, p.Min, p.Min, p.Min)
	}
	return nil
}

// maxTime is far below the largest time.Duration, and longer than any replay.
const maxTime = 10 * 365 * 24 * time.Hour

// length returns the mean length of a slow period that gives Share.
func (p *Periodic) length() float64 { return p.Share * float64(p.cycle()) }

// cycle returns the mean time between the starts of two slow periods.
func (p *Periodic) cycle() time.Duration { return p.From + (p.To-p.From)/2 }

// at reports whether the member is slow. Each cycle has one slow period, which begins in the first
// (To−From)/2 of the cycle. So two starts are From to To apart, and no start depends on an earlier
// start.
func (p *Periodic) at(seed uint64, now time.Duration) bool {
	n := int64(now / p.cycle())
	return p.within(seed, n, now) || n > 0 && p.within(seed, n-1, now)
}

func (p *Periodic) within(seed uint64, n int64, now time.Duration) bool {
	from, to := p.stretch(seed, n)
	return from <= now && now < to
}

// stretch returns the slow period number n, from 0.
func (p *Periodic) stretch(seed uint64, n int64) (from, to time.Duration) {
	u, v := drawPair(seed, p.Member, uint64(n))
	from = time.Duration(n)*p.cycle() + time.Duration(u*float64(p.To-p.From)/2)
	return from, from + time.Duration(p.shape(v))
}

// shape turns a uniform draw v into the length of a slow period, Min + (Max−Min)·vᵏ, with the k
// that gives the mean.
func (p *Periodic) shape(v float64) float64 {
	if p.Max == p.Min {
		return float64(p.Min)
	}
	part := (p.length() - float64(p.Min)) / float64(p.Max-p.Min)
	return float64(p.Min) + float64(p.Max-p.Min)*math.Pow(v, 1/part-1)
}
