package page

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// A Timeline shows what happened when: a lane for each component, say, with
// intervals and moments on it. Times are seconds since the epoch, shown in UTC. It
// is drawn without a script, as wide as there is room.
type Timeline struct {
	Title      string
	Begin, End float64 // where they are equal, what stands on the lanes bounds it
	Lanes      []Lane
}

// A Lane is named, and may lead to a section of the same page; so does what
// stands on it and leads nowhere of its own.
type Lane struct {
	Name      string
	To        *Section
	Intervals []Interval
	Moments   []Moment
}

// An Interval lasts from Begin to End, or on where it is open.
type Interval struct {
	Label      string
	Role       Role
	Begin, End float64
	Open       bool // not over at the timeline's end; End does not count

	// Early and Late are when it began at the earliest and at the latest, hatched
	// between them; where they are equal, it began at Begin.
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
		return errors.New("the lane is empty: give the lane an interval with a begin and an end")
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
		return fmt.Errorf("role number %d is unknown: use a role of the file role.go", i.Role)
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
		return fmt.Errorf("role number %d is unknown: use a role of the file role.go", m.Role)
	case !finite(m.At):
		return fmt.Errorf("%g is not a time", m.At)
	}
	return nil
}

// clock is the timeline's own, or one from the first to the last of what stands
// on its lanes.
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

// onset is when the interval began at the earliest and at the latest.
func (i Interval) onset() (early, late float64) {
	if i.Early == i.Late {
		return i.Begin, i.Begin
	}
	return i.Early, i.Late
}

func (t Timeline) write(w io.Writer) error { return render(w, "timeline", t.drawing()) }

// say is the interval in words.
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
