package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// warnings returns warnings about problems that make the findings less reliable.
func warnings(r *study.Reduction, f *study.Fleet) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	counted := int64(0)
	for d, a := range r.Accounts {
		name := alone(study.Direction(d))
		counted += a.Counted
		if a.MixedHours > 0 {
			add("%s%s left out, because the group had both disks and SSDs: put disks and SSDs into separate groups", english.Count(int(a.MixedHours), "hour"), name+was(a.MixedHours))
		}
		if a.Rows > 0 && 2*a.Narrow > a.Counted {
			add("%s of %s%s left out, because the group had fewer than 3 busy drives in this hour: check which drives belong to which group", english.Thousands(a.Narrow), english.Count(int(a.Rows), "row"), name+was(a.Narrow))
		}
		if a.Duplicate > 0 {
			add("%s%s left out, because another row has the same drive and hour; limpet uses the row with the most I/Os", english.Count(int(a.Duplicate), "row"), name+was(a.Duplicate))
		}
	}
	if n := takenKinds(r, f); n > 0 {
		add("%s of unknown kind: limpet uses the kind of the other drives of the group; add these drives to the inventory", english.Count(n, "drive")+english.Verb(n, " is", " are"))
	}
	if hours, groups := strayHours(r); groups > 0 {
		add("%s of %s %s studied separately, because the kind of all busy drives is unknown: add the drives to the inventory", english.Count(int(hours), "hour"), english.Count(groups, "group"), english.Verb(int(hours), "is", "are"))
	}
	if n := mixedModels(r, f); n > 0 {
		add("%s drives of several models: drives of a slower model look slow there; put each model into its own group", english.Count(n, "group")+english.Verb(n, " has", " have"))
	}
	if crowded(int64(len(r.Slow)), counted) {
		add("%[1]s of %[2]s drive hours have a slowdown of %[3]v× or more, and each of these hours takes 32 bytes of memory: for a larger fleet, choose a threshold above %[3]v×", english.Thousands(len(r.Slow)), english.Thousands(counted), r.Options.Kept())
	}
	return append(out, rough(r)...)
}

// was returns the verb after a number of rows or hours.
func was(n int64) string { return english.Verb(int(n), " was", " were") }

// alone returns the direction in brackets; empty for all I/O.
func alone(d study.Direction) string {
	if d == study.All {
		return ""
	}
	return " (" + d.String() + ")"
}

// crowded reports whether slow hours need much memory: more than a million hours, and more than
// 5 % of all drive hours, are slow. The threshold is then too low.
func crowded(slow, counted int64) bool { return slow > 1e6 && 20*slow > counted }

// roughGroups is the number of groups with a slow hour below which confidence intervals are
// unreliable: with fewer groups, about 90 % of the intervals contain the true value instead of
// 95 %.
const roughGroups = 40

// rough returns warnings about kinds of drives with too few groups for reliable intervals.
func rough(r *study.Reduction) []string {
	var out []string
	main := main(r.Options)
	for _, s := range r.Spreads {
		all, slow := 0, map[int32]bool{}
		for i := range r.Cells {
			all += int(oneIf(r.Cells[i].Direction == s.Direction && r.Cells[i].Kind == s.Kind))
		}
		for _, h := range r.Slow {
			if c := &r.Cells[h.Cell]; h.S >= main && c.Direction == s.Direction && c.Kind == s.Kind {
				slow[h.Cell] = true
			}
		}
		if len(slow) < roughGroups {
			out = append(out, fmt.Sprintf("%d of %d groups of %s%s have slow hours (%s or more): these are too few for reliable confidence intervals",
				len(slow), all, noun(s.Kind), alone(s.Direction), times(main)))
		}
	}
	return out
}

// takenKinds counts drives of unknown kind that are studied as disks or SSDs.
func takenKinds(r *study.Reduction, f *study.Fleet) int {
	taken := map[int32]bool{}
	for _, s := range r.Seats {
		if f.Drives[s.Drive].Kind == study.Unknown && r.Cells[s.Cell].Kind != study.Unknown {
			taken[s.Drive] = true
		}
	}
	return len(taken)
}

// strayHours counts the hours of unknown kind in groups that also have hours of a known kind, and
// these groups.
func strayHours(r *study.Reduction) (hours int64, groups int) {
	known, all := map[int32]bool{}, map[int32]bool{}
	for i := range r.Cells {
		if r.Cells[i].Kind != study.Unknown {
			known[r.Cells[i].Group] = true
		}
	}
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Kind == study.Unknown && c.Direction == study.All && known[c.Group] {
			all[c.Group] = true
			hours += c.Hours
		}
	}
	return hours, len(all)
}

// mixedModels counts groups whose drives are of several known models.
func mixedModels(r *study.Reduction, f *study.Fleet) int {
	first, mixed := map[int32]string{}, map[int32]bool{}
	for _, s := range r.Seats {
		group, model := r.Cells[s.Cell].Group, f.Drives[s.Drive].Model
		if had := first[group]; had != "" && model != "" && had != model {
			mixed[group] = true
		}
		if model != "" {
			first[group] = model
		}
	}
	return len(mixed)
}

// ofFleet returns the events of known drives, and warnings about unknown drives and unknown words
// for events.
func ofFleet(events []study.Event, f *study.Fleet) (known []study.Event, warnings []string) {
	strange := map[study.What]int{}
	for _, e := range events {
		if e.Drive < 0 || int(e.Drive) >= len(f.Drives) {
			continue
		}
		known = append(known, e)
		if !slices.Contains(knownEvents, e.What) {
			strange[e.What]++
		}
	}
	if n := len(events) - len(known); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%s unknown drives: check that events and records use the same names of drives", english.Count(n, "event")+english.Verb(n, " names", " name")))
	}
	if len(strange) > 0 {
		warnings = append(warnings, fmt.Sprintf("events %s are unknown, and limpet counts them as error events of the drive. "+
			"If they mean \"unplugged\", \"replugged\", \"not spinning\" or \"not responding\", write this in the description file, in the setting \"words\" of \"events\"", quoted(strange)))
	}
	return known, warnings
}

var knownEvents = []study.What{study.NotSpinning, study.NotResponding, study.Unplugged, study.Replugged}

// quoted writes words and how often they occur. It names only the first few.
func quoted(words map[study.What]int) string {
	const shown = 8
	var out []string
	all := keys(words)
	for _, w := range all[:min(len(all), shown)] {
		out = append(out, fmt.Sprintf("%q (%s)", string(w), english.Count(words[w], "time")))
	}
	if n := len(all) - shown; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}
