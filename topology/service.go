package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// cephCluster is the name of a Ceph cluster whose series have no name.
const cephCluster = "ceph"

// WithServices returns the system with the services among the sightings, such as the OSDs that the
// manager of a Ceph reports. Services of one device class are peers. They are never peers of
// drives.
//
// WithServices links a service to the drive that holds its data: by the volume of the drive in the
// topology file, or else by the host and the device that the service names. The warnings are the
// contradictions between the topology file and the services. If there are no services, the result
// is the system itself.
func (s *System) WithServices(seen []Seen) (*System, []Warning) {
	services := slices.DeleteFunc(sorted(seen), func(v Seen) bool { return !v.Service })
	if len(services) == 0 {
		return s, nil
	}
	out := *s
	out.Components, out.Groups, out.Servers = slices.Clone(s.Components), slices.Clone(s.Groups), slices.Clone(s.Servers)
	users := usersOf(services)
	first := len(out.Components)
	for _, v := range services {
		c := v.component(v.Device.Name)
		if v.Server != cephCluster {
			c.Name = v.Server + "/" + v.Device.Name
		}
		c.Service, c.Storage, c.Volume, c.Host, c.HostDevice = true, "ceph", v.Device.Name, v.Host, rarest(v, users)
		if d := out.driveOf(&c, first); d >= 0 {
			out.join(&c, &out.Components[d])
		}
		out.addService(c, v.Class)
	}
	out.index() // no clash is possible: services differ from all drives in server and name
	return &out, out.unlikeServices(services, first)
}

// addService adds a service to the system and to its peer group.
func (s *System) addService(c Component, class string) {
	if !slices.Contains(s.Servers, c.Server) {
		s.Servers = append(s.Servers, c.Server)
	}
	name := strings.TrimSpace("OSDs " + class)
	if c.Server != cephCluster {
		name = c.Server + " " + name
	}
	g := slices.IndexFunc(s.Groups, func(g PeerGroup) bool { return g.Name == name && s.Components[g.Members[0]].Service })
	if g < 0 {
		g = len(s.Groups)
		s.Groups = append(s.Groups, PeerGroup{ID: g + 1, Name: name})
	}
	c.Group = g + 1
	s.Groups[g].Members = append(s.Groups[g].Members, len(s.Components))
	s.Components = append(s.Components, c)
}

// usersOf counts the services that use each device of each host.
func usersOf(services []Seen) map[[2]string]int {
	users := map[[2]string]int{}
	for _, v := range services {
		for _, device := range strings.Split(v.On, ",") {
			users[[2]string{v.Host, device}]++
		}
	}
	return users
}

// rarest returns the device that holds the data of a service: the device that the fewest services
// use. A drive for databases serves several services.
func rarest(v Seen, users map[[2]string]int) string {
	return slices.MinFunc(strings.Split(v.On, ","), func(a, b string) int {
		return cmp.Compare(users[[2]string{v.Host, a}], users[[2]string{v.Host, b}])
	})
}

// driveOf returns the index of the drive that holds the data of a service, below the index before;
// -1: none.
func (s *System) driveOf(service *Component, before int) int {
	drives := s.Components[:before]
	if d := slices.IndexFunc(drives, func(c Component) bool { return c.Kind == Attachment && c.Volume == service.Volume }); d >= 0 {
		return d
	}
	return slices.IndexFunc(drives, func(c Component) bool {
		return c.Kind == Attachment && service.Host != "" && c.Device == service.HostDevice && sysstat.SameHost(c.Server, service.Host)
	})
}

// join links a service and its drive. The drive is a drive of Ceph: its work follows the placement
// groups of its OSD.
func (s *System) join(service, drive *Component) {
	service.Host, service.HostDevice, service.HostPart = drive.Server, drive.Device, drive.PartName()
	service.Redundancy, service.Pool, service.Rack = drive.Redundancy, drive.Pool, drive.Rack
	drive.Volume, drive.Storage = cmp.Or(drive.Volume, service.Volume), cmp.Or(drive.Storage, service.Storage)
}

// unlikeServices returns warnings about services that the topology file does not have, and about
// volumes of the file without a service.
func (s *System) unlikeServices(services []Seen, first int) (warnings []Warning) {
	if s.File == "" {
		return nil
	}
	var strange, missing []string
	has := map[string]bool{}
	for i := range services {
		has[services[i].Device.Name] = true
		if s.driveOf(&s.Components[first+i], first) < 0 {
			strange = append(strange, services[i].Device.Name)
		}
	}
	for i := range s.Components[:first] {
		if c := &s.Components[i]; c.Storage == "ceph" && strings.HasPrefix(c.Volume, "osd.") && !has[c.Volume] {
			missing = append(missing, c.Volume)
		}
	}
	if len(strange) > 0 {
		warnings = append(warnings, Warning{File: s.File, Text: fmt.Sprintf("the manager of Ceph reports values of %s, but the topology file has no drive of %s: add the drive of each OSD with its volume (limpet topology import), so that limpet can say whether the OSD or its drive is slow", brief(strange), english.Verb(len(strange), "this OSD", "these OSDs"))})
	}
	if len(missing) > 0 {
		warnings = append(warnings, Warning{File: s.File, Text: fmt.Sprintf("the topology file has drives of %s, but the manager of Ceph reports no values of %s: check whether the OSDs are up. If the cluster no longer has these OSDs, remove their drives from the topology file", brief(missing), english.Verb(len(missing), "this OSD", "these OSDs"))})
	}
	return warnings
}
