package topology

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
)

// NamedApart says which LUNs the topology and the data tell apart differently:
// a device of one WWN that is one LUN on some servers and another LUN on
// others, as happens where LUNs are named by what the kernel calls them.
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
	text := "the device naa." + wwn + " is "
	for i, lun := range slices.SortedFunc(maps.Keys(luns), Compare) {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("LUN %s on %s", lun, brief(luns[lun]))
	}
	return text + "; write the devices of these LUNs as WWNs"
}

// bare reports whether an attachment has no device, so that no data can be its
// own.
func (c *Component) bare() bool { return c.Kind == Attachment && c.Device == "" && c.WWN == "" }

// Bare says how many components have no device, by the line that names them.
func (s *System) Bare() []Warning {
	counts := map[int]int{}
	for i := range s.Components {
		if c := &s.Components[i]; c.bare() {
			counts[c.Line]++
		}
	}
	var warnings []Warning
	for _, line := range slices.Sorted(maps.Keys(counts)) {
		text := fmt.Sprintf("%s no device, so limpet cannot assign data to these components; add the setting \"devices\" to this entry", plural(counts[line], "component")+english.Verb(counts[line], " has", " have"))
		warnings = append(warnings, Warning{File: s.File, Line: line, Text: text})
	}
	return warnings
}
