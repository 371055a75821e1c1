package tool

import (
	"errors"
	"slices"
	"strings"
	"time"
)

var errSarDate = errors.New("the output has no date: keep the first line of the output of sar, which has the date")

// sarReport is the state of the reader for the text output of sar.
type sarReport struct {
	host    string
	date    time.Time // date of the current line; zero if no line with a date was read
	clock   time.Duration
	columns []string // columns of the table of drives; nil if the current line is not in a table of drives
}

func (r *sarReport) line(line string, rows *csvRows) error {
	if host, date, ok := parseBanner(line); ok {
		return r.begin(host, date, rows)
	}
	clock, f, ok := cutClock(strings.Fields(line))
	switch {
	case !ok && rows.prints != nil && strings.HasPrefix(line, "Average:"):
		r.average(strings.Fields(line)[1:], rows)
	case !ok: // an empty line, or the averages
		r.columns = nil
	case len(f) > 0 && f[0] == "COM": // a comment of an operator (sar -C) may have any words
	case slices.Contains(f, "DEV") && slices.Contains(f, "tps"):
		r.columns = f
	case r.columns != nil && r.date.IsZero() && rows.prints == nil:
		return errSarDate
	case r.columns != nil && len(f) > 1:
		r.follow(clock)
		r.device(r.date.Add(r.clock).Format(localLayout), f, rows)
	}
	return nil
}

// average reads a line of the averages over all times. The averages begin with a header, which
// names the columns again.
func (r *sarReport) average(f []string, rows *csvRows) {
	switch {
	case slices.Contains(f, "DEV") && slices.Contains(f, "tps"):
		r.columns = f
	case r.columns != nil && len(f) > 1:
		r.device("", f, rows)
	}
}

// begin reads the first line of a report, which has the host and the date.
func (r *sarReport) begin(host, date string, rows *csvRows) error {
	text, ok := rows.Dates.Time(date + " 00:00:00")
	if !ok {
		return errors.New("limpet cannot read the date " + date + ": run sar with LC_ALL=C")
	}
	day, err := time.Parse("2006-01-02T15:04:05", text)
	*r = sarReport{host: host, date: day}
	return err
}

// follow sets the time of day. If the new time of day is more than 12 hours earlier than the last
// time of day, follow advances the date by a day.
func (r *sarReport) follow(clock time.Duration) {
	if clock < r.clock-12*time.Hour {
		r.date = r.date.AddDate(0, 0, 1)
	}
	r.clock = clock
}

// device adds the values of one drive to `rows`. The parameter `at` is the time of the values. It
// is empty on a line of averages.
func (r *sarReport) device(at string, fields []string, rows *csvRows) {
	v, name := columnValues{}, ""
	for i, text := range fields {
		switch value, ok := parseHuman(text); {
		case i >= len(r.columns):
		case r.columns[i] == "DEV":
			name = text
		case ok:
			v[r.columns[i]] = value
		}
	}
	addSar(at, r.host, name, v, rows)
}

// cutClock cuts the time of day from the beginning of a line.
func cutClock(f []string) (clock time.Duration, rest []string, ok bool) {
	if len(f) == 0 {
		return 0, nil, false
	}
	text, layout, rest := f[0], "15:04:05", f[1:]
	if len(rest) > 0 && (rest[0] == "AM" || rest[0] == "PM") {
		text, layout, rest = text+" "+rest[0], "03:04:05 PM", rest[1:]
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return 0, nil, false
	}
	return t.Sub(t.Truncate(24 * time.Hour)), rest, true
}

// sadfTable reads the output of sadf -d:
//
//	# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
//	store-1;1;2026-11-15 23:12:27 UTC;sda;67.00;264.00;7978.50;0.00;123.02;0.10;1.48;0.40
type sadfTable struct {
	columns []string
}

func (d *sadfTable) line(line string, rows *csvRows) error {
	f := strings.Split(line, ";")
	if strings.HasPrefix(line, "#") {
		if d.columns = nil; slices.Contains(f, "DEV") {
			d.columns = f
		}
		return nil
	}
	if d.columns == nil || len(f) < 5 {
		return nil
	}
	time, _ := rows.Dates.Time(f[2])
	v, name := columnValues{}, ""
	for i, text := range f[3:] {
		switch value, ok := parseNumber(text); {
		case i+3 >= len(d.columns):
		case d.columns[i+3] == "DEV":
			name = text
		case ok:
			v[d.columns[i+3]] = value
		}
	}
	addSar(time, f[0], name, v, rows)
	return nil
}
