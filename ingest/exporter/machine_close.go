package exporter

import (
	"slices"
	"time"
)

// Ready says whether the oldest scrape is to be closed.
func (m *machineSeries) Ready(now time.Time, l *limits) bool {
	if len(m.pending) == 0 {
		return false
	}
	p := m.pending[0]
	switch {
	case m.failed, p.whole, len(m.pending) > l.MaxPending, now.UnixNano()-p.heard >= l.Wait.Nanoseconds():
		return true
	}
	if !m.learnt {
		return m.asBefore(p)
	}
	return !slices.ContainsFunc(m.things, func(t *thing) bool { return t != nil && !t.reached(p.time) })
}

// Close makes a reading of the oldest scrape, in memory that is used again, or
// a gap. Where the files fail the scrape stays.
func (m *machineSeries) Close(files Files, now time.Time, r *Reading) error {
	err := m.close(files, now, r)
	m.failed = err != nil
	return err
}

func (m *machineSeries) close(files Files, now time.Time, r *Reading) error {
	p := m.pending[0]
	if m.isGap(p) {
		m.skip(p, now)
		return nil
	}
	if err := m.Recall(files); err != nil {
		return err
	}
	if !m.learnt && !p.whole && !m.asBefore(p) {
		m.skip(p, now) // it may be the rest of one whose beginning was not heard
		return nil
	}
	if m.isKept(p, now) {
		m.finish(p)
		return nil
	}
	m.read(p, r, now)
	if m.shown(r) {
		m.finish(p)
		return nil
	}
	if err := files.Write(r); err != nil {
		return err
	}
	m.wrote(r)
	m.finish(p)
	return nil
}

// isGap says whether something that was there before is missing in a scrape.
// What is missing altogether is no longer waited for: the machine may have lost
// it.
func (m *machineSeries) isGap(p *scrape) bool {
	gap := false
	for _, t := range m.things {
		if t == nil {
			continue
		}
		missing := p.missing(t)
		if p.whole {
			t.had &= p.of(t).have
		}
		gap = gap || !p.whole && (t.begunBefore(missing, p.time) || p.torn(t))
		if p.of(t).have&^told != 0 && !p.whole {
			missing &= told // of a part the rest may come yet
		}
		t.strike(missing, p.time)
	}
	return gap
}

// enoughGaps in a row are no accident: the sender no longer sends what it did,
// without a word.
const enoughGaps = 20

// relearn takes what a scrape has for all that there is.
func (m *machineSeries) relearn(p *scrape) {
	for _, t := range m.things {
		if t != nil {
			t.live &= p.of(t).have
			t.had = t.live
		}
	}
	m.gaps = 0
}

// skip closes a scrape as a gap.
func (m *machineSeries) skip(p *scrape, now time.Time) {
	if m.learnt {
		m.Counts.Incomplete++
		if m.gaps++; m.gaps >= enoughGaps {
			m.relearn(p)
		}
		m.trouble.say(now, "a part of the scrape at %s never came: it is a gap", clock(p.time))
	}
	m.finish(p)
}

// longestInterval: what is farther apart has a gap between.
const longestInterval = 5 * time.Minute

func (m *machineSeries) finish(p *scrape) {
	if m.closed > 0 && m.learnt {
		m.interval = min(time.Duration(p.time-m.closed)*time.Millisecond, longestInterval)
	}
	m.closed, m.learnt = p.time, true
	m.recycle()
}

// isKept says whether the files have a scrape already: who was not answered because we
// died sends it again. Files that end in the future say nothing: a clock was set back.
func (m *machineSeries) isKept(p *scrape, now time.Time) bool {
	last := m.memory.Time
	return !last.IsZero() && !last.After(now.Add(longestInterval)) && time.UnixMilli(p.time).Unix() <= last.Unix()
}

// shown says whether a reading was written before: a recorder that is asked
// more often than it samples shows a sample again.
func (m *machineSeries) shown(r *Reading) bool {
	if m.host.live&(1<<hostSampled) == 0 || m.written == 0 || r.Uptime != m.uptime {
		m.stuck = 0
		return false
	}
	m.stuck++
	return true
}

func (m *machineSeries) wrote(r *Reading) {
	m.Counts.Records++
	m.gaps = 0
	m.written, m.uptime = r.Time.UnixMilli(), r.Uptime
	m.memory = Memory{} // files know better by now
	m.roster.changed = false
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05Z") }
