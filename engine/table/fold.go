package table

import "github.com/limpet-storage/limpet/engine/metric"

// maxStretch bounds the time that one step's values may cover, in steps. A
// step takes the time since the last record before it, which a late record
// or a sampling interval near the step's length may make almost two steps.
// After a longer silence the counters say how much was done but not when.
const maxStretch = 2

// Fold differences the readings of one machine at the ends of steps. The
// caller decides which records stand there (the last one at or before each
// end), fills the reading that [Fold.Reading] lends and calls [Fold.Close].
//
// A step is given out only when the next one closes, because a clock that is
// stepped back repeats times, and the latest record of a time counts (L13 §6).
type Fold struct {
	stepSeconds        int64
	before, last, lent *Reading // at the end of the step before, of the step held; to be filled
	lastStep           int64
	started            bool
	out                Step
	repeated           int
}

// NewFold returns a fold of one machine with the given number of disks and
// nothing else.
func NewFold(stepSeconds int64, disks int) *Fold {
	return NewFoldOf(stepSeconds, Shape{Disks: disks})
}

// NewFoldOf returns a fold of one machine.
func NewFoldOf(stepSeconds int64, s Shape) *Fold {
	return &Fold{
		stepSeconds: stepSeconds,
		before:      newReading(s), last: newReading(s), lent: newReading(s),
		out: newStep(s),
	}
}

// StepSeconds is the length of a step.
func (f *Fold) StepSeconds() int64 { return f.stepSeconds }

// Reading lends the reading to fill for the next call of [Fold.Close].
func (f *Fold) Reading() *Reading { return f.lent }

// Repeated counts the readings that were left out because the clock had been
// stepped back over steps already given out.
func (f *Fold) Repeated() int { return f.repeated }

// Close takes the lent reading as that of the end of its step. It returns
// the step held until now where that is complete and has a reading before
// it; the result is valid until the next call.
func (f *Fold) Close() (*Step, bool) {
	n := StepOf(f.lent.Time, f.stepSeconds)
	switch {
	case !f.started:
		f.lent, f.last, f.lastStep, f.started = f.last, f.lent, n, true
		return nil, false
	case n < f.lastStep:
		f.repeated++
		return nil, false
	case n == f.lastStep:
		f.lent, f.last = f.last, f.lent
		return nil, false
	}
	step, ok := f.difference()
	f.before, f.last, f.lent = f.last, f.lent, f.before
	f.lastStep = n
	return step, ok
}

// Restart forgets all readings, as after a reboot of the machine: what comes
// next has nothing before it. [Fold.Flush] first gives out what is held.
func (f *Fold) Restart() {
	f.started = false
	f.before.Uptime, f.last.Uptime = 0, 0
}

// Flush gives out the step that is still held.
func (f *Fold) Flush() (*Step, bool) {
	if !f.started {
		return nil, false
	}
	return f.difference()
}

// Held is the end of the step that is held, 0 where there is none.
func (f *Fold) Held() int64 {
	if !f.started {
		return 0
	}
	return f.lastStep * f.stepSeconds
}

// difference computes the step held from the readings at its two ends. Its
// length comes from the uptime, which no one sets.
func (f *Fold) difference() (*Step, bool) {
	if f.before.Uptime == 0 || f.last.Uptime <= f.before.Uptime {
		return nil, false
	}
	dt := float64(f.last.Uptime-f.before.Uptime) / 100
	if dt > float64(maxStretch*f.stepSeconds) {
		return nil, false
	}
	f.out.End, f.out.Seconds = f.lastStep*f.stepSeconds, dt
	f.differenceDisks()
	f.differenceNICs()
	copy(f.out.Cwnds, f.last.Cwnds)
	return &f.out, true
}

func (f *Fold) differenceDisks() {
	for i := range f.last.Disks {
		now, before := &f.last.Disks[i], &f.before.Disks[i]
		switch {
		case !f.last.Present[i] || !f.before.Present[i]:
			f.out.Known[i] = false
		case *now == *before: // as those of standby paths are for days
			f.out.Work[i], f.out.Known[i] = metric.DiskWork{}, true
		default:
			f.out.Work[i], f.out.Known[i] = now.Since(before)
		}
	}
}

func (f *Fold) differenceNICs() {
	for i := range f.last.NICs {
		f.out.Carried[i] = false
		if f.last.Up[i] && f.before.Up[i] {
			f.out.Traffic[i], f.out.Carried[i] = f.last.NICs[i].Since(&f.before.NICs[i])
		}
	}
}
