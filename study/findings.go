// This file has the result of a study of a fleet as plain data: figures with their
// sentences, tables and curves, and the figures that T16 published beside them. Package
// study/survey makes them; study/render needs nothing else.

package study

// Findings are the result of a study: data that can be written as they are.
type Findings struct {
	From, To   int32 // hours since the epoch: the first counted, and one past the last
	Thresholds []float64
	Level      float64            // of confidence, of all intervals
	Accounts   []DirectionAccount // of the directions that there are
	Parts      []*Part
	Warnings   []string
}

// A DirectionAccount counts what became of the rows of a direction, and of its drives
// and groups.
type DirectionAccount struct {
	Direction string
	Account
	Groups    int64 // with at least one hour that counts
	Drives    int64 // members of them
	Moved     int64 // drives that were in more than one of them
	GroupsOut int64 // groups of the fleet without an hour that counts
	ParityOut int64 // parity drives of the fleet
}

// A Part is the findings of one kind of drives, in one direction.
type Part struct {
	Direction  string
	Kind       string
	Groups     int64
	Drives     int64
	GroupHours int64
	DriveHours int64
	Figures    []Figure
	Tables     []Table
	Charts     []Chart
}

// A Unit of a number.
type Unit string

// The units.
const (
	Share   Unit = "share"  // of 1
	Points  Unit = "points" // a difference of shares, of 1
	Times   Unit = "times"  // a slowdown, or another ratio
	InHours Unit = "hours"
	Number  Unit = "number"
)

// A Value of a table or a figure, with its uncertainty where that is known,
// and what T16 has in its place.
type Value struct {
	Number   float64
	Unit     Unit
	Interval *Interval `json:",omitempty"`
	Unsure   string    `json:",omitempty"` // why there is no interval
	T16      *float64  `json:",omitempty"`
	None     bool      `json:",omitempty"` // there is nothing to take it of
}

// A Figure is a number that a sentence can be made of.
type Figure struct {
	Name        string // that does not change: slow-hours-2
	Source      string `json:",omitempty"` // in T16
	Part, Whole int64  `json:",omitempty"` // of a share
	Value
	Sentence string
}

// A Table of numbers.
type Table struct {
	Name    string
	Title   string
	Source  string   `json:",omitempty"`
	Columns []string // the first is that of the labels
	Rows    []Row
	Note    string `json:",omitempty"`
}

// A Row of a table.
type Row struct {
	Label  string
	Values []Value
}

// Add adds a row.
func (t *Table) Add(label string, values ...Value) { t.Rows = append(t.Rows, Row{label, values}) }

// A Chart of curves over the axes of T16's figure.
type Chart struct {
	Name   string
	Title  string
	Source string `json:",omitempty"`
	X, Y   Axis
	Curves []Curve
	Note   string `json:",omitempty"`
}

// An Axis of a chart, and what to show of it first.
type Axis struct {
	Title    string
	From, To float64
	Log      bool `json:",omitempty"`
}

// A Curve is a line through points.
type Curve struct {
	Name   string
	Points []Point
}

// Add adds a point.
func (c *Curve) Add(x, y float64) { c.Points = append(c.Points, Point{x, y}) }

// A Point of a curve.
type Point struct{ X, Y float64 }
