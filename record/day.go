package record

import "time"

// grace is how long a file goes on after midnight. A clock that is corrected
// by up to so much back right after the new file began is still in the day of
// that file, and makes no second one of the day before (L13 §4.1.1).
const grace = 5 * time.Second

// A day is what a file covers: from the midnight before it begins, should the
// clock be stepped back that far, to 00:00:05 of the next day, all UTC.
type day struct {
	begin, end time.Time
}

func dayOf(t time.Time) day {
	year, month, date := t.UTC().Date()
	midnight := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	return day{midnight, midnight.AddDate(0, 0, 1).Add(grace)}
}

func (d day) covers(t time.Time) bool {
	return !t.Before(d.begin) && t.Before(d.end)
}
