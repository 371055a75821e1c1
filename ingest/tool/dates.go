package tool

import (
	"slices"
	"strconv"
	"strings"
)

// A DateOrder is the order of day and month in dates with slashes. The order depends on the locale.
type DateOrder string

// The orders of day and month. The empty DateOrder means that the order is unknown.
const (
	MonthFirst DateOrder = "month-first" // 9 May 2026 is 05/09/26 in the C locale and the American locale
	DayFirst   DateOrder = "day-first"   // 9 May 2026 is 09/05/26 in nearly all other locales
)

// Dates parses the dates of one text, and finds the order of day and month in these dates. It
// parses an ambiguous date in the order of the field Assumed. If Assumed is empty, the month is
// first.
type Dates struct {
	Assumed   DateOrder
	Ambiguous string // the first ambiguous date

	orders []DateOrder // the different orders of the unambiguous dates
	gaps   [2]int      // sum of the days between successive dates; index 0 is for month first, index 1 is for day first
	last   [3]int      // the three numbers of the last date
}

// Order returns the order of day and month in the dates. It returns an empty DateOrder if the dates
// do not show their order.
//
// If the first or the second number of a date is above 12, this number must be the day. Such a date
// shows the order. If there is no such date, Order returns the order in which successive dates are
// closer together. For example, the time from 09/05/26 to 10/05/26 is one day or one month. One day
// is more likely, because a recording usually has data of every day.
func (d *Dates) Order() DateOrder {
	switch {
	case AgreedOrder(d.orders) != "":
		return AgreedOrder(d.orders)
	case d.gaps[1] < d.gaps[0]:
		return DayFirst
	case d.gaps[0] < d.gaps[1]:
		return MonthFirst
	}
	return ""
}

// AgreedOrder returns the order that all known orders in the list have in common. The result is
// empty if all orders are unknown, or if two known orders differ.
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

// Time converts a time to the default format of tables (see normalTime). If the date has the day
// first, Time first exchanges day and month.
func (d *Dates) Time(text string) (string, bool) {
	text = strings.TrimSpace(text)
	a, b, year, ok := cutSlashDate(text)
	if !ok || !d.dayFirst(text, a, b, year) {
		return normalTime(text)
	}
	return normalTime(text[3:6] + text[:3] + text[6:])
}

// dayFirst reports whether a date has the day first. The caller passes the text of the date and its
// three numbers. dayFirst also notes the order of an unambiguous date, and the first ambiguous
// date.
func (d *Dates) dayFirst(text string, a, b, year int) bool {
	const months = 12
	d.follow([3]int{a, b, year})
	switch {
	case a > months && b <= months:
		return d.note(DayFirst)
	case b > months && a <= months:
		return d.note(MonthFirst)
	case a != b && d.Ambiguous == "":
		d.Ambiguous, _, _ = strings.Cut(text, " ")
	}
	return d.Assumed == DayFirst
}

func (d *Dates) note(only DateOrder) (dayFirst bool) {
	if !slices.Contains(d.orders, only) {
		d.orders = append(d.orders, only)
	}
	return only == DayFirst
}

// follow computes the number of days since the last date for both orders, and adds these two
// numbers to d.gaps.
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

// dayNumber returns the number of a day. The difference of two such numbers is the gap between the
// days. Every month counts as 31 days, which is exact enough to compare gaps. The parameter `way`
// is 0 if the month is the first number of the date, and 1 if the day is the first number.
func dayNumber(date [3]int, way int) int {
	const monthDays, yearMonths = 31, 12
	month, day := date[way], date[1-way]
	return (date[2]*yearMonths+month)*monthDays + day
}

// cutSlashDate returns the three numbers of a date with slashes, such as 09/05/26, at the
// beginning of a text.
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
