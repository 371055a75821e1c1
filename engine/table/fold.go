package table

import "github.com/limpet-storage/limpet/engine/metric"

// MaxStretch is the longest time, in steps, between the reading at the start of a step and the
// reading at its end. If a record is late, or if the sampling interval is near the length of the
// step, this time may be almost two steps. If the time is longer, the counters contain the work of
// several steps together, and the work of the step is unknown.
const MaxStretch = 2

// Fold computes the work of one machine in each step. It takes the counters at the end of the step,
// and subtracts the counters at the end of the previous step. The counters at the end of a step
// come from the last record at or before this time. The caller chooses this record, fills the
// reading that [Fold.Reading] returns, and calls [Fold.Close].
//
// Fold holds each step back until the next step closes, because the clock may be set back in the
// meantime. Then the same times occur twice, and the later record replaces the earlier record (L13
// §6).
type Fold struct {
	stepSeconds          int64
	before, last, toFill *Reading // before: reading at the start of the held step; last: reading at its end; toFill: reading that the caller fills
	lastStep             int64
	started              bool
	out                  Step
	repeated             int
}

// NewFold returns a fold of one machine that has only disks.
func NewFold(stepSeconds int64, disks int) *Fold {
	return NewFoldOf(stepSeconds, Shape{Disks: disks})
}

// NewFoldOf returns a fold of one machine, with the numbers of devices in s.
func NewFoldOf(stepSeconds int64, s Shape) *Fold {
	return &Fold{
		stepSeconds: stepSeconds,
		before:      newReading(s), last: newReading(s), toFill: newReading(s),
		out: newStep(s),
	}
}

// StepSeconds returns the length of a step, in seconds.
func (f *Fold) StepSeconds() int64 { return f.stepSeconds }

// Reading returns an empty reading. The caller fills it, and the next call of [Fold.Close] uses it.
func (f *Fold) Reading() *Reading { return f.toFill }

// Repeated returns the number of dropped readings. If the clock of the machine is set back, times
// occur twice. A reading is dropped if [Fold.Close] has already returned the step to which it
// belongs.
func (f *Fold) Repeated() int { return f.repeated }

// Close takes the filled reading as the reading at the end of its step. If this step is later than
// the held step, Close returns the held step, and then holds the new step. It returns false if
// there is no later step, or if the work of the held step is unknown. The returned step is valid
// until the next call.
func (f *Fold) Close() (*Step, bool) {
	n := StepOf(f.toFill.Time, f.stepSeconds)
	switch {
	case !f.started:
		f.toFill, f.last, f.lastStep, f.started = f.last, f.toFill, n, true
		return nil, false
	case n < f.lastStep:
		f.repeated++
		return nil, false
	case n == f.lastStep:
		f.toFill, f.last = f.last, f.toFill
		return nil, false
	}
	step, ok := f.difference()
	f.before, f.last, f.toFill = f.last, f.toFill, f.before
	f.lastStep = n
	return step, ok
}

// Restart drops all readings. It is called after a reboot of the machine or a jump of its clock.
// The work between the last reading before this call and the first reading after it stays unknown.
// Call [Fold.Flush] first to get the held step.
func (f *Fold) Restart() {
	f.started = false
	f.before.Uptime, f.last.Uptime = 0, 0
}

// Flush returns the held step. It returns false if no step is held, or if the work of the held step
// is unknown.
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

// difference computes the held step from the reading at its start and the reading at its end. The
// length of the step is the difference of the uptimes, because the clock may have been changed.
func (f *Fold) difference() (*Step, bool) {
	if f.before.Uptime == 0 || f.last.Uptime <= f.before.Uptime {
		return nil, false
	}
	dt := float64(f.last.Uptime-f.before.Uptime) / 100
	if dt > float64(MaxStretch*f.stepSeconds) {
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
		case *now == *before: // nothing to compute, as on standby paths, whose counters do not change for days
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
