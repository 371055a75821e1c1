package activity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// Warnings lists what was wrong with the input. After the last row it also
// says where files and topology contradict each other.
func (a *Source) Warnings() []collect.Warning {
	<-a.filled
	all := slices.Clone(a.warnings)
	for _, m := range a.machines {
		all = append(all, m.warnings()...)
	}
	all = append(all, a.overlaps()...)
	all = append(all, a.disputes()...)
	if a.finished() {
		if a.system.File != "" {
			all = append(all, a.system.Unmatched(a.sightings())...)
		}
		all = append(all, a.otherDays()...)
	}
	return all
}

// overlaps says once which servers have files that overlap: records of coarser
// ones are left to the finer.
func (a *Source) overlaps() []collect.Warning {
	var hosts []string
	var list []sysstat.Warning
	for _, m := range a.machines {
		before := len(list)
		for _, w := range m.records.Warnings() {
			if w.Covered > 0 {
				list = append(list, w)
			}
		}
		if len(list) > before {
			hosts = append(hosts, m.name)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return []collect.Warning{{Text: list[0].String()}}
	}
	return []collect.Warning{{Text: fmt.Sprintf("%d files of %s overlap others of the same server, and what these have is left to them; the first is %s",
		len(list), topology.Fold(hosts), list[0])}}
}

// warnings lists what was wrong with the files of one machine.
func (m *machine) warnings() []collect.Warning {
	var all []collect.Warning
	warn := func(format string, args ...any) {
		all = append(all, collect.Warning{Text: fmt.Sprintf(format, args...)})
	}
	for _, w := range m.records.Warnings() {
		if w.Covered == 0 {
			warn("%s", w)
		}
	}
	if m.err != nil {
		warn("%v (the rest of %s is not used)", m.err, m.name)
	}
	if m.jumps > 0 {
		warn("the clock of %s made %s of more than %d s; keep clocks together with NTP", m.name, count(m.jumps, "jump"), clockStep)
	}
	if n := m.fold.Repeated() + m.repeated; n > 0 {
		warn("the clock of %s was set back: %s left out, of times that were read already", m.name, count(n, "step"))
	}
	if n := m.conns.Damaged; n > 0 {
		warn("the connections in %s of %s are not used: %v", count(n, "record"), m.name, m.conns.Err)
	}
	if n := m.times.damaged; n > 0 {
		warn("the latencies in %s of %s are not used: %v", count(n, "record"), m.name, m.times.err)
	}
	if n := m.times.sample.Missed; n > 0 {
		warn("%d requests of %s have no latencies: its recorder had no space for them in the kernel", n, m.name)
	}
	return all
}

func (a *Source) finished() bool {
	return !slices.ContainsFunc(a.machines, func(m *machine) bool { return !m.done })
}

// sightings are what the files showed. The drives of clients are nobody's
// business.
func (a *plan) sightings() []topology.Seen {
	seen := slices.Clone(a.hosts)
	for _, m := range a.machines {
		if !m.conns.Talks {
			seen = append(seen, deviceSightings(m.name, "", m.disks.seen, m.records.Inventory())...)
		}
		seen = append(seen, nicSightings(m.name, m.nics.seen)...)
	}
	return seen
}

// otherDays warns of servers whose files are of another time than those of
// most others: nothing can be compared then.
func (a *Source) otherDays() []collect.Warning {
	var firsts, ends []int64
	for _, m := range a.machines {
		if m.first != 0 {
			firsts, ends = append(firsts, m.first), append(ends, m.ends)
		}
	}
	if len(firsts) < 2 {
		return nil
	}
	slices.Sort(firsts)
	slices.Sort(ends)
	from, to := firsts[len(firsts)/2], ends[len(ends)/2]
	var odd []collect.Warning
	for _, m := range a.machines {
		if m.first != 0 && (m.ends < from || m.first > to) {
			odd = append(odd, collect.Warning{Text: fmt.Sprintf("%s: data of %s are from %s to %s, those of most servers from %s to %s: nothing can be compared; collect files of the same days",
				strings.Join(m.paths, ", "), m.name, utc(m.first), utc(m.ends), utc(from), utc(to))})
		}
	}
	return odd
}

func utc(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05Z") }

// count puts a noun behind a number.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
