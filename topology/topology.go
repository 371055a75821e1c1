package topology

import (
	"cmp"
	"fmt"
	"slices"
)

// MinPeers is the smallest group that can be judged: if two members differ, nobody can say which of
// them is odd.
const MinPeers = 3

// Kind is the kind of a component. It decides which metrics the component has.
type Kind uint8

// The kinds of component.
const (
	Attachment Kind = iota // a LUN or drive seen from one server: the unit that L13 analyses
	Interface              // a network interface of one server
	Host                   // a server as the others on the network see it, by their cwnd towards it (F10 §6)
)

func (k Kind) String() string {
	switch k {
	case Attachment:
		return "attachment"
	case Interface:
		return "interface"
	case Host:
		return "host"
	}
	return fmt.Sprintf("kind %d", k)
}

// A Component is a thing that can be slow, with the names of all things that it depends on. Every
// name is unique in its system: equal strings are the same server, controller or LUN. A name is
// empty if it is unknown or has no meaning.
type Component struct {
	Name string // "21.34.124" or "fs1/sdb"
	Kind Kind

	Server     string // "fs124"
	Device     string // "sdb", "ddn6_lun034" or "dev259-3", as sar on its server shows it
	WWN        string // 16 or 32 hex digits
	LUN        string // "21.34"
	Controller string // "ddn21a"
	Array      string // "ddn21"
	Drawer     string // "jbod1/top"
	Slot       string
	Set        string // upgrade set: "old"
	Model      string
	SizeBytes  uint64

	Priority int // 1 = primary; 0: no meaning
	Group    int // ID of its peer group
	Line     int // line in the topology file; 0: discovered

	Part // facts that do not decide its peers

	// DeviceLabel reports whether Device is a name in a table. Such a name is a device of the server
	// only if it has the form of the names that the kernel gives.
	DeviceLabel bool `json:",omitempty"`

	// Service reports whether the component is a service that reports about itself under the name
	// of a cluster, such as an OSD of Ceph, and not a device that the kernel of a server reports.
	// Server is then the name of the cluster.
	Service bool `json:",omitempty"`
	// Host is the server on which a service runs, and HostDevice the device of this server that
	// holds its data; "": unknown.
	Host       string `json:",omitempty"`
	HostDevice string `json:",omitempty"`
	// HostPart is the PartName of the drive that holds the data of a service; "": unknown.
	HostPart string `json:",omitempty"`
}

// PartName returns the name of the LUN or drive of a component. All paths to a LUN or drive have the
// same name. A service and the drive that holds its data have the same name too, because they are
// lost together.
func (c *Component) PartName() string {
	if c.Service && c.HostPart != "" {
		return c.HostPart
	}
	if c.Service && c.HostDevice != "" {
		return c.Host + "/" + c.HostDevice
	}
	return cmp.Or(c.LUN, c.WWN, c.Name)
}

// RunsOn returns the server on which a component runs, and its device there.
func (c *Component) RunsOn() (server, device string) {
	if c.Service {
		return c.Host, c.HostDevice
	}
	return c.Server, c.Device
}

// Class returns the class of the component's device, such as sd, nvme or dm. Without a topology
// file only devices of one class are compared. It is "" if the device has no name.
func (c *Component) Class() string {
	if c.Device == "" {
		return ""
	}
	class, _ := Device{Name: c.Device}.class()
	return class
}

// IsCluster reports whether a server is no machine, but stands for the services of a cluster.
func (s *System) IsCluster(server string) bool {
	return slices.ContainsFunc(s.Components, func(c Component) bool { return c.Service && c.Server == server })
}

// HasServices reports whether the system has services that report about themselves.
func (s *System) HasServices() bool {
	return slices.ContainsFunc(s.Components, func(c Component) bool { return c.Service })
}

// A PeerGroup holds components that ought to behave alike. Every component is in exactly one group.
type PeerGroup struct {
	ID      int    // from 1, as in L13's "2:16.51.84"
	Name    string // "primary old"
	Members []int  // indexes into System.Components, ascending
}

// A System is a storage system: its components and their peer groups.
// It is made by [Parse] or [Discover] and does not change afterwards.
type System struct {
	Name       string
	File       string // name of the topology file; "": discovered
	Components []Component
	Groups     []PeerGroup // Groups[i].ID is i+1

	// The tiers, each in the order of the file.
	Servers, Arrays, Controllers, LUNs, Sets []string

	// DrivesByName reports whether the check of servers compares drives with one name on all
	// servers, and not the drives of a peer group. See [System.ByName].
	DrivesByName bool `json:",omitempty"`

	byName    map[string]int
	byID      map[identity]int
	hasServer map[string]bool
}

// Label returns the name of a component with its peer group, as in L13's lists: "2:16.51.84".
func (s *System) Label(component int) string {
	c := &s.Components[component]
	return fmt.Sprintf("%d:%s", c.Group, c.Name)
}

// A Warning is a reason why a result is weaker; its text has the cure.
type Warning struct {
	File string // "": the reason is not in a file
	Line int    // 0: the reason is not in a line
	Text string
	// Grave reports whether a verdict may be wrong for this reason, and not only weaker. Then the
	// warning is printed beside the verdict.
	Grave bool
	// ServersWithoutData reports whether the warning is about servers without any data. Reports
	// name these servers themselves, so the warning is not printed beside a report.
	ServersWithoutData bool
	// Servers are the servers that have data which limpet cannot use for this reason: all their data,
	// or all data from some time on. A report states the reason where it names a server without data.
	Servers []string
}

// Equal reports whether two warnings are the same.
func (w Warning) Equal(v Warning) bool {
	return w.String() == v.String() && w.Grave == v.Grave && w.ServersWithoutData == v.ServersWithoutData && slices.Equal(w.Servers, v.Servers)
}

func (w Warning) String() string {
	switch {
	case w.File == "":
		return w.Text
	case w.Line == 0:
		return w.File + ": " + w.Text
	}
	return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text)
}
