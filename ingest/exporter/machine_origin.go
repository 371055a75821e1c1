package exporter

import (
	"fmt"
	"time"
)

// An origin tells apart who tells of a machine: the sender of requests, or the
// endpoint that is pulled, and the labels that it has added.
type origin struct {
	sender string
	labels uint64
}

// A teller is an origin, and what is known of it.
type teller struct {
	origin
	job      string
	last     int64     // time of its last sample, ms
	heard    time.Time // when that came
	recorder bool      // it is limpet-record, which tells more than node_exporter
}

func (t *teller) String() string {
	if t.job == "" {
		return t.sender
	}
	return fmt.Sprintf("%s (job %q)", t.sender, clip([]byte(t.job)))
}

// patience is how many scrapes of the one that is heard may be missing until
// another takes its place.
const patience = 1.5

// hears says whether samples of an origin count. Of several that tell of one
// machine the first does, until it falls silent or a recorder comes.
func (m *machineSeries) hears(from origin, b *Series, t int64, now time.Time) bool {
	recorder := b.Kind == ofHost && b.Index == hostSampled
	h := &m.holder
	switch {
	case h.origin == from:
		h.recorder = h.recorder || recorder
	case h.sender == "", recorder && !h.recorder, m.silent(t, now):
		m.takeOver(teller{origin: from, job: string(b.Job), recorder: recorder})
	default:
		m.rival = teller{origin: from, job: string(b.Job), last: t, heard: now}
		return false
	}
	if t > h.last {
		h.last = t
	}
	h.heard = now
	return true
}

// silent says whether the one that is heard has missed a scrape, both by the
// time of samples and by the clock: a backlog is neither.
func (m *machineSeries) silent(t int64, now time.Time) bool {
	wait := time.Duration(patience * float64(m.interval))
	return now.Sub(m.holder.heard) > wait && t-m.holder.last > wait.Milliseconds()
}

// takeOver makes another the one that is heard. What the one before left of a
// scrape is dropped, and what is expected of the machine is learnt anew.
func (m *machineSeries) takeOver(h teller) {
	m.holder, m.rival = h, teller{}
	m.dropPending()
	for _, t := range m.things {
		if t != nil {
			t.live, t.had = 0, 0
		}
	}
	m.learnt, m.recalled = false, false
}
