package sentence

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// Because returns the facts that decided, a clause each, then the findings of other
// detectors about the same problem.
func (w *Writer) Because(in *incident.Incident) []string {
	var lines []string
	switch in.Kind {
	case finding.SilentServer:
		lines = append(lines, fmt.Sprintf("no data of %s, while other servers %s theirs", in.Place.Name, tense(in, "send", "sent")))
		lines = append(lines, w.tookOver(in)...)
	case finding.LostAttachment:
		lines = append(w.paths(in), w.tookOver(in)...)
	case finding.ServerIssued:
		lines = append(lines, "standby paths "+tense(in, "carry", "carried")+" light traffic, although the primary paths "+tense(in, "are", "were")+" healthy")
	case finding.ArrayUpkeep:
		lines = append(lines, "its recorder "+tense(in, "says", "said")+" that the array is at work on itself")
	case finding.DrawerError, finding.SharedSlowness:
		slow := len(playing(in, finding.IsSlow))
		others := map[bool]string{true: fmt.Sprintf(", of all others %d of %d", in.Elsewhere.Odd, in.Elsewhere.Judged)}[in.Elsewhere.Judged > 0]
		lines = append(lines, fmt.Sprintf("%d of %d %s slow there%s", slow, max(in.Judged, slow), be(in, 2), others))
		if alike := w.alike(in); alike != "" {
			lines = append(lines, alike)
		}
		if common := w.inCommon(in); common != "" {
			lines = append(lines, common)
		}
	}
	if m := worst(in); in.Class != finding.Tail && (m.Role == finding.IsSlow || m.Role == finding.Stalled || in.Kind == finding.ArrayUpkeep) {
		lines = append(lines, w.compared(in, m))
	}
	if load := loadOf(in); in.Class == finding.Slow && in.Kind != finding.WorkloadImbalance && load >= w.ImbalanceTimes {
		lines = append(lines, w.loaded(in, load))
	}
	if in.WaitedSeconds >= 1 {
		lines = append(lines, fmt.Sprintf("requests waited %s longer than at its peers, all together", english.Seconds(int64(in.WaitedSeconds))))
	}
	switch in.Class {
	case finding.Tail:
		return append(lines, w.tailed(in)...)
	case finding.Load:
		return append(append(lines, queued(in)...), w.Witnessed(in)...)
	}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		if fact, ok := requestFact(in, e); ok {
			lines = append(lines, fact)
			continue
		}
		score, threshold := Score(e)
		lines = append(lines, fmt.Sprintf("%s%s (%s, threshold %s)", map[bool]string{false: "also "}[e.Decides], w.measured(e), score, threshold))
	}
	if len(in.Metrics) > 0 {
		lines = append(lines, fmt.Sprintf("suspect in %s as well", strings.Join(in.Metrics, ", ")))
	}
	lines = append(lines, w.Witnessed(in)...)
	for _, also := range in.Parts()[1:] {
		lines = append(append(lines, "Also: "+w.Headline(also)), w.Because(also)...)
	}
	return lines
}

// farTimes is the load, in times that of the peers, from which the peers have next to
// nothing to do.
const farTimes = 10

// loadOf returns the load of the median member, in times that of its peers; 0 where it is
// not known.
func loadOf(in *incident.Incident) float64 {
	return middle(in, func(m *finding.Member) float64 { return m.Load })
}

// loaded states that load may be a cause.
func (w *Writer) loaded(in *incident.Incident, load float64) string {
	if load >= farTimes {
		text := fmt.Sprintf("peers %s next to nothing to do meanwhile, so that workload is not ruled out", tense(in, "have", "had"))
		if w.System.File != "" {
			text += "; check the peer groups in the topology file"
		}
		return text
	}
	return fmt.Sprintf("the load %s %s that of peers, so that workload is not ruled out", tense(in, "is", "was"), english.Times(load))
}

// tailed compares the requests of a component with those of its peers.
func (w *Writer) tailed(in *incident.Incident) (lines []string) {
	for i := range in.Evidence {
		e := &in.Evidence[i]
		if e.Metric == finding.SlowTime {
			continue // the headline states it
		}
		if fact, ok := requestFact(in, e); ok {
			lines = append(lines, fact)
		}
	}
	return lines
}

// requestFact states what evidence shows of the requests of a component. The second result is false
// if the evidence is not about single requests.
func requestFact(in *incident.Incident, e *finding.Evidence) (string, bool) {
	switch e.Metric {
	case finding.SlowRequests:
		if in.Class == finding.Tail {
			m := worst(in)
			return fmt.Sprintf("it has %s as many slow requests as its peers (%s to %s; %s nats of evidence, threshold %s)",
				english.Times(m.Effect.Times), english.Digits(m.Effect.Low), english.Digits(m.Effect.High), english.Digits(e.Score), english.Digits(e.Threshold)), true
		}
		return fmt.Sprintf("%s %% of its requests %s slow, of its peers' %s %% (%s nats of evidence, threshold %s)",
			english.Digits(100*e.Own), be(in, 2), english.Digits(100*e.Peers), english.Digits(e.Score), english.Digits(e.Threshold)), true
	case finding.SlowTime:
		return fmt.Sprintf("a slow request %s %s in the device", tense(in, "takes", "took"), english.Quantity(e.Own, e.Unit)), true
	case finding.MedianTime, finding.Time99, finding.Time999:
		return fmt.Sprintf("%s %s, its peers' %s", e.Metric, english.Quantity(e.Own, e.Unit), english.Quantity(e.Peers, e.Unit)), true
	case finding.InDevice:
		return fmt.Sprintf("%s %% of the time from insertion to completion %s in the device", english.Digits(100*e.Own), tense(in, "is", "was")), true
	case finding.CDFDistance:
		return fmt.Sprintf("its distribution lies %s octaves from its peers'", english.Digits(e.Own)), true
	}
	return "", false
}

// paths names the paths that are missing, and those that are idle.
func (w *Writer) paths(in *incident.Incident) []string {
	var lines []string
	if gone := playing(in, finding.Gone); len(gone) > 0 {
		servers := w.serversOf(gone)
		lines = append(lines, fmt.Sprintf("%s %s missing from %s, though %s data", w.names(gone), be(in, len(gone)), fold(servers),
			english.Verb(len(servers), tense(in, "it sends", "it sent"), tense(in, "they send", "they sent"))))
	}
	if unused := playing(in, finding.Unused); len(unused) > 0 {
		lines = append(lines, fmt.Sprintf("%s %s there, but without a request while peers %s busy", w.names(unused), be(in, len(unused)), be(in, 2)))
	}
	return lines
}

// tookOver names the paths that carry the load of lost paths.
func (w *Writer) tookOver(in *incident.Incident) []string {
	heirs := playing(in, finding.TookOver)
	if len(heirs) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %s busy instead and %s not to blame", w.names(heirs), be(in, len(heirs)), english.Verb(len(heirs), "is", "are"))}
}

// compared compares a member with its peers.
func (w *Writer) compared(in *incident.Incident, m *finding.Member) string {
	c := w.of(m.Component)
	text := fmt.Sprintf("%s of %s was %s %s", w.Lead.Name, c.Name, w.measure(m.Own), tense(in, "since then", "in that time"))
	if m.Role == finding.Stalled {
		text = fmt.Sprintf("%s of %s was %s at the worst", w.Lead.Name, c.Name, w.measure(m.Own))
	}
	if m.Peers > 0 && c.Group > 0 {
		text += fmt.Sprintf(", that of its peers (%s) %s", w.System.Groups[c.Group-1].Name, w.measure(m.Peers))
	}
	return text
}

// measured compares a metric of a component with its peers: "retr_out of ios3
// 0.07 % of segments, its peers 0.26 %".
func (w *Writer) measured(e *finding.Evidence) string {
	text := e.Metric
	if e.Component >= 0 {
		text += " of " + w.of(e.Component).Name
	}
	if own := english.Quantity(e.Own, e.Unit); own != "" {
		text += " " + own
	}
	if peers := english.Quantity(e.Peers, e.Unit); peers != "" {
		text += ", its peers " + strings.TrimSuffix(peers, " of segments")
	}
	return text
}

// Score prints the score of evidence with its unit, and its threshold.
func Score(e *finding.Evidence) (score, threshold string) {
	return english.Digits(e.Score) + " " + cmp.Or(scales[e.Scale], "apart"), english.Digits(e.Threshold)
}

// middle returns the median of a value of the members; 0 where no member has it.
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
