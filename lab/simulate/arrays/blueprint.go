package arrays

import "time"

// A lunBlueprint has the settings from which the parts of a system are built.
type lunBlueprint struct {
	Seed       uint64
	Days       string    // part of the seed of all that differs between the days of a system
	Coarse     bool      // sums of few draws are drawn from a normal distribution, too
	Start, End time.Time // times of the first and the last record
	Interval   time.Duration
	Service    Service
	Shares     map[string]Share // by upgrade set
	Clocks     Clocks
}

// Source returns the random numbers of one part of the system on these days.
func (b *lunBlueprint) Source(part string) random {
	rng := source(b.Seed, b.Days+part)
	if b.Coarse {
		rng.Many = coarseMany
	}
	return rng
}

// daySource returns the random numbers of a part for the days of the run. The lasting traits of the
// part are drawn from machine and are the same on all days.
func (b *lunBlueprint) daySource(machine random, part string) random {
	if b.Days == "" {
		return machine
	}
	return b.Source(part)
}

// RecordAfter returns the time of the first record at t or later.
func (b *lunBlueprint) RecordAfter(t time.Time) time.Time {
	n := (t.Sub(b.Start) + b.Interval - 1) / b.Interval
	return b.Start.Add(max(n, 0) * b.Interval)
}

// Span is an interval of time.
type Span struct{ From, To time.Time }

// Overlaps reports whether a part of the interval lies in the span.
func (s Span) Overlaps(now, next time.Time) bool { return s.From.Before(next) && now.Before(s.To) }
