package activity

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// known holds the properties of a machine that its records have shown so far. It is used only for
// files that grow.
type known struct {
	hostFiles
	NeedsDevices     bool // true if a new device or service in the files can change the system
	NeedsConnections bool // true if a metric of connections is chosen, so the owners of addresses are needed
	Late, Ahead      int  // numbers of steps that were left out in earlier epochs (periods with one system) because they were late, or because the clock was too far ahead
}

// isNews reports whether the records of a machine show news: a new device, a known device with
// another name or other details, or a new address. While old records are read, isNews ignores other
// details of known devices, because they may have changed after these records were written.
func (h *known) isNews(m *machine) bool {
	if h.NeedsDevices && slices.ContainsFunc(m.sightings(), func(s topology.Seen) bool {
		return s.ReasonLeftOut() == "" && !h.isKnown(s, m.Grow.Live)
	}) {
		return true
	}
	for _, a := range addressesOf(m.Records.Inventory()) {
		if h.NeedsConnections && !slices.Contains(h.Addresses, a) {
			return true
		}
	}
	return false
}

// isKnown reports whether h.Seen has the device or interface s. If `exactly` is true, all details
// must be equal. Otherwise it is sufficient that the device is the same.
func (h *known) isKnown(s topology.Seen, exactly bool) bool {
	return slices.ContainsFunc(h.Seen, func(k topology.Seen) bool { return k == s || !exactly && sameDevice(k, s) })
}

// Learn adds the devices, interfaces and addresses that a machine shows.
func (h *known) Learn(m *machine) {
	shown := slices.DeleteFunc(m.sightings(), func(s topology.Seen) bool { return s.Kind == topology.Interface && s.ReasonLeftOut() != "" })
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
