package sysstat

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A part is one of the files that are joined, with what puts it in order.
type part struct {
	path      string
	header    *Header
	first     int64     // time of its first record
	interval  int64     // seconds between its first records, 0 where it has too few
	inventory Inventory // what it begins with
	maker     string    // files of one recorder have the same
	pace      pace
}

// order puts files in the order of their beginning.
func (p *part) order(q *part) int {
	return cmp.Or(cmp.Compare(p.first, q.first), cmp.Compare(p.path, q.path))
}

// A pace is how far apart the first samples of a file are.
type pace struct {
	last int64 // time of the last record
	seen int   // samples
	gaps []int64
}

// known says whether enough samples were seen.
func (p *pace) known() bool { return p.seen == peekRecords }

// take looks at the next record.
func (p *pace) take(rec *Record) {
	if p.last != 0 && rec.Type == Stats && rec.Time > p.last {
		p.gaps = append(p.gaps, rec.Time-p.last)
	}
	if p.last = rec.Time; rec.Type == Stats {
		p.seen++
	}
}

// interval is the median so far, 0 where there is none.
func (p *pace) interval() int64 {
	if len(p.gaps) == 0 {
		return 0
	}
	slices.Sort(p.gaps)
	return p.gaps[len(p.gaps)/2]
}

// peekRecords is how many samples of a file tell its interval.
const peekRecords = 10

// peek reads a file's header and first records.
func peek(path string, open func(string) (*Reader, error)) (*part, error) {
	r, err := open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p := &part{path: path, header: r.Header(), first: r.Header().Created, maker: strings.Join(traits(r.Header()), ", ")}
	for !p.pace.known() {
		rec, err := r.Next()
		if err == io.EOF || err == ErrMore {
			break
		}
		if err != nil {
			return nil, err
		}
		if p.pace.last == 0 {
			p.first = rec.Time
		}
		p.pace.take(rec)
	}
	p.inventory.learn(r.Inventory())
	p.interval = p.pace.interval()
	return p, nil
}

// finerThan says which of two files is to be believed where both have records
// of one time: that which holds disks, else that with records closer together,
// else the earlier.
func (p *part) finerThan(q *part) bool {
	if mine, yours := p.holdsDisks(), q.holdsDisks(); mine != yours {
		return mine
	}
	if p.interval != q.interval {
		return q.interval == 0 || p.interval != 0 && p.interval < q.interval
	}
	return p.order(q) < 0
}

func (p *part) holdsDisks() bool {
	return slices.ContainsFunc(p.header.Activities, func(a Activity) bool { return a.ID == DiskActivity && a.Decoded })
}

func (p *part) open(open func(string) (*Reader, error)) (*strand, error) {
	r, err := open(p.path)
	if err != nil {
		return nil, err
	}
	return &strand{part: p, reader: r}, nil
}

// A strand is a file that is open, with the record that it hands out next.
//
// A clock may be a year ahead for some records. So that they do not wait for
// all other files, a strand's place in time goes on with the uptime where the
// clock leaps without a restart.
type strand struct {
	*part
	reader *Reader
	head   *Record
	at     int64 // its place in time
	leap   int64 // by which the clock is ahead of that

	before     bool  // a sample came before the head
	lastTime   int64 // of the last sample
	lastAt     int64 // its place
	lastUptime uint64

	young   *pace // set where a file had too few records to tell its interval
	covered int   // records that were left out for other files
	by      *part // the first of those
}

// clockLeap is the difference between clock and uptime, in seconds, that is
// no drift.
const clockLeap = 300

// advance makes the next record the head; next is Next or instead.
func (s *strand) advance(next func(*Reader) (*Record, error)) error {
	if s.head != nil && s.head.Type == Stats {
		s.before, s.lastTime, s.lastAt, s.lastUptime = true, s.head.Time, s.at, s.head.Uptime
	}
	rec, err := next(s.reader)
	if err == ErrMore {
		s.head = nil
	}
	if err != nil {
		return err
	}
	s.head = rec
	if s.young != nil {
		s.learnPace(rec)
	}
	if s.before && rec.Type == Stats {
		s.followClock(rec)
	}
	s.at = rec.Time - s.leap
	return nil
}

func (s *strand) followClock(rec *Record) {
	if rec.Restarted {
		s.leap = 0
		return
	}
	passed := int64(rec.Uptime-s.lastUptime) / 100
	if off := rec.Time - s.lastTime - passed; off > clockLeap || off < -clockLeap {
		s.leap += off
	}
}

// compare puts what comes first first: by time, then by uptime.
func (s *strand) compare(t *strand) int {
	switch {
	case s.at != t.at:
		return int(max(min(s.at-t.at, 1), -1))
	case s.head.Type == Stats && t.head.Type == Stats && s.head.Uptime != t.head.Uptime:
		if s.head.Uptime < t.head.Uptime {
			return -1
		}
		return 1
	}
	return s.order(t.part)
}

// mostSkipped is how many intervals a file may skip and still have a time.
const mostSkipped = 3

// covers says whether the file has records about the head of another: at its
// time, or before and after it and not far apart.
func (s *strand) covers(other *strand) bool {
	t := other.at
	if s.head.Type == Stats && s.at == t || s.before && s.lastAt == t {
		return true
	}
	return s.before && s.lastAt < t && t < s.at && s.at-s.lastAt <= mostSkipped*s.interval
}

// cover notes that the head is left out for another file.
func (s *strand) cover(by *part) {
	s.covered++
	if s.by == nil {
		s.by = by
	}
}

// warnings are those of the file, and what was left out of it.
func (s *strand) warnings() []Warning {
	all := s.reader.Warnings()
	if s.covered > 0 {
		all = append(slices.Clip(all), Warning{File: s.path, Covered: s.covered, What: s.coveredText()})
	}
	return all
}

func (s *strand) coveredText() string {
	text := fmt.Sprintf("1 record has the same time as a record of %s; limpet uses the record of the other file", s.by.path)
	if s.covered > 1 {
		text = fmt.Sprintf("%d records have the same times as records of %s; limpet uses the records of the other file", s.covered, s.by.path)
	}
	if s.by.interval < s.interval {
		text += fmt.Sprintf(", because its records are %d s apart, and the records of this file are %d s apart", s.by.interval, s.interval)
	}
	return text
}
