package sysstat

import (
	"fmt"
	"io"
	"slices"
)

// After a loss of power a file may have stretches of zeros, after a bad copy any damage. The reader
// then looks for the next header that fits the day. It takes the header if its record is whole and
// another record follows.

const (
	maxWarnings = 100 // largest number of listed warnings; further damage is only counted
	// zoneStep: local times differ from UTC by multiples of a quarter hour.
	zoneStep = 15 * 60
	// The largest distances of a record from the last record: in time, because clocks are set and
	// files span a day; and in the offset from UTC, because of summer time.
	maxBack    = 3600
	maxAhead   = 2 * 86400
	maxOffStep = 2 * 3600
	maxUptime  = 300 * 366 * 86400 * 100 // 300 years
	// maxDamage is the largest number of damaged bytes of a file that are searched for records. A
	// file of holes may have terabytes, and costs nothing to make.
	maxDamage = 256 << 20
)

// Warnings returns all warnings so far.
func (r *Reader) Warnings() []Warning {
	if r.unlisted == 0 {
		return r.warnings
	}
	more := fmt.Sprintf("%d more warnings are not shown", r.unlisted)
	return append(slices.Clip(r.warnings), Warning{File: r.file.File, Offset: r.offset(), What: more})
}

func (r *Reader) warn(offset, skipped int64, what fault) {
	if len(r.warnings) == maxWarnings {
		r.unlisted++
		return
	}
	r.warnings = append(r.warnings, Warning{File: r.file.File, Offset: offset, What: string(what), Skipped: skipped})
}

// A loss is a damaged stretch of a file.
type loss struct {
	from int64
	why  fault
}

// resync moves r.pos from a damaged record to the next good record, or to the end of the file. If a
// growing file ends before a good record was found, the next call continues there.
func (r *Reader) resync(why fault) error {
	if r.lost == nil {
		r.lost = &loss{r.offset(), why}
		r.pos++
	}
	for ; ; r.pos++ {
		found, err := r.scan()
		if err != nil {
			return err
		}
		if !found {
			break
		}
		if found, err = r.confirm(); err != nil {
			return err
		}
		if found {
			r.endLoss(r.offset())
			return nil
		}
	}
	r.endLoss(r.base + int64(len(r.buf)))
	r.pos = len(r.buf)
	return io.EOF
}

// endLoss adds the warning for a damaged stretch whose end was found.
func (r *Reader) endLoss(end int64) {
	r.warn(r.lost.from, end-r.lost.from, r.lost.why)
	r.damaged += end - r.lost.from
	r.lost = nil
}

// scan moves r.pos to the next plausible header.
func (r *Reader) scan() (found bool, err error) {
	f := r.file
	for {
		whole, err := r.fill(f.recordSize, true)
		if err != nil || !whole {
			return false, err
		}
		if !r.keepDoubtful && r.damaged+r.offset()-r.lost.from > maxDamage {
			r.lost.why = tooDamaged
			return false, nil
		}
		for ; r.pos+f.recordSize <= len(r.buf); r.pos++ {
			b := r.buf[r.pos:]
			if b[f.typeAt] != 0 && r.probe.parse(f, b) && r.fits(&r.probe) {
				return true, nil
			}
		}
	}
}

// follows reports whether a header at the expected place is plausible.
//
//   - The offset of local time from UTC is a multiple of a quarter hour. If the last record had
//     another offset, the file was made by hand, and any offset is accepted.
//   - A header with a reserved type must be of the same day, because nothing else confirms it.
func (r *Reader) follows(rec *Record) bool {
	if rec.Type > Comment && !r.near(rec) {
		return false
	}
	return r.lastTime == 0 || r.lastOffset%zoneStep != 0 || rec.UTCOffset%zoneStep == 0
}

// fits reports whether a header that was found by search can belong to the next record.
func (r *Reader) fits(rec *Record) bool {
	if rec.Type > Comment || rec.Uptime > maxUptime || rec.Type == Stats && rec.Uptime == 0 || !r.near(rec) {
		return false
	}
	if r.lastTime == 0 || r.lastOffset%zoneStep != 0 && rec.UTCOffset%zoneStep == 0 {
		return rec.UTCOffset%zoneStep == 0
	}
	step := rec.UTCOffset - r.lastOffset
	return step%zoneStep == 0 && step >= -maxOffStep && step <= maxOffStep
}

// near reports whether a record has about the same time as the last record, or as the creation of
// the file: the time of the last record may be damaged.
func (r *Reader) near(rec *Record) bool {
	return r.lastTime != 0 && sameDay(r.lastTime, rec.Time) || sameDay(r.file.Created, rec.Time)
}

func sameDay(last, next int64) bool {
	return next >= last-maxBack && next <= last+maxAhead
}

// confirm reports whether a whole record begins at r.pos, and another record or the end of the file
// follows it. The record must not be longer than twice the longest record so far, or 1 MiB.
func (r *Reader) confirm() (bool, error) {
	rec := r.probe
	n, err := r.walk(&rec, max(2*r.longest, 1<<20))
	if _, ok := err.(fault); ok {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	next, err := r.ahead(&rec, n)
	return next != nothing || r.keepDoubtful, err
}

// prospect classifies the bytes behind a record.
type prospect uint8

const (
	nothing  prospect = iota // no record
	doubtful                 // a header, but of another day or cut off
	record                   // a record, or the end of the file
)

// ahead classifies the bytes behind a record of n bytes.
func (r *Reader) ahead(rec *Record, n int) (prospect, error) {
	whole, err := r.fill(n+r.file.recordSize, false)
	if err != nil {
		return nothing, err
	}
	if left := len(r.buf) - r.pos - n; !whole {
		switch {
		case r.eof && left > 0:
			return doubtful, nil
		case left > 0 && r.tail.returnsAtEnd():
			return nothing, ErrMore // the next bytes may show that this record is torn
		}
		return record, nil
	}
	next := &r.probe
	if !next.parse(r.file, r.buf[r.pos+n:]) {
		return nothing, nil
	}
	if !sameDay(rec.Time, next.Time) {
		return doubtful, nil
	}
	return record, nil
}

// swallows reports whether other records begin within a record: then its length is wrong. It is
// called if a record is longer than all records before, or if no certain record follows it.
func (r *Reader) swallows(rec *Record) bool {
	for i := 1; i+r.file.recordSize <= len(rec.body); i++ {
		if r.probe.parse(r.file, rec.body[i:]) && r.fits(&r.probe) {
			return true
		}
	}
	return false
}
