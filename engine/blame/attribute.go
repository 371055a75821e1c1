package blame

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// AttachmentsWith returns all attachments that have the attribute p, such as a model.
func AttachmentsWith(system *topology.System, p Place) (list []int) {
	for i := range system.Components {
		if c := &system.Components[i]; c.Kind == topology.Attachment && PlaceName(p.Tier, c) == p.Name {
			list = append(list, i)
		}
	}
	return list
}

// SharedPlaces returns the places that all of the given attachments have in common, tier by tier.
// It leaves out a place on which every attachment of the system depends, because such a place does
// not distinguish these attachments from others.
func SharedPlaces(system *topology.System, attachments []int) (list []Place) {
	if len(attachments) == 0 {
		return nil
	}
	for _, p := range AllPlaces(&system.Components[attachments[0]]) {
		has := func(c *topology.Component) bool { return PlaceName(p.Tier, c) == p.Name }
		common := !slices.ContainsFunc(attachments, func(i int) bool { return !has(&system.Components[i]) })
		if common && slices.ContainsFunc(system.Components, func(c topology.Component) bool { return c.Kind == topology.Attachment && !has(&c) }) {
			list = append(list, p)
		}
	}
	return list
}

// OtherVersions returns the other firmware versions of a model in the system. The place p must be a
// firmware version of this model.
func OtherVersions(system *topology.System, p Place) (list []string) {
	_, model, ok := strings.Cut(p.Name, " of ")
	if p.Tier != Firmware || !ok {
		return nil
	}
	for i := range system.Components {
		if c := &system.Components[i]; c.Model == model && c.Firmware != "" && PlaceName(p.Tier, c) != p.Name {
			list = append(list, c.Firmware)
		}
	}
	slices.SortFunc(list, topology.Compare)
	return slices.Compact(list)
}
