package sentence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Nothing returns the verdict of a diagnosis without an incident, and reports whether nothing
// limps. Otherwise the verdict states that nothing or too little could be judged, why, and from
// when on a verdict is possible.
//   - needed is the number of seconds of data that a verdict needs.
//   - judged is the number of components that were judged in any window.
//   - reason is the reason why most of the other components were not judged.
func Nothing(w *Writer, s *engine.Summary, needed int64, judged int, reason persistence.Reason) (text string, nothingLimps bool) {
	all := len(w.System.Components)
	why := unheard(w, s, all-judged, cmp.Or(Reason(reason), "a verdict needs data of at least three members of a peer group"))
	switch {
	case s.To == s.From:
		return noData(w, s, needed), false
	case judged+s.Examined == 0 && s.Heard > 1 && len(s.Apart) == s.Heard:
		return "Nothing could be compared, because no two servers have data of the same period. " + times(w, s.Apart) + " Give files of the same period.", false
	case !hasPeers(w.System):
		text, nothingLimps = withoutPeers(w, s)
	case s.To-s.From < needed && s.Examined == 0:
		text = fmt.Sprintf("The data are too short for a verdict: the data span only %s (%s). A complete verdict needs %s of data, so it is possible from this time on: %s. For a component that is many times slower than its peers, limpet needs less data.",
			english.Seconds(s.To-s.From), w.Span(s.From, s.To), english.Seconds(needed), w.Time(s.From+needed+59))
	case judged+s.Examined == 0 && slices.ContainsFunc(s.Lacks, func(l engine.Lack) bool { return l.Whole }):
		text = "Nothing could be judged, because the check of servers was skipped."
	case judged+s.Examined == 0:
		text = fmt.Sprintf("Nothing could be judged: %s.", why)
	case judged == 0:
		text, nothingLimps = fmt.Sprintf("At %s: nothing limps. None of the %s differed from its peers for long enough.", w.Time(s.To), english.Count(s.Heard, "server")), true
	case 4*judged < all && s.Examined == 0:
		text = fmt.Sprintf("At %s: only %d of %d components could be judged, and none of the judged components limps. The others were not judged; the most frequent reason: %s.", w.Time(s.To), judged, all, why)
	default:
		text, nothingLimps = fmt.Sprintf("At %s: nothing limps. %d of %d components were judged, and no component differed from its peers for long enough.", w.Time(s.To), judged, all), true
		if reason != persistence.NoReason && judged < all {
			text += fmt.Sprintf(" The other %d components were not judged; the most frequent reason: %s.", all-judged, why)
		}
		if judged >= topology.MinPeers && judged <= 2*topology.MinPeers {
			text += " If half of a peer group is slow, the comparison may not show it, because more than half of a peer group must be healthy."
		}
	}
	if n := len(w.System.Servers); s.Heard > 0 && s.Heard < n {
		usable := ""
		if slices.ContainsFunc(s.Silent, func(q engine.Silence) bool { return q.Since == 0 && q.Why != "" }) {
			usable = " that limpet can use"
		}
		text += fmt.Sprintf(" Only %d of %s %s data%s.", s.Heard, english.Count(n, "server"), english.Verb(s.Heard, "has", "have"), usable)
	}
	return text, nothingLimps
}

// NothingBecause returns the verdict if nothing could be judged, and a grave warning has the reason.
func NothingBecause(warning string) string {
	return "Nothing could be judged: " + warning + "."
}

// OnlyServers begins the verdict of a diagnosis that judges no drives, LUNs and paths, because then
// "nothing limps" is a verdict about servers only.
const OnlyServers = "Only servers were compared (--servers), not drives, LUNs and paths. "

// noPeers states why no component is compared with its peers if every group is too small.
const noPeers = "there is no group of three similar components"

// withoutPeers returns the verdict if every group is too small: components are compared with their
// own past. It also reports whether nothing limps.
func withoutPeers(w *Writer, s *engine.Summary) (text string, nothingLimps bool) {
	if s.WithPast == 0 {
		return fmt.Sprintf("Nothing could be judged, because %s. In this case, limpet compares each component with its own past, which needs more than two days of data; the data span only %s.",
			noPeers, english.Seconds(s.To-s.From)), false
	}
	return fmt.Sprintf("At %s: nothing limps. %d of %d components were compared with their own past, because %s. No component became slower.",
		w.Time(s.To), s.WithPast, len(w.System.Components), noPeers), true
}

// hasPeers reports whether any group is large enough to be judged.
func hasPeers(s *topology.System) bool {
	return slices.ContainsFunc(s.Groups, func(g topology.PeerGroup) bool { return len(g.Members) >= topology.MinPeers })
}

// times lists the time spans of the servers' data.
func times(w *Writer, list []engine.Presence) string {
	var parts []string
	for _, p := range list[:min(len(list), few)] {
		parts = append(parts, fmt.Sprintf("%s has data from %s", p.Server, w.Span(p.From, p.To)))
	}
	text := strings.Join(parts, ", ")
	if more := len(list) - few; more > 0 {
		text += fmt.Sprintf(", and %s data of other periods", english.Count(more, "other server")+english.Verb(more, " has", " have"))
	}
	return text + "."
}

// noData returns the verdict if there is no complete step of data, and states the data that a
// verdict needs. Files may contain less than a step.
func noData(w *Writer, s *engine.Summary, needed int64) string {
	text := "Nothing could be judged: " + allSilent(w, s)
	text += fmt.Sprintf(". A verdict needs %s of data of at least three members of a peer group.", english.Seconds(needed))
	if len(w.System.Components) > 0 && !hasPeers(w.System) {
		text += " Without three similar components, limpet compares each component with its own past, and needs more than two days of data."
	}
	return text
}

// allSilent returns the reasons why no server has data that limpet can use.
func allSilent(w *Writer, s *engine.Summary) string {
	var without, whys []string
	for _, q := range s.Silent {
		switch {
		case q.Why == "":
			without = append(without, q.Server)
		case !slices.Contains(whys, q.Why):
			whys = append(whys, q.Why)
		}
	}
	switch {
	case len(s.Silent) == 0 || len(s.Silent) < len(w.System.Servers):
		return "there are no data"
	case len(without) > 0:
		whys = append(whys, "there are no data of "+topology.FoldFew(without))
	}
	if more := len(whys) - few; more > 0 {
		whys = append(whys[:few], fmt.Sprintf("and for %s", english.Count(more, "further reason")))
	}
	return strings.Join(whys, "; ")
}

// unheard returns the reason why most components were not judged. If servers without data that limpet
// can use explain half of the components, they are the reason, otherwise usual is.
func unheard(w *Writer, s *engine.Summary, unjudged int, usual string) string {
	var servers []string
	usable := ""
	for _, q := range s.Silent {
		if q.Since == 0 {
			servers = append(servers, q.Server)
			if q.Why != "" {
				usable = " that limpet can use"
			}
		}
	}
	n := 0
	for i := range w.System.Components {
		if slices.Contains(servers, w.System.Components[i].Server) {
			n++
		}
	}
	if n == 0 || 2*n < unjudged {
		return usual
	}
	return fmt.Sprintf("there are no data%s of %s, which %s %s", usable, topology.FoldFew(servers), english.Verb(len(servers), "has", "have"), english.Count(n, "component"))
}
