package sentence

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
)

// Excluded is an explanation that is wrong, and the fact that rules it out; or an explanation that
// was not checked, and the data that are missing for the check.
type Excluded struct {
	What, Why  string
	NotChecked bool
	Found      *finding.RuledOut // result of the detector; nil: the incident itself rules the explanation out
}

func (x *Excluded) String() string {
	if x.NotChecked {
		return fmt.Sprintf("Not checked: %s (%s)", x.What, x.Why)
	}
	return fmt.Sprintf("Ruled out: %s (%s)", x.What, x.Why)
}

// NotChecked returns the other explanations of an incident that the data cannot rule out or
// confirm.
func (w *Writer) NotChecked(in *incident.Incident) []Excluded {
	var list []Excluded
	if w.loadUnknown(in) {
		list = append(list, Excluded{What: "workload", Why: "the data do not show the load", NotChecked: true})
	}
	if in.Class == finding.Past && !in.Place.CanBeShared() {
		list = append(list, Excluded{What: "a comparison with peers", Why: "there are fewer than three similar components", NotChecked: true})
	}
	return append(list, w.notBeneath(in)...)
}

// loadUnknown reports whether load may explain an incident, and the data do not show the load.
func (w *Writer) loadUnknown(in *incident.Incident) bool {
	return (in.Class == finding.Slow || in.Class == finding.Past) && loadOf(in) == 0 && in.Kind != finding.NoisyNeighbour
}

// RuledOut returns the other explanations of an incident, and why they are wrong: first those that
// its detector ruled out, then those that its members rule out.
func (w *Writer) RuledOut(in *incident.Incident) []Excluded {
	var out []Excluded
	for i := range in.RuledOut {
		r := &in.RuledOut[i]
		out = append(out, Excluded{What: KindName(r.Kind), Why: w.reason(in, r), Found: r})
	}
	add := func(kind finding.Kind, what, format string, args ...any) {
		if kind == "" || !slices.ContainsFunc(in.RuledOut, func(r finding.RuledOut) bool { return r.Kind == kind }) {
			out = append(out, Excluded{What: what, Why: fmt.Sprintf(format, args...)})
		}
	}
	switch in.Class {
	case finding.Slow:
		w.slowFor(in, add)
	case finding.Past:
		w.notPast(in, add)
	case finding.Stall:
		if m := worst(in); m.Peers > 0 {
			add("", "workload", "its peers answered in %s at the same time", w.measure(m.Peers))
		}
	case finding.Tail:
		if mostAreQuick(in) {
			add(finding.SlowDrive, "a slow "+w.unit(in), "most of its requests are as quick as its peers' requests")
		}
		add(finding.WorkloadImbalance, "workload", "the component has no more requests than its peers, and its requests are not larger")
		add("", "a full queue", "requests spend their time in the device, not in the queue before it")
	case finding.Load:
		add(finding.SlowDrive, "a slow "+w.unit(in), "the device %s on a request about as long as its peers", tense(in, "works", "worked"))
	case finding.Path:
		w.lostFor(in, add)
	case finding.Pause:
		if e := evidenceOf(in, finding.PauseCount); e != nil {
			add("", "a pause of all servers", "in the same time, half or more of its peers had %s", atMost(e.Peers))
		}
		add("", "an idle server", "requests waited during the pauses")
	case finding.Capacity:
		if in.Kind == finding.Throttled {
			add("", "workload", "the rate of a workload varies, but this rate was constant")
		} else {
			add("", "chance", "the system itself reports the limit and the distance from the limit")
		}
	case finding.OwnWork:
		add(finding.LostAttachment, "lost paths", "its primary paths are healthy")
	}
	return out
}

// atMost prints the median number of pauses of the peers as a bound for half of them.
func atMost(pauses float64) string {
	if pauses == 0 {
		return "no pause"
	}
	return fmt.Sprintf("at most %s pauses", english.Digits(pauses))
}

// mostAreQuick reports whether the evidence of a slow tail shows that most requests are as quick as
// those of the peers: clearly less than half of the requests are slow, and the median is not far
// above the median of the peers.
func mostAreQuick(in *incident.Incident) bool {
	const fewSlow, nearMedian = 0.25, 1.5
	share, median := evidenceOf(in, finding.SlowRequests), evidenceOf(in, finding.MedianTime)
	return share != nil && share.Own < fewSlow && median != nil && median.Own <= nearMedian*median.Peers
}

// reason states why a detector did not choose an explanation.
func (w *Writer) reason(in *incident.Incident, r *finding.RuledOut) string {
	shown := "the data show no sign of this cause"
	if r.Evidence != nil {
		shown = w.measured(r.Evidence)
	}
	if w.measuredOtherwise(in, r.Evidence) {
		switch r.Reason {
		case finding.Doubted:
			return doubts[r.Doubt]
		case finding.Outweighed:
			if why := outweighs[[2]finding.Kind{in.Kind, r.Kind}]; why != "" {
				return why
			}
		}
	}
	switch r.Reason {
	case finding.Doubted:
		return fmt.Sprintf("%s, but %s", shown, doubts[r.Doubt])
	case finding.Passed:
		return shown + ", but this difference did not last"
	case finding.Outweighed:
		return fmt.Sprintf("%s, but %s", shown, cmp.Or(outweighs[[2]finding.Kind{in.Kind, r.Kind}], KindName(in.Kind)+" explains more of the data"))
	case finding.Listed:
		return fmt.Sprintf("%s, but %s is checked first and also explains the data", shown, KindName(in.Kind))
	}
	return shown
}

// measuredOtherwise reports whether an incident has evidence of the same metric and component with
// other numbers, because it comes from another window. A second pair of numbers would contradict the
// first.
func (w *Writer) measuredOtherwise(in *incident.Incident, e *finding.Evidence) bool {
	return e != nil && slices.ContainsFunc(in.Evidence, func(o finding.Evidence) bool {
		return o.Metric == e.Metric && o.Component == e.Component && o.Client == e.Client && w.measured(&o) != w.measured(e)
	})
}

// outweighs has, for a pair of kinds, the reason why the first kind explains the second.
var outweighs = map[[2]finding.Kind]string{
	{finding.DiskHog, finding.DiskBusy}:               "the drive has more work, and requests wait because of this work",
	{finding.DiskBusy, finding.DiskHog}:               "the drive only finished work that was delayed before",
	{finding.DiskHog, finding.WorkloadImbalance}:      "clients did not request the work",
	{finding.SystemUpkeep, finding.WorkloadImbalance}: "other servers of the storage system, and not clients, cause this work",
}

type adder func(kind finding.Kind, what, format string, args ...any)

// slowFor rules out load, chance and a larger part for a slow component.
func (w *Writer) slowFor(in *incident.Incident, add adder) {
	switch load := loadOf(in); {
	case load == 0:
	case in.Kind == finding.WorkloadImbalance && worksLonger(in): // load does not explain all of the slowness
	case in.Kind == finding.WorkloadImbalance:
		add(finding.SingleLUN, "a slow "+w.unit(in), "%s the load of its peers %s the wait", english.Times(load), tense(in, "explains", "explained"))
	case load >= w.ImbalanceTimes: // the load is not ruled out
	case isSameLoad(load):
		add(finding.WorkloadImbalance, "workload", "same load as its peers")
	case load > 1:
		add(finding.WorkloadImbalance, "workload", "only %s the load of its peers", english.Times(load))
	default:
		add(finding.WorkloadImbalance, "workload", "%s the load of its peers", english.Times(load))
	}
	if years := w.ChanceYears(in.Class, in.Nats); years > 0 {
		add("", "chance", "a healthy %s would look this slow %s", w.unit(in), onceIn(years))
	}
	switch {
	case in.Elsewhere.Judged == 0:
	case in.Kind == finding.DrawerError || in.Kind == finding.SharedSlowness:
		add(finding.SingleLUN, fmt.Sprintf("separate faults of %ss", w.unit(in)), "%s slow", w.others(in))
	case in.Kind == finding.SingleLUN || in.Kind == finding.SlowDrive || in.Kind == finding.ArrayUpkeep:
		add(finding.SharedSlowness, "a fault of its server or array", "%s slow", w.others(in))
	}
}

// lostFor rules out a silent server, a single server and a larger part for lost paths.
func (w *Writer) lostFor(in *incident.Incident, add adder) {
	if in.Kind == finding.SilentServer {
		add(finding.LostAttachment, "lost paths", "%s %s no data at all, not even of its other devices", in.Place.Name, tense(in, "sends", "sent"))
		if carried := w.carried(in, "its"); carried != "" {
			add("", "a recorder that stopped", "%s", carried)
		}
		return
	}
	servers := w.serversOf(append(playing(in, finding.Gone), playing(in, finding.Unused)...))
	if n := len(servers); n > 0 {
		add(finding.SilentServer, "a silent server", "%s %s data", fold(servers), tense(in, english.Verb(n, "sends", "send"), "sent"))
		if n > 1 && in.Place.CanBeShared() {
			add("", "a single server", "%d servers lost paths together", n)
		}
	}
	if there := in.Elsewhere; there.Judged > 0 {
		add("", "a larger fault", "%d of %d other paths %s lost", there.Odd, there.Judged, be(in, there.Odd))
	}
}
