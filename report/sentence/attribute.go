package sentence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// across prints the versions without the problem and the number of servers with it: " (not 1.02) on
// 40 of 80 servers". It is empty for a place that is no attribute.
func (w *Writer) across(in *incident.Incident) string {
	if !in.Place.Tier.IsAttribute() {
		return ""
	}
	text := ""
	if others := blame.OtherVersions(w.System, in.Place); len(others) > 0 && len(in.Joined) == 0 {
		text = " (not firmware " + fold(others) + ")"
	}
	var there []int
	for _, p := range in.Places() {
		there = append(there, blame.AttachmentsWith(w.System, p)...)
	}
	slow, all := w.serversOf(playing(in, finding.IsSlow)), w.serversOf(there)
	switch {
	case len(all) < 2:
	case len(slow) == len(all):
		text += fmt.Sprintf(" on all %d servers", len(all))
	default:
		text += fmt.Sprintf(" on %d of %d servers", len(slow), len(all))
	}
	return text
}

// alike names the other places that the members of an incident have in common.
func (w *Writer) alike(in *incident.Incident) string {
	var list []string
	for _, p := range in.Alike {
		list = append(list, named(p))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("the slow %ss also have %s in common, so the data do not show which common part is the cause", w.unit(in), strings.Join(list, ", "))
}

// Shared returns the common attributes of all slow members of an incident with joined places, such
// as a model or a kernel, if some other components do not have them. It is empty for an incident at
// one place, because its members share this place.
func (w *Writer) Shared(in *incident.Incident) []blame.Place {
	if len(in.Joined) == 0 {
		return nil
	}
	return blame.SharedPlaces(w.System, playing(in, finding.IsSlow))
}

// inCommon states the common attributes of the members of an incident with joined places: "all slow
// parts have this in common: model X, which 200 of 744 drives have".
func (w *Writer) inCommon(in *incident.Incident) string {
	unit := w.unit(in)
	if unit == "LUN" { // the numbers count attachments, and a LUN has several
		unit = "path"
	}
	var list []string
	for _, p := range w.Shared(in) {
		list = append(list, fmt.Sprintf("%s, which %d of %s have", named(p), len(blame.AttachmentsWith(w.System, p)), english.Count(w.allAttachments(), unit)))
	}
	if len(list) == 0 {
		return ""
	}
	return "all slow parts have this in common: " + strings.Join(list, "; and ")
}

// sharedBy names the places of an incident, and the other common attributes of its members.
func (w *Writer) sharedBy(in *incident.Incident) string {
	list := []string{Placed(in)}
	for _, p := range w.Shared(in) {
		list = append(list, named(p))
	}
	return strings.Join(list, ", ")
}

// Placed prints the places of an incident with their tiers: "position disk1", "positions disk1 and
// disk2".
func Placed(in *incident.Incident) string {
	return placed(in, func(t blame.Tier, names []string) string {
		switch {
		case t == blame.Attachment:
			return "path " + fold(names)
		case len(names) == 1 && areOSDs(t, names):
			return "OSD " + names[0]
		case areOSDs(t, names):
			return "OSDs " + fold(names)
		case len(names) == 1:
			return fmt.Sprintf("%s %s", t, names[0])
		}
		return tiers(t) + " " + fold(names)
	})
}

// areOSDs reports whether places are OSDs of Ceph, which are in the tier of drives: osd.5, or
// CLUSTER/osd.5. The kernel gives no device such a name.
func areOSDs(t blame.Tier, names []string) bool {
	return t == blame.Drive && !slices.ContainsFunc(names, func(name string) bool {
		number, ok := strings.CutPrefix(name[strings.LastIndexByte(name, '/')+1:], "osd.")
		return !ok || number == "" || strings.Trim(number, "0123456789") != ""
	})
}

// Noun returns the usual word for a place, if it differs from the name of its tier: "OSD".
// Otherwise it returns "".
func Noun(p blame.Place) string {
	if areOSDs(p.Tier, []string{p.Name}) {
		return "OSD"
	}
	return ""
}

// KindOf returns the name of an incident's kind for people. Programs read the kind itself.
func KindOf(in *incident.Incident) string {
	if noun := Noun(in.Place); in.Kind == finding.SlowDrive && noun != "" {
		return "slow " + noun
	}
	return KindName(in.Kind)
}

// PlaceNames prints the names of the places of an incident: "disk1 and disk2".
func PlaceNames(in *incident.Incident) string {
	return placed(in, func(_ blame.Tier, names []string) string { return fold(names) })
}

// where prints the places of an incident within a sentence: "LUN 1.4", "positions disk1 and disk2".
func where(in *incident.Incident) string {
	if len(in.Joined) == 0 {
		return named(in.Place)
	}
	return placed(in, func(t blame.Tier, names []string) string {
		switch {
		case len(names) == 1:
			return named(blame.Place{Tier: t, Name: names[0]})
		case t == blame.Age:
			return "the years " + fold(names)
		}
		return tiers(t) + " " + fold(names)
	})
}

// placed prints the names of each tier, and joins the texts with "and".
func placed(in *incident.Incident, text func(t blame.Tier, names []string) string) string {
	var list []string
	places := in.Places()
	for len(places) > 0 {
		t, names := places[0].Tier, []string(nil)
		for len(places) > 0 && places[0].Tier == t {
			names, places = append(names, places[0].Name), places[1:]
		}
		slices.SortFunc(names, topology.Compare)
		list = append(list, text(t, names))
	}
	return strings.Join(list, " and ")
}

// tiers returns the plural of a tier of attributes.
func tiers(t blame.Tier) string {
	switch t {
	case blame.Batch:
		return "batches"
	case blame.Firmware:
		return "firmware"
	}
	return string(t) + "s"
}
