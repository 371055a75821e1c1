package sysstat

import (
	"fmt"
	"io"
	"slices"
)

// A host that loses power may leave stretches of zeros in its file, a bad
// copy anything. The reader then looks for the next header that fits the
// day, and takes it if the record behind it is whole and another follows.

const (
	maxWarnings = 100 // that are listed; damage beyond is counted
	// zoneStep: local times differ from UTC by multiples of a quarter hour.
	zoneStep = 15 * 60
	// Clocks are set and files span a day: how far the next record may lie
	// from the last one, and how far summer time moves the offset.
	maxBack    = 3600
	maxAhead   = 2 * 86400
	maxOffStep = 2 * 3600
	maxUptime  = 300 * 366 * 86400 * 100 // 300 years
	// maxDamage is how many bytes of a file in all are searched for records.
	// A file of holes may have terabytes, and costs nothing to make.
	maxDamage = 256 << 20
)

// Warnings are what went wrong so far.
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

// resync moves r.pos from a damaged record to the next good one, or to the
// end of the file. Where a file that grows ends before, it goes on there.
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

// endLoss says what was damaged, once it is known how much.
func (r *Reader) endLoss(end int64) {
	r.warn(r.lost.from, end-r.lost.from, r.lost.why)
	r.damaged += end - r.lost.from
	r.lost = nil
}

// scan moves r.pos to the next header that fits.
func (r *Reader) scan() (found bool, err error) {
	f := r.file
	for {
		whole, err := r.fill(f.recordSize, true)
		if err != nil || !whole {
			return false, err
		}
		if !r.mends && r.damaged+r.offset()-r.lost.from > maxDamage {
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

// follows says whether a header that stands where one should can be true.
// Local time keeps its distance from UTC but for full quarter hours, unless
// it never kept it: such files were made by hand. Types that are reserved
// must be of the day, as nothing else speaks for them.
func (r *Reader) follows(rec *Record) bool {
	if rec.Type > Comment && !r.near(rec) {
		return false
	}
	return r.lastTime == 0 || r.lastOffset%zoneStep != 0 || rec.UTCOffset%zoneStep == 0
}

// fits says whether a header that was found by search could come next.
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

// near says whether a record is of about the same time as the last one, or
// as the file: the last one's time may be damaged.
func (r *Reader) near(rec *Record) bool {
	return r.lastTime != 0 && sameDay(r.lastTime, rec.Time) || sameDay(r.file.Created, rec.Time)
}

func sameDay(last, next int64) bool {
	return next >= last-maxBack && next <= last+maxAhead
}

// confirm says whether a whole record stands at r.pos and another, or the
// end, behind it. It is no longer than twice the longest so far.
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
	return next != nothing || r.mends, err
}

// prospect is what stands behind a record.
type prospect uint8

const (
	nothing  prospect = iota // that could be a record
	doubtful                 // a header, but of another day or cut off
	record                   // or the end
)

// ahead looks at what stands behind a record of n bytes.
func (r *Reader) ahead(rec *Record, n int) (prospect, error) {
	whole, err := r.fill(n+r.file.recordSize, false)
	if err != nil {
		return nothing, err
	}
	if left := len(r.buf) - r.pos - n; !whole {
		switch {
		case r.eof && left > 0:
			return doubtful, nil
		case left > 0 && r.tail.asks():
			return nothing, ErrMore // what comes may show that this record is torn
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

// swallows says whether other records stand within one, whose length then is
// wrong. It is asked where a record is longer than any before.
func (r *Reader) swallows(rec *Record) bool {
	for i := 1; i+r.file.recordSize <= len(rec.body); i++ {
		if r.probe.parse(r.file, rec.body[i:]) && r.fits(&r.probe) {
			return true
		}
	}
	return false
}
