package prevalence

import (
	"fmt"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
	"github.com/limpet-storage/limpet/topology"
)

// figures are the names of the figures that are shown beside the figures of T16, in the order of
// T16.
var figures = []string{"slow-hours-2", "slow-hours-1.5", "ever-2", "persist-2", "persist-8h-2", "again-2", "often-2"}

// worstDrives is the name of the table with one line for each drive.
const worstDrives = "worst-drives"

// tables are the names of the tables that help an operator to act.
var tables = []string{worstDrives, "runs-2", "model", "age", "months"}

// Metrics returns the metrics of a schema that the count needs: the latency, and the number and
// size of requests if they are measured.
func Metrics(schema *table.Schema, judged []string) ([]metric.Metric, error) {
	lead := schema.Metrics[schema.Leading(judged)]
	if !slices.Contains([]string{"ns", "us", "µs", "ms", "s"}, lead.Unit) {
		return nil, fmt.Errorf("the page Fleet needs a latency, but the first metric, %s, is not a latency: give limpet data with a latency, such as await", lead.Name)
	}
	list := []metric.Metric{lead}
	for _, m := range schema.Metrics {
		if m == metric.TPS || m == metric.AvgRqSz {
			list = append(list, m)
		}
	}
	return list, nil
}

// Count returns how common limping was in the rows. The first metric of the rows must be the
// latency.
func Count(rows table.Stream, system *topology.System) (*api.Fleet, error) {
	o := source.StepsOptions{Group: source.ByAlike}
	for i, m := range rows.Schema().Metrics {
		switch {
		case i == 0:
			o.Latency = m.Name
		case m == metric.TPS:
			o.IOs = m.Name
		default:
			o.Size = m.Name
		}
	}
	hours, err := source.Fold(rows, system, o)
	if err != nil {
		return nil, err
	}
	reduction, err := study.Reduce(hours, hours.Fleet(), study.DefaultOptions())
	if err != nil {
		return nil, err
	}
	found, err := survey.Find(reduction, hours.Fleet(), nil, survey.DefaultOptions())
	if err != nil {
		return nil, err
	}
	return documentOf(found, reduction, slowDrives(reduction, hours.Fleet(), system)), nil
}

const hourSeconds = 3600

// documentOf returns the figures and tables of a study that are shown.
func documentOf(f *study.Findings, r *study.Reduction, components map[string]string) *api.Fleet {
	out := &api.Fleet{
		From: document.Time(int64(f.From) * hourSeconds), To: document.Time(int64(f.To) * hourSeconds),
		Grouping: "array (or server, if there is no array), model, and set of drives that were installed together", Parts: []api.FleetPart{}, Warnings: document.List(f.Warnings),
	}
	for _, p := range f.Parts {
		part := api.FleetPart{
			Kind: p.Kind, Groups: p.Groups, Drives: p.Drives, DriveHours: p.DriveHours,
			Figures: []api.FleetFigure{}, Tables: []api.FleetTable{},
		}
		part.SlowNow, part.DrivesNow = inHour(r, p.Kind, f.To-1)
		for _, name := range figures {
			if i := slices.IndexFunc(p.Figures, func(one study.Figure) bool { return one.Name == name }); i >= 0 {
				part.Figures = append(part.Figures, figure(&p.Figures[i]))
			}
		}
		for _, name := range tables {
			if i := slices.IndexFunc(p.Tables, func(one study.Table) bool { return one.Name == name }); i >= 0 {
				part.Tables = append(part.Tables, tableOf(&p.Tables[i], components))
			}
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// inHour returns how many drives of a kind were slow in the last hour of the study, and how many
// had requests in it. A drive with requests in that hour has it as its last hour.
func inHour(r *study.Reduction, kind string, hour int32) (slow, all int64) {
	for i := range r.Slow {
		if h := &r.Slow[i]; h.Hour == hour && h.S >= study.Slow && r.Cells[h.Cell].Kind.String() == kind {
			slow++
		}
	}
	for i := range r.Seats {
		if s := &r.Seats[i]; s.Last == hour && r.Cells[s.Cell].Kind.String() == kind {
			all++
		}
	}
	return slow, all
}

func figure(f *study.Figure) api.FleetFigure {
	none := document.Number(math.NaN())
	one := api.FleetFigure{Name: f.Name, Share: document.Number(f.Number), Part: f.Part, Whole: f.Whole, Low: none, High: none, Unsure: f.Unsure}
	if f.Interval != nil {
		one.Low, one.High = document.Number(f.Interval.Low), document.Number(f.Interval.High)
	}
	return one
}

func tableOf(t *study.Table, components map[string]string) api.FleetTable {
	out := api.FleetTable{Name: t.Name, Title: t.Title, Note: t.Note, Columns: t.Columns, Units: []string{}, Rows: []api.FleetRow{}}
	for i := range t.Rows {
		row := api.FleetRow{Label: t.Rows[i].Label, Values: api.Numbers{}}
		if t.Name == worstDrives {
			row.Component = components[row.Label]
		}
		for k, v := range t.Rows[i].Values {
			if len(out.Units) == k {
				out.Units = append(out.Units, string(v.Unit))
			}
			if v.None {
				v.Number = math.NaN()
			}
			row.Values = append(row.Values, document.Number(v.Number))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// slowDrives maps the label of each slow drive in the table of the worst drives to the name of its
// component.
func slowDrives(r *study.Reduction, f *study.Fleet, system *topology.System) map[string]string {
	components := map[string]string{}
	for i := range r.Slow {
		drive, group := f.Drives[r.Slow[i].Drive].Name, f.Groups[r.Cells[r.Slow[i].Cell].Group]
		label := survey.DriveLabel(drive, group)
		if _, known := components[label]; !known {
			components[label] = componentOf(drive, system)
		}
	}
	return components
}

// componentOf returns the name of the component of a drive: the drive itself, or the first path to
// a LUN. It is empty if the system has neither.
func componentOf(drive string, system *topology.System) string {
	if _, ok := system.Lookup(drive); ok {
		return drive
	}
	for i := range system.Components {
		if c := &system.Components[i]; c.LUN == drive {
			return c.Name
		}
	}
	return ""
}
