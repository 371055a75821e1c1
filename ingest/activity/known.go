package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// known describes a machine whose files grow, up to its last record.
type known struct {
	hostFiles
	AsksDevices     bool // the system is made of what the files show
	AsksConnections bool // the owners of addresses matter
	Late, Ahead     int  // steps that earlier machines of the host left out
}

// isNews reports whether a machine shows a new device, name or address. While
// old records are read it compares devices alone, since names have changed
// since then.
func (h *known) isNews(m *machine) bool {
	if h.AsksDevices && slices.ContainsFunc(m.sightings(), func(s topology.Seen) bool {
		return s.LeftOut() == "" && !h.knows(s, m.Grow.Live)
	}) {
		return true
	}
	for _, a := range addressesOf(m.Records.Inventory()) {
		if h.AsksConnections && !slices.Contains(h.Addresses, a) {
			return true
		}
	}
	return false
}

// knows reports whether a sighting is known: in all details, or at least its
// device.
func (h *known) knows(s topology.Seen, exactly bool) bool {
	return slices.ContainsFunc(h.Seen, func(k topology.Seen) bool { return k == s || !exactly && sameDevice(k, s) })
}

// Learn updates the description with what a machine shows.
func (h *known) Learn(m *machine) {
	shown := slices.DeleteFunc(m.sightings(), func(s topology.Seen) bool { return s.Kind == topology.Interface && s.LeftOut() != "" })
	h.Seen = slices.DeleteFunc(h.Seen, func(k topology.Seen) bool {
		return slices.ContainsFunc(shown, func(s topology.Seen) bool { return sameDevice(k, s) })
	})
	h.Seen = append(h.Seen, shown...)
	for _, a := range addressesOf(m.Records.Inventory()) {
		if !slices.Contains(h.Addresses, a) {
			h.Addresses = append(h.Addresses, a)
		}
	}
	h.TCP = h.TCP || m.Grow.tcp
}
