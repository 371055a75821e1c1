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

// Nothing says what it means that there is no incident: that nothing limps, or
// that nothing could be judged, what was there for that, and from when on a
// verdict is possible. It takes how many seconds of data a verdict takes, how many
// components were judged in any window, and why most of the others were not.
func Nothing(v *Writer, s *engine.Summary, needed int64, judged int, reason persistence.Reason) string {
	all := len(v.System.Components)
	why := unheard(v, s, all-judged, cmp.Or(Reason(reason), "a verdict takes data of at least three peers"))
	var text string
	switch {
	case s.To == s.From:
		return noData(v, s, needed)
	case judged+s.Examined == 0 && s.Heard > 1 && len(s.Apart) == s.Heard:
		return "Nothing could be compared: no two servers have data of the same time. " + times(v, s.Apart) + " Give files of the same time."
	case !hasPeers(v.System):
		text = "Nothing could be judged: " + noPeers + "."
	case s.To-s.From < needed && s.Examined == 0:
		text = fmt.Sprintf("Too short to judge: the data span %s (%s). A whole verdict takes %s and is possible from %s on; what is many times slower is told sooner.",
			english.Seconds(s.To-s.From), v.Span(s.From, s.To), english.Seconds(needed), v.Time(s.From+needed+59))
	case judged+s.Examined == 0:
		text = fmt.Sprintf("Nothing could be judged: %s.", why)
	case judged == 0:
		text = fmt.Sprintf("Nothing limps: none of %s stayed apart from its peers.", english.Count(s.Heard, "server"))
	case 4*judged < all && s.Examined == 0:
		text = fmt.Sprintf("Only %d of %d components could be judged, and none of them limps. Most of the others: %s.", judged, all, why)
	default:
		text = fmt.Sprintf("Nothing limps: %d of %d components were judged, and none stayed apart from its peers for long enough.", judged, all)
	}
	if n := len(v.System.Servers); s.Heard > 0 && s.Heard < n {
		text += fmt.Sprintf(" There are data of %d of %s.", s.Heard, english.Count(n, "server"))
	}
	return text
}

// noPeers is why nothing can be judged where every group is too small.
const noPeers = "a verdict takes at least three peers, and nothing here has two others like it"

// hasPeers says whether any group is large enough to be judged.
func hasPeers(s *topology.System) bool {
	return slices.ContainsFunc(s.Groups, func(g topology.PeerGroup) bool { return len(g.Members) >= topology.MinPeers })
}

// times says when servers have data.
func times(v *Writer, list []engine.Presence) string {
	var parts []string
	for _, p := range list[:min(len(list), few)] {
		parts = append(parts, fmt.Sprintf("%s has data from %s", p.Server, v.Span(p.From, p.To)))
	}
	text := strings.Join(parts, ", ")
	if more := len(list) - few; more > 0 {
		text += ", and " + english.Count(more, "other")
	}
	return text + "."
}

// noData says that no step could be filled, and what a verdict takes. Files may hold
// less than a step.
func noData(v *Writer, s *engine.Summary, needed int64) string {
	text := "Nothing could be judged: there are no data"
	if n := len(v.System.Servers); n > 0 && len(s.Silent) == n {
		text = fmt.Sprintf("Nothing could be judged: there are no data of %s, or less than one step (%s)", topology.Fold(v.System.Servers), english.Seconds(v.Schema.StepSeconds))
	}
	text += fmt.Sprintf(". A verdict takes %s of data of at least three peers.", english.Seconds(needed))
	if len(v.System.Components) > 0 && !hasPeers(v.System) {
		text += " Nor would more of them do: nothing here has two others like it."
	}
	return text
}

// unheard is why most components were not judged: that nobody heard of their servers,
// where that explains half of them, else the usual reason.
func unheard(v *Writer, s *engine.Summary, unjudged int, usual string) string {
	var servers []string
	for _, q := range s.Silent {
		if q.Since == 0 {
			servers = append(servers, q.Server)
		}
	}
	n := 0
	for i := range v.System.Components {
		if slices.Contains(servers, v.System.Components[i].Server) {
			n++
		}
	}
	if n == 0 || 2*n < unjudged {
		return usual
	}
	return fmt.Sprintf("there are no data of %s, which %s %s", topology.Fold(servers), english.Verb(len(servers), "has", "have"), english.Count(n, "component"))
}
