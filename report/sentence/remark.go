package sentence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// Remarks returns the sentences about the limits of a diagnosis: servers that are silent, idle or
// without data of the same time as others, missing data, and wrong clocks. Each sentence states
// what was there, why it is not enough, and what to do.
func Remarks(w *Writer, s *engine.Summary) []string {
	silent := s.Silent
	if s.To == s.From { // the verdict already states that all servers are silent
		silent = nil
	}
	lines := slices.Concat(Apart(w, s.Apart), Silences(w, silent), Idle(w, s.Idle), Lacks(w, s.Lacks), Skews(s.Skews))
	for _, what := range s.Unlike {
		lines = append(lines, fmt.Sprintf("Half of the servers have %s, so limpet names no faulty server. Name the peers of each server in a topology file.", Symptom(what)))
	}
	return lines
}

// Apart names the servers that have no data of the same time as another server.
func Apart(w *Writer, list []engine.Presence) []string {
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%s has data from %s, but no other server has data of the same period, so this server could not be compared. Give files of the same period.", p.Server, w.Span(p.From, p.To)))
	}
	if len(list) > few {
		return []string{fmt.Sprintf("%d servers could not be compared, because no other server has data of the same period: %s. Give files of the same period.", len(list), topology.FoldSorted(servers(list)))}
	}
	return lines
}

// few is the largest number of servers that get their own sentences.
const few = 4

func servers(list []engine.Presence) (names []string) {
	for _, p := range list {
		names = append(names, p.Server)
	}
	return names
}

// Silences names the servers without data. Servers that are silent since the same time, for the same
// reason, share a sentence.
func Silences(w *Writer, list []engine.Silence) []string {
	type cause struct {
		since int64
		why   string
	}
	var lines []string
	names := map[cause][]string{}
	for _, q := range list {
		names[cause{q.Since, q.Why}] = append(names[cause{q.Since, q.Why}], q.Server)
	}
	causes := slices.SortedFunc(maps.Keys(names), func(a, b cause) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.why, b.why))
	})
	for _, c := range causes {
		text := "There are no data of " + topology.FoldFew(names[c])
		if c.since != 0 {
			text += " after " + w.Time(c.since)
		}
		switch {
		case c.since == 0 && c.why != "":
			text = strings.TrimSuffix(english.Sentence(c.why), ".")
		case c.why != "":
			text += ": " + c.why
		case c.since == 0 && w.System != nil && w.System.File != "":
			text += english.Verb(len(names[c]), ": add its files, or remove this server from ", ": add their files, or remove these servers from ") + w.System.File
		}
		lines = append(lines, text+".")
	}
	return lines
}

// Idle names the servers that had no load while others had load. More than few servers share one
// sentence.
func Idle(w *Writer, list []engine.Idleness) []string {
	var lines, names []string
	for _, i := range list {
		names = append(names, i.Server)
		how := "from " + w.Span(i.From, i.To)
		if i.Times > 1 {
			how = fmt.Sprintf("%d times between %s and %s, %s in all,", i.Times, w.second().at(i.From), w.second().later(i.From, i.To), english.Seconds(i.Seconds))
		}
		lines = append(lines, fmt.Sprintf("%s was idle %s while other servers were busy, so limpet did not judge this server in this time.", i.Server, how))
	}
	if len(names) > few {
		return []string{fmt.Sprintf("%d servers were idle for some time, and limpet did not judge these servers while they were idle: %s.", len(names), topology.FoldSorted(names))}
	}
	return lines
}

// Skews names the servers whose clocks are wrong.
func Skews(list []engine.Skew) []string {
	var lines []string
	for _, s := range list {
		text := "The clocks of half of the servers differ by seconds from the clocks of the other half. The data do not show which clocks are right: synchronise all clocks."
		if way := map[bool]string{true: "ahead of", false: "behind"}[s.Seconds > 0]; s.Server != "" {
			text = fmt.Sprintf("The clock of %s is about %d s %s the clocks of the other servers: synchronise this clock. Times of this server in the report may be wrong by as much.", s.Server, max(s.Seconds, -s.Seconds), way)
		}
		lines = append(lines, text)
	}
	return lines
}
