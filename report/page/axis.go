package page

import (
	"errors"
	"fmt"
	"math"
)

// An Axis says how numbers are laid out and what they are called.
type Axis struct {
	Label string // "await"
	Unit  string // "ms": shown with the label and with every value
	Scale Scale

	// Min and Max bound a y axis, and what lies beyond is drawn along its edge.
	// Where they are equal, the data bound it.
	Min, Max float64
}

// A Scale lays numbers out along an axis.
type Scale int

// The scales.
const (
	Linear Scale = iota
	Log          // decimal logarithm; what is not positive lies on the lower edge
	Time         // seconds since the epoch, shown in UTC; horizontal axes only
)

// String is the scale's name in the script.
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

// place returns where a value lies, in units in which the axis is even. On a
// logarithmic axis there is no place for what is not positive: it is infinitely
// low.
func (a Axis) place(v float64) float64 {
	switch {
	case a.Scale != Log:
		return v
	case v <= 0:
		return math.Inf(-1)
	}
	return math.Log10(v)
}

// name is the axis's label with its unit.
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

// checkPositions says whether values can stand at these positions of an x axis.
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
