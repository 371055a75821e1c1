package api

import "github.com/limpet-storage/limpet/report/document"

// FleetQuery is a request for how common limping is on the site.
type FleetQuery struct {
	Days int // number of days up to the last row
}

// Fleet holds how common limping was on a site, by the definitions of T16: a drive is slow in an
// hour if its mean latency is at least twice the median of its group. Counting takes a while; until
// it is complete, Reading is the progress.
type Fleet struct {
	Days     int           `json:"days"`
	Reading  *float64      `json:"reading,omitempty"` // share of the time that was read so far; nil: all was read
	From     document.Time `json:"from,omitzero"`     // begin of the hours that were counted
	To       document.Time `json:"to,omitzero"`
	Grouping string        `json:"grouping"` // property that the drives of a group share
	Parts    []FleetPart   `json:"parts"`    // one part for each kind of drive
	Warnings []string      `json:"warnings"`
}

// FleetPart holds the figures of one kind of drive: "disk", "ssd", or "drive" if the kind is
// unknown.
type FleetPart struct {
	Kind       string        `json:"kind"`
	Groups     int64         `json:"groups"`
	Drives     int64         `json:"drives"`
	DriveHours int64         `json:"drive_hours"`
	SlowNow    int64         `json:"slow_now"`   // drives that were slow in the last hour
	DrivesNow  int64         `json:"drives_now"` // drives with requests in the last hour
	Figures    []FleetFigure `json:"figures"`
	Tables     []FleetTable  `json:"tables"`
}

// FleetFigure is a share, with the name that limpet study gives it. It has a confidence interval,
// or the reason why there is none.
type FleetFigure struct {
	Name   string          `json:"name"`
	Share  document.Number `json:"share"`
	Part   int64           `json:"part"`
	Whole  int64           `json:"whole"`
	Low    document.Number `json:"low"` // null: there is no interval
	High   document.Number `json:"high"`
	Unsure string          `json:"unsure,omitempty"` // why there is no interval
}

// FleetTable is a table of the study.
type FleetTable struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"`
	Columns []string   `json:"columns"` // the first column has the labels
	Units   []string   `json:"units"`   // units of the values: share, times, hours or number
	Rows    []FleetRow `json:"rows"`
}

// FleetRow is a line of a table. A missing value is null.
type FleetRow struct {
	Label string `json:"label"`
	// Component is the component that the line is about. If a drive has several paths, it is the
	// first of them. It is empty if the line is about no component of the system.
	Component string  `json:"component,omitempty"`
	Values    Numbers `json:"values"`
}
