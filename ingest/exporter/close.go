package exporter

import (
	"slices"
	"time"
)

// Ready reports whether the oldest scrape of the server can be closed: all expected samples have
// arrived, or the limits do not allow a longer wait.
func (sv *server) Ready(now time.Time, l *limits) bool {
	if len(sv.pending) == 0 {
		return false
	}
	p := sv.pending[0]
	switch {
	case sv.failed, p.whole, len(sv.pending) > l.MaxPending, now.UnixNano()-p.lastArrival >= l.Wait.Nanoseconds():
		return true
	}
	if !sv.fieldsKnown {
		return sv.hasFieldsOfLast(p)
	}
	return !slices.ContainsFunc(sv.subjects, func(t *subject) bool { return t != nil && !t.reached(p.time) })
}

// Close makes a reading (the state of the server) of the oldest scrape, writes the reading, and
// removes the scrape. If the scrape lacks fields (values of disks, interfaces and others) that
// earlier scrapes had, the scrape is a gap: Close removes the scrape without a reading. If writing
// fails, Close keeps the scrape. The caller passes memory for the reading.
func (sv *server) Close(files Files, now time.Time, r *Reading) error {
	err := sv.close(files, now, r)
	sv.failed = err != nil
	return err
}

func (sv *server) close(files Files, now time.Time, r *Reading) error {
	p := sv.pending[0]
	if sv.isGap(p) {
		sv.skip(p, now)
		return nil
	}
	if err := sv.Recall(files); err != nil {
		return err
	}
	if !sv.fieldsKnown && !p.whole && !sv.hasFieldsOfLast(p) {
		sv.skip(p, now) // after a restart of limpet, the first scrape may lack the samples that came before the restart
		return nil
	}
	if sv.isKept(p, now) {
		sv.finish(p)
		return nil
	}
	sv.makeReading(p, r, now)
	if sv.services && len(r.Sample.Disks) == 0 { // a manager that has just become active knows no OSD yet
		sv.finish(p)
		return nil
	}
	if sv.repeatsLast(r) {
		sv.finish(p)
		return nil
	}
	if err := files.Write(r); err != nil {
		return err
	}
	sv.wrote(r)
	sv.finish(p)
	return nil
}

// isGap reports whether a scrape lacks fields that earlier scrapes had. If the scrape lacks all
// fields of a subject (such as a disk or an interface), the subject may have been removed from the
// server. So later scrapes need not have this subject.
func (sv *server) isGap(p *scrape) bool {
	gap := false
	for _, t := range sv.subjects {
		if t == nil {
			continue
		}
		missing := p.missing(t)
		if p.whole {
			t.sampled &= p.cellsOf(t).filled
		}
		gap = gap || !p.whole && (t.begunBefore(missing, p.time) || p.isTorn(t))
		if p.cellsOf(t).filled&^infoFields != 0 && !p.whole {
			missing &= infoFields // the subject still exists, so only its info fields may be missing from now on
		}
		t.expectNoMore(missing, p.time)
	}
	return gap
}

// A gap is a scrape that lacks fields that earlier scrapes had. enoughGaps is the number of
// consecutive gaps after which limpet concludes that the sender has stopped sending some series.
// limpet then expects only the other series.
const enoughGaps = 20

// expectOnly makes the server expect in later scrapes only the fields that the scrape p has.
func (sv *server) expectOnly(p *scrape) {
	for _, t := range sv.subjects {
		if t != nil {
			t.live &= p.cellsOf(t).filled
			t.sampled = t.live
		}
	}
	sv.gaps = 0
}

// skip removes a scrape that lacks samples, and makes no reading of it. If it is known which fields
// a complete scrape must have, skip counts the scrape as a gap.
func (sv *server) skip(p *scrape, now time.Time) {
	if sv.fieldsKnown {
		sv.Counts.Incomplete++
		if sv.gaps++; sv.gaps >= enoughGaps {
			sv.expectOnly(p)
		}
		sv.trouble.set(now, "a part of the scrape at %s did not arrive, so limpet does not use this scrape: check the network and the log of the sender", clock(p.time))
	}
	sv.finish(p)
}

// longestInterval is the longest interval between scrapes that limpet assumes for a server. If two
// scrapes are further apart, scrapes between them were lost.
const longestInterval = 5 * time.Minute

func (sv *server) finish(p *scrape) {
	if sv.closed > 0 && sv.fieldsKnown {
		sv.interval = min(time.Duration(p.time-sv.closed)*time.Millisecond, longestInterval)
	}
	sv.closed, sv.fieldsKnown = p.time, true
	sv.recycle()
}

// isKept reports whether the files already contain the reading of a scrape. A sender sends a scrape
// again if it got no answer because limpet was killed. If the last reading in the files is in the
// future, a clock was set back, and isKept returns false.
func (sv *server) isKept(p *scrape, now time.Time) bool {
	last := sv.memory.Time
	return !last.IsZero() && !last.After(now.Add(longestInterval)) && time.UnixMilli(p.time).Unix() <= last.Unix()
}

// repeatsLast reports whether the reading r has the same sample of the recorder as the previous
// reading. A recorder that is scraped more often than it samples returns the same sample again.
func (sv *server) repeatsLast(r *Reading) bool {
	if sv.host.live&(1<<hostSampled) == 0 || sv.written == 0 || r.Uptime != sv.uptime {
		sv.stuck = 0
		return false
	}
	sv.stuck++
	return true
}

func (sv *server) wrote(r *Reading) {
	sv.Counts.Records++
	sv.gaps = 0
	sv.written, sv.uptime = r.Time.UnixMilli(), r.Uptime
	sv.memory = Memory{} // the last reading in the files is not needed any more, because this reading is newer
	sv.roster.changed = false
	for _, t := range sv.disks {
		t.work = t.next
	}
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05Z") }
