package period

import (
	"errors"
	"fmt"
	"time"
)

// Period is a span of time. If Since or Until is zero, the period is open at
// that end.
type Period struct{ Since, Until time.Time }

// New parses both ends of a period. An empty text leaves an end open.
func (c Clock) New(since, until string) (Period, error) {
	var p Period
	var errs [2]error
	p.Since, errs[0] = c.parseFlag("since", since, false)
	p.Until, errs[1] = c.parseFlag("until", until, true)
	if err := errors.Join(errs[:]...); err != nil {
		return p, err
	}
	if !p.Since.IsZero() && !p.Until.IsZero() && !p.Since.Before(p.Until) {
		return p, fmt.Errorf("--until %s is not after --since %s: give a later --until or an earlier --since", c.given(until, p.Until), c.given(since, p.Since))
	}
	return p, nil
}

// given returns the value of a flag as it was given, with the time that it means if both differ. A day
// as --until means the end of this day.
func (c Clock) given(text string, t time.Time) string {
	if shown := c.show(t); shown != text {
		return fmt.Sprintf("%s (%s)", text, shown)
	}
	return text
}

// parseFlag parses one end of a period, which is the value of a command-line
// flag. If the text is invalid, the error begins with the name of the flag.
func (c Clock) parseFlag(flag, text string, end bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := c.Parse(text, end)
	if err != nil {
		return t, fmt.Errorf("--%s %w", flag, err)
	}
	return t, nil
}

// IsOpen reports whether both ends are open.
func (p Period) IsOpen() bool { return p.Since.IsZero() && p.Until.IsZero() }

// Holds reports whether a step lies within the period. The step is given by its
// beginning and its end, in Unix seconds.
func (p Period) Holds(from, to int64) bool {
	return (p.Since.IsZero() || from >= p.Since.Unix()) && (p.Until.IsZero() || to <= p.Until.Unix())
}

// Text returns the period as text, with times in a time zone: "from … to …".
func (p Period) Text(zone *time.Location) string {
	show := Clock{Zone: zone}.show
	switch {
	case p.IsOpen():
		return "all times"
	case p.Until.IsZero():
		return "since " + show(p.Since)
	case p.Since.IsZero():
		return "until " + show(p.Until)
	}
	return fmt.Sprintf("from %s to %s", show(p.Since), show(p.Until))
}
