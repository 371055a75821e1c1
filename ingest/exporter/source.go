package exporter

import (
	"fmt"
	"time"
)

// An origin identifies a source of a server's samples: the sender of requests
// or the scraped endpoint, and a hash of the labels that it has added.
type origin struct {
	sender string
	labels uint64
}

// A source is an origin and its state.
type source struct {
	origin
	job      string
	last     int64     // time of its last sample, ms
	heard    time.Time // time of its last request or scrape
	recorder bool      // the source is limpet-record, which has more series than node_exporter
}

func (t *source) String() string {
	if t.job == "" {
		return t.sender
	}
	return fmt.Sprintf("%s (job %q)", t.sender, clip([]byte(t.job)))
}

// patience is the number of intervals without samples after which another
// source takes over.
const patience = 1.5

// accepts reports whether the samples of an origin are used. The first source
// of a server is used until it stops, or until a recorder comes.
func (sv *server) accepts(from origin, b *Series, t int64, now time.Time) bool {
	recorder := b.Kind == ofHost && b.Index == hostSampled
	h := &sv.active
	switch {
	case h.origin == from:
		h.recorder = h.recorder || recorder
	case h.sender == "", recorder && !h.recorder, sv.silent(t, now):
		sv.takeOver(source{origin: from, job: string(b.Job), recorder: recorder})
	default:
		sv.rival = source{origin: from, job: string(b.Job), last: t, heard: now}
		return false
	}
	if t > h.last {
		h.last = t
	}
	h.heard = now
	return true
}

// silent reports whether the active source has missed a scrape, both by the
// times of samples and by the clock. A source that sends a backlog has missed
// none.
func (sv *server) silent(t int64, now time.Time) bool {
	wait := time.Duration(patience * float64(sv.interval))
	return now.Sub(sv.active.heard) > wait && t-sv.active.last > wait.Milliseconds()
}

// takeOver makes another source the active one. It drops the incomplete scrapes
// of the source before, and forgets the server's fields, which the new source
// may not have.
func (sv *server) takeOver(h source) {
	sv.active, sv.rival = h, source{}
	sv.dropPending()
	for _, t := range sv.subjects {
		if t != nil {
			t.live, t.had = 0, 0
		}
	}
	sv.fieldsKnown, sv.recalled = false, false
}
