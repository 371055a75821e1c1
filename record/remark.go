package record

import (
	"fmt"
	"slices"
	"time"
)

const (
	// remarkEvery is how often late samples are remarked on: a storm of them
	// must not write more than the samples do.
	remarkEvery = time.Minute
	// maxRemarks wait at most while nothing can be written.
	maxRemarks = 16
	// maxComment is what a comment record holds.
	maxComment = 63
)

// remarks are comments on the time, which wait for the record that they are
// written with.
type remarks struct {
	waiting []string
	late    int           // samples since the last remark on them
	worst   time.Duration // of those
	next    time.Duration // remark on them, by elapsed time
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
	if t.late > tolerance {
		r.late++
		r.worst = max(r.worst, t.late)
	}
	if r.late == 0 || t.elapsed < r.next {
		return
	}
	r.add(r.lateness())
	r.late, r.worst, r.next = 0, 0, t.elapsed+remarkEvery
}

func (r *remarks) lateness() string {
	text := "late " + seconds(r.worst)
	if r.late > 1 {
		text += fmt.Sprintf(" at most, %d samples", r.late)
	}
	return text
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
