package tabular

import (
	"bytes"
)

// addTime adds a time to its column. A local time is ambiguous if it occurs twice, because clocks
// are set back. From the first ambiguous time of a block on, addTime also fills c.LaterTimes.
// addTime returns false if the row must be left out.
func (r *lineReader) addTime(w *Want, c *Column, text []byte) bool {
	ns, again := r.parseTime(text)
	if ns < 0 {
		k, hint := w.NoTimeFault(ns, text, r.watch)
		if k != noFault {
			r.faults.Note(k, r.lineNumber(), w.Column, bytes.TrimSpace(text), hint)
		}
		if w.Required {
			return false
		}
	}
	c.Times = append(c.Times, ns)
	if again != 0 && c.LaterTimes == nil {
		c.LaterTimes = make([]int64, len(c.Times)-1, cap(c.Times))
	}
	if c.LaterTimes != nil {
		c.LaterTimes = append(c.LaterTimes, again)
	}
	return true
}

// shortTime is the number of digits of Unix seconds. Only longer times are cached, because parsing a
// short time is as fast as comparing it with the cached text.
const shortTime = 10

// parseTime parses a time. Most times equal the time of the line before, so parseTime caches the
// last time.
func (r *lineReader) parseTime(text []byte) (ns, again int64) {
	if len(text) <= shortTime {
		return r.watch.Parse(text)
	}
	if !bytes.Equal(text, r.timeText) {
		r.timeText = append(r.timeText[:0], text...)
		r.ns, r.laterTime = r.watch.Parse(text)
	}
	return r.ns, r.laterTime
}
