package tabular

import (
	"bytes"
)

// addTime adds a time, and Again from the first that is ambiguous on.
func (r *lineReader) addTime(w *Want, c *Column, text []byte) bool {
	ns, again := r.tell(text)
	if ns < 0 {
		k, hint := w.NoTimeFault(ns, text, r.watch)
		if k != good {
			r.faults.Note(k, r.at(), w.Column, bytes.TrimSpace(text), hint)
		}
		if w.Required {
			return false
		}
	}
	c.Times = append(c.Times, ns)
	if again != 0 && c.Again == nil {
		c.Again = make([]int64, len(c.Times)-1, cap(c.Times))
	}
	if c.Again != nil {
		c.Again = append(c.Again, again)
	}
	return true
}

// shortTime is a text that is read as quickly as it is compared: a number of
// seconds.
const shortTime = 10

// tell reads a time, which is mostly the one of the line before.
func (r *lineReader) tell(text []byte) (ns, again int64) {
	if len(text) <= shortTime {
		return r.watch.Parse(text)
	}
	if !bytes.Equal(text, r.timeText) {
		r.timeText = append(r.timeText[:0], text...)
		r.ns, r.again = r.watch.Parse(text)
	}
	return r.ns, r.again
}
