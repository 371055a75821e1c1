package exporter

import (
	"fmt"
	"time"
)

// Status is what is known of a machine.
type Status struct {
	Server string
	Sender string    // the one that is heard
	Heard  time.Time // when it last was
	Last   time.Time // time of its last sample
	Counts Counts
	// Trouble is a sentence, empty where there is none.
	Trouble string
}

// stuckScrapes: a recorder that shows the same sample so often has stopped.
const stuckScrapes = 3

// clocksApart is the difference that is said.
const clocksApart = 5 * time.Second

// rivalLasts is how long after its last sample a second source is named.
const rivalLasts = 5 * time.Minute

// Status tells of all machines, by name, and of samples that are of none.
func (j *Joiner) Status(now time.Time) (list []Status, trouble string) {
	for _, s := range j.sorted() {
		list = append(list, Status{
			Server: s.name, Sender: s.holder.sender, Heard: s.holder.heard, Last: s.lastSample(),
			Counts: s.counts, Trouble: s.sentence(now),
		})
	}
	return list, j.trouble.sentence(now)
}

func (s *server) lastSample() time.Time {
	if s.holder.last == 0 {
		return time.Time{}
	}
	return time.UnixMilli(s.holder.last).UTC()
}

// sentence is the trouble that matters the most.
func (s *server) sentence(now time.Time) string {
	skew := time.Duration(s.skewMs) * time.Millisecond
	switch {
	case s.stuck >= stuckScrapes:
		return fmt.Sprintf("the recorder of %s shows the sample of %s again and again: see whether it still runs", s.name, clock(s.written))
	case s.rival.sender != "" && now.Sub(s.rival.heard) < rivalLasts:
		return fmt.Sprintf("both %s and %s tell of %s: the former is taken; let only one of them send it, or give each machine its own name", &s.holder, &s.rival, s.name)
	case skew > clocksApart || skew < -clocksApart:
		return fmt.Sprintf("the clock of %s is %v %s that of %s: keep clocks together with NTP", s.name, skew.Abs().Round(time.Second), direction(skew), s.holder.sender)
	}
	return s.trouble.sentence(now)
}

func direction(skew time.Duration) string {
	if skew > 0 {
		return "ahead of"
	}
	return "behind"
}
