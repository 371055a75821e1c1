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

// wholeDrive returns the drive of a partition.
func wholeDrive(name string) string {
	if m := partitionName.FindStringSubmatch(name); m != nil {
		return m[1] + m[2]
	}
	return name
}

// IsStorage reports whether a device is storage to compare: no path of a multipath device, and no
// device that consists of other devices. A device of unknown kind counts if it has the name of a
// drive, or if it is a member of a pool.
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

// Seen returns the devices and servers of the site in the form that is compared with a topology. If
// a device has several names, Seen takes the name in the topology.
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

// withDomain returns the topology's names of servers with a domain, by the names without a domain.
// A site has the names without a domain.
func withDomain(system *topology.System) map[string]string {
	full := map[string]string{}
	for _, server := range system.Servers {
		if short, domain := cutDomain(server); domain != "" && !slices.Contains(system.Servers, short) {
			full[short] = server
		}
	}
	return full
}

// calledBy returns the device with the name under which the topology finds it: its name, number or
// WWN, or one of its aliases.
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
