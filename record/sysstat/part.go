package sysstat

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A part is one of the files that are joined, with the values by which files are sorted.
type part struct {
	path      string
	header    *Header
	first     int64     // time of its first record
	interval  int64     // seconds between its first records; 0: too few records
	inventory Inventory // inventory of its first records
	maker     string    // identifies the recorder
	pace      pace
}

// order orders files by the times of their first records.
func (p *part) order(q *part) int {
	return cmp.Or(cmp.Compare(p.first, q.first), cmp.Compare(p.path, q.path))
}

// A pace measures the interval between the first samples of a file.
type pace struct {
	last int64 // time of the last record
	seen int   // number of samples
	gaps []int64
}

// known reports whether enough samples were seen.
func (p *pace) known() bool { return p.seen == peekRecords }

// take adds the next record.
func (p *pace) take(rec *Record) {
	if p.last != 0 && rec.Type == Stats && rec.Time > p.last {
		p.gaps = append(p.gaps, rec.Time-p.last)
	}
	if p.last = rec.Time; rec.Type == Stats {
		p.seen++
	}
}

// interval returns the median so far; 0: none.
func (p *pace) interval() int64 {
	if len(p.gaps) == 0 {
		return 0
	}
	slices.Sort(p.gaps)
	return p.gaps[len(p.gaps)/2]
}

// peekRecords is the number of samples from which the interval of a file is found.
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

// finerThan reports whether the records of p are used if p and q have records of the same time. The
// finer file is the file with disks, else the file with the shorter interval, else the earlier
// file.
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

// A strand is an open file, with its next record.
//
// A clock may be a year ahead for some records. These records must not wait for all other files: if
// the clock leaps without a restart, the place of a strand in time continues with the uptime.
type strand struct {
	*part
	reader *Reader
	head   *Record
	at     int64 // place of head in time
	leap   int64 // seconds by which the clock is ahead of at

	before     bool  // there was a sample before head
	lastTime   int64 // time of the last sample
	lastAt     int64 // place of the last sample
	lastUptime uint64

	pace    *pace // set if the file had too few records to show its interval
	covered int   // number of records that were left out for other files
	by      *part // the first of these other files
}

// clockLeap is the largest drift: if the clock and the uptime differ by more seconds between two
// samples, the clock has leapt.
const clockLeap = 300

// advance makes the next record the head; next is Reader.Next or Reader.replaceLast.
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
	if s.pace != nil {
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

// compare orders files by the time of their next record, then by its uptime.
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

// mostSkipped is the largest distance of two records, in intervals, at which the file covers the
// time between them.
const mostSkipped = 3

// covers reports whether the file covers the time of another file's next record: it has a record at
// this time, or a record before and a record after it that are near to each other.
func (s *strand) covers(other *strand) bool {
	t := other.at
	if s.head.Type == Stats && s.at == t || s.before && s.lastAt == t {
		return true
	}
	return s.before && s.lastAt < t && t < s.at && s.at-s.lastAt <= mostSkipped*s.interval
}

// cover counts a record that is left out for another file.
func (s *strand) cover(by *part) {
	s.covered++
	if s.by == nil {
		s.by = by
	}
}

// warnings returns the warnings of the file, and a warning for the records that were left out.
func (s *strand) warnings() []Warning {
	all := s.reader.Warnings()
	if s.covered > 0 {
		all = append(slices.Clip(all), Warning{File: s.path, Covered: s.covered, What: s.coveredText()})
	}
	return all
}

func (s *strand) coveredText() string {
	text := fmt.Sprintf("1 record has the same time as a record of %s; limpet uses the record of %s", s.by.path, s.by.path)
	if s.covered > 1 {
		text = fmt.Sprintf("%d records have the same times as records of %s; limpet uses the records of %s", s.covered, s.by.path, s.by.path)
	}
	if s.by.interval < s.interval {
		text += fmt.Sprintf(", because the records of that file are %d s apart, and the records of this file are %d s apart", s.by.interval, s.interval)
	}
	return text
}
