package sentence

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Because lists the facts that decided, a clause each, and behind them what other
// detectors say of the same problem.
func (v *Writer) Because(in *incident.Incident) []string {
	var lines []string
	switch in.Kind {
	case finding.SilentServer:
		lines = append(lines, fmt.Sprintf("no data of %s, while other servers %s theirs", in.Place.Name, tense(in, "send", "sent")))
		lines = append(lines, v.heirs(in)...)
	case finding.LostAttachment:
		lines = append(v.paths(in), v.heirs(in)...)
	case finding.ServerIssued:
		lines = append(lines, "most of its standby paths "+tense(in, "carry", "carried")+" a little load, though the paths before them could serve")
	case finding.ArrayUpkeep:
		lines = append(lines, "its recorder "+tense(in, "says", "said")+" that the array is at work on itself")
	case finding.DrawerError, finding.SharedSlowness:
		slow := len(playing(in, finding.IsSlow))
		others := map[bool]string{true: fmt.Sprintf(", of all others %d of %d", in.Elsewhere.Odd, in.Elsewhere.Judged)}[in.Elsewhere.Judged > 0]
		lines = append(lines, fmt.Sprintf("%d of %d %s slow there%s", slow, max(in.Judged, slow), be(in, 2), others))
		if alike := v.alike(in); alike != "" {
			lines = append(lines, alike)
		}
	}
	if m := worst(in); in.Class != finding.Tail && (m.Role == finding.IsSlow || m.Role == finding.Stalled || in.Kind == finding.ArrayUpkeep) {
		lines = append(lines, v.compared(in, m))
	}
	if load := loadOf(in); in.Class == finding.Slow && in.Kind != finding.WorkloadImbalance && load >= imbalanceTimes {
		lines = append(lines, v.loaded(in, load))
	}
	if in.WaitedSeconds >= 1 {
		lines = append(lines, fmt.Sprintf("requests waited %s longer than at its peers, all together", english.Seconds(int64(in.WaitedSeconds))))
	}
	switch in.Class {
	case finding.Tail:
		return append(lines, v.tailed(in)...)
	case finding.Load:
		return append(append(lines, queued(in)...), v.Witnessed(in)...)
	}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		score, threshold := Score(e)
		lines = append(lines, fmt.Sprintf("%s%s (%s, threshold %s)", map[bool]string{false: "also "}[e.Decides], v.measured(e), score, threshold))
	}
	if len(in.Metrics) > 0 {
		lines = append(lines, fmt.Sprintf("suspect in %s as well", strings.Join(in.Metrics, ", ")))
	}
	lines = append(lines, v.Witnessed(in)...)
	for _, also := range in.Parts()[1:] {
		lines = append(append(lines, "Also: "+v.Headline(also)), v.Because(also)...)
	}
	return lines
}

// From imbalanceTimes the load of its peers on, load is a reason to be slow (the bound
// of that name in docs/method.md). From farTimes on peers have next to nothing to do.
const (
	imbalanceTimes = 1.5
	farTimes       = 10
)

// loadOf is how many times its peers' load the middle member of an incident had; 0
// where that is not known.
func loadOf(in *incident.Incident) float64 {
	return middle(in, func(m *finding.Member) float64 { return m.Load })
}

// loaded says that load may be a part of it, where it is not ruled out.
func (v *Writer) loaded(in *incident.Incident, load float64) string {
	if load >= farTimes {
		text := fmt.Sprintf("peers %s next to nothing to do meanwhile, so that workload is not ruled out", tense(in, "have", "had"))
		if v.System.File != "" {
			text += "; see that the topology says rightly who is whose peer"
		}
		return text
	}
	return fmt.Sprintf("the load %s %s that of peers, so that workload is not ruled out", tense(in, "is", "was"), english.Times(load))
}

// tailed holds the requests of a component against its peers'.
func (v *Writer) tailed(in *incident.Incident) (lines []string) {
	for i := range in.Evidence {
		e := &in.Evidence[i]
		switch e.Metric {
		case finding.SlowRequests:
			m := worst(in)
			lines = append(lines, fmt.Sprintf("it has %s as many slow requests as its peers (%s to %s; %s nats of evidence, threshold %s)",
				english.Times(m.Effect.Times), english.Digits(m.Effect.Low), english.Digits(m.Effect.High), english.Digits(e.Score), english.Digits(e.Threshold)))
		case finding.MedianTime, finding.Time99, finding.Time999:
			lines = append(lines, fmt.Sprintf("%s %s, its peers' %s", e.Metric, english.Quantity(e.Own, e.Unit), english.Quantity(e.Peers, e.Unit)))
		case finding.InDevice:
			lines = append(lines, fmt.Sprintf("%s %% of the time from insertion to completion %s in the device", english.Digits(100*e.Own), tense(in, "is", "was")))
		case finding.CDFDistance:
			lines = append(lines, fmt.Sprintf("its distribution lies %s octaves from its peers'", english.Digits(e.Own)))
		}
	}
	return lines
}

// paths says which paths are missing, and which rest.
func (v *Writer) paths(in *incident.Incident) []string {
	var lines []string
	if gone := playing(in, finding.Gone); len(gone) > 0 {
		servers := v.serversOf(gone)
		lines = append(lines, fmt.Sprintf("%s %s missing from %s, though %s data", v.names(gone), be(in, len(gone)), fold(servers),
			english.Verb(len(servers), tense(in, "it sends", "it sent"), tense(in, "they send", "they sent"))))
	}
	if unused := playing(in, finding.Unused); len(unused) > 0 {
		lines = append(lines, fmt.Sprintf("%s %s there, but without a request while peers %s busy", v.names(unused), be(in, len(unused)), be(in, 2)))
	}
	return lines
}

// heirs says which paths carry the load of those that are lost.
func (v *Writer) heirs(in *incident.Incident) []string {
	heirs := playing(in, finding.TookOver)
	if len(heirs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %s busy instead and %s not to blame", v.names(heirs), be(in, len(heirs)), english.Verb(len(heirs), "is", "are"))}
}

// compared holds a member against its peers.
func (v *Writer) compared(in *incident.Incident, m *finding.Member) string {
	c := v.of(m.Component)
	text := fmt.Sprintf("%s of %s was %s %s", v.Lead.Name, c.Name, v.measure(m.Own), tense(in, "since then", "in that time"))
	if m.Role == finding.Stalled {
		text = fmt.Sprintf("%s of %s was %s at the worst", v.Lead.Name, c.Name, v.measure(m.Own))
	}
	if m.Peers > 0 && c.Group > 0 {
		text += fmt.Sprintf(", that of its peers (%s) %s", v.System.Groups[c.Group-1].Name, v.measure(m.Peers))
	}
	return text
}

// measured holds a metric of a component against its peers: "retr_out of ios3
// 0.07 % of segments, its peers 0.26 %".
func (v *Writer) measured(e *finding.Evidence) string {
	text := e.Metric
	if e.Component >= 0 {
		text += " of " + v.of(e.Component).Name
	}
	if own := english.Quantity(e.Own, e.Unit); own != "" {
		text += " " + own
	}
	if peers := english.Quantity(e.Peers, e.Unit); peers != "" {
		text += ", its peers " + strings.TrimSuffix(peers, " of segments")
	}
	return text
}

// Score says how far a metric is from the peers, and how far it may be.
func Score(e *finding.Evidence) (score, threshold string) {
	return english.Digits(e.Score) + " " + cmp.Or(scales[e.Scale], "apart"), english.Digits(e.Threshold)
}

// Excluded is an explanation that does not hold, and the fact that rules it out.
type Excluded struct {
	What, Why string
	Found     *finding.RuledOut // as its detector found it; nil where it follows from the incident itself
}

func (x *Excluded) String() string { return fmt.Sprintf("Ruled out: %s (%s)", x.What, x.Why) }

// RuledOut lists what else an incident might have been, and why it is not: first
// what its detector says, then what follows from its members.
func (v *Writer) RuledOut(in *incident.Incident) []Excluded {
	var out []Excluded
	for i := range in.RuledOut {
		r := &in.RuledOut[i]
		out = append(out, Excluded{string(r.Kind), v.reason(in, r), r})
	}
	add := func(kind finding.Kind, what, format string, args ...any) {
		if kind == "" || !slices.ContainsFunc(in.RuledOut, func(r finding.RuledOut) bool { return r.Kind == kind }) {
			out = append(out, Excluded{What: what, Why: fmt.Sprintf(format, args...)})
		}
	}
	switch in.Class {
	case finding.Slow:
		v.slowFor(in, add)
	case finding.Stall:
		if m := worst(in); m.Peers > 0 {
			add("", "load", "peers answered in %s meanwhile", v.measure(m.Peers))
		}
	case finding.Tail:
		add(finding.SlowDrive, "a slow "+v.unit(in), "most of its requests are as quick as its peers'")
		add(finding.WorkloadImbalance, "workload", "it has no more requests than its peers, and none larger")
		add("", "the queue", "its time is the device's, from issue to completion")
	case finding.Load:
		add(finding.SlowDrive, "a slow "+v.unit(in), "the device %s on a request not much longer than those of its peers", tense(in, "works", "worked"))
	case finding.Path:
		v.lostFor(in, add)
	case finding.OwnWork:
		add(finding.LostAttachment, "lost paths", "the paths before its standby paths could serve")
	}
	return out
}

// reason says why a detector did not choose an explanation.
func (v *Writer) reason(in *incident.Incident, r *finding.RuledOut) string {
	shown := "nothing shows it"
	if r.Evidence != nil {
		shown = v.measured(r.Evidence)
	}
	switch r.Reason {
	case finding.Doubted:
		return fmt.Sprintf("%s, but %s", shown, doubts[r.Doubt])
	case finding.Passed:
		return shown + ", but it did not last"
	case finding.Outweighed:
		return fmt.Sprintf("%s, but %s", shown, cmp.Or(outweighs[[2]finding.Kind{in.Kind, r.Kind}], string(in.Kind)+" shows more"))
	case finding.Listed:
		return fmt.Sprintf("%s, but the checklist asks for %s first", shown, in.Kind)
	}
	return shown
}

// outweighs say why one kind explains another that shows as well.
var outweighs = map[[2]finding.Kind]string{
	{finding.DiskHog, finding.DiskBusy}:          "the drive has more work, and that makes requests wait",
	{finding.DiskBusy, finding.DiskHog}:          "the drive only made up for what it did too slowly before",
	{finding.DiskHog, finding.WorkloadImbalance}: "clients did not ask for it",
}

type adder func(kind finding.Kind, what, format string, args ...any)

// slowFor compares the load of what is slow with its peers', and counts what is
// slow elsewhere.
func (v *Writer) slowFor(in *incident.Incident, add adder) {
	switch load := loadOf(in); {
	case load == 0:
	case in.Kind == finding.WorkloadImbalance && worksLonger(in): // load does not explain all of it
	case in.Kind == finding.WorkloadImbalance:
		add(finding.SingleLUN, "a slow "+v.unit(in), "%s the load of its peers %s the wait", english.Times(load), tense(in, "explains", "explained"))
	case load >= imbalanceTimes: // it is not ruled out
	case load > 0.95 && load < 1.05:
		add(finding.WorkloadImbalance, "workload", "same load as its peers")
	default:
		add(finding.WorkloadImbalance, "workload", "%s the load of its peers", english.Times(load))
	}
	if years := v.years(in.Nats); years >= 1000 {
		add("", "chance", "it does as much less than once in 1000 years")
	} else if years >= 1 {
		add("", "chance", "it does as much once in %s", english.Count(int(years), "year"))
	}
	there := in.Elsewhere
	switch {
	case there.Judged == 0:
	case in.Kind == finding.DrawerError || in.Kind == finding.SharedSlowness:
		add(finding.SingleLUN, fmt.Sprintf("separate faults of %ss", v.unit(in)), "%d of %d elsewhere %s slow", there.Odd, there.Judged, be(in, there.Odd))
	case in.Kind == finding.SingleLUN || in.Kind == finding.SlowDrive || in.Kind == finding.ArrayUpkeep:
		add(finding.SharedSlowness, "a larger part", "%d of %d others %s slow", there.Odd, there.Judged, be(in, there.Odd))
	}
}

// years is once in how many years chance shows as much as some evidence, anywhere
// in the system.
func (v *Writer) years(nats float64) float64 {
	const secondsPerYear = 365.25 * 86400
	components := v.attachments
	if components == 0 {
		components = attachments(v.System)
	}
	return math.Exp(nats) * float64(v.Schema.StepSeconds) / secondsPerYear / float64(max(components, 1))
}

// attachments counts what chance may strike.
func attachments(s *topology.System) (n int) {
	for i := range s.Components {
		if s.Components[i].Kind == topology.Attachment {
			n++
		}
	}
	return n
}

// lostFor says why neither less nor more than the place of lost paths is to blame.
func (v *Writer) lostFor(in *incident.Incident, add adder) {
	if in.Kind == finding.SilentServer {
		add(finding.LostAttachment, "lost paths", "%s %s nothing at all, not even of other devices", in.Place.Name, tense(in, "sends", "sent"))
		if moved := v.moved(in, "its"); moved != "" {
			add("", "a recorder that stopped", "%s", strings.TrimPrefix(moved, "; "))
		}
		return
	}
	servers := v.serversOf(append(playing(in, finding.Gone), playing(in, finding.Unused)...))
	if n := len(servers); n > 0 {
		add(finding.SilentServer, "silence", "%s %s data", fold(servers), tense(in, english.Verb(n, "sends", "send"), "sent"))
		if n > 1 && in.Place.Wide() {
			add("", "a single server", "%d servers lost paths together", n)
		}
	}
	if there := in.Elsewhere; there.Judged > 0 {
		add("", "a larger part", "%d of %d others %s lost", there.Odd, there.Judged, be(in, there.Odd))
	}
}
