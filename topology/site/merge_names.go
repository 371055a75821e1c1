package site

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
)

var (
	partitionName = lazyregexp.New(`^((?:sd|vd|xvd|hd)[a-z]+)\d+$|^(nvme\d+n\d+|mmcblk\d+)p\d+$`)
	driveName     = lazyregexp.New(`^(?:sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|dasd[a-z]+|nvme\d+n\d+|mmcblk\d+|hdisk\d+|cciss/c\d+d\d+|c\d+t\d+d\d+|bcache\d+)$`)
)

// wholeDrive is the drive that a partition is on.
func wholeDrive(name string) string {
	if m := partitionName.FindStringSubmatch(name); m != nil {
		return m[1] + m[2]
	}
	return name
}

// IsStorage reports whether a device is storage to compare: no path of a
// multipath device, nothing that is made of other devices. One of which no
// source says what it is counts by its name, or where a pool is made of it.
func (d *MergedDevice) IsStorage() bool {
	switch {
	case d.PathOf != "", d.Role == "logical" && d.Name == "":
		return false
	case d.Kind == Drive, d.Kind == Multipath:
		return true
	case d.Kind == Unknown:
		return driveName.MatchString(d.Name) || d.Pool != ""
	}
	return false
}

// Seen lists what the site has as a topology is held against it. Of several
// names of a device it takes the one that the topology knows.
func (s *Site) Seen(system *topology.System) []topology.Seen {
	var seen []topology.Seen
	full := withDomain(system)
	for i := range s.Devices {
		d := s.Devices[i]
		d.Host = cmp.Or(full[d.Host], d.Host)
		if d.Name == "" && d.Number == "" {
			continue
		}
		device, isNamed := d.calledBy(system)
		if !isNamed && !d.IsStorage() {
			continue
		}
		seen = append(seen, topology.Seen{Kind: topology.Attachment, Server: d.Host, Device: device, Model: d.Model, SizeBytes: d.SizeBytes})
	}
	for _, host := range s.Hosts {
		seen = append(seen, topology.Seen{Kind: topology.Host, Server: cmp.Or(full[host], host)})
	}
	return seen
}

// withDomain maps names of servers without their domain to the names that a topology
// has, if those have a domain: a site knows servers without.
func withDomain(system *topology.System) map[string]string {
	full := map[string]string{}
	for _, server := range system.Servers {
		if short, domain := cutDomain(server); domain != "" && !slices.Contains(system.Servers, short) {
			full[short] = server
		}
	}
	return full
}

// calledBy is the device by what the topology calls it: its name, its number, its
// WWN or one of its aliases.
func (d *MergedDevice) calledBy(system *topology.System) (device topology.Device, isNamed bool) {
	major, minor, _ := strings.Cut(d.Number, ":")
	device = topology.Device{Name: d.Name, Major: parse(major), Minor: parse(minor), WWN: d.WWN}
	for _, alias := range append([]string{d.Name}, d.Aliases...) {
		also := device
		also.Name = alias
		if _, isNamed := system.Find(d.Host, also); isNamed {
			return also, true
		}
	}
	return device, false
}

func parse(text string) uint32 {
	n, _ := strconv.ParseUint(text, 10, 32)
	return uint32(n)
}
