package clickhouse

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/limpet-storage/limpet/study"
)

// The queries, from the records up.
var (
	//go:embed sql/rows.sql
	rowsSQL string
	//go:embed sql/hours.sql
	hoursSQL string
	//go:embed sql/slowdowns.sql
	slowdownsSQL string
	//go:embed sql/cells.sql
	cellsSQL string
	//go:embed sql/tallies.sql
	talliesSQL string
)

// Tables that go along with questions: what number, from 1 on, groups and
// drives have by their keys, and what is known of them. A drive's kind is a
// bit, a group's a number.
const (
	groupsTable = "limpet_groups" // gkey1, …, g, group_kind
	drivesTable = "limpet_drives" // dkey1, …, d, parity, kind, deployed
)

// neverHour is when a drive was deployed whose age is not known.
const neverHour = -1 << 31

// seatBits are those of a seat that tell the year of a drive's life; above
// them is its number. A key of fewer bits is a place in a distribution.
const seatBits = 32

// A question is about the records of some hours, in one direction.
type question struct {
	*layout
	Options   study.Options
	Direction study.Direction
	From, To  int32 // hours
}

// Cells asks for counts, hours and slow hours of groups.
func (q question) Cells(table table) string { return q.sql(cellsSQL, table) }

// Tallies asks for hours of drives and for distributions.
func (q question) Tallies(table table) string { return q.sql(talliesSQL, table) }

func (q question) sql(query string, table table) string {
	m := q.measures[q.Direction]
	columns := append(q.keyColumns(), q.clock.hourSQL()+" AS hour")
	of := map[string]any{
		"GroupsTable": groupsTable, "GroupKeys": keyNames("g", q.Group),
		"DrivesTable": drivesTable, "DriveKeys": keyNames("d", q.Drive),
		"Columns": strings.Join(append(columns, q.values.list...), ", "),
		"IOs":     m.ios, "Latency": m.latency, "Size": m.size,
		"Table": table, "Where": q.clock.believable() + " AND " + q.clock.within(q.From, q.To),
		"Never": neverHour, "Year": yearHours, "Seat": uint64(1) << seatBits, "Narrowest": study.Narrowest,
		"Kept": exact(q.Options.Kept()), "Imbalanced": exact(study.Imbalanced),
		"TailUnits": study.TailUnits, "MostTail": study.MostRatio, "IOUnits": study.IOUnits, "Away": study.AwayHours,
		"MostLatency": exact(study.MostLatency), "MostIOs": exact(study.MostIOs),
		"Curve": curveKeys, "Cell": cellSQL, "Median": median,
	}
	of["Rows"] = fill(rowsSQL, of)
	of["Hours"] = fill(hoursSQL, of)
	of["Slowdowns"] = fill(slowdownsSQL, of)
	return fill(query, of)
}

// median is that of an array in order with at least so many values, between the
// middle two where their number is even; -1 of fewer.
func median(ordered string, least int) string {
	return fmt.Sprintf("if(length(%[1]s) < %[2]d, -1, (toFloat64(%[1]s[intDiv(length(%[1]s) + 1, 2)]) + toFloat64(%[1]s[intDiv(length(%[1]s), 2) + 1])) / 2)", ordered, least)
}

// fill puts texts into a query.
func fill(query string, of map[string]any) string {
	var b strings.Builder
	if err := template.Must(template.New("").Parse(query)).Execute(&b, of); err != nil {
		panic(err) // the queries are as they are written here
	}
	return strings.TrimSpace(b.String())
}
