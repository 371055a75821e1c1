package render

import "time"

// wireFormat is the name of the format of results. It changes when results in the format before
// can no longer be read.
const wireFormat = "limpet study 1"

// A wireResult is the JSON form of a result:
//
//	{"format": "limpet study 1", "from": "2026-01-01T00:00:00Z", "to": "2026-03-29T00:00:00Z",
//	 "level": 0.95, "thresholds": [1.5, 2],
//	 "input": {"paths": ["fleet"], "wrong_rows": 0, …},
//	 "accounts": [{"direction": "all", "rows": 12181396, "counted": 9472640, "parity": 1770624, …}],
//	 "parts": [{"direction": "all", "kind": "disk", "groups": 380, "drives": 4626, …,
//	   "figures": [{"name": "slow-hours-2", "value": 0.00203, "unit": "share", "interval": [0.0016, 0.0025],
//	     "t16": 0.0022, "count": [17752, 8750860], "source": "Finding 1", "sentence": "0.2 % of …"}, …],
//	   "tables": [{"name": "nines", "columns": […], "rows": [{"label": "99 %", "values": [{"value": 1.4, …}, …]}, …]}, …],
//	   "charts": [{"name": "slowdown-cdf", "x": {…}, "y": {…}, "curves": [{"name": "S", "points": [[1, 0.5], …]}]}, …]}],
//	 "warnings": []}
//
// "value": null means that there are no data for the value.
type wireResult struct {
	Format     string        `json:"format"`
	From       time.Time     `json:"from"`
	To         time.Time     `json:"to"`
	Level      float64       `json:"level"`
	Thresholds []float64     `json:"thresholds"`
	Input      wireInput     `json:"input"`
	Accounts   []wireAccount `json:"accounts"`
	Parts      []wirePart    `json:"parts"`
	Warnings   []string      `json:"warnings,omitempty"`
}

type wireInput struct {
	Paths       []string `json:"paths"`
	WrongRows   int64    `json:"wrong_rows"`
	WrongValues int64    `json:"wrong_values"`
	Records     int64    `json:"records,omitempty"`
	Folded      int64    `json:"folded,omitempty"`
	Repeated    int64    `json:"repeated"`
	Edge        int64    `json:"edge,omitempty"`
	First       []string `json:"first,omitempty"`
}

type wireAccount struct {
	Direction string `json:"direction"`
	wireRows
	Groups    int64 `json:"groups"`
	Drives    int64 `json:"drives"`
	Moved     int64 `json:"moved"`
	GroupsOut int64 `json:"groups_out"`
	ParityOut int64 `json:"parity_drives"`
}

// wireRows has the fields of study.Account.
type wireRows struct {
	Rows        int64 `json:"rows"`
	Counted     int64 `json:"counted"`
	Parity      int64 `json:"parity"`
	Idle        int64 `json:"idle"`
	NoLatency   int64 `json:"no_latency"`
	ZeroLatency int64 `json:"zero_latency"`
	Invalid     int64 `json:"invalid"`
	Duplicate   int64 `json:"duplicate"`
	Narrow      int64 `json:"narrow"`
	Mixed       int64 `json:"mixed"`

	IdleHours   int64 `json:"idle_hours"`
	NarrowHours int64 `json:"narrow_hours"`
	MixedHours  int64 `json:"mixed_hours"`
}

type wirePart struct {
	Direction  string       `json:"direction"`
	Kind       string       `json:"kind"`
	Groups     int64        `json:"groups"`
	Drives     int64        `json:"drives"`
	GroupHours int64        `json:"group_hours"`
	DriveHours int64        `json:"drive_hours"`
	Figures    []wireFigure `json:"figures"`
	Tables     []wireTable  `json:"tables"`
	Charts     []wireChart  `json:"charts"`
}

type wireValue struct {
	Value    *float64    `json:"value"`
	Unit     string      `json:"unit"`
	Interval *[2]float64 `json:"interval,omitempty"`
	Unsure   string      `json:"unsure,omitempty"` // why there is no interval
	T16      *float64    `json:"t16,omitempty"`
}

type wireFigure struct {
	Name string `json:"name"`
	wireValue
	Count    *[2]int64 `json:"count,omitempty"` // part and whole of a share
	Source   string    `json:"source,omitempty"`
	Sentence string    `json:"sentence"`
}

type wireTable struct {
	Name    string    `json:"name"`
	Title   string    `json:"title"`
	Source  string    `json:"source,omitempty"`
	Columns []string  `json:"columns"`
	Rows    []wireRow `json:"rows"`
	Note    string    `json:"note,omitempty"`
}

type wireRow struct {
	Label  string      `json:"label"`
	Values []wireValue `json:"values"`
}

type wireChart struct {
	Name   string      `json:"name"`
	Title  string      `json:"title"`
	Source string      `json:"source,omitempty"`
	X      wireAxis    `json:"x"`
	Y      wireAxis    `json:"y"`
	Curves []wireCurve `json:"curves"`
	Note   string      `json:"note,omitempty"`
}

// wireAxis has the fields of study.Axis.
type wireAxis struct {
	Title string  `json:"title"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Log   bool    `json:"log,omitempty"`
}

type wireCurve struct {
	Name   string       `json:"name"`
	Points [][2]float64 `json:"points"`
}
