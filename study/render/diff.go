package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// A Diff is two results held against each other: two periods of a fleet, or
// two fleets.
type Diff struct {
	Names   [2]string
	Results [2]*Result
	Changes []Change
	Lone    []string // figures that only one of them has
}

// A Change is a figure in both results.
type Change struct {
	Direction, Kind string
	Name, Phrase    string
	Values          [2]study.Value
	Difference      study.Value // the second less the first
	Verdict         Verdict
	Reason          string // why there is no telling
	headline        bool
}

// A Verdict on a change.
type Verdict string

// The verdicts.
const (
	More   Verdict = "more"
	Less   Verdict = "less"
	Chance Verdict = "no difference beyond chance"
	Unsure Verdict = "no telling"
)

// Compare holds two results against each other, figure by figure.
//
// The interval of a difference is made of the two intervals by Zou and Donner's
// method (MOVER, 2008): what each end is away from its value, added up as
// squares. It takes the two for independent. Periods of one fleet are not
// quite: groups that are slow stay slow, so the interval is rather too wide.
func Compare(names [2]string, a, b *Result) *Diff {
	d := &Diff{Names: names, Results: [2]*Result{a, b}}
	first, second := figures(a), figures(b)
	for _, p := range a.Parts {
		for i := range p.Figures {
			f := &p.Figures[i]
			if other, ok := second[keyOf(p, f)]; ok {
				d.Changes = append(d.Changes, d.change(p, f, other))
			} else {
				d.alone(0, f)
			}
		}
	}
	for _, p := range b.Parts {
		for i := range p.Figures {
			if f := &p.Figures[i]; first[keyOf(p, f)] == nil {
				d.alone(1, f)
			}
		}
	}
	return d
}

// alone notes a figure that only one of the results has.
func (d *Diff) alone(i int, f *study.Figure) {
	d.Lone = append(d.Lone, fmt.Sprintf("the finding “… %s” is only in %s", phrase(f), d.Names[i]))
}

// A key is what a figure is known by.
type key struct{ direction, kind, name, who string }

// keyOf is the key of a figure. The worst of many is somebody, whom its phrase
// names: only the same can be compared.
func keyOf(p *study.Part, f *study.Figure) key {
	k := key{direction: p.Direction, kind: p.Kind, name: f.Name}
	if strings.HasPrefix(f.Name, "worst-") {
		k.who = phrase(f)
	}
	return k
}

func figures(r *Result) map[key]*study.Figure {
	all := map[key]*study.Figure{}
	for _, p := range r.Parts {
		for i := range p.Figures {
			all[keyOf(p, &p.Figures[i])] = &p.Figures[i]
		}
	}
	return all
}

func (d *Diff) change(p *study.Part, a, b *study.Figure) Change {
	c := Change{
		Direction: p.Direction, Kind: p.Kind, Name: a.Name, Phrase: phrase(a),
		Values: [2]study.Value{a.Value, b.Value}, headline: headline(a, d.Results[0].Findings),
	}
	c.Difference = difference(a.Value, b.Value)
	c.Verdict = verdict(c.Difference)
	if c.Reason = d.noTelling(&c); c.Reason != "" {
		c.Verdict = Unsure
	}
	return c
}

// noTelling says why a change cannot be judged; empty where it can.
func (d *Diff) noTelling(c *Change) string {
	switch {
	case c.Difference.None:
		return "one of the results has no data for this finding"
	case d.unequal() && growsWithTime(c.Name):
		return "the value depends on the length of the data: " + d.lengths()
	case c.Difference.Interval != nil:
		return ""
	}
	for i, v := range c.Values {
		if v.Interval == nil && v.Unsure != "" {
			return d.Names[i] + " has no confidence interval: " + v.Unsure
		}
	}
	return "one of the results has no confidence interval"
}

// hangOnTime are the figures of drives that were slow before, by the begin of
// their names: the longer one looks, the more there are, the longer they waited
// and the healthier are those that never were.
var hangOnTime = [...]string{"ever-", "often-", "seldom-", "again-", "hazard-never-", "hazard-lift-", "replace-"}

// growsWithTime reports whether a figure is another of the same fleet if one
// looks for longer.
func growsWithTime(name string) bool {
	return slices.ContainsFunc(hangOnTime[:], func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// unequal reports whether one result is more than a tenth longer than the
// other.
func (d *Diff) unequal() bool {
	a, b := d.hours(0), d.hours(1)
	return 10*max(a-b, b-a) > max(a, b)
}

func difference(a, b study.Value) study.Value {
	d := study.Value{Number: b.Number - a.Number, Unit: a.Unit, None: a.None || b.None}
	if a.Unit == study.Share {
		d.Unit = study.Points
	}
	if i, j := a.Interval, b.Interval; i != nil && j != nil && !d.None {
		d.Interval = &study.Interval{
			Low:  d.Number - math.Hypot(b.Number-j.Low, i.High-a.Number),
			High: d.Number + math.Hypot(j.High-b.Number, a.Number-i.Low),
		}
	}
	return d
}

func verdict(d study.Value) Verdict {
	switch i := d.Interval; {
	case i == nil:
		return Unsure
	case i.Low > 0:
		return More
	case i.High < 0:
		return Less
	}
	return Chance
}

// Differ reports whether the change is beyond chance.
func (c *Change) Differ() bool { return c.Verdict == More || c.Verdict == Less }

// Sentence is the change in words.
func (c *Change) Sentence() string {
	a, b := words(c.Values[0]), words(c.Values[1])
	text := fmt.Sprintf("“… %s”: %s in the first result, %s in the second result; ", c.Phrase, a, b)
	switch c.Verdict {
	case Chance:
		return text + fmt.Sprintf("chance can explain the difference (%s).", betweenText(c.Difference))
	case Unsure:
		return text + "the two values cannot be compared, because " + c.Reason + "."
	}
	size := c.Difference
	size.Number = math.Abs(size.Number)
	return text + fmt.Sprintf("%s %s (%s).", value(size), c.Verdict, betweenText(c.Difference))
}

// differing counts the changes that can be judged, and those beyond chance.
func (d *Diff) differing(has func(*Change) bool) (differ, judged int) {
	for i := range d.Changes {
		if c := &d.Changes[i]; has(c) && c.Verdict != Unsure {
			judged++
			if c.Differ() {
				differ++
			}
		}
	}
	return differ, judged
}

// byChance is what to expect of so many comparisons.
func (d *Diff) byChance() string {
	differ, judged := d.differing(func(*Change) bool { return true })
	if judged == 0 {
		return "The two results have no finding in common."
	}
	return fmt.Sprintf("%d of %d findings differ by more than chance can explain. If the two fleets were equal, about %.0f findings would still seem to differ, by chance alone (confidence %.0f %%).",
		differ, judged, math.Ceil((1-d.Results[0].Level)*float64(judged)), 100*d.Results[0].Level)
}

// warnings say what the results are not alike in.
func (d *Diff) warnings() []string {
	var out []string
	if a, b := d.Results[0].Thresholds, d.Results[1].Thresholds; fmt.Sprint(a) != fmt.Sprint(b) {
		out = append(out, fmt.Sprintf("the thresholds of the two results are %v and %v: study both fleets with the same thresholds", a, b))
	}
	if d.unequal() {
		out = append(out, fmt.Sprintf("one result covers more time than the other (%s). Values that grow with time are not compared: drives that were ever slow, their slow hours, and the slow hours that replacing these drives would avoid. Study periods of the same length",
			d.lengths()))
	}
	if n := len(d.Lone); n > 0 {
		out = append(out, fmt.Sprintf("findings that only one of the two results has: %s. The first of these: %s", english.Thousands(int64(n)), d.Lone[0]))
	}
	return out
}

// lengths say how long both are.
func (d *Diff) lengths() string {
	return count(d.hours(0), "hour") + " and " + count(d.hours(1), "hour")
}

// hours is how long a result is.
func (d *Diff) hours(i int) int64 { return int64(d.Results[i].To - d.Results[i].From) }
