package sentence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/topology"
)

// Because returns the facts that decided, one clause each, and then the findings of other detectors
// about the same problem.
func (w *Writer) Because(in *incident.Incident) []string { return w.BecauseOfPart(in, in) }

// BecauseOfPart returns the facts about a part of an incident (incident.Parts). The whole incident
// has the start that the report names. If the part existed when the data began, and the whole
// incident did not, the facts name no other start.
func (w *Writer) BecauseOfPart(in, whole *incident.Incident) []string {
	if in.Class == finding.Past {
		return append(append(w.sincePast(in), w.Beneath(in)...), w.Witnessed(in)...)
	}
	var lines []string
	switch in.Kind {
	case finding.SilentServer:
		if w.isCluster(in) {
			lines = append(lines, fmt.Sprintf("limpet %s no data about %s from this module, although the servers %s data", tense(in, "gets", "got"), english.Count(len(in.Members), "OSD"), tense(in, "send", "sent")))
			break
		}
		if why := w.Unusable[in.Place.Name]; why != "" && in.Phase != incident.Cleared {
			lines = append(lines, fmt.Sprintf("limpet cannot use all data of %s: %s", in.Place.Name, why))
		}
		lines = append(lines, fmt.Sprintf("%s %s no data, while other servers %s data", in.Place.Name, tense(in, "sends", "sent"), tense(in, "send", "sent")))
		if silent, all := in.Elsewhere.Odd+1, in.Elsewhere.Judged+1; all > 1 && 2*silent > all {
			lines = append(lines, fmt.Sprintf("%d of %d servers %s no data at this time: check whether the files of all servers end at the same time, and whether the clocks of the other servers are ahead", silent, all, tense(in, "send", "sent")))
		}
		lines = append(lines, w.tookOver(in)...)
	case finding.LostAttachment:
		lines = append(w.paths(in), w.tookOver(in)...)
	case finding.ServerIssued:
		lines = append(lines, "standby paths "+tense(in, "carry", "carried")+" light traffic, although the primary paths "+tense(in, "are", "were")+" healthy")
	case finding.ArrayUpkeep:
		lines = append(lines, "its recorder "+tense(in, "reports", "reported")+" that the array is being rebuilt or checked")
	case finding.DrawerError, finding.SharedSlowness:
		lines = append(lines, w.slowHereAndElsewhere(in, "slow together", "slow"))
		if alike := w.alike(in); alike != "" {
			lines = append(lines, alike)
		}
		if common := w.inCommon(in); common != "" {
			lines = append(lines, common)
		}
	}
	if m := worst(in); in.Class != finding.Tail && (m.Role == finding.IsSlow || m.Role == finding.Stalled || in.Kind == finding.ArrayUpkeep) {
		lines = append(lines, w.compared(in, whole, m))
	}
	if load := loadOf(in); in.Class == finding.Slow && in.Kind != finding.WorkloadImbalance && load >= w.ImbalanceTimes {
		lines = append(lines, w.loaded(in, load))
	}
	if in.WaitedSeconds >= 1 {
		lines = append(lines, fmt.Sprintf("in total, its requests waited %s%s longer than its peers' requests", atLeast(in), english.Seconds(int64(in.WaitedSeconds))))
	}
	switch in.Class {
	case finding.Pause:
		return append(append(lines, w.pauseFacts(in)...), w.Witnessed(in)...)
	case finding.Capacity:
		return append(append(lines, w.limitFacts(in)...), w.Witnessed(in)...)
	case finding.Tail:
		return append(append(lines, w.tailed(in)...), w.Beneath(in)...)
	case finding.Load:
		return append(append(lines, queued(in)...), w.Witnessed(in)...)
	}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		if e.Metric == finding.CDFDistance {
			continue // a geometric mean: beside the ratio of the mean latencies it is a second, smaller number for one thing; --why has it
		}
		if fact, ok := requestFact(in, e); ok {
			lines = append(lines, fact)
			continue
		}
		score, threshold := Score(e)
		if floor, ok := floorOf(e); ok {
			score = fmt.Sprintf("%s, which a healthy network may lose", english.Times(e.Score)+" "+english.Digits(floor)+" %")
		}
		if e.Scale == finding.PercentOfDrive { // the other scales follow from the two values that the line compares
			score, threshold = "the additional work takes "+score, threshold+" %"
		}
		lines = append(lines, fmt.Sprintf("%s%s (%s, threshold %s)", map[bool]string{false: "also "}[e.Decides], w.measured(e), score, threshold))
	}
	lines = append(lines, w.madeUp(in)...)
	if len(in.Metrics) > 0 {
		lines = append(lines, fmt.Sprintf("the component also differs from its peers in %s", strings.Join(in.Metrics, ", ")))
	}
	lines = append(append(lines, w.Beneath(in)...), w.Witnessed(in)...)
	for _, also := range in.Parts()[1:] {
		if in.Class == finding.Path { // additional work of a server that took over from lost paths
			lines = append(lines, "this explains a workload imbalance: "+w.Headline(also))
			continue
		}
		if e := deciding(also); e != nil && in.HasTimeRatio() && isMember(in, e.Component) { // the facts above already have the numbers of this component
			lines = append(lines, fmt.Sprintf("Also: the comparison of servers found that %s %s", w.of(e.Component).Name, tense(in, kinds[also.Kind].does, kinds[also.Kind].did)))
			continue
		}
		lines = append(append(lines, "Also: "+w.Headline(also)), w.BecauseOfPart(also, in)...)
	}
	return lines
}

// isMember reports whether a component is a member of an incident.
func isMember(in *incident.Incident, component int) bool {
	return slices.ContainsFunc(in.Members, func(m finding.Member) bool { return m.Component == component })
}

// farTimes is the ratio of the load to the load of the peers from which on the peers count as
// almost idle.
const farTimes = 10

// loadOf returns the load of the median member divided by the load of its peers; 0: unknown.
func loadOf(in *incident.Incident) float64 {
	return middle(in, func(m *finding.Member) float64 { return m.Load })
}

// isSameLoad reports whether a load, as a multiple of the load of the peers, counts as equal to it.
func isSameLoad(load float64) bool { return load > 0.95 && load < 1.05 }

// loaded states that load may be a cause.
func (w *Writer) loaded(in *incident.Incident, load float64) string {
	if load >= farTimes {
		text := fmt.Sprintf("its peers %s almost idle at the same time, so the workload may be the cause", be(in, 2))
		if w.System.File != "" {
			text += "; check the peer groups in the topology file"
		}
		return text
	}
	return fmt.Sprintf("its load %s %s the load of its peers, so the workload may be the cause", tense(in, "is", "was"), english.Times(load))
}

// tailed lists facts about the slow requests of a component and of its peers.
func (w *Writer) tailed(in *incident.Incident) (lines []string) {
	for i := range in.Evidence {
		e := &in.Evidence[i]
		if e.Metric == finding.SlowTime {
			continue // the headline has this number
		}
		if fact, ok := requestFact(in, e); ok {
			lines = append(lines, fact)
		}
	}
	return lines
}

// requestFact states a fact about the requests of a component. The second result is false if the
// evidence is not about single requests.
func requestFact(in *incident.Incident, e *finding.Evidence) (string, bool) {
	switch e.Metric {
	case finding.SlowRequests:
		if in.Class == finding.Tail {
			m := worst(in)
			return fmt.Sprintf("the component has %s as many slow requests as its peers (between %s and %s times; %s)",
				english.Times(m.Effect.Times), english.Digits(m.Effect.Low), english.Digits(m.Effect.High), level(e)), true
		}
		return fmt.Sprintf("%s %% of its requests and %s %% of its peers' requests %s slow (%s)",
			english.Digits(100*e.Own), english.Digits(100*e.Peers), be(in, 2), level(e)), true
	case finding.SlowTime:
		return fmt.Sprintf("a slow request %s %s in the device", tense(in, "takes", "took"), english.Quantity(e.Own, e.Unit)), true
	case finding.MedianTime, finding.Time99, finding.Time999:
		own, peers := english.Quantities(e.Own, e.Peers, e.Unit)
		return fmt.Sprintf("%s: %s, its peers: %s", e.Metric, own, peers), true
	case finding.InDevice:
		if e.Own > nearlyAll {
			return fmt.Sprintf("a request %s nearly all of its time in the device, and hardly %s in the kernel's queue", tense(in, "spends", "spent"), tense(in, "waits", "waited")), true
		}
		return fmt.Sprintf("a request %s %s %% of its time in the device, and the rest in the kernel's queue", tense(in, "spends", "spent"), english.Digits(100*e.Own)), true
	}
	return "", false
}

// nearlyAll is the share of the time in the device above which the rest is not mentioned.
const nearlyAll = 0.995

// paths names the missing paths and the idle paths of an incident.
func (w *Writer) paths(in *incident.Incident) []string {
	var lines []string
	if gone := playing(in, finding.Gone); len(gone) > 0 {
		servers := w.serversOf(gone)
		lines = append(lines, fmt.Sprintf("%s %s missing on %s, although %s data", w.names(gone), be(in, len(gone)), fold(servers),
			tense(in, english.Verb(len(servers), "the server sends", "the servers send"), english.Verb(len(servers), "the server sent", "the servers sent"))))
	}
	if unused := playing(in, finding.Unused); len(unused) > 0 {
		lines = append(lines, fmt.Sprintf("%s %s present on the servers, but %s no requests while peers %s busy", w.names(unused), be(in, len(unused)), tense(in, english.Verb(len(unused), "gets", "get"), "got"), be(in, 2)))
	}
	return lines
}

// tookOver names the paths that carry the load of lost paths.
func (w *Writer) tookOver(in *incident.Incident) []string {
	heirs := playing(in, finding.TookOver)
	if len(heirs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %s the load of the lost paths and %s not at fault", w.names(heirs), tense(in, english.Verb(len(heirs), "carries", "carry"), "carried"), english.Verb(len(heirs), "is", "are"))}
}

// compared compares a member with its peers.
func (w *Writer) compared(in, whole *incident.Incident, m *finding.Member) string {
	c := w.of(m.Component)
	own, peers := english.Quantities(m.Own, m.Peers, w.Lead.Unit)
	if m.Peers <= 0 || c.Group <= 0 {
		own = w.measure(m.Own)
	}
	during := w.duringMember(in, m)
	if goesOn(in) && in.PresentOnset().Earlier && !whole.PresentOnset().Earlier && in.SinceOf(m) <= in.PresentOnset().At {
		during = "in all data"
	}
	text := fmt.Sprintf("%s, %s of %s was %s", during, w.Lead.Name, through(c), own)
	if m.Effect.Times > 0 && len(playing(in, m.Role)) > 1 {
		text = fmt.Sprintf("the worst of these %ss %s %s slower than its peers: %s", w.unit(in), be(in, 1), english.Times(m.Effect.Times), text)
	}
	if m.Role == finding.Stalled {
		text = fmt.Sprintf("%s of %s was %s at the worst", w.Lead.Name, through(c), own)
	}
	if m.Peers > 0 && c.Group > 0 {
		was, at := "was", ""
		if in.Class == finding.Slow && m.Load > 0 && m.Load < w.ImbalanceTimes { // the detector has already subtracted the effect of the load
			if at = " at the same load"; !isSameLoad(m.Load) {
				was, at = "would be", " at the load of "+through(c)
			}
		}
		text += fmt.Sprintf(", and %s of %s (peer group %s) %s %s%s", w.Lead.Name, withIts(w.peers(m.Component)), w.System.Groups[c.Group-1].Name, was, peers, at)
	}
	return text
}

// duringMember prints the time span of a member's numbers: the time of the incident. If the member
// became slow at another time, the time span begins there. All members may have been like their peers
// for a time that was too short to end the incident: the time span is then a part of the incident.
func (w *Writer) duringMember(in *incident.Incident, m *finding.Member) string {
	if since := in.SinceOf(m); goesOn(in) && since > 0 && since != in.PresentOnset().At {
		if hasEpisodes(in.Class) && since > in.PresentOnset().Late && since == in.LatestSince() { // before, no member was slow for some time
			return fmt.Sprintf("in its last slow period (since %s)", w.stampOf(in).at(since))
		}
		if since < in.PresentOnset().Early { // a later estimate than the start that the title states; the numbers belong to it
			return "measured since " + w.stampOf(in).at(since)
		}
		return "since " + w.stampOf(in).at(since)
	}
	return w.during(in)
}

// during prints the time span of an incident's numbers: "since 2011-03-13 02:14Z".
func (w *Writer) during(in *incident.Incident) string {
	o := in.PresentOnset()
	switch {
	case !goesOn(in):
		return "during the incident"
	case o.Earlier:
		return "since the start of the data"
	case o.Unknown || max(o.At-o.Early, o.Late-o.At) > vagueSeconds:
		if len(in.Spans) > 1 {
			return "since the problem came back"
		}
		return "since the problem began"
	}
	return "since " + w.stampOf(in).at(o.At)
}

// through names a component within a sentence: "LUN 1.07 through fs4", "sdb".
func through(c *topology.Component) string {
	if c.LUN == "" || c.Server == "" {
		return c.Name
	}
	return fmt.Sprintf("LUN %s through %s", c.LUN, c.Server)
}

// withIts returns "its 31 peers" for "31 peers".
func withIts(peers string) string { return "its " + strings.TrimPrefix(peers, "its ") }

// farTimesThreshold is the ratio score / threshold from which on evidence is far above its
// threshold.
const farTimesThreshold = 1.25

// level compares the evidence of a metric with its threshold, in words.
func level(e *finding.Evidence) string {
	switch {
	case e.Score < e.Threshold:
		return "below the threshold"
	case e.Score < farTimesThreshold*e.Threshold:
		return "above the threshold"
	}
	return "far above the threshold"
}

// measured compares a metric of a component with its peers: "retr_out of ios3: 0.07 % of
// segments, its peers: 0.26 %".
func (w *Writer) measured(e *finding.Evidence) string {
	text := e.Metric
	if e.Component >= 0 {
		text += " of " + w.of(e.Component).Name
	}
	if e.Metric == finding.DeviceTime || e.Metric == finding.BusyTime { // the mean latency above is a mean since the onset
		text += ", mean of about the last " + english.Seconds(e.To-e.From)
	}
	own, peers := english.Quantities(e.Own, e.Peers, e.Unit)
	if own != "" {
		text += ": " + own
	}
	if peers != "" {
		text += ", its peers: " + strings.TrimSuffix(peers, " of segments")
	}
	return text
}

// floorOf returns the share of segments, in percent, that a healthy network may lose. The result is
// true only if the score of the evidence is a multiple of this share, because the peers lose less.
func floorOf(e *finding.Evidence) (percent float64, ok bool) {
	const rounding = 1.01
	if e.Scale != finding.TimesPeersLosses || !(e.Score > 0) || !(e.Own > 0) || !(e.Peers >= 0) {
		return 0, false
	}
	percent = e.Own / e.Score
	return percent, percent > rounding*e.Peers
}

// Score prints the score of evidence with its unit, and its threshold.
func Score(e *finding.Evidence) (score, threshold string) {
	return english.Digits(e.Score) + " " + cmp.Or(scales[e.Scale], "apart"), english.Digits(e.Threshold)
}

// middle returns the median of a value over the members; 0: no member has the value.
func middle(in *incident.Incident, of func(*finding.Member) float64) float64 {
	var all []float64
	for i := range in.Members {
		if x := of(&in.Members[i]); x > 0 {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return quantile.Median(all)
}

// atLeast returns "at least " if an incident goes on, and the last finding does not have all of its slow
// members. The wait of the missing members is not counted. But they may be as slow as before: if the
// members of a group differ for hours, larger differences become normal in this group.
func atLeast(in *incident.Incident) string {
	left := func(m finding.Member) bool { return m.Role == finding.IsSlow && !m.Odd }
	if in.Phase == incident.Active && len(in.Members) > 1 && slices.ContainsFunc(in.Members, left) {
		return "at least "
	}
	return ""
}

// slowHereAndElsewhere counts the slow components of a place and all other slow components: "4 of its 6
// LUNs are slow together; of the 40 compared LUNs elsewhere, none is slow". A component of the place may
// be slow for another reason. It then has an incident of its own, and is not counted here.
func (w *Writer) slowHereAndElsewhere(in *incident.Incident, here, elsewhere string) string {
	n := len(playing(in, finding.IsSlow))
	line := fmt.Sprintf("%d of its %s %s %s", n, english.Count(max(in.Judged, n), w.unit(in)), be(in, 2), here)
	if all := w.size(in); all > max(in.Judged, n) {
		line = fmt.Sprintf("%d of its %s %s %s (it has %s)", n, english.Count(max(in.Judged, n), "compared "+w.unit(in)), be(in, 2), here, english.Count(all, w.unit(in)))
	}
	if in.Elsewhere.Judged > 0 {
		line += fmt.Sprintf("; %s %s", w.others(in), elsewhere)
	}
	return line
}

// others counts the slow components that do not belong to the place of an incident: "of the 40 compared
// LUNs elsewhere, 3 are". The caller adds "slow". The number counts the components of all peer groups
// that limpet could compare, without the components of the place.
func (w *Writer) others(in *incident.Incident) string {
	n := fmt.Sprint(in.Elsewhere.Odd)
	if in.Elsewhere.Odd == 0 {
		n = "none"
	}
	return fmt.Sprintf("of the %s elsewhere, %s %s", english.Count(in.Elsewhere.Judged, "compared "+w.unit(in)), n, be(in, max(in.Elsewhere.Odd, 1)))
}
