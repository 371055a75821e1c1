package survey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// warnings say what a reader should know before believing the findings.
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
			add("%s of %s%s left out, because the group had fewer than 3 busy drives in this hour: check the groups", english.Thousands(a.Narrow), english.Count(int(a.Rows), "row"), name+was(a.Narrow))
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
		add("%s drives of several models: a model that is slower by design looks like a slowdown", english.Count(n, "group")+english.Verb(n, " has", " have"))
	}
	if crowded(int64(len(r.Slow)), counted) {
		add("%s of %s drive hours have a slowdown of %v× or more, and each of these hours takes 32 bytes of memory: for a larger fleet, choose a larger threshold", english.Thousands(len(r.Slow)), english.Thousands(counted), r.Options.Kept())
	}
	return append(out, rough(r)...)
}

// was is the verb behind a number of rows or hours.
func was(n int64) string { return english.Verb(int(n), " was", " were") }

// alone says which I/O something is of, where that is not all.
func alone(d study.Direction) string {
	if d == study.All {
		return ""
	}
	return " (" + d.String() + ")"
}

// crowded reports whether slow hours are what most of the memory is for: more
// of them than can be meant by slow, and more than a million.
func crowded(slow, counted int64) bool { return slow > 1e6 && 20*slow > counted }

// roughGroups is how few groups with a slow hour make a bootstrap doubtful: of
// fewer nine of ten intervals have the true value, and not 95 of 100.
const roughGroups = 40

// rough warns of intervals that a few groups make.
func rough(r *study.Reduction) []string {
	var out []string
	main := main(r.Options)
	for _, s := range r.Spreads {
		all, slow := 0, map[int32]bool{}
		for i := range r.Cells {
			all += int(onePoint(r.Cells[i].Direction == s.Direction && r.Cells[i].Kind == s.Kind))
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

// strayHours counts hours of unknown kind, and the groups, where others of the
// group are of a known one.
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

// ofFleet are the events of drives that are known, and warnings about the
// others, and about words that are not.
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
		warnings = append(warnings, fmt.Sprintf("events %s are unknown, and count as error events of the drive: "+
			"in the description file, under \"events\" and \"words\", name the events that mean unplugged, replugged, not spinning or not responding", quoted(strange)))
	}
	return known, warnings
}

var knownEvents = []study.What{study.NotSpinning, study.NotResponding, study.Unplugged, study.Replugged}

// quoted are words and how often they come, the first few by name.
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
