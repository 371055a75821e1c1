package exporter

import (
	"fmt"
	"time"
)

// stuckScrapes: a recorder that shows the same sample so often has stopped.
const stuckScrapes = 3

// clocksApart is the difference that is said.
const clocksApart = 5 * time.Second

// rivalLasts is how long after its last sample a second source is named.
const rivalLasts = 5 * time.Minute

// Heard is who tells of the machine, and when that was heard last.
func (m *machineSeries) Heard() (sender string, at time.Time) {
	return m.holder.sender, m.holder.heard
}

// Complain notes trouble that others found.
func (m *machineSeries) Complain(now time.Time, text string) { m.trouble.say(now, "%s", text) }

// Last is the time of the last sample of the one that is heard.
func (m *machineSeries) Last() time.Time {
	if m.holder.last == 0 {
		return time.Time{}
	}
	return time.UnixMilli(m.holder.last).UTC()
}

// Trouble is a sentence on what matters the most now, empty where nothing does.
func (m *machineSeries) Trouble(now time.Time) string {
	skew := time.Duration(m.skewMs) * time.Millisecond
	switch {
	case m.stuck >= stuckScrapes:
		return fmt.Sprintf("the recorder of %s shows the sample of %s again and again: see whether it still runs", m.Name, clock(m.written))
	case m.rival.sender != "" && now.Sub(m.rival.heard) < rivalLasts:
		return fmt.Sprintf("both %s and %s tell of %s: the former is taken; let only one of them send it, or give each machine its own name", &m.holder, &m.rival, m.Name)
	case skew > clocksApart || skew < -clocksApart:
		return fmt.Sprintf("the clock of %s is %v %s that of %s: keep clocks together with NTP", m.Name, skew.Abs().Round(time.Second), direction(skew), m.holder.sender)
	}
	return m.trouble.sentence(now)
}

func direction(skew time.Duration) string {
	if skew > 0 {
		return "ahead of"
	}
	return "behind"
}
