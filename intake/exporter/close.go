package exporter

import "time"

// close makes a reading of the oldest scrape, or a gap.
func (j *Joiner) close(s *server, files Files, now time.Time) error {
	p := s.pending[0]
	r := &j.reading
	gap := s.isGap(p)
	if !gap {
		if err := j.recall(s, files, now); err != nil {
			return err
		}
		s.read(p, r, now)
		switch {
		case !s.learnt && !p.whole && !s.covers(r):
			gap = true // it may be the rest of one whose beginning was not heard
		case s.shown(r):
			s.finish(p)
			return nil
		}
	}
	if gap {
		s.skip(p, now)
		return nil
	}
	if err := files.Write(r); err != nil {
		return err
	}
	s.wrote(r)
	s.finish(p)
	return nil
}

// isGap says whether something that was there before is missing in a scrape.
// What is missing altogether is no longer waited for: the machine may have lost
// it.
func (s *server) isGap(p *scrape) bool {
	gap := false
	for _, t := range s.things {
		if t == nil {
			continue
		}
		missing := p.missing(t)
		if p.whole {
			t.had &^= t.had &^ p.of(t).have
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

// relearn takes what comes for all that there is.
func (s *server) relearn() {
	for _, t := range s.things {
		if t != nil {
			t.had = t.live
		}
	}
	s.gaps = 0
}

// skip closes a scrape as a gap.
func (s *server) skip(p *scrape, now time.Time) {
	if s.learnt {
		s.counts.Incomplete++
		if s.gaps++; s.gaps >= enoughGaps {
			s.relearn()
		}
		s.trouble.say(now, "a part of the scrape at %s never came: it is a gap", clock(p.time))
	}
	s.finish(p)
}

func (s *server) finish(p *scrape) {
	if s.closed > 0 && s.learnt {
		s.interval = time.Duration(p.time-s.closed) * time.Millisecond
	}
	s.closed, s.learnt = p.time, true
	s.recycle()
}

// recall asks the files what they hold of the machine, once.
func (j *Joiner) recall(s *server, files Files, now time.Time) (err error) {
	if s.recalled {
		return nil
	}
	j.baptise(s, now)
	if s.memory, err = files.Recall(s.file); err != nil {
		return err
	}
	s.roster = newRoster(s.memory.Devices)
	s.tells = s.memory.Connections
	s.written, s.uptime = 0, s.memory.Uptime
	if !s.memory.Time.IsZero() {
		s.written = s.memory.Time.UnixMilli()
	}
	s.recalled = true
	return nil
}

// baptise gives a machine its name in files, for good. No two may share one.
func (j *Joiner) baptise(s *server, now time.Time) {
	if s.file != "" {
		return
	}
	s.file = s.name
	if j.o.ByNodename && s.nodename != "" {
		s.file = s.nodename
	}
	if other := j.files[s.file]; other != nil {
		s.trouble.say(now, "%s calls itself %s, as %s does: it is kept as %s; give each machine its own name", s.name, s.file, other.name, s.name)
		s.file = s.name
	}
	j.files[s.file] = s
}

// covers says whether a reading has all that the last one had. Without a last
// one nobody knows.
func (s *server) covers(r *Reading) bool {
	if s.memory.Time.IsZero() {
		return false
	}
	disks := map[[2]uint32]uint64{} // sectors discarded
	for i := range r.Sample.Disks {
		d := &r.Sample.Disks[i]
		disks[[2]uint32{d.Major, d.Minor}] = d.DiscardSectors
	}
	for _, was := range s.memory.Disks {
		discards, has := disks[[2]uint32{was.Major, was.Minor}]
		if !has || discards < was.DiscardSectors {
			return false
		}
	}
	nics := map[string]bool{}
	for i := range r.Sample.Interfaces {
		nics[r.Sample.Interfaces[i].Name] = true
	}
	for _, was := range s.memory.Interfaces {
		if !nics[was.Name] {
			return false
		}
	}
	return true
}

// shown says whether a reading was written before: a recorder that is asked
// more often than it samples shows a sample again.
func (s *server) shown(r *Reading) bool {
	if s.host.live&(1<<hostSampled) == 0 || r.Time.UnixMilli() != s.written {
		s.stuck = 0
		return false
	}
	s.stuck++
	return true
}

func (s *server) wrote(r *Reading) {
	s.counts.Records++
	s.gaps = 0
	s.written, s.uptime = r.Time.UnixMilli(), r.Uptime
	s.memory.Disks, s.memory.Interfaces = nil, nil // files know them by now
	s.roster.changed = false
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05Z") }
