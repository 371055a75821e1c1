package arrays

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

//go:embed events/intrepid.yaml
var intrepidEvents []byte

const intrepidFile = "intrepid.yaml"

// A Category is a category of incidents in L13 Table 8.
type Category string

// The categories, in the order of the table.
const (
	ControllerFailure Category = "controller failure"
	ServerFailure     Category = "file server down"
	BadState          Category = "misconfiguration / bad state"
	DrawerFailure     Category = "drawer error"
	OneLUN            Category = "single LUN"
)

// Categories returns all categories.
func Categories() []Category {
	return []Category{ControllerFailure, ServerFailure, BadState, DrawerFailure, OneLUN}
}

// An Incident is an event that L13 observed at Intrepid, with the details of Tables 4 to 7.
type Incident struct {
	At         time.Time
	For        time.Duration // until it was repaired or over
	Category   Category
	Components []string      // names in the topology
	Latency    time.Duration // time that the diagnosis of the study took
	Text       string

	place int // index in the file
}

// Name returns a name that distinguishes incidents: "2011-07-14 ddn19a".
func (i *Incident) Name() string {
	return i.At.Format("2006-01-02 ") + strings.Join(i.Components, ",")
}

// Events returns the file of all incidents, as [Scenario.ParseEvents] reads it.
func Events() []byte { return intrepidEvents }

// IntrepidEvents returns the 23 incidents, in the order of the tables.
func IntrepidEvents() []Incident { return slices.Clone(readIntrepidEvents()) }

// readIntrepidEvents reads the file once: the defaults of several commands have these events.
var readIntrepidEvents = sync.OnceValue(func() []Incident {
	r := &eventReader{Decoder: yamlfile.New(intrepidFile)}
	var list []Incident
	for place, n := range r.entries(intrepidEvents) {
		list = append(list, r.incident(n, place))
	}
	if err := r.Err(); err != nil {
		panic(err) // cannot happen: the file is part of the program
	}
	return list
})

func (r *eventReader) incident(n *yaml.Node, place int) Incident {
	f := map[string]*yaml.Node{}
	for _, p := range r.Pairs(n, "an event") {
		f[p.Key] = p.Value
	}
	p := r.Fields(f["published"], "published", "category", "latency", "text")
	at, err := time.Parse(time.RFC3339, r.Text(f["at"]))
	if err != nil {
		r.Errorf(f["at"], "%v", err)
	}
	return Incident{
		At: at, For: r.duration(f["for"], "a duration"), Components: r.Texts(f["components"]),
		Category: Category(r.Text(p["category"])), Latency: r.duration(p["latency"], "a duration"), Text: r.Text(p["text"]),
		place: place,
	}
}

// The simulated time around an incident is long enough to learn the normal state before it, and
// long enough for the slowest diagnosis of the study after it.
const (
	daysBefore = 1
	daysAfter  = 2
)

// Scenario returns a scenario with this incident alone, from a day before its onset to two days
// after it. All else is as in the options.
func (i *Incident) Scenario(o IntrepidOptions) (*Scenario, error) {
	o.Start = i.At.Add(-daysBefore * 24 * time.Hour).Truncate(time.Minute).Add(rotation)
	o.Days = daysBefore + daysAfter
	s, err := Intrepid(o)
	if err != nil {
		return nil, err
	}
	events, err := s.parseEvents(intrepidFile, intrepidEvents, func(place int) bool { return place == i.place })
	s.Events = append(s.Events, events...)
	return s, err
}
