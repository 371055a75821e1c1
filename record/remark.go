package record

import (
	"fmt"
	"slices"
	"time"
)

const (
	// lateBurst late samples get a remark each. Afterwards there is one remark per lateEvery, which
	// may cover several samples. So remarks never need more space than the samples.
	lateBurst = 10
	lateEvery = time.Minute / lateBurst
	// maxRemarks is the largest number of remarks that wait while nothing can be written.
	maxRemarks = 16
	// maxComment is the largest size of a comment record.
	maxComment = 63
)

// remarks are comments on the time. They wait until they are written with the next record.
type remarks struct {
	waiting []string
	late    int           // number of late samples without a remark
	worst   time.Duration // longest delay of these samples
	rested  time.Duration // elapsed time from which on lateBurst remarks are allowed again
}

func (r *remarks) add(text string) {
	if len(r.waiting) < maxRemarks {
		r.waiting = append(r.waiting, clip(text))
	}
}

// note adds the remarks on a tick.
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

// allowed reports whether a remark on late samples is allowed. While nothing can be written, half
// of the remarks are reserved for the clock.
func (r *remarks) allowed(now time.Duration) bool {
	if r.rested > now+(lateBurst-1)*lateEvery || len(r.waiting) >= maxRemarks/2 {
		return false
	}
	r.rested = max(r.rested, now) + lateEvery
	return true
}

// sum adds one remark for all late samples without a remark.
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

// first puts a text before all other remarks, even if maxRemarks wait.
func (r *remarks) first(text string) {
	r.waiting = slices.Insert(r.waiting, 0, clip(text))
}

// dropFirst removes the first remark.
func (r *remarks) dropFirst() {
	r.waiting = slices.Delete(r.waiting, 0, 1)
}

// written removes all remarks that wait.
func (r *remarks) written() {
	r.waiting = slices.Delete(r.waiting, 0, len(r.waiting))
}

// seconds formats a duration in seconds with one decimal, or with three decimals below 0.1 s.
func seconds(d time.Duration) string {
	if d.Abs() < 100*time.Millisecond {
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// clip cuts a text to the size of a comment.
func clip(text string) string {
	return text[:min(len(text), maxComment)]
}
