package table

import "github.com/limpet-storage/limpet/engine/metric"

// maxStretch bounds the time that the values of one step may cover, in steps. A late
// record, or a sampling interval near the length of the step, may make this time almost
// two steps. After a longer gap the counters contain the work, but it is unknown in
// which steps it was done.
const maxStretch = 2

// Fold takes the differences of the readings of one machine at the ends of steps. The
// caller chooses the record for each end (the last record at or before it), fills the
// reading that [Fold.Reading] returns, and calls [Fold.Close].
//
// Fold holds a step back until the next step closes: if the clock is set back, times
// repeat, and the latest record of a time counts (L13 §6).
type Fold struct {
	stepSeconds        int64
	before, last, lent *Reading // reading at the begin of the held step; reading at its end; reading to be filled by the caller
	lastStep           int64
	started            bool
	out                Step
	repeated           int
}

// NewFold returns a fold of one machine with a number of disks and nothing else.
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

// StepSeconds returns the length of a step.
func (f *Fold) StepSeconds() int64 { return f.stepSeconds }

// Reading returns the reading to fill for the next call of [Fold.Close].
func (f *Fold) Reading() *Reading { return f.lent }

// Repeated returns the number of readings that were dropped because the clock was set back
// into steps that were returned already.
func (f *Fold) Repeated() int { return f.repeated }

// Close takes the filled reading as the end of its step. It returns the step that was
// held so far, if that step is complete and has a reading before it. The result is valid
// until the next call.
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

// Restart drops all readings, as after a reboot of the machine. The next reading then
// has no reading before it. Call [Fold.Flush] first to get the held step.
func (f *Fold) Restart() {
	f.started = false
	f.before.Uptime, f.last.Uptime = 0, 0
}

// Flush returns the held step.
func (f *Fold) Flush() (*Step, bool) {
	if !f.started {
		return nil, false
	}
	return f.difference()
}

// Held returns the Unix time of the end of the held step; 0 if no step is held.
func (f *Fold) Held() int64 {
	if !f.started {
		return 0
	}
	return f.lastStep * f.stepSeconds
}

// difference computes the held step from the readings at its two ends. It takes the length
// from the uptime, since the clock may be set.
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
		case *now == *before: // standby paths do not change for days
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
