package page

import (
	"errors"
	"fmt"
	"io"
)

// A Chart draws lines over common positions, which are times or plain numbers.
type Chart struct {
	Title  string
	X, Y   Axis
	At     []float64 // positions of the values on the x axis, increasing
	Series []Series
	Levels []Level
	Spans  []Span
	// Moments are drawn as lines with marks. A chart ignores their links.
	Moments []Moment
}

// A Series is a line with a value for every position of its chart. A value that is not finite is
// missing and leaves a gap; zero is not missing.
type Series struct {
	Name   string
	Role   Role
	Values []float64
	Step   bool // each value holds until the next, like the values of a threshold
}

// A Level is a horizontal line across the whole chart.
type Level struct {
	Name  string
	Role  Role
	Value float64
}

// A Span shades a part of the x axis: the time of a fault, for example. A span of length 0 is drawn
// as a line.
type Span struct {
	Label    string
	Role     Role
	From, To float64
}

func (c Chart) check(*Page) error {
	if err := c.validate(); err != nil {
		return fmt.Errorf("chart %q: %w", c.Title, err)
	}
	return nil
}

func (c Chart) validate() error {
	if err := c.checkAxes(); err != nil {
		return err
	}
	for _, s := range c.Series {
		if err := s.check(len(c.At)); err != nil {
			return fmt.Errorf("series %q: %w", s.Name, err)
		}
	}
	for _, l := range c.Levels {
		if err := l.check(); err != nil {
			return fmt.Errorf("line %q: %w", l.Name, err)
		}
	}
	for _, s := range c.Spans {
		if err := s.check(); err != nil {
			return fmt.Errorf("period %q: %w", s.Label, err)
		}
	}
	for _, m := range c.Moments {
		if err := m.validate(); err != nil {
			return fmt.Errorf("moment %q: %w", m.Label, err)
		}
	}
	return nil
}

func (c Chart) checkAxes() error {
	if c.Y.Scale == Time {
		return errors.New("y axis: only the x axis can show time")
	}
	if err := c.Y.check(); err != nil {
		return fmt.Errorf("y axis: %w", err)
	}
	if err := c.X.check(); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	if err := c.X.checkPositions(c.At); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	return nil
}

func (s Series) check(positions int) error {
	if !s.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", s.Role)
	}
	if len(s.Values) != positions {
		return fmt.Errorf("there are %d values for %d x values: give one y value for each x value, NaN for a missing value", len(s.Values), positions)
	}
	return nil
}

func (l Level) check() error {
	if !l.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", l.Role)
	}
	if !finite(l.Value) {
		return fmt.Errorf("the value %g cannot be drawn: leave this line out", l.Value)
	}
	return nil
}

func (s Span) check() error {
	if !s.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", s.Role)
	}
	if !finite(s.From) || !finite(s.To) || s.From > s.To {
		return fmt.Errorf("the period goes from %g to %g: give two finite ends, the earlier end first", s.From, s.To)
	}
	return nil
}

func (c Chart) write(w io.Writer) error { return c.plot().write(w) }
