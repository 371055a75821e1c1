package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// devices writes the devices of the LUNs: the WWNs if all are known, else the servers' device
// names, with exceptions for servers whose names differ.
func (d *drafter) devices(a *array) string {
	if wwns := a.wwns(); wwns != nil && !d.options.Names {
		return "    devices: " + pattern(wwns, 3) + "\n"
	}
	byServer := a.namesByServer()
	if byServer == nil {
		tool := "`multipath -ll` on every server"
		if d.kind() == "gpfs" {
			tool = "`mmlsnsd -X`, or of " + tool
		}
		d.check("array %s has LUNs without a known device on some servers: add the output of %s. Without this output, the draft lists no devices of the array", a.name, tool)
		return ""
	}
	usual := mostCommon(byServer, a.servers)
	if template := a.template(usual); template != "" && a.allAlike(byServer) {
		return "    devices: " + fmt.Sprintf("%q", template) + "\n"
	}
	text := "    devices: " + pattern(usual, 3) + "\n"
	if kernelName.MatchString(usual[0]) {
		d.check("the LUNs of %s have names that the kernel gives, and these names may change at each boot: to get WWNs instead, add the output of `multipath -ll` or `lsblk -J -O` on every server", a.name)
	}
	return text + exceptions(a, byServer, usual)
}

func (a *array) wwns() []string {
	list := make([]string, len(a.luns))
	for i, l := range a.luns {
		if l.wwn == "" {
			return nil
		}
		list[i] = "naa." + l.wwn
	}
	if len(slices.Compact(slices.Sorted(slices.Values(list)))) < len(list) {
		return nil
	}
	return list
}

// namesByServer returns the device names of each server, in the order of the LUNs; nil if a
// name is missing or two LUNs have the same name.
func (a *array) namesByServer() map[string][]string {
	names := map[string][]string{}
	for _, server := range a.servers {
		for _, l := range a.luns {
			dev := l.devices[server]
			if dev == nil || safe(dev.Name) == "" {
				return nil
			}
			names[server] = append(names[server], safe(dev.Name))
		}
		if len(slices.Compact(slices.Sorted(slices.Values(names[server])))) < len(a.luns) {
			return nil // two LUNs with the same name
		}
	}
	return names
}

func (a *array) allAlike(byServer map[string][]string) bool {
	for _, names := range byServer {
		if !slices.Equal(names, byServer[a.servers[0]]) {
			return false
		}
	}
	return true
}

// mostCommon returns the list of names that most servers have; if several lists are equally
// common, the first.
func mostCommon(byServer map[string][]string, servers []string) []string {
	votes := map[string]int{}
	best := byServer[servers[0]]
	for _, server := range servers {
		votes[strings.Join(byServer[server], " ")]++
	}
	for _, server := range servers {
		if votes[strings.Join(byServer[server], " ")] > votes[strings.Join(best, " ")] {
			best = byServer[server]
		}
	}
	return best
}

// template returns a pattern for all names, such as {array}_lun{lun}; empty if there is none.
func (a *array) template(names []string) string {
	candidate := strings.Replace(names[0], a.name, "{array}", 1)
	cut := strings.LastIndex(candidate, a.luns[0].label)
	if candidate == names[0] || cut < 0 {
		return ""
	}
	candidate = candidate[:cut] + "{lun}" + candidate[cut+len(a.luns[0].label):]
	for i, name := range names {
		filled := strings.NewReplacer("{array}", a.name, "{lun}", a.luns[i].label).Replace(candidate)
		if filled != name {
			return ""
		}
	}
	return candidate
}

// exceptions writes the servers whose device names differ from the usual names. Servers with
// the same names share an entry.
func exceptions(a *array, byServer map[string][]string, usual []string) string {
	alike := map[string][]string{}
	var order []string
	for _, server := range a.servers {
		if slices.Equal(byServer[server], usual) {
			continue
		}
		key := strings.Join(byServer[server], " ")
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], server)
	}
	if len(order) == 0 {
		return ""
	}
	text := "    except:\n"
	for _, key := range order {
		servers := alike[key]
		text += "      - servers: " + topology.Fold(servers) + "\n"
		text += "        devices: " + pattern(byServer[servers[0]], 5) + "\n"
	}
	return text
}
