package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// A survey combines the results of the first reading of all files (tableScan).
type survey struct {
	d                  *Description
	listed             []topology.Listed
	seen               []sighting   // times of the lines of each component
	home               []*tableFile // for each component: the first file that contains the component
	byName             map[string]int
	contradictory      map[string]bool // components whose lines disagree about the peer group, the server or another property
	firstContradictory string          // first component in survey.contradictory
	used               []string        // fields that the description uses
	// Two files may contain a component of the same name, and differ in a field of the path that the
	// description does not use. For each such field, sameComponent has one warning.
	sameComponent map[string]ingest.Warning
	measured      []bool          // for each metric: true if at least one sample has a value of the metric
	leftOut       map[string]bool // devices that are not drives
	last          int64           // latest time of a sample, in ns
	warnings      []ingest.Warning
}

func newSurvey(d *Description, files []*tableFile) *survey {
	s := &survey{
		d: d, used: d.UsedFields(), measured: make([]bool, len(d.Columns)),
		byName: make(map[string]int), contradictory: make(map[string]bool), sameComponent: make(map[string]ingest.Warning), leftOut: make(map[string]bool),
	}
	for _, f := range files {
		s.add(f)
	}
	s.warnLeftOut()
	s.warnTorn()
	s.warnStrewn()
	s.warnMetrics()
	s.warnUnit()
	return s
}

func (s *survey) add(f *tableFile) {
	for m, has := range f.scan.measured {
		s.measured[m] = s.measured[m] || has
	}
	for _, name := range f.scan.leftOut {
		s.leftOut[name] = true
	}
	s.last = max(s.last, f.scan.last)
	s.warnings = append(s.warnings, f.scan.warnings...)
	for i := range f.scan.listed {
		torn := slices.Contains(f.scan.contradictory, int32(i))
		s.addComponent(f, &f.scan.listed[i], &f.scan.seen[i], torn)
	}
	f.scan.listed, f.scan.seen = nil, nil
}

func (s *survey) addComponent(f *tableFile, l *topology.Listed, seen *sighting, torn bool) {
	i, known := s.byName[l.Name]
	if !known {
		s.byName[l.Name] = len(s.listed)
		s.listed, s.seen, s.home = append(s.listed, *l), append(s.seen, *seen), append(s.home, f)
	} else {
		c := &s.seen[i]
		c.intervals.Merge(&seen.intervals)
		c.intervals.Between(c.last, seen.first)
		c.last = seen.last
		torn = torn || s.listed[i] != *l
		s.noteSameComponent(l.Name, s.home[i], f)
	}
	if torn {
		s.contradictory[l.Name] = true
		s.firstContradictory = cmp.Or(s.firstContradictory, l.Name)
	}
}

// noteSameComponent compares the paths of two files that have a component of the same name. If the
// paths differ in a field that the description does not use, it adds a warning to s.sameComponent. The
// two files may then have different components with the same name.
func (s *survey) noteSameComponent(name string, a, b *tableFile) {
	for field, value := range b.Fields {
		other, both := a.Fields[field]
		if _, told := s.sameComponent[field]; told || !both || other == value || slices.Contains(s.used, field) {
			continue
		}
		s.sameComponent[field] = ingest.Warning{File: b.Path, Text: fmt.Sprintf(
			"%s is read as one component, although the field {%s} in the path is %s for this file and %s for another file. If there are two components, add {%s} to the setting \"component\". If there is one component, write * instead of the field in the setting \"files\"",
			name, field, value, other, field)}
	}
}

func (s *survey) warnLeftOut() {
	if len(s.leftOut) > 0 {
		s.warnings = append(s.warnings, ingest.Warning{Text: fmt.Sprintf(
			"these devices are left out, because they are not drives: %s; to judge these devices too, use activity files, and list the devices in a topology file",
			topology.Fold(slices.SortedFunc(maps.Keys(s.leftOut), topology.Compare)))})
	}
}

func (s *survey) warnTorn() {
	if len(s.contradictory) > 0 {
		s.warnings = append(s.warnings, ingest.Warning{Text: fmt.Sprintf(
			"%s more than one peer group or server (the first is %s); limpet uses the peer group and server of the first line: if these are different components, give each component its own name with the setting \"component\"",
			english.Count(len(s.contradictory), "component")+" "+english.Verb(len(s.contradictory), "has", "have"), s.firstContradictory)})
	}
}

func (s *survey) warnStrewn() {
	for _, field := range slices.Sorted(maps.Keys(s.sameComponent)) {
		s.warnings = append(s.warnings, s.sameComponent[field])
	}
}

func (s *survey) warnMetrics() {
	for m, has := range s.measured {
		if !has {
			s.warnings = append(s.warnings, ingest.Warning{Text: fmt.Sprintf(
				"%s is empty in all files; correct its column %q in the description file, or correct the files", s.d.valueName(m), s.d.Columns[m])})
		}
	}
}

// warnUnit warns if times in a unit smaller than a second are all before the year 1980. Such times
// are probably in seconds.
func (s *survey) warnUnit() {
	const decade = 10 * 365 * 24 * int64(time.Hour)
	if unit := s.d.Time.Clock.UnitSeconds(); unit > 0 && unit < 1 && s.last > 0 && s.last < decade {
		s.warnings = append(s.warnings, ingest.Warning{Text: fmt.Sprintf(
			"the last time in the data is in the year %d, so the unit of the times may be wrong; if the times are in seconds, write \"format: unix\" under \"time\" in the description file", time.Unix(0, s.last).UTC().Year())})
	}
}

// commonInterval returns the interval, in seconds, that most components have. It is at least 1.
func (s *survey) commonInterval() int64 {
	return max(s.intervalsBeyond(0).Common(), 1)
}

// intervalsBeyond counts the components with each interval. The interval of a component is the most
// frequent time between its samples. Only intervals of more than the given number of seconds are
// counted.
func (s *survey) intervalsBeyond(seconds int64) *counts {
	var all counts
	for i := range s.seen {
		if common := s.seen[i].intervals.Common(); common > seconds {
			all.Add(common, 1)
		}
	}
	return &all
}

// warnStep warns if the samples of some components are farther apart than the step.
func (s *survey) warnStep(step int64) {
	beyond := s.intervalsBeyond(step)
	if n := beyond.Listed(); n > 0 {
		s.warnings = append(s.warnings, ingest.Warning{Text: fmt.Sprintf(
			"the samples of %d of %s have an interval of %d s, longer than the time step of %d s, so many time steps have no values of these components; use --step %d",
			n, english.Count(len(s.listed), "component"), beyond.Common(), step, beyond.Common())})
	}
}
