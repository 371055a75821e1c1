package topology

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
)

// NamedApart returns a warning for each WWN that belongs to several LUNs: the topology has one LUN
// for the device on some servers, and another LUN on other servers. This happens if the LUNs have
// the names that the kernel gives to devices.
func (s *System) NamedApart(seen []Seen) []Warning {
	luns := map[string]map[string][]string{} // by WWN and LUN, the servers
	for _, v := range sorted(s.withServerNames(seen)) {
		wwn := v.Device.wwn()
		i, ok := s.find(v)
		if v.Kind != Attachment || wwn == "" || !ok || s.Components[i].LUN == "" {
			continue
		}
		if luns[wwn] == nil {
			luns[wwn] = map[string][]string{}
		}
		lun := s.Components[i].LUN
		if !slices.Contains(luns[wwn][lun], v.Server) {
			luns[wwn][lun] = append(luns[wwn][lun], v.Server)
		}
	}
	var warnings []Warning
	for _, wwn := range slices.Sorted(maps.Keys(luns)) {
		if len(luns[wwn]) > 1 {
			warnings = append(warnings, Warning{File: s.File, Text: apartText(wwn, luns[wwn])})
		}
	}
	return warnings
}

func apartText(wwn string, luns map[string][]string) string {
	text := "the device with WWN naa." + wwn + " is "
	for i, lun := range slices.SortedFunc(maps.Keys(luns), Compare) {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("LUN %s on %s", lun, brief(luns[lun]))
	}
	return text + "; in the topology file, write WWNs instead of device names for these LUNs"
}

// bare reports whether an attachment has no device, so that no data can be assigned to it.
func (c *Component) bare() bool { return c.Kind == Attachment && c.Device == "" && c.WWN == "" }

// AllBare reports whether a system has attachments, and none of them has a device. limpet cannot
// assign data to any of them.
func (s *System) AllBare() bool {
	attached := false
	for i := range s.Components {
		if c := &s.Components[i]; c.Kind == Attachment {
			if !c.bare() {
				return false
			}
			attached = true
		}
	}
	return attached
}

// OnlyHosts reports whether a system has servers and no drives, LUNs or network interfaces.
func (s *System) OnlyHosts() bool {
	return !slices.ContainsFunc(s.Components, func(c Component) bool { return c.Kind != Host })
}

// Bare returns a warning for each line with components that have no device.
func (s *System) Bare() []Warning {
	counts := map[int]int{}
	for i := range s.Components {
		if c := &s.Components[i]; c.bare() {
			counts[c.Line]++
		}
	}
	var warnings []Warning
	for _, line := range slices.Sorted(maps.Keys(counts)) {
		text := fmt.Sprintf("%s no device, so limpet cannot assign data to %s; add the setting \"devices\" to the entry in this line",
			plural(counts[line], "component")+english.Verb(counts[line], " has", " have"), english.Verb(counts[line], "it", "them"))
		warnings = append(warnings, Warning{File: s.File, Line: line, Text: text})
	}
	return warnings
}
