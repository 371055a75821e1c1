package sentence

import "time"

// A stamp formats times in a zone: to the minute for components, which are judged
// every few minutes, and to the second for resources of servers. Each says how far it
// is from UTC; Z is UTC itself.
type stamp struct {
	clock string
	zone  *time.Location
}

const (
	day      = "2006-01-02 "
	toMinute = "15:04Z07:00"
	toSecond = "15:04:05Z07:00"
)

// minute and second are the stamps of a voice.
func (v *Writer) minute() stamp { return stamp{toMinute, v.zone()} }
func (v *Writer) second() stamp { return stamp{toSecond, v.zone()} }

// zone is that of the voice, UTC where it has none.
func (v *Writer) zone() *time.Location {
	if v.Zone == nil {
		return time.UTC
	}
	return v.Zone
}

func (s stamp) in(t int64) time.Time { return time.Unix(t, 0).In(s.zone) }

func (s stamp) at(t int64) string { return s.in(t).Format(day + s.clock) }

// later formats a time that follows another: without the day where it is the same.
func (s stamp) later(first, t int64) string {
	if s.in(first).Format(day) == s.in(t).Format(day) {
		return s.in(t).Format(s.clock)
	}
	return s.at(t)
}

// Time prints a time to the minute.
func (v *Writer) Time(t int64) string { return v.minute().at(t) }

// Span prints a stretch of time to the second.
func (v *Writer) Span(from, to int64) string {
	return v.second().at(from) + " to " + v.second().later(from, to)
}
