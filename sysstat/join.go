package sysstat

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Joined reads the files of one host, of several days or overlapping, as one
// stream in the order of time. One file is open at a time.
type Joined struct {
	parts []part
	next  int // part to open
	cur   *Reader

	lastTime   int64 // of the last Stats handed out
	lastUptime uint64
	from       string // the file that it came from
	fresh      bool   // nothing was handed out of the current file yet
	stale      int    // so many of its records were not newer
	repeated   bool   // the first of them was the last of the file before

	inventory Inventory
	warnings  []Warning
}

// part is a file with what puts it in order.
type part struct {
	path   string
	first  int64 // time of its first record
	header *Header
}

// OpenAll joins files of one host, given in any order. Files that cannot be
// understood are left out with a warning; it is an error if none is left, if
// one cannot be opened, or if they are of several hosts.
func OpenAll(paths []string) (*Joined, error) {
	j := &Joined{}
	var unread error
	for _, path := range paths {
		p, err := j.peek(path)
		if damaged, ok := err.(*FormatError); ok {
			unread = cmp.Or(unread, err)
			j.warnings = append(j.warnings, Warning{
				File: damaged.File, Offset: damaged.Offset, What: damaged.What + "; the file is left out",
			})
			continue
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		j.parts = append(j.parts, p)
	}
	if len(j.parts) == 0 {
		return nil, cmp.Or(unread, fmt.Errorf("no activity files to join: name at least one"))
	}
	slices.SortStableFunc(j.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.path, b.path))
	})
	if err := j.oneHost(); err != nil {
		return nil, err
	}
	return j, nil
}

// peek reads a file's header and first record. io.EOF: it has no record.
func (j *Joined) peek(path string) (part, error) {
	r, err := Open(path)
	if err != nil {
		return part{}, err
	}
	defer r.Close()
	p := part{path: path, header: r.Header(), first: r.Header().Created}
	rec, err := r.Next()
	if err == nil {
		p.first = rec.Time
	}
	return p, err
}

func (j *Joined) oneHost() error {
	first := j.parts[0]
	for _, p := range j.parts[1:] {
		if !SameHost(p.header.Hostname, first.header.Hostname) {
			return fmt.Errorf("%s is of host %s, %s of %s: join the files of one host only",
				first.path, first.header.Hostname, p.path, p.header.Hostname)
		}
	}
	return nil
}

// SameHost says whether two names are of one host: equal but for case, or one
// with its domain and the other without.
func SameHost(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}

// Header is that of the file being read, at first of the first file.
func (j *Joined) Header() *Header {
	return j.parts[max(j.next-1, 0)].header
}

// Inventory is what comments so far said of devices.
func (j *Joined) Inventory() *Inventory {
	return &j.inventory
}

// Warnings are what went wrong so far.
func (j *Joined) Warnings() []Warning {
	if j.cur == nil {
		return j.warnings
	}
	return slices.Concat(j.warnings, j.cur.Warnings())
}

// Close ends reading.
func (j *Joined) Close() error {
	if j.cur == nil {
		return nil
	}
	err := j.cur.Close()
	j.cur, j.next = nil, len(j.parts)
	return err
}

// Next is the next record of all files, or io.EOF. The record stays valid
// until the second following call.
func (j *Joined) Next() (*Record, error) {
	for {
		if j.cur == nil {
			if err := j.open(); err != nil {
				return nil, err
			}
		}
		rec, err := j.cur.Next()
		for err == nil && j.stales(rec) {
			rec, err = j.cur.instead()
		}
		if err == nil {
			return j.take(rec), nil
		}
		if err != io.EOF {
			return nil, err
		}
		if err := j.leave(); err != nil {
			return nil, err
		}
	}
}

// open begins the next file.
func (j *Joined) open() (err error) {
	if j.next == len(j.parts) {
		return io.EOF
	}
	j.cur, err = Open(j.parts[j.next].path)
	j.next++
	j.fresh, j.stale, j.repeated = true, 0, false
	return err
}

// leave ends the current file.
func (j *Joined) leave() error {
	j.tellStale()
	j.warnings = append(j.warnings, j.cur.Warnings()...)
	err := j.cur.Close()
	j.cur = nil
	return err
}

// stales says whether a record is not newer than what an earlier file held.
func (j *Joined) stales(rec *Record) bool {
	if !j.fresh || rec.Time > j.lastTime || rec.Type != Stats && rec.Time == j.lastTime {
		return false
	}
	if j.stale == 0 {
		// Rotation writes the record at midnight into both files.
		j.repeated = rec.Time == j.lastTime && rec.Uptime == j.lastUptime
	}
	j.stale++
	return true
}

// tellStale warns of what was dropped, unless that is the one record which
// rotation repeats.
func (j *Joined) tellStale() {
	if j.stale > 1 || j.stale == 1 && !j.repeated {
		j.warnings = append(j.warnings, Warning{
			File: j.parts[j.next-1].path,
			What: fmt.Sprintf("%d records are not newer than the last of %s and were dropped", j.stale, j.from),
		})
	}
	j.stale = 0
}

// take hands a record out.
func (j *Joined) take(rec *Record) *Record {
	switch rec.Type {
	case Stats:
		j.tellStale()
		rec.Restarted = rec.Restarted || rec.Uptime < j.lastUptime
		j.fresh, j.from = false, j.parts[j.next-1].path
		j.lastTime, j.lastUptime = rec.Time, rec.Uptime
	case Comment:
		j.inventory.Add(rec.Comment())
	}
	return rec
}
