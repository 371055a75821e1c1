// This file has the sheet for the analyses of a study: one sheet for each kind of drives and
// direction. The analyses count into the sheet, which sums the counts over groups. At the end
// they report shares with confidence intervals, and T16's figures, to one part of the findings.

package survey

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// A sheet holds the counts and the findings of one direction and kind.
type sheet struct {
	Fleet  *study.Fleet
	Spread *study.Spread
	Sums   *study.Sums
	Part   *study.Part
	study.Options

	// Indexes of counts that are the denominators of many shares.
	Hours, DriveHours, Drives int

	published map[string]study.Published
}

// newSheet returns a sheet without groups.
func newSheet(f *study.Fleet, s *study.Spread, o study.Options, sums *study.Sums) *sheet {
	return &sheet{
		Fleet: f, Spread: s, Sums: sums, Options: o, published: study.T16(),
		Part:  &study.Part{Direction: s.Direction.String(), Kind: s.Kind.String()},
		Hours: sums.Block(1), DriveHours: sums.Block(1), Drives: sums.Block(1),
	}
}

// An analysis answers one question.
type analysis interface {
	Group(*study.Group) // counts a group
	Report()            // adds figures, tables and charts to the sheet's part
}

// Run passes all groups to all analyses, and then calls their reports.
func (s *sheet) Run(groups func(func(*study.Group) bool), all []analysis) {
	for g := range groups {
		s.Sums.Add(s.Hours, g.Hours)
		s.Sums.Add(s.DriveHours, g.DriveHours)
		s.Sums.Add(s.Drives, int64(len(g.Members)))
		for _, a := range all {
			a.Group(g)
		}
		s.Sums.EndGroup(s.Fleet.Groups[g.Group])
	}
	s.Part.Groups, s.Part.Drives = int64(s.Sums.Groups()), s.Sums.Total(s.Drives)
	s.Part.GroupHours, s.Part.DriveHours = s.Sums.Total(s.Hours), s.Sums.Total(s.DriveHours)
	for _, a := range all {
		a.Report()
	}
}

// Main returns the threshold for the questions that T16 answers at one threshold only.
func (s *sheet) Main() float64 { return main(s.Options) }

// main returns study.Slow if it is one of the thresholds, else the largest threshold.
func main(o study.Options) float64 {
	if slices.Contains(o.Thresholds, study.Slow) {
		return study.Slow
	}
	return o.Thresholds[len(o.Thresholds)-1]
}

// Clock returns the start of an hour, in the time zone of the study.
func (s *sheet) Clock(hour int32) time.Time {
	return time.Unix(int64(hour)*int64(time.Hour/time.Second), 0).In(s.Zone)
}

// Share adds a figure with the share part / whole. In the phrase, %s stands for the drives.
func (s *sheet) Share(name string, part, whole int, phrase string) {
	s.Figure(study.Figure{
		Name: name, Value: s.Ratio(part, whole), Part: s.Sums.Total(part), Whole: s.Sums.Total(whole),
	}, phrase)
}

// Figure adds a figure and its sentence, unless there are no data for the figure.
func (s *sheet) Figure(f study.Figure, phrase string) {
	if f.None {
		return
	}
	p := s.published[f.Name]
	f.Source, f.T16 = p.Source, p.Of(s.Spread.Direction, s.Spread.Kind)
	f.Sentence = f.Say(strings.ReplaceAll(phrase, "%s", s.noun()))
	s.Part.Figures = append(s.Part.Figures, f)
}

// noun returns the word for drives of a kind.
func noun(k study.Kind) string { return [study.Kinds]string{"drives", "disks", "SSDs"}[k] }

// noun returns the word for the drives of the sheet, with the direction.
func (s *sheet) noun() string {
	noun := noun(s.Spread.Kind)
	if s.Spread.Direction != study.All {
		noun += " (" + s.Spread.Direction.String() + ")"
	}
	return noun
}

// Table adds a table, if it has rows.
func (s *sheet) Table(t study.Table) {
	if len(t.Rows) > 0 {
		s.Part.Tables = append(s.Part.Tables, t)
	}
}

// Chart adds a chart without its empty curves, if it has other curves.
func (s *sheet) Chart(c study.Chart) {
	c.Curves = slices.DeleteFunc(c.Curves, func(c study.Curve) bool { return len(c.Points) == 0 })
	if len(c.Curves) > 0 {
		s.Part.Charts = append(s.Part.Charts, c)
	}
}

// Ratio returns the share part / whole, with its interval.
func (s *sheet) Ratio(part, whole int) study.Value {
	return s.Value(study.Share, func(sum study.Sum) float64 { return sum(part) / sum(whole) }, part, whole)
}

// Value returns a value that is computed from sums. It has an interval only if each of the
// counts is not 0 in enough groups.
func (s *sheet) Value(unit study.Unit, of func(study.Sum) float64, counts ...int) study.Value {
	e := s.Sums.Estimate(of, counts...)
	if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
		return study.Value{Unit: unit, None: true}
	}
	v := study.Value{Number: e.Value, Unit: unit, Interval: finite(e.Interval)}
	if v.Interval == nil {
		v.Unsure = unsure(v, e)
	}
	return v
}

// unsure returns the reason why a value has no interval.
func unsure(v study.Value, e study.Estimate) string {
	switch {
	case v.Number == 0:
		return "the count is zero"
	case v.Number == 1 && v.Unit == study.Share:
		return "the value is 100 %"
	case e.Groups == 0:
		return "no group has such values"
	case e.Groups == 1:
		return "only 1 group has such values"
	case e.Groups < study.FewestGroups:
		return "only " + strconv.Itoa(e.Groups) + " groups have such values"
	case e.Alike:
		return "all groups have the same value"
	}
	return "there are too few values"
}

func finite(i *study.Interval) *study.Interval {
	if i == nil || math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		return nil
	}
	return i
}

// Total returns the sum of a count over all groups.
func (s *sheet) Total(id int) study.Value {
	return study.Value{Number: float64(s.Sums.Total(id)), Unit: study.Number}
}
