package page

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Timeline shows the times of events: a lane for each component, for example, with intervals and
// moments. Times are seconds since the epoch, shown in UTC. It needs no script, and is as wide as
// the screen allows.
type Timeline struct {
	Title      string
	Begin, End float64 // if they are equal, the timeline covers all items on its lanes
	Lanes      []Lane
}

// A Lane has a name and may link to a section of the same page. Items on the lane without a link of
// their own have the same link.
type Lane struct {
	Name      string
	To        *Section
	Intervals []Interval
	Moments   []Moment
}

// An Interval lasts from Begin to End, or from Begin on if it is open.
type Interval struct {
	Label      string
	Role       Role
	Begin, End float64
	Open       bool // not over at the end of the timeline; End is ignored

	// Early and Late are the earliest and the latest possible begin. The time between them is
	// hatched. If they are equal, the interval began at Begin.
	Early, Late float64

	To *Section
}

// A Moment has a time and no length: an alarm, a repair.
type Moment struct {
	Label string
	Role  Role
	At    float64
	To    *Section
}

func (t Timeline) check(p *Page) error {
	if err := t.validate(p); err != nil {
		return fmt.Errorf("timeline %q: %w", t.Title, err)
	}
	return nil
}

func (t Timeline) validate(p *Page) error {
	if len(t.Lanes) == 0 {
		return errors.New("a plot without lanes cannot be drawn")
	}
	if !finite(t.Begin) || !finite(t.End) || t.Begin > t.End {
		return fmt.Errorf("the time axis goes from %g to %g: give two finite times, the earlier time first", t.Begin, t.End)
	}
	for _, l := range t.Lanes {
		if err := l.check(p); err != nil {
			return fmt.Errorf("lane %q: %w", l.Name, err)
		}
	}
	if c := t.clock(); !finite(c.begin) || !finite(c.end) {
		return errors.New("the lane is empty: give the lane an interval with a start and an end")
	}
	return nil
}

func (l Lane) check(p *Page) error {
	if err := p.checkLink(l.To); err != nil {
		return err
	}
	for _, i := range l.Intervals {
		if err := i.check(p); err != nil {
			return fmt.Errorf("interval %q: %w", i.Label, err)
		}
	}
	for _, m := range l.Moments {
		if err := m.check(p); err != nil {
			return fmt.Errorf("moment %q: %w", m.Label, err)
		}
	}
	return nil
}

func (i Interval) check(p *Page) error {
	switch {
	case !i.Role.known():
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", i.Role)
	case !finite(i.Begin) || !i.Open && (!finite(i.End) || i.Begin > i.End):
		return fmt.Errorf("the time axis goes from %g to %g: give two finite times, the earlier time first", i.Begin, i.End)
	case !finite(i.Early) || !finite(i.Late):
		return fmt.Errorf("the interval begins between %g and %g: give finite times", i.Early, i.Late)
	case i.Early != i.Late && (i.Early > i.Begin || i.Begin > i.Late):
		return fmt.Errorf("the interval begins at %g, which must be between %g and %g: give these times in order", i.Begin, i.Early, i.Late)
	}
	return p.checkLink(i.To)
}

func (m Moment) check(p *Page) error {
	if err := m.validate(); err != nil {
		return err
	}
	return p.checkLink(m.To)
}

func (m Moment) validate() error {
	switch {
	case !m.Role.known():
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", m.Role)
	case !finite(m.At):
		return fmt.Errorf("%g is not a time", m.At)
	}
	return nil
}

// clock returns a clock for the range of the timeline, or for the range of all items on its lanes.
func (t Timeline) clock() clock {
	if t.Begin != t.End {
		return newClock(t.Begin, t.End)
	}
	c := clock{math.Inf(1), math.Inf(-1)}
	include := func(t float64) { c.begin, c.end = min(c.begin, t), max(c.end, t) }
	for _, l := range t.Lanes {
		for _, i := range l.Intervals {
			early, late := i.onset()
			include(early)
			include(late)
			if !i.Open {
				include(i.End)
			}
		}
		for _, m := range l.Moments {
			include(m.At)
		}
	}
	return newClock(c.begin, c.end)
}

// onset returns the earliest and the latest possible begin of the interval.
func (i Interval) onset() (early, late float64) {
	if i.Early == i.Late {
		return i.Begin, i.Begin
	}
	return i.Early, i.Late
}

func (t Timeline) write(w io.Writer) error { return render(w, "timeline", t.drawing()) }

// say returns the interval in words.
func (i Interval) say() string {
	times := Axis{Scale: Time}
	text := i.Label + ": " + times.stretch(i.Begin, i.End)
	if i.Open {
		text = i.Label + ": since " + times.stretch(i.Begin, i.Begin) + ", not over yet"
	}
	if early, late := i.onset(); early != late {
		text += "; the problem began in the period " + times.stretch(early, late)
	}
	return text
}

func (m Moment) say() string { return m.Label + ": " + Axis{Scale: Time}.stretch(m.At, m.At) }
