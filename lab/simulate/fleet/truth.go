package fleet

import (
	"bytes"
	"time"

	"go.yaml.in/yaml/v3"
)

// A Summary is the truth about a fleet: its parameters and its results.
//
//	seed: 1
//	from: 2026-01-01T00:00:00Z
//	to: 2026-03-29T00:00:00Z
//	disk:
//	  figures:
//	    - {figure: drive hours with a slowdown of 2 or more, t16: 0.0022, here: 0.00219}
//	    …
//	  counts:
//	    groups: 380
//	    …
//	  parameters:
//	    …
//	ssd:
//	  …
type Summary struct {
	Seed uint64    `yaml:"seed"`
	From time.Time `yaml:"from"`
	To   time.Time `yaml:"to"`
	Disk *Part     `yaml:"disk,omitempty"`
	SSD  *Part     `yaml:"ssd,omitempty"`
}

// A Part has the results for the drives of one kind.
type Part struct {
	Figures    []Figure   `yaml:"figures"`
	Counts     Counts     `yaml:"counts"`
	Parameters *behaviour `yaml:"parameters"`
}

// Summary returns the results so far. If a fleet has no disks, or no SSDs, that part is nil.
func (f *Fleet) Summary() *Summary {
	s := &Summary{Seed: f.options.Seed, From: f.options.Start}
	s.To = s.From.Add(time.Duration(f.days) * hoursPerDay * time.Hour)
	s.Disk, s.SSD = f.part(Disk), f.part(SSD)
	return s
}

func (f *Fleet) part(kind Kind) *Part {
	var p *Part
	for _, g := range f.groups {
		if g.Kind != kind {
			continue
		}
		if p == nil {
			p = &Part{Parameters: g.behaviour}
		}
		p.Counts.add(g.total())
	}
	if p != nil {
		p.Figures = p.Counts.figures(kind)
	}
	return p
}

// total returns the group's counts, with the counts of its drives.
func (g *group) total() *Counts {
	c := g.counts
	c.Groups, c.Drives, c.DataDrives = 1, int64(len(g.drives)), int64(g.data)
	for i := range g.data {
		p := &g.places[i]
		c.EverSlow += count(p.slow > 0)
		c.Ever16 += count(p.severe)
		c.Under5 += count(p.slow > 0 && p.slow < 5)
		c.Over100 += count(p.slow >= 100)
	}
	return &c
}

// YAML returns the text of a summary file.
func (s *Summary) YAML() ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("# The parameters of the simulated fleet, and its figures; a share of 1 is 100 %.\n\n")
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	return text.Bytes(), enc.Close()
}

// flow returns a value that is written on one line.
func flow(v any) (*yaml.Node, error) {
	var node yaml.Node
	err := node.Encode(v)
	node.Style = yaml.FlowStyle
	return &node, err
}

// MarshalYAML writes a figure on one line. The methods below do the same for their types.
func (f Figure) MarshalYAML() (any, error) {
	type row Figure
	return flow(row(f))
}

func (k knot) MarshalYAML() (any, error) {
	type row knot
	return flow(row(k))
}

func (w weak) MarshalYAML() (any, error) {
	type row weak
	return flow(row(w))
}

func (a age) MarshalYAML() (any, error) {
	type row age
	return flow(row(a))
}

func (m model) MarshalYAML() (any, error) {
	type row model
	return flow(row(m))
}
