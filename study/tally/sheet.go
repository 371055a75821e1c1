package tally

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/history"
)

// A Sheet is of one direction and kind.
type Sheet struct {
	Fleet  *study.Fleet
	Spread *study.Spread
	Sums   *boot.Sums
	Part   *finding.Part
	study.Options

	// Counts that are the whole of many shares.
	Hours, DriveHours, Drives int

	published map[string]finding.Published
}

// NewSheet returns one without groups.
func NewSheet(f *study.Fleet, s *study.Spread, o study.Options, sums *boot.Sums) *Sheet {
	return &Sheet{
		Fleet: f, Spread: s, Sums: sums, Options: o, published: finding.T16(),
		Part:  &finding.Part{Direction: s.Direction.String(), Kind: s.Kind.String()},
		Hours: sums.Block(1), DriveHours: sums.Block(1), Drives: sums.Block(1),
	}
}

// An Analysis answers one question.
type Analysis interface {
	Group(*history.Group) // counts a group
	Report()              // adds figures, tables and charts to the sheet's part
}

// Run has groups counted by all analyses, and then reported on.
func (s *Sheet) Run(groups func(func(*history.Group) bool), all []Analysis) {
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
func (s *Sheet) Main() float64 { return Main(s.Options) }

// Main is T16's threshold where it is one of the study's, and the largest
// otherwise.
func Main(o study.Options) float64 {
	if slices.Contains(o.Thresholds, study.Slow) {
		return study.Slow
	}
	return o.Thresholds[len(o.Thresholds)-1]
}

// Clock is when an hour began, in the study's zone.
func (s *Sheet) Clock(hour int32) time.Time {
	return time.Unix(int64(hour)*int64(time.Hour/time.Second), 0).In(s.Zone)
}

// Share adds a figure that is a part of a whole. The phrase has the name of
// the drives in place of %s.
func (s *Sheet) Share(name string, part, whole int, phrase string) {
	s.Figure(finding.Figure{
		Name: name, Value: s.Ratio(part, whole), Part: s.Sums.Total(part), Whole: s.Sums.Total(whole),
	}, phrase)
}

// Figure adds a figure and its sentence, where there is something to take it
// of.
func (s *Sheet) Figure(f finding.Figure, phrase string) {
	if f.None {
		return
	}
	p := s.published[f.Name]
	f.Source, f.T16 = p.Source, p.Of(s.Spread.Direction, s.Spread.Kind)
	f.Sentence = f.Say(strings.ReplaceAll(phrase, "%s", s.noun()))
	s.Part.Figures = append(s.Part.Figures, f)
}

// Noun is what drives of a kind are called.
func Noun(k study.Kind) string { return [study.Kinds]string{"drives", "disks", "SSDs"}[k] }

// noun is what the sheet's drives are called.
func (s *Sheet) noun() string {
	noun := Noun(s.Spread.Kind)
	if s.Spread.Direction != study.All {
		noun += " (" + s.Spread.Direction.String() + ")"
	}
	return noun
}

// Table adds a table that has rows.
func (s *Sheet) Table(t finding.Table) {
	if len(t.Rows) > 0 {
		s.Part.Tables = append(s.Part.Tables, t)
	}
}

// Chart adds a chart that has curves with points.
func (s *Sheet) Chart(c finding.Chart) {
	c.Curves = slices.DeleteFunc(c.Curves, func(c finding.Curve) bool { return len(c.Points) == 0 })
	if len(c.Curves) > 0 {
		s.Part.Charts = append(s.Part.Charts, c)
	}
}

// Ratio is a part of a whole.
func (s *Sheet) Ratio(part, whole int) finding.Value {
	return s.Value(finding.Share, func(sum boot.Sum) float64 { return sum(part) / sum(whole) }, part, whole)
}

// Value is one that is computed of sums; the counts are those that enough
// groups must have some of for it to have an interval.
func (s *Sheet) Value(unit finding.Unit, of func(boot.Sum) float64, counts ...int) finding.Value {
	e := s.Sums.Estimate(of, counts...)
	if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
		return finding.Value{Unit: unit, None: true}
	}
	v := finding.Value{Number: e.Value, Unit: unit, Interval: finite(e.Interval)}
	if v.Interval == nil {
		v.Unsure = Unsure(v, e)
	}
	return v
}

// Unsure is why a value has no interval.
func Unsure(v finding.Value, e boot.Estimate) string {
	switch {
	case v.Number == 0:
		return "never seen"
	case v.Number == 1 && v.Unit == finding.Share:
		return "always so"
	case e.Groups == 1:
		return "1 group has any"
	case e.Groups < boot.Fewest:
		return strconv.Itoa(e.Groups) + " groups have any"
	case e.Alike:
		return "all groups are alike"
	}
	return "too few to tell"
}

func finite(i *boot.Interval) *boot.Interval {
	if i == nil || math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		return nil
	}
	return i
}

// Total is the sum of a count.
func (s *Sheet) Total(id int) finding.Value {
	return finding.Value{Number: float64(s.Sums.Total(id)), Unit: finding.Number}
}
