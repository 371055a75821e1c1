package page

import (
	"errors"
	"fmt"
	"math"
)

// An Axis holds the label, unit and scale of numbers.
type Axis struct {
	Label string // "await"
	Unit  string // "ms": shown with the label and with every value
	Scale Scale

	// Min and Max are the bounds of a y axis. Values beyond them are drawn at the edge. If they are
	// equal, the axis covers the range of the data.
	Min, Max float64
}

// A Scale is the way in which numbers are placed along an axis.
type Scale int

// The scales.
const (
	Linear Scale = iota
	Log          // decimal logarithm; values <= 0 lie on the lower edge
	Time         // seconds since the epoch, shown in UTC; horizontal axes only
)

// String returns the scale's name in the script.
func (s Scale) String() string {
	return [...]string{Linear: "linear", Log: "log", Time: "time"}[s]
}

func (a Axis) bounded() bool { return a.Min != a.Max }

func (a Axis) check() error {
	switch {
	case a.Scale < Linear || a.Scale > Time:
		return fmt.Errorf("the scale %d is unknown", a.Scale)
	case !finite(a.Min) || !finite(a.Max) || a.Min > a.Max:
		return fmt.Errorf("the axis goes from %g to %g: give two finite numbers, the smaller number first", a.Min, a.Max)
	case a.Scale == Log && a.bounded() && a.Min <= 0:
		return fmt.Errorf("the logarithmic axis begins at %g: give a smallest value above zero", a.Min)
	}
	return nil
}

// place returns the position of a value on the axis: the value, or its logarithm. On a logarithmic
// axis, a value <= 0 has the position -Inf.
func (a Axis) place(v float64) float64 {
	switch {
	case a.Scale != Log:
		return v
	case v <= 0:
		return math.Inf(-1)
	}
	return math.Log10(v)
}

// name returns the axis's label with its unit.
func (a Axis) name() string {
	unit := a.Unit
	if a.Scale == Time {
		unit = "UTC"
	}
	switch {
	case unit == "":
		return a.Label
	case a.Label == "":
		return unit
	}
	return fmt.Sprintf("%s (%s)", a.Label, unit)
}

// checkPositions returns an error if an x axis cannot have values at these positions.
func (a Axis) checkPositions(at []float64) error {
	switch {
	case a.bounded():
		return errors.New("the axis takes its range from the x values: leave Min and Max zero")
	case len(at) == 0:
		return errors.New("there are no x values: a plot needs at least one x value")
	case a.Scale == Log && at[0] <= 0:
		return fmt.Errorf("x value %g cannot be on a logarithmic axis: give x values above zero", at[0])
	}
	last := math.Inf(-1)
	for i, x := range at {
		if !finite(x) || x <= last {
			return fmt.Errorf("x value %d is %g, and the x value before it is %g: give finite x values in increasing order", i, x, last)
		}
		last = x
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
