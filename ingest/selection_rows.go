package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Rows returns a source that yields only the selected rows and components of src.
func (s *Selection) Rows(src Source) (Source, error) {
	if !s.Servers.IsAll() {
		part, err := newServerSource(src, s)
		if err != nil {
			return nil, err
		}
		src = part
	}
	if s.Period.IsOpen() {
		return src, nil
	}
	return &periodSource{Source: src, selection: s}, nil
}

// A periodSource yields only the rows of a source that are inside a period.
type periodSource struct {
	Source
	selection   *Selection
	returned    int   // number of rows that were returned
	first, last int64 // end times of the first and of the last row that was read from the source, in Unix seconds
}

// A checker is a source that may find faults in its rows, so that they do not show real components.
// Check then returns an error. After the last row, Next returns this error instead of io.EOF.
// periodSource may stop before the last row, so it calls Check itself.
type checker interface{ Check() error }

func check(src Source) error {
	if c, ok := src.(checker); ok {
		return c.Check()
	}
	return nil
}

// Next returns the next row inside the period. It returns io.EOF at the first row after the period. If
// the source has rows, but no row inside the period, Next returns a [NothingError].
func (d *periodSource) Next(ctx context.Context) (*table.Row, error) {
	p := d.selection.Period
	for {
		row, err := d.Source.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil, cmp.Or(d.nothing(), err)
		}
		if err != nil {
			return nil, err
		}
		if d.first == 0 {
			d.first = row.End
		}
		d.last = row.End
		switch from := row.End - d.Schema().StepSeconds; {
		case p.Holds(from, row.End):
			d.returned++
			return row, nil
		case !p.Until.IsZero() && row.End > p.Until.Unix():
			return nil, cmp.Or(check(d.Source), d.nothing(), io.EOF)
		}
	}
}

// nothing returns the error for a source of which no row is inside the period; nil: there is such a
// row, or the source has no rows at all.
func (d *periodSource) nothing() error {
	if d.returned > 0 || d.first == 0 {
		return nil
	}
	show := func(at int64) string { return time.Unix(at, 0).In(d.zone()).Format("2006-01-02 15:04Z07:00") }
	unused := d.unused()
	where := fmt.Sprintf("the files have data from %s to %s", show(d.first), show(d.last))
	until := d.selection.Period.Until
	switch begins := !until.IsZero() && d.first > until.Unix(); {
	case begins && unused != "":
		where = "the data that limpet can use start at " + show(d.first)
	case begins:
		where = "the data in the files start at " + show(d.first)
	case unused != "":
		where = fmt.Sprintf("the data that limpet can use are from %s to %s", show(d.first), show(d.last))
	}
	if unused != "" {
		where += "; " + unused
	}
	return Nothing("there are no data %s: %s; choose another period", d.selection.Period.Text(d.zone()), where)
}

// unused returns the warnings about servers whose data limpet cannot use.
func (d *periodSource) unused() string {
	var texts []string
	for _, w := range d.Warnings() {
		if len(w.Servers) > 0 {
			texts = append(texts, w.String())
		}
	}
	return strings.Join(texts, "; ")
}

func (d *periodSource) zone() *time.Location {
	if d.selection.Zone == nil {
		return time.UTC
	}
	return d.selection.Zone
}

// A serverSource yields the rows of a source, with only the components of the
// selected servers.
type serverSource struct {
	Source
	system           *topology.System
	sourceComponents []int // for each selected component: its index in the rows of the source
	sourceServers    []int // for each selected server: its index in Row.Heard of the source, which shows which servers have sent data
	row              *table.Row
}

// Check returns the error of the Check method of the source, or nil (see checker).
func (p *serverSource) Check() error { return check(p.Source) }

// System returns the part of the given system that belongs to the selected servers.
func (s *Selection) System(whole *topology.System) (*topology.System, error) {
	if s.Servers.IsAll() {
		return whole, nil
	}
	part, was := whole.Only(s.Servers.HasHost)
	if len(was) == 0 {
		return nil, Nothing("the data have no server %s; the data have the servers %s", s.Servers.String(), topology.Fold(whole.Servers))
	}
	return part, nil
}

func newServerSource(src Source, selection *Selection) (Source, error) {
	whole := src.System()
	if _, err := selection.System(whole); err != nil {
		return nil, err
	}
	p := &serverSource{Source: src}
	if p.system, p.sourceComponents = whole.Only(selection.Servers.HasHost); len(p.sourceComponents) == len(whole.Components) {
		return src, nil
	}
	for _, name := range p.system.Servers {
		p.sourceServers = append(p.sourceServers, slices.Index(whole.Servers, name))
	}
	p.row = table.NewRow(p.Schema())
	return p, nil
}

// System returns the part of the system that belongs to the selected servers.
func (p *serverSource) System() *topology.System { return p.system }

// Schema returns the schema of the source, with only the selected components and
// servers.
func (p *serverSource) Schema() table.Schema {
	s := p.Source.Schema()
	s.Components = len(p.sourceComponents)
	if s.Servers > 0 {
		s.Servers = len(p.system.Servers)
	}
	return s
}

// Next returns the next row that has data of a selected server, or a value of a selected component.
func (p *serverSource) Next(ctx context.Context) (*table.Row, error) {
	for {
		row, err := p.Source.Next(ctx)
		if err != nil {
			return nil, err
		}
		if p.take(row) {
			return p.row, nil
		}
	}
}

// take copies the selected part of a row into p.row. It reports whether that part
// has data.
func (p *serverSource) take(row *table.Row) (any bool) {
	p.row.End = row.End
	for m, values := range row.Values {
		for c, was := range p.sourceComponents {
			p.row.Values[m][c] = values[was]
			any = any || !table.IsMissing(values[was])
		}
	}
	for c, was := range p.sourceComponents {
		if row.Latency != nil {
			p.row.Latency[c] = row.Latency[was]
		}
		if row.Upkeep != nil {
			p.row.Upkeep[c] = row.Upkeep[was]
		}
	}
	if row.Heard != nil {
		for s, was := range p.sourceServers {
			p.row.Heard[s] = row.Heard[was]
			if row.Gauges != nil {
				p.row.Gauges[s] = row.Gauges[was].ForSystem(func(c int) int { return slices.Index(p.sourceComponents, c) })
			}
			any = any || row.Heard[was]
		}
	}
	return any
}
