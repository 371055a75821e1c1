package clickhouse

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/limpet-storage/limpet/study"
)

// The queries, each a subquery of the next.
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

// External tables of queries. They map the keys of groups and drives to their numbers, from 1
// on, and to facts about them. The kind of a drive is the bit 1<<kind, the kind of a group is a
// number.
const (
	groupsTable = "limpet_groups" // gkey1, …, g, group_kind
	drivesTable = "limpet_drives" // dkey1, …, d, parity, kind, deployed
)

// neverHour is the hour of deployment of a drive of unknown age.
const neverHour = -1 << 31

// seatBits is the number of low bits of a seat that hold the year of the drive's life. The bits
// above hold the number of the drive. A key below 1<<seatBits is not a seat, but a key of a
// distribution.
const seatBits = 32

// A question asks for the records of a range of hours, in one direction.
type question struct {
	*layout
	Options   study.Options
	Direction study.Direction
	From, To  int32 // hours
}

// Cells returns the query for the counts, hours and slow hours of groups.
func (q question) Cells(table table) string { return q.sql(cellsSQL, table) }

// Tallies returns the query for the hours of drives and for distributions.
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

// median returns SQL for the median of a sorted array; the mean of the middle two if the number
// of values is even; -1 if there are fewer than least values.
func median(ordered string, least int) string {
	return fmt.Sprintf("if(length(%[1]s) < %[2]d, -1, (toFloat64(%[1]s[intDiv(length(%[1]s) + 1, 2)]) + toFloat64(%[1]s[intDiv(length(%[1]s), 2) + 1])) / 2)", ordered, least)
}

// fill executes the template of a query.
func fill(query string, of map[string]any) string {
	var b strings.Builder
	if err := template.Must(template.New("").Parse(query)).Execute(&b, of); err != nil {
		panic(err) // cannot happen: the templates are embedded here
	}
	return strings.TrimSpace(b.String())
}
