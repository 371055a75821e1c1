package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// known is what is known of a machine whose files grow, before its next record.
type known struct {
	hostFiles
	AsksDevices     bool // the system is what the files show
	AsksConnections bool // whose address is whose matters
	Late, Ahead     int  // steps that machines before this one left out
}

// isNews says whether a machine shows a device, a name or an address that is
// not known. While older records are read, only devices are compared: names
// were given anew since then.
func (h *known) isNews(m *server) bool {
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

// knows says whether a sighting is known, as it is or at least what it is of.
func (h *known) knows(s topology.Seen, exactly bool) bool {
	return slices.ContainsFunc(h.Seen, func(k topology.Seen) bool { return k == s || !exactly && sameDevice(k, s) })
}

// Learn takes what a machine shows for what is known of it.
func (h *known) Learn(m *server) {
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
