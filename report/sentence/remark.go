// This file says what a diagnosis is weaker for: servers that are silent, idle or
// apart from all others, what the data lacked, clocks that are wrong; and what it means
// that nothing was found.
//
// It says what was there, why that is not enough, and what to do. It speaks with the
// voice of package words, beside which it stands, and knows no incident.

package sentence

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// All are the remarks on a diagnosis.
func All(v *Writer, s *engine.Summary) []string {
	silent := s.Silent
	if s.To == s.From { // the verdict says it of all
		silent = nil
	}
	lines := slices.Concat(Apart(v, s.Apart), Silences(v, silent), Idle(v, s.Idle), Lacks(v, s.Lacks), Skews(s.Skews))
	for _, what := range s.Unlike {
		lines = append(lines, fmt.Sprintf("Half of the servers show %s, so nobody is blamed for it. A topology can say who is whose peer.", Symptom(what)))
	}
	return lines
}

// Apart says which servers have data of a time of which no other has any.
func Apart(v *Writer, list []engine.Presence) []string {
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%s has data from %s, when no other server has any: it was compared with no other. Give files of the same time.", p.Server, v.Span(p.From, p.To)))
	}
	if len(list) > few {
		return []string{fmt.Sprintf("%d servers have data of times at which no other has any, and were compared with no other: %s. Give files of the same time.", len(list), topology.Fold(servers(list)))}
	}
	return lines
}

// few is how many servers get a line each.
const few = 4

func servers(list []engine.Presence) (names []string) {
	for _, p := range list {
		names = append(names, p.Server)
	}
	return names
}

// Silences says of which servers there are no data, those of one time together.
func Silences(v *Writer, list []engine.Silence) []string {
	var lines []string
	names := map[int64][]string{}
	for _, q := range list {
		names[q.Since] = append(names[q.Since], q.Server)
	}
	for _, since := range slices.Sorted(maps.Keys(names)) {
		text := "There are no data of " + topology.Fold(names[since])
		switch {
		case since != 0:
			text += " after " + v.Time(since)
		case v.Schema.StepSeconds > 0:
			text += ", or less than a step of " + english.Seconds(v.Schema.StepSeconds)
		}
		lines = append(lines, text+".")
	}
	return lines
}

// Idle says which servers had nothing to do while others had. More than a few get
// a line together.
func Idle(v *Writer, list []engine.Idleness) []string {
	var lines, names []string
	for _, i := range list {
		names = append(names, i.Server)
		how := "from " + v.Span(i.From, i.To)
		if i.Times > 1 {
			from, to, _ := strings.Cut(v.Span(i.From, i.To), " to ")
			how = fmt.Sprintf("%d times between %s and %s, %s in all,", i.Times, from, to, english.Seconds(i.Seconds))
		}
		lines = append(lines, fmt.Sprintf("%s had nothing to do %s while others had: it was not judged then.", i.Server, how))
	}
	if len(names) > few {
		return []string{fmt.Sprintf("%d servers had nothing to do for a while, and were not judged then: %s.", len(names), topology.Fold(names))}
	}
	return lines
}

// Skews says whose clocks are wrong.
func Skews(list []engine.Skew) []string {
	var lines []string
	for _, s := range list {
		text := "The clocks of half of the servers are seconds apart from the others', and nobody knows which are right: synchronise them."
		if way := map[bool]string{true: "ahead of", false: "behind"}[s.Seconds > 0]; s.Server != "" {
			text = fmt.Sprintf("The clock of %s is about %d s %s the others': synchronise it. Times that are told to the second may be off by as much.", s.Server, max(s.Seconds, -s.Seconds), way)
		}
		lines = append(lines, text)
	}
	return lines
}
