package sentence

import "time"

// A stamp formats times in a zone: to the minute for components, which are judged every few
// minutes, and to the second for resources of servers. Each time has its offset from UTC; Z means
// UTC.
type stamp struct {
	clock string
	zone  *time.Location
}

const (
	day      = "2006-01-02 "
	toMinute = "15:04Z07:00"
	toSecond = "15:04:05Z07:00"
)

// minute and second return the stamps of the two precisions.
func (w *Writer) minute() stamp { return stamp{toMinute, w.zone()} }
func (w *Writer) second() stamp { return stamp{toSecond, w.zone()} }

// zone returns the time zone of printed times.
func (w *Writer) zone() *time.Location {
	if w.Zone == nil {
		return time.UTC
	}
	return w.Zone
}

func (s stamp) in(t int64) time.Time { return time.Unix(t, 0).In(s.zone) }

func (s stamp) at(t int64) string { return s.in(t).Format(day + s.clock) }

// later formats a time that follows another time. It leaves out the day if both times are on the
// same day.
func (s stamp) later(first, t int64) string {
	if s.in(first).Format(day) == s.in(t).Format(day) {
		return s.in(t).Format(s.clock)
	}
	return s.at(t)
}

// Time prints a time to the minute.
func (w *Writer) Time(t int64) string { return w.minute().at(t) }

// Span prints a time span to the second.
func (w *Writer) Span(from, to int64) string {
	return w.second().at(from) + " to " + w.second().later(from, to)
}
