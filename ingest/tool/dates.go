package tool

import (
	"slices"
	"strconv"
	"strings"
)

// An Order is that of day and month in dates with slashes, which locales differ in.
type Order string

// The orders; the empty one is not known.
const (
	MonthFirst Order = "month-first" // 05/09/26 in C and America
	DayFirst   Order = "day-first"   // 09/05/26 nearly everywhere else
)

// Dates reads the dates of one text and gathers what they tell of their order.
// Those that may be either are read as Assumed says, the month first by default.
type Dates struct {
	Assumed Order
	Unsure  string // the first date that may be either

	only []Order // that there is a date of which can be no other
	gaps [2]int  // days between dates that follow each other, read either way
	last [3]int
}

// Order is what the dates tell: by one that has no thirteenth month, or else by how
// they follow each other. From 09/05/26 to 10/05/26 is a day, or a month; a
// recording goes on from day to day.
func (d *Dates) Order() Order {
	switch {
	case Agreed(d.only) != "":
		return Agreed(d.only)
	case d.gaps[1] < d.gaps[0]:
		return DayFirst
	case d.gaps[0] < d.gaps[1]:
		return MonthFirst
	}
	return ""
}

// Agreed is the order that those of several texts have which tell one; empty where
// none does, or they differ.
func Agreed(told []Order) Order {
	day, month := slices.Contains(told, DayFirst), slices.Contains(told, MonthFirst)
	switch {
	case day == month:
		return ""
	case day:
		return DayFirst
	}
	return MonthFirst
}

// Time writes a time as [Time] does.
func (d *Dates) Time(text string) (string, bool) {
	text = strings.TrimSpace(text)
	a, b, year, ok := slashes(text)
	if !ok || !d.dayFirst(text, a, b, year) {
		return Time(text)
	}
	return Time(text[3:6] + text[:3] + text[6:])
}

// dayFirst says how a date is to be read, and learns from it.
func (d *Dates) dayFirst(text string, a, b, year int) bool {
	const months = 12
	d.follow([3]int{a, b, year})
	switch {
	case a > months && b <= months:
		return d.note(DayFirst)
	case b > months && a <= months:
		return d.note(MonthFirst)
	case a != b && d.Unsure == "":
		d.Unsure, _, _ = strings.Cut(text, " ")
	}
	return d.Assumed == DayFirst
}

func (d *Dates) note(only Order) (dayFirst bool) {
	if !slices.Contains(d.only, only) {
		d.only = append(d.only, only)
	}
	return only == DayFirst
}

// follow adds up how far dates are apart, read either way.
func (d *Dates) follow(date [3]int) {
	before := d.last
	d.last = date
	if before == date || before[0] == 0 {
		return
	}
	for way := range d.gaps {
		days := dayNumber(date, way) - dayNumber(before, way)
		d.gaps[way] += max(days, -days)
	}
}

// dayNumber counts days, of months that are all alike: it is good for comparing.
func dayNumber(date [3]int, way int) int {
	const monthDays, yearMonths = 31, 12
	month, day := date[way], date[1-way]
	return (date[2]*yearMonths+month)*monthDays + day
}

// slashes are the three numbers of a date such as 09/05/26 that a text begins with.
func slashes(text string) (a, b, year int, ok bool) {
	const shortest = len("09/05/26")
	if len(text) < shortest || text[2] != '/' || text[5] != '/' {
		return 0, 0, 0, false
	}
	last, _, _ := strings.Cut(text[6:], " ")
	var errs [3]error
	a, errs[0] = strconv.Atoi(text[:2])
	b, errs[1] = strconv.Atoi(text[3:5])
	year, errs[2] = strconv.Atoi(last)
	return a, b, year, errs == [3]error{}
}
