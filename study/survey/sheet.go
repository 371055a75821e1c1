// This file has the sheet into which the analyses of a study count and from which they
// report: one for each kind of drives and direction. Counts are summed over groups, shares
// of them have intervals of confidence, and a report goes to one part of the findings,
// with T16's figures beside it.

package survey

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// A sheet is of one direction and kind.
type sheet struct {
	Fleet  *study.Fleet
	Spread *study.Spread
	Sums   *study.Sums
	Part   *study.Part
	study.Options

	// Counts that are the whole of many shares.
	Hours, DriveHours, Drives int

	published map[string]study.Published
}

// newSheet returns one without groups.
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

// Run has groups counted by all analyses, and then reported on.
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

// Main is the threshold for questions that T16 asks of one only.
func (s *sheet) Main() float64 { return main(s.Options) }

// main is T16's threshold where it is one of the study's, and the largest
// otherwise.
func main(o study.Options) float64 {
	if slices.Contains(o.Thresholds, study.Slow) {
		return study.Slow
	}
	return o.Thresholds[len(o.Thresholds)-1]
}

// Clock is when an hour began, in the study's zone.
func (s *sheet) Clock(hour int32) time.Time {
	return time.Unix(int64(hour)*int64(time.Hour/time.Second), 0).In(s.Zone)
}

// Share adds a figure that is a part of a whole. The phrase has the name of
// the drives in place of %s.
func (s *sheet) Share(name string, part, whole int, phrase string) {
	s.Figure(study.Figure{
		Name: name, Value: s.Ratio(part, whole), Part: s.Sums.Total(part), Whole: s.Sums.Total(whole),
	}, phrase)
}

// Figure adds a figure and its sentence, where there is something to take it
// of.
func (s *sheet) Figure(f study.Figure, phrase string) {
	if f.None {
		return
	}
	p := s.published[f.Name]
	f.Source, f.T16 = p.Source, p.Of(s.Spread.Direction, s.Spread.Kind)
	f.Sentence = f.Say(strings.ReplaceAll(phrase, "%s", s.noun()))
	s.Part.Figures = append(s.Part.Figures, f)
}

// noun is what drives of a kind are called.
func noun(k study.Kind) string { return [study.Kinds]string{"drives", "disks", "SSDs"}[k] }

// noun is what the sheet's drives are called.
func (s *sheet) noun() string {
	noun := noun(s.Spread.Kind)
	if s.Spread.Direction != study.All {
		noun += " (" + s.Spread.Direction.String() + ")"
	}
	return noun
}

// Table adds a table that has rows.
func (s *sheet) Table(t study.Table) {
	if len(t.Rows) > 0 {
		s.Part.Tables = append(s.Part.Tables, t)
	}
}

// Chart adds a chart that has curves with points.
func (s *sheet) Chart(c study.Chart) {
	c.Curves = slices.DeleteFunc(c.Curves, func(c study.Curve) bool { return len(c.Points) == 0 })
	if len(c.Curves) > 0 {
		s.Part.Charts = append(s.Part.Charts, c)
	}
}

// Ratio is a part of a whole.
func (s *sheet) Ratio(part, whole int) study.Value {
	return s.Value(study.Share, func(sum study.Sum) float64 { return sum(part) / sum(whole) }, part, whole)
}

// Value is one that is computed of sums; the counts are those that enough
// groups must have some of for it to have an interval.
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

// unsure is why a value has no interval.
func unsure(v study.Value, e study.Estimate) string {
	switch {
	case v.Number == 0:
		return "the count is zero"
	case v.Number == 1 && v.Unit == study.Share:
		return "the value is 100 %"
	case e.Groups == 1:
		return "all counted values are in only 1 group"
	case e.Groups < study.FewestGroups:
		return "all counted values are in only " + strconv.Itoa(e.Groups) + " groups"
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

// Total is the sum of a count.
func (s *sheet) Total(id int) study.Value {
	return study.Value{Number: float64(s.Sums.Total(id)), Unit: study.Number}
}
