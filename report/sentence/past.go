package sentence

import (
	"cmp"
	"fmt"
	"math"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/english"
)

// before makes the headline of a component, or of the components of a place, that became slower
// than before.
func (w *Writer) before(in *incident.Incident) string {
	text := fmt.Sprintf("%s %s %s slower than before", named(in.Place), tense(in, "answers", "answered"), slower(in))
	if slow := len(playing(in, finding.IsSlow)); in.Place.CanBeShared() && slow > 1 {
		text = fmt.Sprintf("%d of %s of %s %s %s slower than before", slow, w.among(in, slow), w.whole(in),
			tense(in, "answer", "answered"), about(in))
	}
	text += interval(in)
	if in.Kind == finding.ChangedWorkload {
		text += "; its requests also changed, and there may be no fault"
	}
	if n := noisy(in); n != nil {
		text += ", because " + w.noise(in, n)
	}
	return text
}

// noise states how the requests of a noisy neighbour grew.
func (w *Writer) noise(in *incident.Incident, n *finding.Evidence) string {
	switch {
	case n.Metric != finding.MoreClientBytes:
		return fmt.Sprintf("%s %s %s as many requests", w.neighbour(n), tense(in, "gets", "got"), english.Times(n.Own/n.Peers))
	case n.Own >= newClientTimes*n.Peers:
		return fmt.Sprintf("%s began to send requests", w.neighbour(n))
	}
	return fmt.Sprintf("%s %s %s as much data with the servers", w.neighbour(n), tense(in, "exchanges", "exchanged"), english.Times(n.Own/n.Peers))
}

// newClientTimes is the growth of traffic from which on a client counts as new: before, it exchanged
// hardly anything.
const newClientTimes = 100

// noisy returns the evidence about the client, component or server whose additional requests make
// the others slow. It returns nil if the incident is of another kind.
func noisy(in *incident.Incident) *finding.Evidence {
	if in.Kind != finding.NoisyNeighbour {
		return nil
	}
	return cmp.Or(evidenceOf(in, finding.MoreClientBytes), evidenceOf(in, finding.MoreRequests), evidenceOf(in, finding.MoreServerRequests))
}

// neighbour names the client, component or server with many more requests.
func (w *Writer) neighbour(e *finding.Evidence) string {
	if e.Client != "" {
		return "client " + e.Client
	}
	c := w.of(e.Component)
	if e.Metric == finding.MoreServerRequests {
		return named(blame.Place{Tier: blame.Server, Name: c.Server})
	}
	if c.LUN != "" {
		return "LUN " + c.LUN
	}
	return c.Name
}

// whole names the place of components that became slower together.
func (w *Writer) whole(in *incident.Incident) string {
	if in.Place.Tier == blame.System {
		return "the whole storage system"
	}
	return where(in)
}

// sincePast states how slow a component is, how slow it was before, and how its requests changed.
func (w *Writer) sincePast(in *incident.Incident) (lines []string) {
	m := worst(in)
	if in.Place.CanBeShared() && len(playing(in, finding.IsSlow)) > 1 {
		lines = append(lines, w.slowHereAndElsewhere(in, "slower than before", "slower than before"))
	}
	expected := "before, the value was about"
	if m.Load > 0 && in.Kind != finding.ChangedWorkload {
		expected = "before, the value for the same requests was about"
	}
	lines = append(lines, fmt.Sprintf("%s, %s of %s was %s; %s %s", w.duringMember(in, m), w.Lead.Name, through(w.of(m.Component)), w.measure(m.Own), expected, w.measure(m.Peers)))
	if e := evidenceOf(in, finding.PastTime); e != nil && e.Unit == "s" {
		lines = append(lines, fmt.Sprintf("limpet compares the latency with %s of data before this time", english.Seconds(int64(e.Own))))
	} else if e != nil {
		lines = append(lines, fmt.Sprintf("limpet has learned the latency of %s from %s of data", through(w.of(m.Component)), english.Quantity(e.Own, "days")))
	}
	for i := range in.Evidence {
		switch e := &in.Evidence[i]; e.Metric {
		case finding.PastTime:
		case finding.MoreRequests, finding.MoreServerRequests:
			lines = append(lines, fmt.Sprintf("%s %s %s requests a second, compared with %s before. The increase is %s %% of all additional requests", w.neighbour(e),
				tense(in, "gets", "got"), english.Digits(e.Own), english.Digits(e.Peers), english.Digits(100*e.Score)))
		case finding.MoreClientBytes:
			lines = append(lines, fmt.Sprintf("%s %s %s MB/s with the servers, compared with %s MB/s before. The increase is %s %% of the additional traffic of all clients", w.neighbour(e),
				tense(in, "exchanges", "exchanged"), english.Digits(e.Own), english.Digits(e.Peers), english.Digits(100*e.Score)))
		default:
			lines = append(lines, requestsBefore(e))
		}
	}
	if in.WaitedSeconds >= 1 {
		lines = append(lines, fmt.Sprintf("in total, its requests waited %s longer than before", english.Seconds(int64(in.WaitedSeconds))))
	}
	return lines
}

// requestsBefore compares the requests of a component with its earlier requests.
func requestsBefore(e *finding.Evidence) string {
	noun, unit := e.Metric, e.Unit
	switch e.Metric {
	case finding.AskedFor:
		unit = "a second"
	case metric.AvgRqSz.Name:
		noun = "size of a request"
	}
	return fmt.Sprintf("%s: %s, before the problem: %s", noun, english.Quantity(e.Own, unit), english.Quantity(e.Peers, unit))
}

// notPast rules out load, chance and a larger part for a component that is slower than before.
func (w *Writer) notPast(in *incident.Incident, add adder) {
	if in.Kind == finding.SlowerThanBefore && loadOf(in) > 0 {
		add(finding.WorkloadImbalance, "workload", "before, the same requests took less time")
	}
	if years := w.ChanceYears(in.Class, in.Nats); years > 0 {
		add("", "chance", "a healthy %s would look this slow %s", w.unit(in), onceIn(years))
	}
	if in.Elsewhere.Judged > 0 {
		add("", "a change of the whole storage system", "%s slower than before", w.others(in))
	}
}

// onceIn prints how rarely a chance event happens.
func onceIn(years float64) string {
	if years >= MostChanceYears {
		return fmt.Sprintf("less than once in %s years", english.Thousands(MostChanceYears))
	}
	return "once in " + english.Count(int(math.Max(years, 1)), "year")
}
