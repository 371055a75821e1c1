package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
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
	Values          [2]finding.Value
	Difference      finding.Value // the second less the first
	Verdict         Verdict
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
	second := figures(b)
	seen := map[key]bool{}
	for _, p := range a.Parts {
		for i := range p.Figures {
			f := &p.Figures[i]
			k := key{p.Direction, p.Kind, f.Name}
			seen[k] = true
			if other, ok := second[k]; ok {
				d.Changes = append(d.Changes, change(k, f, other, headline(f, a.Findings)))
			} else {
				d.Lone = append(d.Lone, k.in(names[0]))
			}
		}
	}
	for _, p := range b.Parts {
		for i := range p.Figures {
			if k := (key{p.Direction, p.Kind, p.Figures[i].Name}); !seen[k] {
				d.Lone = append(d.Lone, k.in(names[1]))
			}
		}
	}
	return d
}

// A key is what a figure is known by.
type key struct{ direction, kind, name string }

func (k key) in(result string) string {
	return fmt.Sprintf("%s of %s (%s) is in %s only", k.name, k.kind, k.direction, result)
}

func figures(r *Result) map[key]*finding.Figure {
	all := map[key]*finding.Figure{}
	for _, p := range r.Parts {
		for i := range p.Figures {
			all[key{p.Direction, p.Kind, p.Figures[i].Name}] = &p.Figures[i]
		}
	}
	return all
}

func change(k key, a, b *finding.Figure, headline bool) Change {
	c := Change{
		Direction: k.direction, Kind: k.kind, Name: k.name, Phrase: phrase(a),
		Values: [2]finding.Value{a.Value, b.Value}, headline: headline,
	}
	c.Difference = difference(a.Value, b.Value)
	c.Verdict = verdict(c.Difference)
	return c
}

func difference(a, b finding.Value) finding.Value {
	d := finding.Value{Number: b.Number - a.Number, Unit: a.Unit, None: a.None || b.None}
	if a.Unit == finding.Share {
		d.Unit = finding.Points
	}
	if i, j := a.Interval, b.Interval; i != nil && j != nil && !d.None {
		d.Interval = &boot.Interval{
			Low:  d.Number - math.Hypot(b.Number-j.Low, i.High-a.Number),
			High: d.Number + math.Hypot(j.High-b.Number, a.Number-i.Low),
		}
	}
	return d
}

func verdict(d finding.Value) Verdict {
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
	a, b := said(c.Values[0]), said(c.Values[1])
	text := fmt.Sprintf("%s, then %s %s: ", a, b, c.Phrase)
	switch c.Verdict {
	case Chance:
		return text + fmt.Sprintf("no difference beyond chance (%s).", between(c.Difference.Unit, c.Difference.Interval))
	case Unsure:
		return text + "no telling, since one of them is of too few groups, or of what never or always happens."
	}
	size := c.Difference
	size.Number = math.Abs(size.Number)
	return text + fmt.Sprintf("%s %s (%s).", said(size), c.Verdict, between(c.Difference.Unit, c.Difference.Interval))
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
		return "Nothing can be compared."
	}
	return fmt.Sprintf("%d of %d findings differ beyond chance; of as many that are alike about %.0f would seem to, at %.0f %%.",
		differ, judged, math.Ceil((1-d.Results[0].Level)*float64(judged)), 100*d.Results[0].Level)
}

// warnings say what the results are not alike in.
func (d *Diff) warnings() []string {
	var out []string
	if a, b := d.Results[0].Thresholds, d.Results[1].Thresholds; fmt.Sprint(a) != fmt.Sprint(b) {
		out = append(out, fmt.Sprintf("thresholds are %v and %v: study both with the same", a, b))
	}
	if a, b := d.hours(0), d.hours(1); 10*max(a-b, b-a) > max(a, b) {
		out = append(out, fmt.Sprintf("they are of %s and %s: what grows with time, as drives that were ever slow, their slow hours and what replacing them saves, cannot be compared; study periods of one length",
			counted(a, "hour"), counted(b, "hour")))
	}
	if n := len(d.Lone); n > 0 {
		out = append(out, fmt.Sprintf("%s only one of them has, %s first", counted(int64(n), "figure"), strings.SplitN(d.Lone[0], " is in", 2)[0]))
	}
	return out
}

// hours is how long a result is.
func (d *Diff) hours(i int) int64 { return int64(d.Results[i].To - d.Results[i].From) }
