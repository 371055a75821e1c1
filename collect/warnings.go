package collect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// Warnings lists what was wrong with the input. After the last row it also
// says where files and topology contradict each other.
func (a *Activity) Warnings() []Warning {
	<-a.filled
	all := slices.Clone(a.warnings)
	for _, s := range a.servers {
		for _, w := range s.records.Warnings() {
			all = append(all, Warning{Text: w.String()})
		}
		if s.err != nil {
			all = append(all, Warning{Text: fmt.Sprintf("%v (the rest of %s is not used)", s.err, s.name)})
		}
		if s.jumps > 0 {
			all = append(all, Warning{Text: fmt.Sprintf("the clock of %s made %s of more than %d s; keep clocks together with NTP", s.name, count(s.jumps, "jump"), clockStep)})
		}
		if n := s.fold.Repeated() + s.repeated; n > 0 {
			all = append(all, Warning{Text: fmt.Sprintf("the clock of %s was set back: %s left out, of times that were read already", s.name, count(n, "step"))})
		}
	}
	if a.finished() {
		if a.system.File != "" {
			all = append(all, a.system.Unmatched(a.sightings())...)
		}
		all = append(all, a.otherDays()...)
	}
	return all
}

func (a *Activity) finished() bool {
	return !slices.ContainsFunc(a.servers, func(s *server) bool { return !s.done })
}

func (a *Activity) sightings() []topology.Seen {
	var seen []topology.Seen
	for _, s := range a.servers {
		seen = append(seen, sightings(s.name, s.seen, s.records.Inventory())...)
	}
	return seen
}

// otherDays warns of servers whose files are of another time than those of
// most others: nothing can be compared then.
func (a *Activity) otherDays() []Warning {
	var firsts, ends []int64
	for _, s := range a.servers {
		if s.first != 0 {
			firsts, ends = append(firsts, s.first), append(ends, s.ends)
		}
	}
	if len(firsts) < 2 {
		return nil
	}
	slices.Sort(firsts)
	slices.Sort(ends)
	from, to := firsts[len(firsts)/2], ends[len(ends)/2]
	var odd []Warning
	for _, s := range a.servers {
		if s.first != 0 && (s.ends < from || s.first > to) {
			odd = append(odd, Warning{Text: fmt.Sprintf("%s: data of %s are from %s to %s, those of most servers from %s to %s: nothing can be compared; collect files of the same days",
				strings.Join(s.paths, ", "), s.name, utc(s.first), utc(s.ends), utc(from), utc(to))})
		}
	}
	return odd
}

func utc(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05Z") }
