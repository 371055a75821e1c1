package draft

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

func number(n int) string { return strconv.Itoa(n) }

// drives holds the drives of one class on one server.
type drives struct {
	server string
	body   string // settings after servers, as YAML
}

// reference returns the name of a device in the topology file: its name, else its WWN, else
// its number. It is empty if only the address of the device is known.
func reference(d *site.MergedDevice, wwn bool) string {
	if d.WWN != "" && (wwn || d.Kind == site.Multipath) { // activity files do not have the names of multipath maps
		return "naa." + d.WWN
	}
	name := safe(d.Name)
	if name == "" && d.WWN != "" {
		return "naa." + d.WWN
	}
	return cmp.Or(name, d.Number)
}

var kernelClass = lazyregexp.New(`^(sd|hd|vd|xvd|dasd|nvme|mmcblk)`)

// class returns the class of a drive, as package topology does. Drives of different classes
// are never compared.
func class(d *site.MergedDevice) string {
	if d.Kind == site.Multipath {
		return "dm"
	}
	if m := kernelClass.FindString(d.Name); m != "" {
		return m
	}
	return "dm"
}

// drives lists the drives that only one server has, by server and class.
func (d *drafter) drives() []drives {
	groups := map[string][]*site.MergedDevice{} // by server and class
	classes := map[string][]*site.MergedDevice{}
	var order []string
	addressOnly := 0
	for i := range d.site.Devices {
		dev := &d.site.Devices[i]
		if d.taken[i] || !dev.IsStorage() {
			continue
		}
		if reference(dev, d.options.WWNs) == "" {
			addressOnly++
			continue
		}
		key := dev.Host + " " + class(dev)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], dev)
		classes[class(dev)] = append(classes[class(dev)], dev)
	}
	if addressOnly > 0 {
		d.check("limpet leaves out %s, because limpet knows only their SCSI addresses: to include these drives, add the output of `lsscsi` or `lsblk -J -O`", count(addressOnly, "drive"))
	}
	peers := map[string]string{}
	for name, members := range classes {
		peers[name] = d.peers(members)
	}
	slices.SortStableFunc(order, topology.Compare)
	var list []drives
	for _, key := range order {
		members := groups[key]
		slices.SortStableFunc(members, func(a, b *site.MergedDevice) int {
			return topology.Compare(reference(a, d.options.WWNs), reference(b, d.options.WWNs))
		})
		list = append(list, drives{d.server(members[0].Host), d.driveBody(members, peers[class(members[0])])})
	}
	if len(list) > 0 {
		d.check("the list may include system disks: remove the system disks from the list, or put these disks into a separate set")
	}
	return list
}

// driveBody writes the settings of an entry of drives after its servers.
func (d *drafter) driveBody(members []*site.MergedDevice, peers string) string {
	var names, slots, places, models, sizes, drawers, roles []string
	for _, m := range members {
		names = append(names, reference(m, d.options.WWNs))
		slots = append(slots, safe(m.Slot))
		places = append(places, safe(m.Enclosure)+"/"+safe(m.Slot))
		models = append(models, strings.TrimSpace(m.Model))
		sizes = append(sizes, size(m.SizeBytes))
		drawers = append(drawers, safe(m.Enclosure))
		roles = append(roles, cmp.Or(m.Role, "data"))
	}
	text := "    devices: " + pattern(names, 3) + "\n"
	text += d.slots(members[0].Host, slots, places)
	if distinct(roles) > 1 {
		text += partition("sets", roles, names, 2)
	} else if roles[0] != "data" {
		text += "    sets: " + scalar(roles[0]) + "\n"
	}
	text += partition("models", models, names, 2)
	text += sizesOf(sizes, names)
	if !slices.Contains(drawers, "") {
		text += partition("drawers", drawers, names, 2)
	}
	if peers != "server" && (!strings.Contains(peers, "model") || distinct(models) != 1 || models[0] != "") {
		text += "    peers: " + peers + "\n"
	}
	return text
}

// slots writes the slots of drives; with the enclosure if slots of several enclosures have the
// same number.
func (d *drafter) slots(host string, slots, places []string) string {
	switch {
	case distinct(slots) == 1 && slots[0] == "":
		return ""
	case slices.Contains(slots, ""), distinct(places) < len(places):
		d.check("the draft has no slots for the drives of %s, because some slots are unknown or two drives have the same slot", host)
		return ""
	case distinct(slots) < len(slots):
		slots = places
	}
	return "    slots: " + pattern(slots, 3) + "\n"
}

// sizesOf writes the sizes of drives if all are known: "unknown" is no valid size.
func sizesOf(sizes, names []string) string {
	if slices.Contains(sizes, "") {
		return ""
	}
	return partition("sizes", sizes, names, 2)
}

func distinct(list []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(list))))
}

// peers returns the setting "peers" for the drives of a class: the narrowest of [server,
// model], server and model that gives each drive enough peers; else "all".
func (d *drafter) peers(members []*site.MergedDevice) string {
	known := !slices.ContainsFunc(members, func(m *site.MergedDevice) bool { return strings.TrimSpace(m.Model) == "" })
	for _, c := range []struct {
		word   string
		models bool
		key    func(*site.MergedDevice) string
	}{
		{"[server, model]", true, func(m *site.MergedDevice) string { return m.Host + "\x00" + m.Model }},
		{"server", false, func(m *site.MergedDevice) string { return m.Host }},
		{"model", true, func(m *site.MergedDevice) string { return m.Model }},
	} {
		if (!c.models || known) && smallest(members, c.key) >= topology.MinPeers {
			return c.word
		}
	}
	return "all"
}

// smallest groups the data drives by key, and returns the size of the smallest group.
func smallest(members []*site.MergedDevice, key func(*site.MergedDevice) string) int {
	counts := map[string]int{}
	for _, m := range members {
		if m.Role == "" {
			counts[key(m)]++
		}
	}
	least := len(members)
	for _, n := range counts {
		least = min(least, n)
	}
	return least
}

// hosts lists servers without a known device: the servers of targets, datanodes and OSDs whose
// devices are not in the files.
func (d *drafter) hosts(arrays []array, list []drives) []string {
	covered := map[string]bool{}
	for _, a := range arrays {
		for _, server := range a.servers {
			covered[server] = true
		}
	}
	for _, l := range list {
		covered[l.server] = true
	}
	var hosts []string
	bare := 0
	for i := range d.site.Volumes {
		v := &d.site.Volumes[i]
		for _, server := range v.Servers {
			if !covered[server] {
				covered[server] = true
				hosts = append(hosts, d.server(server))
			}
		}
		if len(v.Devices) == 0 && len(v.Servers) == 1 {
			bare++
		}
	}
	if bare > 0 {
		d.check("%s named without a device, so the draft has servers but no drives; docs/topology.md lists the commands to run on every server", countOf(bare, "volume was", "volumes were"))
	}
	return hosts
}
