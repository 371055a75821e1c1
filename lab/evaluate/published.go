package evaluate

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed published.yaml
var publishedFile []byte

// Published has the figures of the papers.
type Published struct {
	Testbench   []PublishedCluster `yaml:"testbench"`
	Sensitivity []PublishedSetting `yaml:"sensitivity"`
	Intrepid    []PublishedEvents  `yaml:"intrepid"`
	Latencies   []PublishedLatency `yaml:"latencies"`
}

// PublishedCluster is one of F10 Tables 2 to 5.
type PublishedCluster struct {
	Cluster    string           `yaml:"cluster"`
	Source     string           `yaml:"source"`
	Faults     map[string]Rates `yaml:"faults"`
	Aggregate  Rates            `yaml:"aggregate"`
	Observable struct {
		ITP float64 `yaml:"itp"`
		DTP float64 `yaml:"dtp"`
	} `yaml:"observable"`
}

// PublishedSetting has the figures of F10 for one setting of its algorithm.
type PublishedSetting struct {
	Setting string            `yaml:"setting"`
	Source  string            `yaml:"source"`
	Rates   map[float64]Rates `yaml:"rates"` // by value of the setting; NaN: a rate that the paper does not give
	Note    string            `yaml:"note"`  // ranges and differences that the paper gives
}

// PublishedEvents is a row of L13 Tables 8 and 9.
type PublishedEvents struct {
	Category string               `yaml:"category"`
	Observed map[string]int       `yaml:"observed"` // events, by measure
	Later    map[string][]float64 `yaml:"later"`    // hours after the measure cdf, by measure
}

// PublishedLatency is a row of L13 Tables 4 to 7.
type PublishedLatency struct {
	At       time.Time `yaml:"at"`
	Device   string    `yaml:"device"`
	Category string    `yaml:"category"`
	Hours    float64   `yaml:"hours"`
	Source   string    `yaml:"source"`
}

// ReadPublished returns the figures that come with the program.
func ReadPublished() (*Published, error) {
	p := &Published{}
	d := yaml.NewDecoder(bytes.NewReader(publishedFile))
	d.KnownFields(true)
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("published.yaml: %w", err)
	}
	return p, nil
}

// cluster returns the table of a cluster; nil if the paper has no such table.
func (p *Published) cluster(name string) *PublishedCluster {
	for i := range p.Testbench {
		if p.Testbench[i].Cluster == name {
			return &p.Testbench[i]
		}
	}
	return nil
}

// setting returns the figures of the paper for a setting. They are empty if the paper has none.
func (p *Published) setting(name string) PublishedSetting {
	for _, s := range p.Sensitivity {
		if s.Setting == name {
			return s
		}
	}
	return PublishedSetting{Setting: name}
}

// at returns the rates of the paper at a value of the setting; all NaN if the paper has none.
func (s *PublishedSetting) at(value float64) Rates {
	if r, ok := s.Rates[value]; ok {
		return r
	}
	return unknown()
}

// latency returns how many hours the operator of the paper needed to see an event; NaN if the paper
// does not have the event.
func (p *Published) latency(at time.Time) (hours float64, source string) {
	for _, l := range p.Latencies {
		if l.At.Equal(at) {
			return l.Hours, l.Source
		}
	}
	return math.NaN(), ""
}

// rates returns the rates of the paper for one fault; all NaN if the paper has none.
func (c *PublishedCluster) rates(fault string) Rates {
	if c == nil {
		return unknown()
	}
	if r, ok := c.Faults[fault]; ok {
		return r
	}
	return unknown()
}
