// This file reads a part of what there is: a period, and the files of some
// servers.
//
// Files that lie outside are not opened, as far as their names and the time of
// their last writing say it; the name of a host that a file's name does not tell
// stands in its first bytes. Of the files that are left, rows outside the period
// are dropped. What was left out is counted and said.
//
// It stands around a source of rows.

package ingest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Rows are those of a source that lie in the excerpt.
func (e *Selection) Rows(src Source) (Source, error) {
	if !e.Servers.IsAll() {
		part, err := newServerSource(src, e)
		if err != nil {
			return nil, err
		}
		src = part
	}
	if e.Period.IsOpen() {
		return src, nil
	}
	return &periodSource{Source: src, excerpt: e}, nil
}

// periodSource is a source whose rows outside a period are dropped.
type periodSource struct {
	Source
	excerpt     *Selection
	given       int
	first, last int64 // ends of the rows of the source that were seen
}

// Next returns the next row of the period. Nothing is read after it.
func (d *periodSource) Next(ctx context.Context) (*table.Row, error) {
	p := d.excerpt.Period
	for {
		row, err := d.Source.Next(ctx)
		if err != nil {
			return nil, err
		}
		if d.first == 0 {
			d.first = row.End
		}
		d.last = row.End
		switch from := row.End - d.Schema().StepSeconds; {
		case p.Holds(from, row.End):
			d.given++
			return row, nil
		case !p.Until.IsZero() && row.End > p.Until.Unix():
			return nil, io.EOF
		}
	}
}

// Warnings are those of the source, and one where the period has no row.
func (d *periodSource) Warnings() []Warning {
	all := d.Source.Warnings()
	if d.given > 0 || d.first == 0 {
		return all
	}
	show := func(at int64) string { return time.Unix(at, 0).In(d.zone()).Format("2006-01-02 15:04Z07:00") }
	where := fmt.Sprintf("the files have data from %s to %s", show(d.first), show(d.last))
	if until := d.excerpt.Period.Until; !until.IsZero() && d.first > until.Unix() {
		where = "the data of the files begin at " + show(d.first)
	}
	return append(all, Warning{Text: fmt.Sprintf("there are no data %s: %s; ask for another period", d.excerpt.Period.Text(d.zone()), where)})
}

func (d *periodSource) zone() *time.Location {
	if d.excerpt.Zone == nil {
		return time.UTC
	}
	return d.excerpt.Zone
}

// serverSource is a source whose components of other servers are dropped.
type serverSource struct {
	Source
	system *topology.System
	was    []int // by component: its place in the rows of the source
	heard  []int // by server: likewise
	row    *table.Row
}

// System is the part of a system that is asked for.
func (e *Selection) System(whole *topology.System) (*topology.System, error) {
	if e.Servers.IsAll() {
		return whole, nil
	}
	part, was := whole.Only(e.Servers.HasHost)
	if len(was) == 0 {
		return nil, Nothing("no component is of a server called %s; servers are %s", e.Servers.String(), topology.Fold(whole.Servers))
	}
	return part, nil
}

func newServerSource(src Source, e *Selection) (Source, error) {
	whole := src.System()
	if _, err := e.System(whole); err != nil {
		return nil, err
	}
	p := &serverSource{Source: src}
	if p.system, p.was = whole.Only(e.Servers.HasHost); len(p.was) == len(whole.Components) {
		return src, nil
	}
	for _, name := range p.system.Servers {
		p.heard = append(p.heard, slices.Index(whole.Servers, name))
	}
	p.row = table.NewRow(p.Schema())
	return p, nil
}

// System is the part that is left.
func (p *serverSource) System() *topology.System { return p.system }

// Schema is that of the source, for fewer components.
func (p *serverSource) Schema() table.Schema {
	s := p.Source.Schema()
	s.Components = len(p.was)
	if s.Servers > 0 {
		s.Servers = len(p.system.Servers)
	}
	return s
}

// Next returns the next row that has a value of what is left.
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

// take copies what is left of a row, and says whether it is anything.
func (p *serverSource) take(row *table.Row) (any bool) {
	p.row.End = row.End
	for m, values := range row.Values {
		for c, was := range p.was {
			p.row.Values[m][c] = values[was]
			any = any || !table.IsMissing(values[was])
		}
	}
	for c, was := range p.was {
		if row.Latency != nil {
			p.row.Latency[c] = row.Latency[was]
		}
		if row.Upkeep != nil {
			p.row.Upkeep[c] = row.Upkeep[was]
		}
	}
	if row.Heard != nil {
		for s, was := range p.heard {
			p.row.Heard[s] = row.Heard[was]
			any = any || row.Heard[was]
		}
	}
	return any
}
