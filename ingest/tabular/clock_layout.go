package tabular

import (
	"fmt"
	"strings"
	"time"
)

// unixUnits has the unit of each format in which a time is a number.
var unixUnits = map[string]time.Duration{
	"unix": time.Second, "unix_ms": time.Millisecond, "unix_us": time.Microsecond, "unix_ns": time.Nanosecond,
}

const rfc3339 = "rfc3339"

// strftime maps each conversion of strftime(3), such as %Y, to the layout of package
// time. Package time accepts a fraction of a second even if the layout has none.
var strftime = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'j': "002", 'b': "Jan", 'B': "January", 'h': "Jan",
	'a': "Mon", 'A': "Monday", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'f': "000000", 'z': "-0700", 'Z': "MST",
	'F': "2006-01-02", 'T': "15:04:05", 'R': "15:04", 'D': "01/02/06", '%': "%", 't': "\t", 'n': "\n",
}

// layoutOf returns the layout of package time for a format.
func layoutOf(format string) (string, error) {
	layout := format
	if strings.Contains(format, "%") {
		var err error
		if layout, err = fromStrftime(format); err != nil {
			return "", err
		}
	}
	if !tellsTheDay(layout) {
		return "", fmt.Errorf("format %q lacks year, month or day; write unix, unix_ms, rfc3339, or a layout such as %%Y-%%m-%%d %%H:%%M:%%S", format)
	}
	return layout, nil
}

func fromStrftime(format string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) || strftime[format[i]] == "" {
			return "", fmt.Errorf("format %q has an unknown letter after %%; use letters such as %%Y %%m %%d %%H %%M %%S %%z", format)
		}
		b.WriteString(strftime[format[i]])
	}
	return b.String(), nil
}

// tellsTheDay reports whether a layout contains the year, month and day. It formats a day
// with the layout, parses the result, and compares the two days.
func tellsTheDay(layout string) bool {
	day := time.Date(2021, time.November, 23, 0, 0, 0, 0, time.UTC)
	back, err := time.Parse(layout, day.Format(layout))
	return err == nil && back.Equal(day)
}
