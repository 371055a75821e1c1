// This file has the types of the result of a study: figures with their sentences, tables,
// curves, and the figures that T16 published. Package study/survey makes the result; it is the
// only input of study/render.

package study

// Findings is the result of a study, as plain data.
type Findings struct {
	From, To   int32 // hours since the epoch: the first counted, and one past the last
	Thresholds []float64
	Level      float64            // confidence level of all intervals
	Accounts   []DirectionAccount // of the directions in the data
	Parts      []*Part
	Warnings   []string
}

// A DirectionAccount counts the rows, drives and groups of a direction that are counted and
// left out.
type DirectionAccount struct {
	Direction string
	Account
	Groups    int64 // groups with at least one hour that counts
	Drives    int64 // members of these groups
	Moved     int64 // drives that were members of several of these groups
	GroupsOut int64 // groups of the fleet without an hour that counts
	ParityOut int64 // parity drives of the fleet
}

// A Part holds the findings of one kind of drives, in one direction.
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

// A Unit is the unit of a number.
type Unit string

// The units.
const (
	Share   Unit = "share"  // a share, from 0 to 1
	Points  Unit = "points" // a difference of shares, from -1 to 1
	Times   Unit = "times"  // a slowdown, or another ratio
	InHours Unit = "hours"
	Number  Unit = "number"
)

// A Value is a number of a table or a figure, with its confidence interval if there is one, and
// the number of T16 for the same.
type Value struct {
	Number   float64
	Unit     Unit
	Interval *Interval `json:",omitempty"`
	Unsure   string    `json:",omitempty"` // why there is no interval
	T16      *float64  `json:",omitempty"`
	None     bool      `json:",omitempty"` // there are no data for the number
}

// A Figure is a number and the sentence about it.
type Figure struct {
	Name        string // stable name, for programs: slow-hours-2
	Source      string `json:",omitempty"` // finding or section of T16
	Part, Whole int64  `json:",omitempty"` // of a share: Number = Part / Whole
	Value
	Sentence string
}

// A Table is a table of numbers.
type Table struct {
	Name    string
	Title   string
	Source  string   `json:",omitempty"`
	Columns []string // the first is the column of labels
	Rows    []Row
	Note    string `json:",omitempty"`
}

// A Row is a row of a table.
type Row struct {
	Label  string
	Values []Value
}

// Add adds a row.
func (t *Table) Add(label string, values ...Value) { t.Rows = append(t.Rows, Row{label, values}) }

// A Chart is a chart of curves, with the axes of T16's figure.
type Chart struct {
	Name   string
	Title  string
	Source string `json:",omitempty"`
	X, Y   Axis
	Curves []Curve
	Note   string `json:",omitempty"`
}

// An Axis is an axis of a chart. From and To are the range that the chart shows at first.
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

// A Point is a point of a curve.
type Point struct{ X, Y float64 }
