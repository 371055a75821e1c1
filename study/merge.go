package study

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Merge merges several reductions of one fleet. Parts that share a group must cover ranges of
// time that do not overlap, and one call must merge all parts of a group. The result does not
// depend on the division into parts. The parts must not be used afterwards.
func Merge(f *Fleet, parts ...*Reduction) (*Reduction, error) { return merge(f, mostSlow, parts) }

// merge is Merge with a limit: it returns an error if the parts have more than most slow hours.
func merge(f *Fleet, most int64, parts []*Reduction) (*Reduction, error) {
	if len(parts) == 0 {
		return nil, errors.New("no streams to merge: give at least one stream")
	}
	m := &merger{fleet: f, binner: NewBinner(), out: &Reduction{Options: parts[0].Options}}
	slow := int64(0)
	for _, p := range parts {
		if o := m.out.Options; !slices.Equal(p.Options.Thresholds, o.Thresholds) || p.Options.Zone.String() != o.Zone.String() {
			return nil, fmt.Errorf("streams have thresholds %v in time zone %v and thresholds %v in time zone %v: use the same thresholds and time zone for all streams",
				o.Thresholds, o.Zone, p.Options.Thresholds, p.Options.Zone)
		}
		m.counts(p)
		slow += int64(len(p.Slow))
	}
	if slow > most {
		return nil, tooMany(slow, m.out.Options.Kept())
	}
	index := m.cells(parts)
	if err := m.stitch(); err != nil {
		return nil, err
	}
	for i, p := range parts {
		m.rows(p, index[i])
	}
	m.order()
	return m.out, nil
}

type merger struct {
	fleet  *Fleet
	binner *Binner
	out    *Reduction
}

// counts adds the accounts and distributions of a part of the fleet to the result.
func (m *merger) counts(p *Reduction) {
	for i := range p.Accounts {
		m.out.Accounts[i].merge(&p.Accounts[i])
	}
	for _, s := range p.Spreads {
		if had := m.out.spread(s.Direction, s.Kind); had != nil {
			had.merge(s)
		} else {
			m.out.Spreads = append(m.out.Spreads, s)
		}
	}
	slices.SortFunc(m.out.Spreads, func(a, b *Spread) int {
		return cmp.Or(cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Kind, b.Kind))
	})
}

func (r *Reduction) spread(d Direction, k Kind) *Spread {
	for _, s := range r.Spreads {
		if s.Direction == d && s.Kind == k {
			return s
		}
	}
	return nil
}

func (s *Spread) merge(other *Spread) {
	more := other.all()
	for i, h := range s.all() {
		h.Merge(more[i])
	}
}

func (s *Spread) all() []*Histogram {
	out := []*Histogram{&s.Slowdown, &s.Busy, &s.Large}
	for i := range s.Tails {
		out = append(out, &s.Tails[i])
	}
	for i := range s.Calm {
		out = append(out, &s.Calm[i], &s.Tense[i])
	}
	return out
}

// cells merges the cells of all parts. It returns the new index of each cell, by part and old
// index.
func (m *merger) cells(parts []*Reduction) [][]int32 {
	type origin struct{ part, cell int32 }
	var all []origin
	index := make([][]int32, len(parts))
	for i, p := range parts {
		index[i] = make([]int32, len(p.Cells))
		for j := range p.Cells {
			all = append(all, origin{int32(i), int32(j)})
		}
	}
	at := func(o origin) *Cell { return &parts[o.part].Cells[o.cell] }
	slices.SortFunc(all, func(a, b origin) int { return cmp.Or(at(a).compare(at(b)), cmp.Compare(a.part, b.part)) })
	for _, o := range all {
		c, n := at(o), len(m.out.Cells)
		if n > 0 && m.out.Cells[n-1].compare(c) == 0 {
			m.out.Cells[n-1].merge(c)
		} else {
			m.out.Cells = append(m.out.Cells, *c)
		}
		index[o.part][o.cell] = int32(len(m.out.Cells) - 1)
	}
	return index
}

func (c *Cell) compare(other *Cell) int {
	return cmp.Or(cmp.Compare(c.Direction, other.Direction), cmp.Compare(c.Kind, other.Kind), cmp.Compare(c.Group, other.Group))
}

func (c *Cell) merge(other *Cell) {
	c.Parity = max(c.Parity, other.Parity)
	c.Hours += other.Hours
	c.DriveHours += other.DriveHours
	c.Busy += other.Busy
	c.Large += other.Large
	for i, n := range other.TailSum {
		c.TailSum[i] += n
	}
	for i, n := range other.ByHour {
		c.ByHour[i] += n
	}
	for i, s := range other.Steps {
		c.Steps[i].merge(s)
	}
	for _, m := range other.Months {
		c.month(m)
	}
	c.Spans = append(c.Spans, other.Spans...)
}

func (s *Step) merge(other Step) {
	s.Calm += other.Calm
	s.CalmFell += other.CalmFell
	s.Tense += other.Tense
	s.TenseFell += other.TenseFell
}

// month adds the counts of a month; the months stay sorted.
func (c *Cell) month(m Month) {
	i, found := slices.BinarySearchFunc(c.Months, m.Index, func(a Month, index int32) int { return cmp.Compare(a.Index, index) })
	if !found {
		c.Months = slices.Insert(c.Months, i, m)
		return
	}
	c.Months[i].Hours += m.Hours
	c.Months[i].DriveHours += m.DriveHours
}
