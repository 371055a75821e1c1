package arrays

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/topology"
)

// An events file lists faults and their times:
//
//	events:
//	  - at: 2011-05-10T03:00:00Z     # or after the start of the run: 26h, 1.5d
//	    for: 4.7d                    # default: to its end
//	    mechanism: failed controller
//	    components: [ddn16b, ddn17a] # names and patterns of the topology
//
// The mechanisms, their components and their other keys:
//
//	failed controller        controllers whose devices vanish
//	server down              servers that are silent
//	service down             servers that come back idle, after reboot: 5m
//	lost luns                servers whose devices vanish, of: ddn16
//	lun resets               servers that give LUNs up, of: ddn12, with delay: 103s, timeout: 60s
//	incoherent controllers   arrays, or controllers, with leaves: missing, or zero, and only: 19.[02-66/16]
//	drawer errors            arrays, with luns: 60, every: 2s, retry: 3s
//	slow lun                 LUNs, with factor: 1.8
//	busy lun                 LUNs, with reads: {per_second: 30, kib: 256}, writes: {…}
//	internal load            attachments, with per_second: 0.5, await: 25ms
//	server work              servers, with per_second: 0.8, kib: 8; no fault

// ParseEvents reads an events file for the scenario. Its components must be parts of the system,
// its times must be within the run, and an event at a component must end before the next event at
// this component begins. Errors carry the name.
func (s *Scenario) ParseEvents(name string, data []byte) ([]Event, error) {
	return s.parseEvents(name, data, func(int) bool { return true })
}

// parseEvents reads the entries whose index in the file is chosen.
func (s *Scenario) parseEvents(name string, data []byte, chosen func(int) bool) ([]Event, error) {
	system, err := s.System()
	if err != nil {
		return nil, err
	}
	r := &eventReader{Decoder: yamlfile.New(name), scenario: s, system: system, struck: map[string][]struck{}}
	var events []Event
	for i, entry := range r.entries(data) {
		if chosen(i) {
			events = append(events, r.read(entry)...)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, b Event) int { return a.From.Compare(b.From) })
	return events, nil
}

// An eventReader reads the entries of an events file.
type eventReader struct {
	*yamlfile.Decoder
	scenario *Scenario
	system   *topology.System
	struck   map[string][]struck
}

// struck is the time of an event that hits a component, with its line in the file.
type struck struct {
	Span
	line int
}

func (r *eventReader) entries(data []byte) []*yaml.Node {
	root := r.Root(data, "events:")
	if root == nil {
		return nil
	}
	f := r.Fields(root, "an events file", "events")
	if !r.Required(root, f, "events") {
		return nil
	}
	return r.Entries(f["events"], "events")
}

// An entry is one event of a file, with the keys that all mechanisms have.
type entry struct {
	node       *yaml.Node
	fields     map[string]*yaml.Node
	span       Span
	components []string
}

var common = []string{"at", "for", "mechanism", "components", "published"}

func (r *eventReader) read(n *yaml.Node) []Event {
	keys := slices.Clone(common)
	for _, m := range mechanisms {
		keys = append(keys, m.takes...)
	}
	slices.Sort(keys)
	e := entry{node: n, fields: r.Fields(n, "an event", slices.Compact(keys)...)}
	if !r.Required(n, e.fields, "at", "mechanism", "components") {
		return nil
	}
	m := r.mechanism(e.fields["mechanism"])
	if m == nil || !r.checkKeys(m, e.fields) {
		return nil
	}
	before := r.Mistakes()
	e.span = r.span(&e)
	e.components = r.names(e.fields["components"], m.of...)
	if r.checkOverlap(n, &e); r.Mistakes() > before {
		return nil
	}
	var events []Event
	for _, event := range m.build(r, &e) {
		event.From = later(event.From, e.span.From)
		event.To = earlier(cmp.Or(event.To, e.span.To), e.span.To)
		if event.To.After(event.From) {
			events = append(events, event)
		}
	}
	if r.Mistakes() > before {
		return nil
	}
	for i := range events {
		r.checkHits(n, &events[i])
	}
	return events
}

// checkHits reports an error if an event hits no attachment, or if another event with the same
// mechanism hits the same attachment at the same time, under any name.
func (r *eventReader) checkHits(n *yaml.Node, e *Event) {
	var hit []int
	for _, name := range e.hits() {
		hit = append(hit, r.system.Match(name)...)
	}
	if len(hit) == 0 {
		r.Errorf(n, "the event hits no path from a server to a LUN: choose components that have a path in common")
	}
	slices.Sort(hit)
	for _, c := range slices.Compact(hit) {
		name := fmt.Sprintf("%T %s", e.Mechanism, r.system.Components[c].Name)
		for _, s := range r.struck[name] {
			if s.Overlaps(e.From, e.To) {
				r.Errorf(n, "the event in line %[2]d also hits component %[1]s at the same time: end one event before the other event begins", r.system.Components[c].Name, s.line)
				return
			}
		}
		r.struck[name] = append(r.struck[name], struck{e.lasts(), n.Line})
	}
}

func (r *eventReader) mechanism(n *yaml.Node) *mechanism {
	name := r.Text(n)
	var known []string
	for i := range mechanisms {
		if mechanisms[i].name == name {
			return &mechanisms[i]
		}
		known = append(known, mechanisms[i].name)
	}
	r.Errorf(n, "%q is not a kind of event: write one of %s", name, strings.Join(known, ", "))
	return nil
}

// checkKeys reports an error for each key that this mechanism does not have.
func (r *eventReader) checkKeys(m *mechanism, f map[string]*yaml.Node) bool {
	ok := true
	for key, n := range f {
		if !slices.Contains(common, key) && !slices.Contains(m.takes, key) {
			r.Errorf(n, "the setting %q is not possible for an event of the kind %s: remove the setting", key, m.name)
			ok = false
		}
	}
	return ok
}

// span returns the time of the event, up to the end of the run.
func (r *eventReader) span(e *entry) Span {
	start, end := r.scenario.Start, r.scenario.End
	at := e.fields["at"]
	from, err := time.Parse(time.RFC3339, r.Text(at))
	if err != nil {
		from = start.Add(r.duration(at, "a time or the time since the start, such as 2011-05-10T03:00:00Z or 26h"))
	}
	if from.Before(start) || !from.Before(end) {
		r.Errorf(at, "the time %s is outside of the run, which lasts from %s to %s: change the time of the event or of the run", at.Value, start.Format(time.RFC3339), end.Format(time.RFC3339))
	}
	to := end
	if n := e.fields["for"]; n != nil {
		to = from.Add(r.duration(n, "a duration, such as 4.7d, 36h or 90m"))
		if !to.After(from) {
			r.Errorf(n, "the event lasts 0 s: write a duration above 0 s in the setting \"for\"")
		}
	}
	return Span{From: from.UTC(), To: earlier(to, end).UTC()}
}

func (r *eventReader) duration(n *yaml.Node, what string) time.Duration {
	text := r.Text(n)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if d, err := strconv.ParseFloat(days, 64); err == nil && d >= 0 && d <= MaxDays {
			return times(24*time.Hour, d).Round(time.Second)
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > MaxDays*24*time.Hour {
		r.Errorf(n, "%q is not %s", text, what)
		return time.Second
	}
	return d
}

// checkOverlap reports an error if another event hits one of the components at the same time.
func (r *eventReader) checkOverlap(n *yaml.Node, e *entry) {
	for _, name := range e.components {
		for _, s := range r.struck[name] {
			if s.Overlaps(e.span.From, e.span.To) {
				r.Errorf(n, "the event in line %[2]d still hits component %[1]s: end one event before the other event begins", name, s.line)
			}
		}
		r.struck[name] = append(r.struck[name], struck{e.span, n.Line})
	}
}
