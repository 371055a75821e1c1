package draft

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

// A lun is storage that several servers share.
type lun struct {
	name    string // in the file system or on the servers
	prefix  string // the part of the name that several LUNs share: ddn6 of ddn6_lun034
	label   string // short name within its array
	servers []string
	ranked  bool                          // servers are in the order of priority
	devices map[string]*site.MergedDevice // by server
	wwn     string
	model   string
	bytes   uint64
	pool    string
	created time.Time
}

// luns lists the storage that several servers share: first the volumes with several servers,
// then the devices whose WWN several servers see.
func (d *drafter) luns() []lun {
	list := d.sharedVolumes()
	return append(list, d.sharedDevices()...)
}

func (d *drafter) sharedVolumes() []lun {
	var list []lun
	var moved []string             // OSDs and their hosts, as "osd.0 on node1 and node2"
	guessed := map[string]string{} // by file system: the first volume whose servers have no known order
	for i := range d.site.Volumes {
		v := &d.site.Volumes[i]
		if len(v.Servers) < 2 {
			continue
		}
		if v.System == "ceph" { // an OSD has one host
			moved = append(moved, v.Name+" on "+strings.Join(v.Servers, " and "))
			continue
		}
		l := lun{name: v.Name, servers: v.Servers, ranked: true, pool: v.Pool, created: v.Created, bytes: v.SizeBytes, devices: map[string]*site.MergedDevice{}}
		for _, server := range v.Servers {
			if at, ok := v.Devices[server]; ok {
				l.take(&d.site.Devices[at], server)
				d.taken[at] = true
			}
		}
		if !v.Ranked {
			guessed[v.System] = cmp.Or(guessed[v.System], v.String())
		}
		list = append(list, l)
	}
	if len(moved) > 0 {
		d.check("%s on several hosts (%s): the files are from several clusters or from different times. Import each cluster separately, or give the output of `ceph osd metadata -f json` again", countOf(len(moved), "OSD is", "OSDs are"), moved[0])
	}
	for _, system := range slices.Sorted(maps.Keys(guessed)) {
		if system == "gpfs" {
			d.check("the draft takes the priority of servers from the order of lines in the output of `mmlsnsd -m` or `mmlsnsd -X` (see %s): compare the priority with `mmlsnsd -L`, which lists the servers by priority", guessed[system])
			continue
		}
		d.check("the draft takes the priority of the servers of a %s volume from the order in the files (see %s): in the setting \"servers\", put the server that is used first at the start of the list", system, guessed[system])
	}
	d.takeByWWN(list)
	return list
}

// take sets the device of the LUN on a server.
func (l *lun) take(dev *site.MergedDevice, server string) {
	l.devices[server] = dev
	l.wwn, l.bytes = cmp.Or(l.wwn, dev.WWN), cmp.Or(l.bytes, dev.SizeBytes)
	l.model = cmp.Or(l.model, dev.Model)
}

// takeByWWN marks all devices with the WWN of a LUN as taken, so that the draft does not also
// list them as drives.
func (d *drafter) takeByWWN(list []lun) {
	wwns := map[string]bool{}
	for i := range list {
		wwns[list[i].wwn] = list[i].wwn != ""
	}
	for i := range d.site.Devices {
		if wwns[d.site.Devices[i].WWN] {
			d.taken[i] = true
		}
	}
}

func (d *drafter) sharedDevices() []lun {
	byWWN := map[string]*lun{}
	for i := range d.site.Devices {
		dev := &d.site.Devices[i]
		if d.taken[i] || dev.WWN == "" || dev.Host == "" || !dev.IsStorage() {
			continue
		}
		l := byWWN[dev.WWN]
		if l == nil {
			l = &lun{name: dev.Name, devices: map[string]*site.MergedDevice{}}
			byWWN[dev.WWN] = l
		}
		if dev.Name != l.name {
			l.name = "" // the servers have different names
		}
		if l.devices[dev.Host] == nil || dev.Kind == site.Multipath {
			l.take(dev, dev.Host)
		}
	}
	var list []lun
	for _, wwn := range slices.Sorted(maps.Keys(byWWN)) {
		l := byWWN[wwn]
		if len(l.devices) < 2 {
			continue
		}
		l.servers = slices.SortedFunc(maps.Keys(l.devices), topology.Compare)
		if l.name == "" || kernelName.MatchString(l.name) {
			l.name = wwn
		}
		list = append(list, *l)
	}
	if len(list) > 0 {
		d.check("%s known only by a WWN that several servers see. The primary server is unknown, so all servers have the same priority; if there is a primary server, add the setting \"priority\"", countOf(len(list), "LUN is", "LUNs are"))
	}
	d.takeByWWN(list)
	return list
}

var (
	kernelName = lazyregexp.New(`^(?:sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|dasd[a-z]+|nvme\d+n\d+|dm-\d+|mpath[a-z]+|hdisk\d+)$`)
	lunName    = lazyregexp.New(`(?i)^(.*?)[-_.]?(lun|nsd|vol|dt|md|mt|vd|ld|disk|ost|data|meta|d|l|v)?[-_.]?(\d+)$`)
)

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// splitName splits ddn6_lun034 into ddn6, lun and 034. It does not split a WWN or a serial
// number, because its digits are not the number of a LUN.
func splitName(name string) (prefix, kind, number string) {
	if isIdentifier(name) {
		return "", "", ""
	}
	m := lunName.FindStringSubmatch(name)
	if m == nil || m[1] == "" {
		return "", "", ""
	}
	if before := m[1][len(m[1])-1]; len(m[2]) <= 2 && isLetter(before) && strings.HasPrefix(name, m[1]+m[2]) {
		return m[1] + m[2], "", m[3] // in pool1, "l" is not the kind "l" (LUN)
	}
	return strings.Trim(m[1], "-_."), m[2], m[3]
}

// isIdentifier reports whether a name is a WWN or a serial number: after a prefix such as
// naa., it has at least twelve hexadecimal digits and nothing else.
func isIdentifier(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"wwn-", "scsi-", "naa.", "eui.", "0x"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return len(name) >= 12 && strings.Trim(name, "0123456789abcdef") == ""
}
