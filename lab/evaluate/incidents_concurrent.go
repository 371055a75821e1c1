package evaluate

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/report/page"
)

// concurrent adds the number of exact runs with several faults. In an exact run all components with
// a fault were named, and no others.
func (t *incidentsReport) concurrent(trials []Trial) {
	table := page.Table{Columns: []page.Column{
		{Name: "faults at the same time"},
		{Name: "runs", Numeric: true},
		{Name: "exact runs, %", Numeric: true},
		{Name: "exact runs with the right kinds, %", Numeric: true},
		{Name: "faults", Numeric: true},
		{Name: "faults named, %", Numeric: true},
		{Name: "faults named with the right kind, %", Numeric: true},
		{Name: "wrong incidents", Numeric: true},
	}}
	faults := slices.Compact(slices.Sorted(slices.Values(t.r.Options.Faults)))
	for _, n := range faults {
		some := slices.DeleteFunc(slices.Clone(trials), func(trial Trial) bool { return trial.Faults != n })
		if len(some) > 0 {
			table.Rows = append(table.Rows, t.counted(fmt.Sprint(n), some))
		}
	}
	if len(faults) > 1 {
		table.Rows = append(table.Rows, t.counted("any", trials))
	}
	section := t.doc.Section("Several faults at the same time", page.Text(fmt.Sprintf(
		"These are runs of %d days on %d arrays with %d LUNs. Faults are chosen at random: any mechanism of the events of the paper L13, at any component and time. "+
			"A run is exact if limpet named the component of every fault, and no other component. An exact run has the right kinds if limpet also named the right kind of every fault.",
		t.r.Options.ConcurrentSystem.Days, t.r.Options.ConcurrentSystem.Arrays, t.r.Options.ConcurrentSystem.LUNs)), table)
	section.Add(t.mechanisms(trials))
	if text := t.onsets(trials); text != "" {
		section.Add(page.Text(text))
	}
	t.wrong("Wrong results with several faults at the same time", trials)
	t.drawn(trials)
}

// counted returns a row of the table with the counts of some runs.
func (t *incidentsReport) counted(name string, trials []Trial) []page.Cell {
	exact, kinds, devices, named, found, wrong := 0, 0, 0, 0, 0, 0
	for i := range trials {
		trial := &trials[i]
		devices, named, found = devices+len(trial.Devices), named+trial.Named(), found+trial.Found()
		wrong += len(trial.Wrong())
		if trial.Exact() {
			exact++
			if trial.Found() == len(trial.Devices) {
				kinds++
			}
		}
	}
	percent := func(figure string, part, of int) page.Cell {
		f := t.plain("faults at once", name, figure, "%", 100*float64(part)/float64(of), of)
		return page.Cell{Text: fixed(f.Value, 1)}
	}
	t.plain("faults at once", name, "wrong incidents", "incidents", float64(wrong), len(trials))
	return []page.Cell{
		{Text: name},
		{Text: fmt.Sprint(len(trials))},
		percent("exact", exact, len(trials)),
		percent("exact, with the right kinds", kinds, len(trials)),
		{Text: fmt.Sprint(devices)},
		percent("faults named", named, devices),
		percent("faults named with the right kind", found, devices),
		{Text: fmt.Sprint(wrong)},
	}
}

// mechanisms returns a table of how many faults of each mechanism were found.
func (t *incidentsReport) mechanisms(trials []Trial) page.Table {
	table := page.Table{Columns: []page.Column{
		{Name: "mechanism"},
		{Name: "simulated", Numeric: true},
		{Name: "named", Numeric: true},
		{Name: "named with the right kind", Numeric: true},
		{Name: "median time from the fault to the incident", Numeric: true},
		{Name: "longest time from the fault to the incident", Numeric: true},
	}}
	byName := map[string]*tally{}
	var names []string
	for i := range trials {
		for _, d := range trials[i].Drawn {
			if byName[d.Mechanism] == nil {
				byName[d.Mechanism] = &tally{}
				names = append(names, d.Mechanism)
			}
			byName[d.Mechanism].count(&trials[i], d.Component)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		s := byName[name]
		t.plain(name, "", "faults named", "faults", float64(s.named), s.drawn)
		t.plain(name, "", "faults named with the right kind", "faults", float64(s.found), s.drawn)
		median := t.plain(name, "", "median time from the fault to the incident", "s", medianOf(s.seconds), len(s.seconds))
		table.Rows = append(table.Rows, page.Cells(name, fmt.Sprint(s.drawn), fmt.Sprint(s.named), fmt.Sprint(s.found), clock(median.Value), clock(s.longest())))
	}
	return table
}

// onsets returns a text about the errors of the reported starts; "": no fault was named.
func (t *incidentsReport) onsets(trials []Trial) string {
	within := 0
	var off []float64
	for i := range trials {
		for _, d := range trials[i].Devices {
			if !d.Named {
				continue
			}
			if off = append(off, d.OnsetError.Seconds()); d.OnsetError <= time.Minute {
				within++
			}
		}
	}
	if len(off) == 0 {
		return ""
	}
	slices.Sort(off)
	most := t.plain("faults at once", "any", "time from the true start to the reported interval, 90th percentile", "s", off[(9*len(off)-1)/10], len(off))
	t.plain("faults at once", "any", "true start within a minute of the reported interval", "%", 100*float64(within)/float64(len(off)), len(off))
	return fmt.Sprintf("limpet named %[1]d faults, and gave an interval for the start of each fault. For %[2]d of these %[1]d faults, the true start was in the interval, or at most 1 minute before or after the interval. For 90 %% of these faults, the true start was in the interval, or at most %[3]s before or after the interval.",
		len(off), within, clock(most.Value))
}

// tally counts the faults of one mechanism.
type tally struct {
	drawn, named, found int
	seconds             []float64 // times to the incident
}

func (s *tally) count(t *Trial, component string) {
	for i := range t.Devices {
		d := &t.Devices[i]
		if d.Component != component {
			continue
		}
		s.drawn++
		if d.Named {
			s.named++
			s.seconds = append(s.seconds, d.Latency.Seconds())
		}
		if d.Found {
			s.found++
		}
	}
}

func (s *tally) longest() float64 {
	if len(s.seconds) == 0 {
		return math.NaN()
	}
	return slices.Max(s.seconds)
}

// drawn lists the faults of the runs that were not exact, as lines of an events file, so that they
// can be examined.
func (t *incidentsReport) drawn(trials []Trial) {
	table := page.Table{Columns: []page.Column{{Name: "run"}, {Name: "faults"}}}
	for i := range trials {
		if trials[i].Exact() {
			continue
		}
		for _, d := range trials[i].Drawn {
			table.Rows = append(table.Rows, page.Cells(trials[i].Name(), d.Entry))
		}
	}
	if len(table.Rows) > 0 {
		t.doc.Section("Faults of the runs that are not exact, written as lines of an events file", table)
	}
}
