package api

import "github.com/limpet-storage/limpet/report/document"

// FleetQuery asks how common limping is on the site.
type FleetQuery struct {
	Days int // before the last row
}

// Fleet is how common limping was on a site, by the definitions of T16: a drive is slow
// in an hour in which its mean latency is at least twice the median of its group.
// Counting takes a while; until it is done, Reading says how far it is.
type Fleet struct {
	Days     int           `json:"days"`
	Reading  *float64      `json:"reading,omitempty"` // share of the time that was read; nil once all was
	From     document.Time `json:"from,omitzero"`     // of the hours that were counted
	To       document.Time `json:"to,omitzero"`
	Grouping string        `json:"grouping"` // what drives of a group share
	Parts    []FleetPart   `json:"parts"`    // by kind of drive
	Warnings []string      `json:"warnings"`
}

// FleetPart is of one kind of drives: drive where it is not known, disk, or ssd.
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

// FleetFigure is a share, named as limpet study names it, with its interval of
// confidence where there is one, or why there is none.
type FleetFigure struct {
	Name   string          `json:"name"`
	Share  document.Number `json:"share"`
	Part   int64           `json:"part"`
	Whole  int64           `json:"whole"`
	Low    document.Number `json:"low"` // null where there is no interval
	High   document.Number `json:"high"`
	Unsure string          `json:"unsure,omitempty"`
}

// FleetTable is a table of the study.
type FleetTable struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"`
	Columns []string   `json:"columns"` // the first is that of the labels
	Units   []string   `json:"units"`   // of the values: share, times, hours, number
	Rows    []FleetRow `json:"rows"`
}

// FleetRow is a line of a table. A missing value is null.
type FleetRow struct {
	Label string `json:"label"`
	// Component is the component that the line is about, the first of several paths; empty
	// where it is about no component of the system.
	Component string  `json:"component,omitempty"`
	Values    Numbers `json:"values"`
}
