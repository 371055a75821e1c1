package tool

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// The columns of times of a numberTable are found by the names and by the values of the columns.
// Tables have many columns of dates that are not the times of the looks, such as the day on which a
// drive was installed. Such a column would put each drive into a look of its own, so that no drives
// are compared.

// These patterns recognise columns of times by their names.
var (
	timeColumn  = lazyregexp.New(`(?i)^(t|time|timestamp|ts|date|datetime)$`)
	epochColumn = lazyregexp.New(`(?i)(time|stamp|epoch|clock|date|(^|_)ts$)`)
	clockColumn = lazyregexp.New(`(?i)(time|clock|hour|minute|zeit|hora|heure|(^|[ _])(utc|ora)$)`)
	// recordColumn matches further names of columns with the time at which a line was recorded.
	recordColumn = lazyregexp.New(`(?i)([a-z]_at$|zeit|datum|fecha|hora|heure)`)
	// propertyColumn matches columns that describe a component. A date in such a column is not the
	// time of a look.
	propertyColumn = lazyregexp.New(`(?i)(install|birth|born|manufactur|mfg|firmware|version|purchase|warrant|(^|[ _])(fw|rev|revision)([ _]|$))`)
)

// clockText is the pattern of a time of day, without the seconds and without what follows.
const clockText = `([01]?\d|2[0-3]):[0-5]\d`

// secondsText is the pattern of the seconds of a time of day, and of the text after the seconds.
const secondsText = `:([0-5]\d|60)([.,]\d+)?`

// timeLike matches dates and times of day as people and programs write them. Names of LUNs (1.07.4),
// slots (32:10) and addresses (10.0.0.12) do not match.
var timeLike = lazyregexp.New(`^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T :].*)?|\d{1,2}[/.]\d{1,2}[/.]\d{4}([ ,:].*)?|\d\d/\d\d/\d\d( .*)?|` +
	`\d{1,2}[-/ ][A-Z][a-z]{2}[-/ ]\d{4}([ :].*)?|` + clockText + secondsText + `( ?[AaPp][Mm])?)$`)

// timeOfDay matches the time of day that follows a date in the next column. A slot (32:10) does not
// match if its first number is above 23.
var timeOfDay = lazyregexp.New(`^` + clockText + `(` + secondsText + `)?( ?[AaPp][Mm])?(Z| ?UTC|[+-]\d\d:?\d\d)?$`)

// isTime reports whether a text is a date or a time. A number does not count as a time, because it
// may have another meaning.
func isTime(text string) bool {
	if timeLike.MatchString(text) {
		return true
	}
	_, ok := normalTime(text)
	return ok && !isNumber(text)
}

// isEpoch reports whether a text is a number that may be a time in seconds since the epoch.
func isEpoch(text string) bool {
	_, ok := normalTime(text)
	return ok && isNumber(text)
}

// findTimes sets the column of times, and whether the column after it has the time of day. The
// parameter `names` is nil if the table has no header. The parameter `lines` has the lines after the
// header.
//
// First findTimes searches for a column with a common name, such as time. Logs and databases have
// many other names for times, such as _time and collected_at. So findTimes then searches for a
// column of dates, of times of day or of epoch seconds whose name contains a word for a time.
// Finally, it searches for any other column of dates or times. The last two kinds of columns must
// also have the values that times of looks have (timing).
func (t *numberTable) findTimes(names, values []string, lines []numberedLine) {
	t.time, t.clock = -1, false
	for i, name := range names {
		if timeColumn.MatchString(name) && (isEpoch(values[i]) || !isNumber(values[i])) {
			t.time = i
			t.clock = t.hasClock(i, names, values, lines)
			return
		}
	}
	isOther := func(i int) bool { // true if the name of the column shows that it has no times of looks
		return names != nil && (propertyColumn.MatchString(names[i]) || nameColumn.MatchString(names[i]) || hostColumn.MatchString(names[i]) || classColumn.MatchString(names[i]))
	}
	isNamed := func(i int) bool {
		return names != nil && (epochColumn.MatchString(names[i]) || recordColumn.MatchString(names[i]))
	}
	for _, accepts := range []func(i int) bool{
		func(i int) bool {
			return isNamed(i) && isTime(values[i]) && t.timing(i, names, values, lines).separates()
		},
		func(i int) bool {
			return isTime(values[i]) && t.timing(i, names, values, lines).isPlausible()
		},
		func(i int) bool {
			return isNamed(i) && isEpoch(values[i]) && t.timing(i, names, values, lines).separates()
		},
	} {
		for i := range values {
			if !isOther(i) && accepts(i) {
				t.time = i
				t.clock = t.hasClock(i, names, values, lines)
				return
			}
		}
	}
}

// hasClock reports whether the column after the column of dates has the time of day. If the header
// calls this column a time, its values are enough. Otherwise the names of the components must be in
// another column, and the dates and times must be plausible.
func (t *numberTable) hasClock(date int, names, values []string, lines []numberedLine) bool {
	next := date + 1
	if next >= len(values) || strings.Contains(values[date], ":") || isNumber(values[date]) || !timeOfDay.MatchString(values[next]) {
		return false
	}
	if names == nil || clockColumn.MatchString(names[next]) {
		return true
	}
	if nameColumn.MatchString(names[next]) || hostColumn.MatchString(names[next]) || classColumn.MatchString(names[next]) {
		return false
	}
	name, host := subjectColumns(names, values, func(i int) bool { return i == date || i == next })
	if name < 0 && host < 0 {
		return false
	}
	with := numberTable{separator: t.separator, width: t.width, time: date, clock: true}
	g := with.measure(lines, name, host)
	return g.isPlausible() && !g.alone
}

// holdsTime reports whether a column has the times of the looks, or their times of day.
func (t *numberTable) holdsTime(i int) bool {
	return t.time >= 0 && (i == t.time || t.clock && i == t.time+1)
}

// timeOf returns the time in the fields of a line.
func (t *numberTable) timeOf(f []string) string {
	if t.clock {
		return f[t.time] + " " + f[t.time+1]
	}
	return f[t.time]
}

// subjectColumns returns the indexes of the columns with the names and with the hosts of the
// components. An index is -1 if there is no such column. Columns of times are left out.
func subjectColumns(names, values []string, isLeftOut func(i int) bool) (name, host int) {
	name, host = -1, -1
	for i, text := range values {
		header := ""
		if names != nil {
			header = names[i]
		}
		switch number := isNumber(text); {
		case isLeftOut(i):
		case host < 0 && hostColumn.MatchString(header):
			host = i
		case name < 0 && nameColumn.MatchString(header):
			name = i
		case isTime(text), number, classColumn.MatchString(header):
		case name < 0:
			name = i
		}
	}
	return name, host
}

// A timing describes the values of a column that may have the times of the looks.
type timing struct {
	several bool // true if at least one component has several times
	shared  bool // true if several components have lines of the same time
	alone   bool // true if the table has only one component
	same    bool // true if all lines have the same time, and each component has one line
	ordered bool // true if the times are in order: from line to line, or from line to line of each component
}

// separates reports whether the column can separate the looks of a table. If each component has
// only one time, or each line has another time, the drives of one look would be in several looks.
func (g timing) separates() bool { return g.several && (g.shared || g.alone) || g.same }

// isPlausible reports whether the values may be times of looks, although the name of the column does
// not show it.
func (g timing) isPlausible() bool { return g.separates() && (g.ordered || g.same) }

// timing returns the timing of a column, with the time of day in the next column if there is one.
func (t *numberTable) timing(column int, names, values []string, lines []numberedLine) timing {
	with := numberTable{separator: t.separator, width: t.width, time: column}
	with.clock = t.hasClock(column, names, values, lines)
	name, host := subjectColumns(names, values, with.holdsTime)
	return with.measure(lines, name, host)
}

// measure returns the timing of the column of times. The parameters `name` and `host` are the
// columns with the names of the components; -1 if there is no such column.
func (t *numberTable) measure(lines []numberedLine, name, host int) timing {
	var dates Dates
	times, all := 0, 0
	for _, l := range lines { // the order of day and month is known only after the last date
		f := cutFields(l.text, t.separator)
		if len(f) < t.width {
			continue
		}
		all++
		if isTime(f[t.time]) || isEpoch(f[t.time]) {
			times++
		}
		dates.Time(t.timeOf(f))
	}
	if 4*times <= 3*all {
		return timing{}
	}
	dates.Assumed = dates.Order()
	g := timing{same: true}
	first, last := map[string]string{}, map[string]string{} // the first component of each time, and the last time of each component
	rises, falls, sorted := true, true, true                // the order of all lines, and the order within each component
	before, subject := "", ""
	for _, l := range lines {
		f := cutFields(l.text, t.separator)
		if len(f) < t.width {
			continue
		}
		text := t.timeOf(f)
		at, known := dates.Time(text)
		if !known {
			at = text
		}
		if before != "" && at != before {
			g.same = false
			rises, falls = rises && (!known || at > before), falls && (!known || at < before)
		}
		component := ""
		for _, i := range []int{host, name} {
			if i >= 0 {
				component += f[i] + "/"
			}
		}
		other, met := first[at]
		if !met {
			first[at] = component
		}
		g.shared = g.shared || met && other != component
		if !known && met && at != before { // lines with the same text must follow each other
			rises, falls = false, false
		}
		before = at
		earlier, again := last[component]
		g.several = g.several || again && earlier != at
		g.same = g.same && !again
		sorted = sorted && (!again || component == subject && at > earlier)
		subject, last[component] = component, at
	}
	g.alone = len(last) == 1
	g.ordered = rises || falls || sorted
	return g
}
