package record

import (
	"fmt"
	"slices"
	"time"
)

const (
	// lateBurst late samples are remarked on one by one, and another every
	// lateEvery: in a storm several share a remark, which must not write more
	// than the samples do.
	lateBurst = 10
	lateEvery = time.Minute / lateBurst
	// maxRemarks wait at most while nothing can be written.
	maxRemarks = 16
	// maxComment is what a comment record holds.
	maxComment = 63
)

// remarks are comments on the time, which wait for the record that they are
// written with.
type remarks struct {
	waiting []string
	late    int           // samples that are to be remarked on
	worst   time.Duration // of those
	rested  time.Duration // when a whole burst may be remarked on, by elapsed time
}

func (r *remarks) add(text string) {
	if len(r.waiting) < maxRemarks {
		r.waiting = append(r.waiting, clip(text))
	}
}

// note takes in what is to be said of a tick.
func (r *remarks) note(t tick, tolerance time.Duration) {
	if t.step != 0 {
		r.add(fmt.Sprintf("clock %+.1fs", t.step.Seconds()))
	}
	late := t.late > tolerance
	if late {
		r.late++
		r.worst = max(r.worst, t.late)
	}
	switch {
	case r.late == 0 || !r.allowed(t.elapsed):
	case late && r.late == 1:
		r.add("late " + seconds(t.late))
		r.late, r.worst = 0, 0
	default:
		r.sum()
	}
}

// allowed says whether late samples may be remarked on. While nothing can be
// written they leave room for remarks on the clock.
func (r *remarks) allowed(now time.Duration) bool {
	if r.rested > now+(lateBurst-1)*lateEvery || len(r.waiting) >= maxRemarks/2 {
		return false
	}
	r.rested = max(r.rested, now) + lateEvery
	return true
}

// sum remarks on all late samples that none was made on.
func (r *remarks) sum() {
	if r.late == 0 {
		return
	}
	noun := "samples"
	if r.late == 1 {
		noun = "sample"
	}
	r.add(fmt.Sprintf("late %s at most, %d %s", seconds(r.worst), r.late, noun))
	r.late, r.worst = 0, 0
}

// first puts a text ahead of all others, however many wait.
func (r *remarks) first(text string) {
	r.waiting = slices.Insert(r.waiting, 0, clip(text))
}

// dropFirst takes it back.
func (r *remarks) dropFirst() {
	r.waiting = slices.Delete(r.waiting, 0, 1)
}

// written forgets what waited.
func (r *remarks) written() {
	r.waiting = slices.Delete(r.waiting, 0, len(r.waiting))
}

// seconds is a duration to a tenth of a second, or finer where that says
// nothing.
func seconds(d time.Duration) string {
	if d.Abs() < 100*time.Millisecond {
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// clip makes a text fit into a comment.
func clip(text string) string {
	return text[:min(len(text), maxComment)]
}
