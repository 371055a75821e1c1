package sysstat

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Joined reads the files of one host as one stream in the order of time. The files may be of
// several days, and may overlap: a host may have files of sadc and of another recorder in one
// directory. Files that overlap are open at the same time. If several files have records of the
// same time, Joined returns the records of the finest file (see part.finerThan). The inventory of a
// file holds for all files.
type Joined struct {
	parts   []*part
	next    int       // index of the next part to open
	open    []*strand // in the order of parts
	current *strand   // file of the last returned record
	handed  *strand   // the same; nil after its next record was read

	lastTime   int64 // time of the last returned Stats
	lastUptime uint64
	lastOf     *part // file of the last returned Stats
	restart    bool  // a Restart came since

	growing   *growing // nil: the files are not being written; see JoinGrowing
	inventory Inventory
	warnings  []Warning
}

// OpenAll joins files of one host, given in any order. A file that cannot be parsed is left out
// with a warning. OpenAll returns an error if no file is left, if a file cannot be opened, or if
// the files are of several hosts.
func OpenAll(paths []string) (*Joined, error) {
	j := &Joined{}
	var unread error
	for _, path := range paths {
		p, err := peek(path, Open)
		if damaged, ok := err.(*FormatError); ok {
			unread = cmp.Or(unread, err)
			j.warnings = append(j.warnings, Warning{
				File: damaged.File, Offset: damaged.Offset, What: damaged.What + "; the file is left out",
			})
			continue
		}
		if err != nil {
			return nil, err
		}
		j.parts = append(j.parts, p)
	}
	if len(j.parts) == 0 {
		return nil, cmp.Or(unread, fmt.Errorf("no activity files to join: name at least one file"))
	}
	slices.SortStableFunc(j.parts, (*part).order)
	for _, p := range j.parts {
		j.inventory.learn(&p.inventory)
	}
	return j, j.oneHost()
}

func (j *Joined) oneHost() error {
	first := j.parts[0]
	for _, p := range j.parts[1:] {
		if !SameHost(p.header.Hostname, first.header.Hostname) {
			return fmt.Errorf("file %s belongs to host %s, but file %s belongs to host %s: join only files of the same host",
				first.path, first.header.Hostname, p.path, p.header.Hostname)
		}
	}
	return nil
}

// SameHost reports whether two names are names of one host: equal except for case, or one with its
// domain and the other without.
func SameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// Header returns the header of the file with the last record; before the first record, the header
// of the first file; nil if there is no file yet.
func (j *Joined) Header() *Header {
	switch {
	case j.current != nil:
		return j.current.header
	case len(j.parts) == 0:
		return nil
	}
	return j.parts[0].header
}

// LastPath returns the path of the file with the last record that has counters; empty: there was no
// such record.
func (j *Joined) LastPath() string {
	if j.lastOf == nil {
		return ""
	}
	return j.lastOf.path
}

// Inventory returns the devices from all comments so far, and from the comments at the beginning of
// each file.
func (j *Joined) Inventory() *Inventory {
	return &j.inventory
}

// Warnings returns all warnings so far.
func (j *Joined) Warnings() []Warning {
	all := slices.Clone(j.warnings)
	for _, s := range j.strands() {
		all = append(all, s.warnings()...)
	}
	return all
}

// strands returns all open files.
func (j *Joined) strands() []*strand {
	if j.growing == nil {
		return j.open
	}
	return slices.Concat(j.open, j.growing.dry)
}

// Close closes all files.
func (j *Joined) Close() error {
	j.next = len(j.parts)
	var first error
	for _, s := range j.strands() {
		j.warnings = append(j.warnings, s.warnings()...)
		if err := s.reader.Close(); first == nil {
			first = err
		}
	}
	j.open = nil
	if j.growing != nil {
		j.growing.dry = nil
	}
	return first
}

// Next returns the next record of all files, or io.EOF at the end, or ErrMore if growing files have
// no further record yet. A record stays valid until Next has returned two more records.
func (j *Joined) Next() (*Record, error) {
	handed := j.handed
	j.handed = nil
	if err := j.refill(handed, (*Reader).Next); err != nil {
		return nil, err
	}
	for {
		s, err := j.earliest()
		if err != nil {
			return nil, err
		}
		switch {
		case j.growing != nil && j.precede(s):
			continue
		case j.growing != nil && j.awaits(s):
			return nil, ErrMore
		case s == nil:
			return nil, io.EOF
		case !j.leavesOut(s):
			return j.take(s), nil
		}
		if err := j.refill(s, (*Reader).replaceLast); err != nil {
			return nil, err
		}
	}
}

// refill reads the next record of a file. A file that has ended is closed.
func (j *Joined) refill(s *strand, next func(*Reader) (*Record, error)) error {
	at := slices.Index(j.open, s)
	if at < 0 {
		return nil
	}
	err := s.advance(next)
	if err == nil {
		return nil
	}
	if j.growing != nil {
		j.open = slices.Delete(j.open, at, at+1)
		j.pause(s, err)
		return nil
	}
	if err != io.EOF {
		return err
	}
	j.open = slices.Delete(j.open, at, at+1)
	j.warnings = append(j.warnings, s.warnings()...)
	return s.reader.Close()
}

// earliest returns the file whose record comes next; nil: all files have ended. Files that begin
// before that record are opened first.
func (j *Joined) earliest() (*strand, error) {
	for {
		var first *strand
		if len(j.open) > 0 {
			first = slices.MinFunc(j.open, (*strand).compare)
		}
		if j.next == len(j.parts) || first != nil && first.at < j.parts[j.next].first {
			return first, nil
		}
		if err := j.openNext(); err != nil {
			return nil, err
		}
	}
}

// openNext opens the next file.
func (j *Joined) openNext() error {
	if j.growing != nil {
		j.openGrowing()
		return nil
	}
	s, err := j.parts[j.next].open(Open)
	if err != nil {
		return err
	}
	j.next++
	j.open = append(j.open, s)
	return j.refill(s, (*Reader).Next)
}

// leavesOut reports whether to skip the next record of s, because a finer file covers its time, or
// because another file already had its time.
func (j *Joined) leavesOut(s *strand) bool {
	if j.growing != nil && j.isLate(s) {
		return true
	}
	if s.head.Type != Stats {
		return false
	}
	for _, other := range j.open {
		if other != s && other.finerThan(s.part) && other.covers(s) {
			s.cover(other.part)
			return true
		}
	}
	if j.lastOf == nil || j.lastOf == s.part || s.head.Time > j.lastTime {
		return false
	}
	// Rotation writes the record at midnight into both files.
	if s.head.Time < j.lastTime || s.head.Uptime != j.lastUptime {
		s.cover(j.lastOf)
	}
	return true
}

// take returns the next record of a file, and updates the state of j.
func (j *Joined) take(s *strand) *Record {
	rec := s.head
	j.current, j.handed = s, s
	switch rec.Type {
	case Stats:
		j.inventory.settle(rec)
		rec.Restarted = j.restart || j.lastOf != nil && j.beginsAnew(s)
		j.restart, j.lastOf, j.lastTime, j.lastUptime = false, s.part, rec.Time, rec.Uptime
	case Restart:
		j.restart = true
	case Comment:
		j.inventory.Add(rec.Comment())
	}
	return rec
}

// uptimeSlack is the largest difference, in 1/100 s, by which an uptime may be lower than the
// uptime that another recorder read just before.
const uptimeSlack = 200

// beginsAnew reports whether the counters of a record cannot be compared with the counters of the
// last returned record: the host was restarted between them, or their files measure uptime in
// different ways. Formats before 0x2175 measure uptime in jiffies of a CPU.
func (j *Joined) beginsAnew(s *strand) bool {
	if j.lastOf == s.part {
		return s.head.Uptime < j.lastUptime
	}
	was, is := j.lastOf.header.Format == format2175, s.header.Format == format2175
	return was != is || s.head.Uptime+uptimeSlack < j.lastUptime
}
