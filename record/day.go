package record

import "time"

// grace is how long a file continues after midnight. If the clock is set back by up to grace just
// after a new file began, the time still belongs to the day of the new file. So the recorder does
// not begin a second file of the day before (L13 §4.1.1).
const grace = 5 * time.Second

// A day is the time that a file covers, in UTC: from the midnight before the file begins to
// 00:00:05 of the next day. The time before the file begins matters only if the clock is stepped
// back.
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
