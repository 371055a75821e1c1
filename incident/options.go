// Package incident turns suspects into incidents: one for one problem, at the
// component that would have to be repaired.
//
// A failing controller is odd on fifty attachments, and the load that moved
// away from it is odd on fifty others (L13 §5.2.1, §7). This package tells
// such stories once. It watches which path serves each LUN, takes the blame
// from those who only wait or took over, finds what the rest have in common
// (package localise), and follows each incident from its onset until it is
// over. What is slightly slow for a week and what stands still for two minutes
// are both incidents: evidence is how slow, times how long.
//
// It stands behind detect in the stream, beside rank: rows and windows go in,
// incidents come out. It has no clock and opens no files.
package incident

import (
	"errors"
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/localise"
)

// Options are the bounds between what is odd and what is an incident.
type Options struct {
	// Bound is the evidence that makes an incident: the logarithm of how many
	// times slower than its peers a component is, summed over windows in which
	// it is suspect, and over all components of one story.
	Bound float64 `json:"bound"`
	// Persistent is the accumulator that makes an incident however little
	// slower its component is.
	Persistent int `json:"persistent"`
	// Lost is how many times slower a path that is no longer there counts as.
	Lost float64 `json:"lost"`
	// StallMs is an await that no healthy component ever shows.
	StallMs float64 `json:"stall_ms"`
	// PatienceSeconds is how long a server may send nothing while others do.
	PatienceSeconds int64 `json:"patience_seconds"`
	// ClearWindows is for how many windows nothing of an incident may show
	// before it is over.
	ClearWindows int `json:"clear_windows"`
	// RejoinSeconds is how long after its end an incident that shows again is
	// the same one.
	RejoinSeconds int64            `json:"rejoin_seconds"`
	Localise      localise.Options `json:"localise"`
}

// DefaultOptions are chosen by what healthy systems do. Rebuilding a drive
// takes a LUN eight hours at the most, 64 windows, and a quarter longer for each
// request, which at half load is 1.67 times slower: what amounts to more is an
// incident. So is what was suspect for more than half a day, as in L13 §5.1. A
// lost path counts as 60 times slower, which makes one alone an incident within
// about an hour, and three of a server at once. Ten seconds are a third of the
// time after which Linux gives a request up.
func DefaultOptions() Options {
	return Options{
		Bound: 64 * math.Log(1.75), Persistent: 100, Lost: 60, StallMs: 10_000,
		PatienceSeconds: 300, ClearWindows: 16, RejoinSeconds: 7 * 86400,
		Localise: localise.DefaultOptions(),
	}
}

// usualShift is the seconds from one window to the next that bounds are stated
// for.
const usualShift = 450

// fit makes bounds of windows into bounds of time where windows follow each
// other faster or more slowly.
func (o *Options) fit(shiftSeconds int64) {
	scale := usualShift / float64(shiftSeconds)
	o.Bound *= scale
	o.Persistent = max(1, int(math.Round(float64(o.Persistent)*scale)))
	o.ClearWindows = max(2, int(math.Round(float64(o.ClearWindows)*scale)))
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := []error{o.Localise.Validate()}
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(o.Bound > 0, "incidents of evidence %g: it has to be above 0", o.Bound)
	check(o.Persistent >= 1, "incidents of accumulator %d: at least 1 is needed", o.Persistent)
	check(o.Lost > 1, "a lost path that counts as %g times slower: it has to be above 1", o.Lost)
	check(o.StallMs > 0, "requests that stall for %g ms: it has to be above 0", o.StallMs)
	check(o.PatienceSeconds >= 1, "patience of %d s: at least 1 s is needed", o.PatienceSeconds)
	check(o.ClearWindows >= 1, "incidents over after %d windows: at least 1 is needed", o.ClearWindows)
	check(o.RejoinSeconds >= 0, "incidents joined after %d s: it cannot be negative", o.RejoinSeconds)
	return errors.Join(errs...)
}
