package tool

import (
	"slices"
	"strconv"
	"strings"
)

// A DateOrder is the order of day and month in dates with slashes. It differs by
// locale.
type DateOrder string

// The orders. The empty order is unknown.
const (
	MonthFirst DateOrder = "month-first" // 05/09/26 in C and America
	DayFirst   DateOrder = "day-first"   // 09/05/26 nearly everywhere else
)

// Dates parses the dates of one text and finds their order. An ambiguous date is
// parsed in the order Assumed, by default the month first.
type Dates struct {
	Assumed DateOrder
	Unsure  string // the first ambiguous date

	only []DateOrder // orders of the unambiguous dates
	gaps [2]int      // sum of days between successive dates: month first, day first
	last [3]int      // the three numbers of the last date
}

// Order returns the order of the dates, or an empty one. A date with a number above
// 12 decides. Otherwise the gaps between successive dates decide: the gap from
// 09/05/26 to 10/05/26 is a day or a month, and a recording continues from day to
// day.
func (d *Dates) Order() DateOrder {
	switch {
	case AgreedOrder(d.only) != "":
		return AgreedOrder(d.only)
	case d.gaps[1] < d.gaps[0]:
		return DayFirst
	case d.gaps[0] < d.gaps[1]:
		return MonthFirst
	}
	return ""
}

// AgreedOrder returns the order that several texts have in common. Texts of unknown
// order do not count. The result is empty if all orders are unknown, or if two of
// them differ.
func AgreedOrder(orders []DateOrder) DateOrder {
	day, month := slices.Contains(orders, DayFirst), slices.Contains(orders, MonthFirst)
	switch {
	case day == month:
		return ""
	case day:
		return DayFirst
	}
	return MonthFirst
}

// Time formats a time as normalTime does, with the day first if the date has that
// order.
func (d *Dates) Time(text string) (string, bool) {
	text = strings.TrimSpace(text)
	a, b, year, ok := cutSlashDate(text)
	if !ok || !d.dayFirst(text, a, b, year) {
		return normalTime(text)
	}
	return normalTime(text[3:6] + text[:3] + text[6:])
}

// dayFirst reports whether a date has the day first, and notes what the date shows
// about the order.
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

func (d *Dates) note(only DateOrder) (dayFirst bool) {
	if !slices.Contains(d.only, only) {
		d.only = append(d.only, only)
	}
	return only == DayFirst
}

// follow adds up the days between successive dates, for both orders.
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

// dayNumber returns the number of a day, with 31 days in every month: good enough to
// compare gaps.
func dayNumber(date [3]int, way int) int {
	const monthDays, yearMonths = 31, 12
	month, day := date[way], date[1-way]
	return (date[2]*yearMonths+month)*monthDays + day
}

// cutSlashDate returns the three numbers of a date such as 09/05/26 at the beginning
// of a text.
func cutSlashDate(text string) (a, b, year int, ok bool) {
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
