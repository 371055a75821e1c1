package activity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// Warnings lists the problems with the input. After the last row, the list has two more kinds of
// problems: contradictions between the files and the topology, and servers with files of other days
// than most servers.
func (a *Source) Warnings() []ingest.Warning {
	<-a.filled
	all := slices.Clone(a.plan.Warned)
	for _, m := range a.plan.Machines {
		all = append(all, m.Warnings()...)
	}
	all = append(all, a.plan.coarseWarnings()...)
	all = append(all, a.overlaps()...)
	all = append(all, a.plan.Disputes()...)
	if a.finished() {
		if a.plan.System.File != "" {
			all = append(all, a.plan.System.Unmatched(a.plan.Sightings())...)
		}
		all = append(all, a.otherDays()...)
	}
	return all
}

// overlaps returns one warning for all servers with overlapping files. If two files of a server
// have records of the same time, the source uses the file with the shorter interval between
// records.
func (a *Source) overlaps() []ingest.Warning {
	var hosts []string
	var list []sysstat.Warning
	for _, m := range a.plan.Machines {
		before := len(list)
		for _, w := range m.Records.Warnings() {
			if w.Covered > 0 {
				list = append(list, w)
			}
		}
		if len(list) > before {
			hosts = append(hosts, m.Name)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return []ingest.Warning{{Text: list[0].String()}}
	}
	return []ingest.Warning{{Text: fmt.Sprintf("%d files of %s have records of the same time as another file of the same server; limpet uses the file with the shorter interval between records. For example: %s",
		len(list), topology.Fold(hosts), list[0])}}
}

func (a *Source) finished() bool {
	return !slices.ContainsFunc(a.plan.Machines, func(m *machine) bool { return !m.Done })
}

// otherDays warns of a server whose files end before the files of most servers begin, or begin
// after the files of most servers end. Such a server cannot be compared with the other servers.
// More than three such servers share one warning. If at least half of the servers are such servers,
// most servers have no period in common. The warning then contains no period.
func (a *Source) otherDays() []ingest.Warning {
	var firsts, ends []int64
	for _, m := range a.plan.Machines {
		if m.First != 0 {
			firsts, ends = append(firsts, m.First), append(ends, m.Ends)
		}
	}
	if len(firsts) < 2 {
		return nil
	}
	slices.Sort(firsts)
	slices.Sort(ends)
	from, to := firsts[len(firsts)/2], ends[len(ends)/2]
	var odd []ingest.Warning
	var names []string
	for _, m := range a.plan.Machines {
		if m.First != 0 && (m.Ends < from || m.First > to) {
			names = append(names, m.Name)
			odd = append(odd, ingest.Warning{Text: fmt.Sprintf("%s: the data of %s are from %s to %s, and the data of most servers are from %s to %s: limpet cannot compare these servers; collect files of the same days",
				strings.Join(m.Paths, ", "), m.Name, utc(m.First), utc(m.Ends), utc(from), utc(to))})
		}
	}
	const few = 3 // more servers share a warning
	switch {
	case 2*len(odd) >= len(firsts):
		return []ingest.Warning{{Text: fmt.Sprintf("the files of %d servers are from different days, and limpet can compare only servers with data of the same days: collect files of the same days", len(firsts))}}
	case len(odd) > few:
		return []ingest.Warning{{Text: fmt.Sprintf("the data of %s are not from the same days as the data of most servers (%s to %s): limpet cannot compare these servers with the others; collect files of the same days",
			topology.Fold(names), utc(from), utc(to))}}
	}
	return odd
}

func utc(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05Z") }
