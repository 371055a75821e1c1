package exporter

import (
	"fmt"
	"time"
)

// A recorder counts as stopped after stuckScrapes consecutive scrapes with the same sample.
const stuckScrapes = 3

// If the clocks of a server and of its sender differ by more than clocksApart, Trouble returns a
// sentence about this problem.
const clocksApart = 5 * time.Second

// If a second source sends samples of a server, Trouble reports this source until its last sample
// is older than rivalLasts.
const rivalLasts = 5 * time.Minute

// ActiveSource returns the sender of the active source, and the time at which its last
// samples arrived.
func (sv *server) ActiveSource() (sender string, at time.Time) {
	return sv.active.sender, sv.active.lastRequest
}

// Complain stores a problem that the caller has found.
func (sv *server) Complain(now time.Time, text string) { sv.trouble.set(now, "%s", text) }

// Last returns the time of the last sample of the active source.
func (sv *server) Last() time.Time {
	if sv.active.last == 0 {
		return time.Time{}
	}
	return time.UnixMilli(sv.active.last).UTC()
}

// Trouble returns a sentence about the most important problem, or "" if there
// is no problem.
func (sv *server) Trouble(now time.Time) string {
	skew := time.Duration(sv.skewMs) * time.Millisecond
	switch {
	case sv.stuck >= stuckScrapes:
		return fmt.Sprintf("the recorder of %s has sent the same sample of %s several times: check whether the recorder still runs", sv.Name, clock(sv.written))
	case sv.rival.sender != "" && now.Sub(sv.rival.lastRequest) < rivalLasts:
		return fmt.Sprintf("both %s and %s send data of %s: limpet uses only the data of the first sender; let only one sender send these data, or give each machine its own name", &sv.active, &sv.rival, sv.Name)
	case skew > clocksApart || skew < -clocksApart:
		return fmt.Sprintf("the clock of %s is %v %s the clock of %s: synchronise the clocks with NTP", sv.Name, skew.Abs().Round(time.Second), direction(skew), sv.active.sender)
	}
	return sv.trouble.sentence(now)
}

func direction(skew time.Duration) string {
	if skew > 0 {
		return "ahead of"
	}
	return "behind"
}
