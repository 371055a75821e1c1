package console

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/topology"
)

// Subject returns the system that is diagnosed at the moment, with its options.
type Subject func() report.Subject

// systems makes the document of the system, once for each topology.
type systems struct {
	subject Subject

	mu   sync.Mutex
	of   *topology.System
	made *file
}

func (s *systems) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := s.document()
	if err != nil {
		http.Error(w, "the server could not make the list of components; the log of the server shows the cause", http.StatusInternalServerError)
		return
	}
	f.ServeHTTP(w, r)
}

func (s *systems) document() (*file, error) {
	subject := s.subject()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == subject.System {
		return s.made, nil
	}
	body, err := json.Marshal(describe(&subject))
	if err != nil {
		return nil, err
	}
	s.of, s.made = subject.System, newFile("application/json", askedAgain, body)
	return s.made, nil
}

// System is the document of the system: everything that stays the same until the topology changes.
type System struct {
	Name        string `json:"name"`
	Version     string `json:"limpet"`
	StepSeconds int64  `json:"step_seconds"`
	// ShiftSeconds is the time between the begins of two successive windows.
	ShiftSeconds int64 `json:"shift_seconds"`
	// WindowSeconds is the length of a window.
	WindowSeconds int64           `json:"window_seconds"`
	Lead          string          `json:"lead"` // metric that shows slowness
	Load          string          `json:"load"` // metric that shows the load; empty: there is none
	Metrics       []Metric        `json:"metrics"`
	Kinds         map[string]Kind `json:"kinds"`
	Groups        []Group         `json:"groups"`
	Names         []string        `json:"names"` // names of the components, in the order of the system
	// GroupOf holds, for each component, the ID of its peer group.
	GroupOf []int `json:"group_of"`
	// Columns holds a column for each property of components: server, array, lun, …
	Columns   map[string]Column `json:"columns"`
	Published []Published       `json:"published"`
}

// Published is a figure of the study T16, which the page shows next to the figure of the site.
type Published struct {
	Name   string   `json:"name"` // name of the figure in package study
	Source string   `json:"source"`
	Disk   *float64 `json:"disk"`
	SSD    *float64 `json:"ssd"`
}

// otherFigures are the names of the published figures that the page compares with the site's own.
var otherFigures = []string{"slow-hours-2", "slow-hours-1.5", "ever-2", "persist-2", "persist-8h-2", "again-2", "often-2"}

// Metric is a metric of the rows.
type Metric struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Worse string `json:"worse"` // higher, lower, either
	Ratio bool   `json:"ratio"` // values differ by factors, so that a logarithmic axis shows them best
}

// Group is a peer group.
type Group struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	Members int    `json:"members"`
}

// Kind describes a kind of incident. The description is the same for every component.
type Kind struct {
	Meaning string `json:"meaning"`
}

// Column is a property of components. Words holds the different values; the first is empty. Of
// holds, for each component, the index of its value in Words.
type Column struct {
	Words []string `json:"words"`
	Of    []int    `json:"of"`
}

func describe(s *report.Subject) *System {
	sentences := sentence.New(s.System, s.Schema, &s.Options)
	out := &System{
		Name: s.System.Name, Version: s.Version, StepSeconds: s.Schema.StepSeconds,
		ShiftSeconds: max(1, int64(s.Options.Detect.WinShift)*s.Options.Detect.StepSeconds), Lead: sentences.Lead.Name,
		WindowSeconds: max(1, int64(s.Options.Detect.WinSize)*s.Options.Detect.StepSeconds),
		Metrics:       []Metric{}, Kinds: map[string]Kind{}, Groups: []Group{}, Names: []string{}, GroupOf: []int{}, Columns: map[string]Column{},
	}
	for _, m := range s.Schema.Metrics {
		out.Metrics = append(out.Metrics, Metric{m.Name, m.Unit, m.Worse.String(), m.Ratio()})
		if m.Name == metric.TPS.Name {
			out.Load = m.Name
		}
	}
	for _, k := range finding.Kinds() {
		out.Kinds[string(k)] = Kind{sentence.Meaning(k)}
	}
	for _, g := range s.System.Groups {
		out.Groups = append(out.Groups, Group{g.ID, g.Name, len(g.Members)})
	}
	t16 := study.T16()
	for _, name := range otherFigures {
		p := t16[name]
		out.Published = append(out.Published, Published{name, p.Source, p.Of(study.All, study.Disk), p.Of(study.All, study.SSD)})
	}
	for i := range s.System.Components {
		out.Names = append(out.Names, s.System.Components[i].Name)
		out.GroupOf = append(out.GroupOf, s.System.Components[i].Group)
	}
	for name, of := range columns {
		if c := column(s.System.Components, of); len(c.Words) > 1 {
			out.Columns[name] = c
		}
	}
	return out
}

// columns holds the properties of components, by name of the column.
var columns = map[string]func(*topology.Component) string{
	"kind":       func(c *topology.Component) string { return c.Kind.String() },
	"server":     func(c *topology.Component) string { return c.Server },
	"device":     func(c *topology.Component) string { return c.Device },
	"wwn":        func(c *topology.Component) string { return c.WWN },
	"lun":        func(c *topology.Component) string { return c.LUN },
	"controller": func(c *topology.Component) string { return c.Controller },
	"array":      func(c *topology.Component) string { return c.Array },
	"drawer":     func(c *topology.Component) string { return c.Drawer },
	"slot":       func(c *topology.Component) string { return c.Slot },
	"set":        func(c *topology.Component) string { return c.Set },
	"model":      func(c *topology.Component) string { return c.Model },
	"serial":     func(c *topology.Component) string { return c.Serial },
	"firmware":   func(c *topology.Component) string { return c.Firmware },
	"enclosure":  func(c *topology.Component) string { return c.Enclosure },
	"rack":       func(c *topology.Component) string { return c.Rack },
	"pool":       func(c *topology.Component) string { return c.Pool },
	"volume":     func(c *topology.Component) string { return c.Volume },
	"made":       func(c *topology.Component) string { return c.Made },
}

func column(components []topology.Component, of func(*topology.Component) string) Column {
	c, at := Column{Words: []string{""}}, map[string]int{"": 0}
	for i := range components {
		word := of(&components[i])
		n, known := at[word]
		if !known {
			n = len(c.Words)
			at[word] = n
			c.Words = append(c.Words, word)
		}
		c.Of = append(c.Of, n)
	}
	return c
}
