package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// parts writes the keys kind and parts: facts that several components may have in common, such
// as enclosure, firmware and pool. It parses the file so far to get the names of the
// components.
func (d *drafter) parts(file string) string {
	system, _, err := topology.Parse("draft", []byte(file))
	if err != nil {
		return "" // a bug, which the tests find: they parse every draft
	}
	kind := d.kind()
	facts := make([]topology.Component, len(system.Components))
	for i := range d.site.Devices {
		dev := &d.site.Devices[i]
		if c, ok := find(system, dev); ok {
			describe(&facts[c], dev)
			if dev.Kind == site.Multipath && kind == "" && facts[c].Storage == "" {
				facts[c].Storage = "multipath"
			}
			if facts[c].Storage == kind {
				facts[c].Storage = ""
			}
		}
	}
	d.volumes(system, facts)
	var b strings.Builder
	if kind != "" {
		b.WriteString("\nkind: " + kind + "\n")
		d.check("the draft may lack the redundancy of %s, because not all tools report the redundancy: add the setting \"redundancy\", so that limpet can state whether a drive may be removed", kind)
	}
	if text := kernels(d.site) + lines(system, facts); text != "" {
		b.WriteString("\nparts:\n" + text)
	}
	return b.String()
}

// kind returns the file system of the volumes; empty if there are no volumes or several file
// systems.
func (d *drafter) kind() string {
	kind := ""
	for i := range d.site.Volumes {
		system := d.site.Volumes[i].System
		if !slices.Contains(topology.StorageKinds(), system) || kind != "" && kind != system {
			return ""
		}
		kind = system
	}
	return kind
}

// find returns the index of a device's component. It tries all names of the device.
func find(system *topology.System, dev *site.MergedDevice) (component int, ok bool) {
	if !dev.IsStorage() {
		return 0, false
	}
	for _, name := range append([]string{dev.Name}, dev.Aliases...) {
		if c, ok := system.Find(dev.Host, topology.Device{Name: safe(name), WWN: dev.WWN}); ok {
			return c, true
		}
	}
	return 0, false
}

// describe adds the facts of a device to those of a component. It leaves out models and slots,
// which are in the entries of drives.
func describe(c *topology.Component, dev *site.MergedDevice) {
	c.Serial, c.Firmware = cmp.Or(c.Serial, dev.Serial), cmp.Or(c.Firmware, dev.Firmware)
	c.Enclosure, c.Expander, c.Link = cmp.Or(c.Enclosure, dev.Enclosure), cmp.Or(c.Expander, dev.Expander), cmp.Or(c.Link, dev.Link)
	c.Made, c.Pool = cmp.Or(c.Made, dev.Made), cmp.Or(c.Pool, dev.Pool)
	c.Storage, c.Redundancy = protection(dev.Pool)
	c.Redundancy = cmp.Or(c.Redundancy, dev.Redundancy)
}

var (
	mdArray   = lazyregexp.New(`^md(?:/|[_d-]*\d|-[0-9a-f])`)
	vdev      = lazyregexp.New(`/((raidz\d?|mirror)(?:-\d+)?)$`)
	draidVdev = lazyregexp.New(`/draid(\d)`)
)

// protection returns the kind of storage and the redundancy from the name of a pool:
// tank/raidz2-0 is a vdev of ZFS with the redundancy raidz2.
func protection(pool string) (kind, redundancy string) {
	switch m := vdev.FindStringSubmatch(pool); {
	case m != nil:
		return "zfs", m[2]
	case draidVdev.MatchString(pool):
		return "zfs", "raidz" + draidVdev.FindStringSubmatch(pool)[1]
	case mdArray.MatchString(pool):
		return "md", ""
	case strings.Contains(pool, "/"):
		return "zfs", "none"
	case strings.HasPrefix(pool, "drive group "), strings.HasPrefix(pool, "array "):
		return "raid", ""
	}
	return "", ""
}

// volumes adds the names of volumes to the facts, if they differ from the names of the
// devices, and the months in which the volumes were created.
func (d *drafter) volumes(system *topology.System, facts []topology.Component) {
	for i := range d.site.Volumes {
		v := &d.site.Volumes[i]
		for _, at := range v.Devices {
			c, ok := find(system, &d.site.Devices[at])
			if !ok {
				continue
			}
			if system.Components[c].Device != v.Name {
				facts[c].Volume = v.Name
			}
			if !v.Created.IsZero() && system.Components[c].LUN == "" { // the sets of LUNs have their dates
				facts[c].Made = cmp.Or(facts[c].Made, v.Created.Format("2006-01"))
			}
		}
	}
}

// kernels writes the kernels of servers, as far as they are known. Servers with the same kernel
// share a line.
func kernels(s *site.Site) string {
	servers := map[string][]string{}
	var order []string
	for i := range s.Devices {
		dev := &s.Devices[i]
		list := servers[dev.Kernel]
		if dev.Kernel == "" || !dev.IsStorage() || slices.Contains(list, dev.Host) {
			continue
		}
		if list == nil {
			order = append(order, dev.Kernel)
		}
		servers[dev.Kernel] = append(list, dev.Host)
	}
	slices.SortFunc(order, topology.Compare)
	var b strings.Builder
	for _, kernel := range order {
		fmt.Fprintf(&b, "  %s: {kernel: %q}\n", quoted(topology.Fold(servers[kernel])), kernel)
	}
	return b.String()
}

// lines writes the facts about components, under the name of the LUN for paths of a LUN.
// Adjacent components with the same facts share a line.
func lines(system *topology.System, facts []topology.Component) string {
	var list []fact
	written := map[string]bool{}
	for i := range facts {
		name, text := cmp.Or(system.Components[i].LUN, system.Components[i].Name), factsOf(&facts[i])
		if !written[name] {
			list = append(list, fact{name, text})
		}
		written[name] = true
	}
	return factLines(list)
}

func factsOf(c *topology.Component) string {
	var list []string
	for _, key := range topology.PartKeys() {
		if value := c.Fact(key); value != "" {
			list = append(list, fmt.Sprintf("%s: %q", key, value))
		}
	}
	return strings.Join(list, ", ")
}

// folds reports whether names can be written as one pattern that fits on a line.
func folds(names []string) bool {
	folded := topology.Fold(names)
	again, err := topology.Expand(folded)
	return err == nil && len(folded) <= wide && slices.Equal(again, names)
}
