package arrays

import "time"

// A lunBlueprint is what the parts of a system are built by.
type lunBlueprint struct {
	Seed       uint64
	Days       string    // sets the days of a system apart from its other days
	Coarse     bool      // few draws are taken as many
	Start, End time.Time // of the first and the last record
	Interval   time.Duration
	Service    Service
	Shares     map[string]Share // by upgrade set
	Clocks     Clocks
}

// Source returns the dice of one part of the system in these days.
func (b *lunBlueprint) Source(part string) dice {
	rng := source(b.Seed, b.Days+part)
	if b.Coarse {
		rng.Many = coarseMany
	}
	return rng
}

// hereafter returns the dice of a part whose lasting traits were drawn from
// those of all days: the traits stay, and what comes is another day's.
func (b *lunBlueprint) hereafter(machine dice, part string) dice {
	if b.Days == "" {
		return machine
	}
	return b.Source(part)
}

// RecordAfter is the time of the first record at t or later.
func (b *lunBlueprint) RecordAfter(t time.Time) time.Time {
	n := (t.Sub(b.Start) + b.Interval - 1) / b.Interval
	return b.Start.Add(max(n, 0) * b.Interval)
}

// Span is from some time to another.
type Span struct{ From, To time.Time }

// Overlaps reports whether any of the interval lies in the span.
func (s Span) Overlaps(now, next time.Time) bool { return s.From.Before(next) && now.Before(s.To) }
