package evaluate

import (
	"math"
	"slices"
	"time"
)

// EventResult is one event with its sighting by every measure.
type EventResult struct {
	At       time.Time
	Device   string
	Category string
	Paper    float64 // hours until the operator of the paper saw the event; NaN: the paper does not have the event
	Source   string
	Seen     map[string]Sighting // by measure
	Scores   map[string]*Result  // by measure
}

// IntrepidResult has the sightings of every event.
type IntrepidResult struct {
	Options IntrepidOptions
	Events  []EventResult // in order of time
}

// categories returns the kinds of events: first those of L13 Table 8 in its order, then the others
// in the order of the events.
func (r *IntrepidResult) categories(p *Published) []string {
	var names []string
	for _, row := range p.Intrepid {
		names = append(names, row.Category)
	}
	for _, e := range r.Events {
		if !slices.Contains(names, e.Category) {
			names = append(names, e.Category)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return !slices.ContainsFunc(r.Events, func(e EventResult) bool { return e.Category == name })
	})
}

// Observed returns how many events of a category a measure showed, of how many. An empty category
// means all events.
func (r *IntrepidResult) Observed(category, measure string) (seen, of int) {
	for i := range r.Events {
		e := &r.Events[i]
		if category != "" && e.Category != category {
			continue
		}
		of++
		if e.Seen[measure].Observed {
			seen++
		}
	}
	return seen, of
}

// Later returns by how many hours a measure showed events of a category later than cdf, in
// ascending order, for the events that both showed (L13 Table 9). An empty category means all
// events. The hours are whole because lists are hourly.
func (r *IntrepidResult) Later(category, measure string) []float64 {
	var hours []float64
	for i := range r.Events {
		e := &r.Events[i]
		cdf, other := e.Seen["cdf"], e.Seen[measure]
		if (category == "" || e.Category == category) && cdf.Observed && other.Observed {
			hours = append(hours, math.Round(other.Hours-cdf.Hours))
		}
	}
	slices.Sort(hours)
	return hours
}

// scores adds up the results of a measure over all events.
func (r *IntrepidResult) scores(measure string) Result {
	var sum Result
	for i := range r.Events {
		s := r.Events[i].Scores[measure]
		if s == nil {
			continue
		}
		sum.Windows = sum.Windows.Plus(s.Windows)
		sum.HealthyDays += s.HealthyDays
		for j, v := range s.Verdicts {
			if j == len(sum.Verdicts) {
				sum.Verdicts = append(sum.Verdicts, Verdicts{Persist: v.Persist})
			}
			t := &sum.Verdicts[j]
			t.Components = t.Components.Plus(v.Components)
			t.Found, t.FalseAlarms, t.Harmless = t.Found+v.Found, t.FalseAlarms+v.FalseAlarms, t.Harmless+v.Harmless
			t.HealthyDays += v.HealthyDays
		}
	}
	return sum
}

func medianOf(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
