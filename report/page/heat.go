package page

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
)

// maxHeatSide is the largest number of rows or columns. Every browser can draw a canvas of this
// size.
const maxHeatSide = 16384

// A Heat shows a matrix as colours: a row for each component and a column for each window, for
// example. Values that are not finite are gaps, and are hatched.
type Heat struct {
	Title   string
	X       Axis        // axis of the columns: times, or a label above their names
	At      []float64   // begins of the columns, evenly spaced, if X is an axis of time
	Columns []string    // names of the columns, if X is not an axis of time
	Rows    []string    // names of the rows, from the top
	Value   Axis        // axis of the colours
	Values  [][]float64 // by row, then column
	Gap     string      // meaning of a gap; empty: a value is missing
}

// wireHeat is the matrix for the script, row by row, with the names of rows and columns. The value
// axis has its bounds.
type wireHeat struct {
	Rows    []string `json:"rows"`
	Columns []string `json:"columns,omitempty"`
	Value   wireAxis `json:"value"`
	Values  []byte   `json:"values"`
}

func (h Heat) check(*Page) error {
	if err := h.validate(); err != nil {
		return fmt.Errorf("heat map %q: %w", h.Title, err)
	}
	return nil
}

func (h Heat) validate() error {
	if err := h.X.check(); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	if err := h.checkSides(); err != nil {
		return err
	}
	if err := h.Value.check(); err != nil {
		return fmt.Errorf("value axis: %w", err)
	}
	if h.Value.Scale == Time {
		return errors.New("value axis: times cannot be shown as colours")
	}
	for i, row := range h.Values {
		if len(row) != h.columns() {
			return fmt.Errorf("row %q has %d values for %d columns: give one value for each column, NaN for a missing value", h.Rows[i], len(row), h.columns())
		}
	}
	return nil
}

func (h Heat) checkSides() error {
	times := h.X.Scale == Time
	switch n := h.columns(); {
	case times && len(h.Columns) > 0 || !times && len(h.At) > 0:
		return errors.New("the columns have times (At, on a time axis) and names (Columns): give either times or names")
	case n == 0 || len(h.Rows) == 0:
		return errors.New("a plot without rows or columns cannot be drawn")
	case n > maxHeatSide || len(h.Rows) > maxHeatSide:
		return fmt.Errorf("there are %d rows and %d columns, but browsers draw at most %d rows or columns: merge rows or columns", len(h.Rows), n, maxHeatSide)
	case len(h.Values) != len(h.Rows):
		return fmt.Errorf("there are %d rows of values for %d names: give one name for each row", len(h.Values), len(h.Rows))
	case h.X.Scale == Log:
		return errors.New("x axis: columns are times or names, so the axis cannot be logarithmic")
	case times:
		return h.checkTimes()
	}
	return nil
}

func (h Heat) checkTimes() error {
	if err := h.X.checkPositions(h.At); err != nil {
		return fmt.Errorf("x axis: %w", err)
	}
	if evenly(h.At).Uneven != nil {
		return errors.New("x axis: the times are not evenly spaced: give a column for every time step, NaN if nothing was measured")
	}
	return nil
}

func (h Heat) columns() int {
	if h.X.Scale == Time {
		return len(h.At)
	}
	return len(h.Columns)
}

func (h Heat) write(w io.Writer) error { return h.plot().write(w) }

func (h Heat) plot() plot {
	value := h.Value
	value.Min, value.Max = h.bounds()
	p := plot{
		Title: h.Title,
		XName: h.X.name(),
		YName: h.Value.name(),
		Sheet: sheet{
			X:    h.X.wire(),
			At:   positions{Step: 1, Count: len(h.Columns)},
			Heat: &wireHeat{Rows: h.Rows, Value: value.wire(), Values: h.flat()},
		},
		Notes: []entry{{Kind: "ramp", Name: value.say(value.Min), Note: value.say(value.Max)}},
	}
	if h.X.Scale == Time {
		p.Sheet.At = evenly(h.At)
	} else {
		p.Sheet.Heat.Columns = h.Columns
	}
	if h.gaps() {
		p.Notes = append(p.Notes, entry{Kind: "hatch", Name: cmp.Or(h.Gap, "missing")})
	}
	return p
}

// bounds returns the bounds of the value axis, or of the values if the axis has none. On a
// logarithmic axis only values above zero count.
func (h Heat) bounds() (low, high float64) {
	if h.Value.bounded() {
		return h.Value.Min, h.Value.Max
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range h.Values {
		for _, v := range row {
			if finite(v) && finite(h.Value.place(v)) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high {
		return 1, 1
	}
	return low, high
}

func (h Heat) flat() []byte {
	var data []byte
	for _, row := range h.Values {
		data = append(data, float32s(row)...)
	}
	return data
}

func (h Heat) gaps() bool {
	for _, row := range h.Values {
		for _, v := range row {
			if !finite(v) {
				return true
			}
		}
	}
	return false
}
