package exporter

import (
	"fmt"
	"time"
)

// An origin identifies a source of samples of a server. It has two parts. The first part is the
// sender of the requests, or the scraped endpoint. The second part is a hash of the labels that the
// scraper has added to the series.
type origin struct {
	sender string
	labels uint64
}

// A source is an origin of samples, with the time of its last sample and other
// properties.
type source struct {
	origin
	job         string
	last        int64     // time of the last sample of the source, ms
	lastRequest time.Time // time of the last request or scrape of the source
	recorder    bool      // true if the source is limpet-record, which has more series than node_exporter
}

func (t *source) String() string {
	if t.job == "" {
		return t.sender
	}
	return fmt.Sprintf("%s (job %q)", t.sender, clip([]byte(t.job)))
}

// patience is a number of scrape intervals. If the active source sends no samples for this number
// of intervals, another source takes over.
const patience = 1.5

// accepts reports whether the samples of an origin (a source of samples) are used. The first source
// of a server is used until it stops, or until limpet-record sends samples of the server.
func (sv *server) accepts(from origin, b *Series, t int64, now time.Time) bool {
	recorder := b.Kind == ofHost && b.Index == hostSampled
	h := &sv.active
	switch {
	case h.origin == from:
		h.recorder = h.recorder || recorder
	case h.sender == "", recorder && !h.recorder, sv.isSilent(t, now):
		sv.takeOver(source{origin: from, job: string(b.Job), recorder: recorder})
	default:
		sv.rival = source{origin: from, job: string(b.Job), last: t, lastRequest: now}
		return false
	}
	if t > h.last {
		h.last = t
	}
	h.lastRequest = now
	return true
}

// isSilent reports whether the active source has missed a scrape. The parameter t is the time of a
// sample of another source. Both of these conditions must hold:
//
//   - t − time of the active source's last sample > patience × interval
//   - now − arrival of the active source's last sample > patience × interval
//
// So a source that sends old samples from a backlog is not silent.
func (sv *server) isSilent(t int64, now time.Time) bool {
	wait := time.Duration(patience * float64(sv.interval))
	return now.Sub(sv.active.lastRequest) > wait && t-sv.active.last > wait.Milliseconds()
}

// takeOver makes h the active source. It drops the incomplete scrapes of the previous source. It
// also forgets which fields a complete scrape of the server has, since the new source may have
// other fields.
func (sv *server) takeOver(h source) {
	sv.active, sv.rival = h, source{}
	sv.dropPending()
	for _, t := range sv.subjects {
		if t != nil {
			t.live, t.sampled = 0, 0
		}
	}
	sv.fieldsKnown, sv.recalled = false, false
}
