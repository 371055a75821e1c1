package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// A Diff is a comparison of two results: of two periods of a fleet, or of two fleets.
type Diff struct {
	Names   [2]string
	Results [2]*Result
	Changes []Change
	Lone    []string // texts about figures that only one result has
}

// A Change is a figure that both results have.
type Change struct {
	Direction, Kind string
	Name, Phrase    string
	Values          [2]study.Value
	Difference      study.Value // second value - first value
	Verdict         Verdict
	Reason          string // why the verdict is Unsure
	headline        bool
}

// A Verdict is the direction of a change, if it is beyond chance.
type Verdict string

// The verdicts.
const (
	More   Verdict = "more"
	Less   Verdict = "less"
	Chance Verdict = "no difference beyond chance"
	Unsure Verdict = "no telling"
)

// Compare compares two results, figure by figure.
//
// The interval of a difference b - a comes from the intervals [la, ua] and [lb, ub] by Zou and
// Donner's method (MOVER, 2008):
//
//	low  = b - a - sqrt((b-lb)² + (ua-a)²)
//	high = b - a + sqrt((ub-b)² + (a-la)²)
//
// The method assumes that both results are independent. Two periods of one fleet are not quite
// independent: slow groups stay slow, so the interval is a little too wide.
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

// alone adds a figure that only the result i has to Lone.
func (d *Diff) alone(i int, f *study.Figure) {
	d.Lone = append(d.Lone, fmt.Sprintf("the finding “… %s” is only in %s", strings.TrimPrefix(phrase(f), ": "), d.Names[i]))
}

// A key identifies a figure in a result.
type key struct{ direction, kind, name, who string }

// keyOf returns the key of a figure. A figure of the worst of several classes is identified also
// by its phrase, which names the class: only figures of the same class can be compared.
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
		Direction: p.Direction, Kind: p.Kind, Name: a.Name, Phrase: strings.TrimPrefix(phrase(a), ": "),
		Values: [2]study.Value{a.Value, b.Value}, headline: headline(a, d.Results[0].Findings),
	}
	c.Difference = difference(a.Value, b.Value)
	c.Verdict = verdict(c.Difference)
	if c.Reason = d.noTelling(&c); c.Reason != "" {
		c.Verdict = Unsure
	}
	return c
}

// noTelling returns the reason why a change cannot be judged; empty if it can.
func (d *Diff) noTelling(c *Change) string {
	switch {
	case c.Difference.None:
		return "one of the results has no data for this finding"
	case d.unequal() && growsWithTime(c.Name):
		return "the value depends on how much time the data cover: " + d.lengths()
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

// dependOnLength lists prefixes of figures that depend on the length of the records. In longer
// records more drives were slow at least once, they have more slow hours, and the drives that
// were never slow are healthier.
var dependOnLength = [...]string{"ever-", "often-", "seldom-", "again-", "hazard-never-", "hazard-lift-", "replace-"}

// growsWithTime reports whether a figure of the same fleet changes with the length of the
// records.
func growsWithTime(name string) bool {
	return slices.ContainsFunc(dependOnLength[:], func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// unequal reports whether the periods of the results differ in length by more than a tenth.
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

// Sentence returns the change as a sentence.
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

// differing returns two counts of the changes for which has is true: the changes beyond chance,
// and the changes that can be judged.
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

// byChance returns a text with the number of findings that differ, and the number that would
// differ by chance alone.
func (d *Diff) byChance() string {
	differ, judged := d.differing(func(*Change) bool { return true })
	if judged == 0 {
		return "The two results have no finding in common."
	}
	return fmt.Sprintf("%d of %d findings differ by more than chance can explain. If the two fleets were equal, about %.0f findings would still seem to differ, by chance alone (confidence %.0f %%).",
		differ, judged, math.Ceil((1-d.Results[0].Level)*float64(judged)), 100*d.Results[0].Level)
}

// warnings returns warnings about different thresholds, periods and figures of the two results.
func (d *Diff) warnings() []string {
	var out []string
	if a, b := d.Results[0].Thresholds, d.Results[1].Thresholds; fmt.Sprint(a) != fmt.Sprint(b) {
		out = append(out, fmt.Sprintf("the thresholds are %v in the first result, and %v in the second result: study both fleets with the same thresholds", a, b))
	}
	if d.unequal() {
		out = append(out, fmt.Sprintf("one result covers more time than the other (%s). Values that grow with time are not compared: drives that were ever slow, their slow hours, and the slow hours that would be avoided if these drives were replaced. Study periods of the same length",
			d.lengths()))
	}
	if n := len(d.Lone); n > 0 {
		out = append(out, fmt.Sprintf("findings that only one of the two results has: %s. The first of these: %s", english.Thousands(int64(n)), d.Lone[0]))
	}
	return out
}

// lengths returns the lengths of both periods as text.
func (d *Diff) lengths() string {
	return count(d.hours(0), "hour") + " and " + count(d.hours(1), "hour")
}

// hours returns the length of the period of a result, in hours.
func (d *Diff) hours(i int) int64 { return int64(d.Results[i].To - d.Results[i].From) }
