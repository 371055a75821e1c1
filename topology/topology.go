package topology

import (
	"fmt"
	"slices"
)

// MinPeers is the smallest group that can be judged: of two that differ,
// nobody can say which one is odd.
const MinPeers = 3

// Kind says what a component is and so which metrics it has.
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

// A Component is a thing that can be slow, with the names of all it depends
// on. Every name is unique in its system, so that equal strings are the same
// server, controller or LUN; it is empty where unknown or without meaning.
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

	Priority int // 1 = primary; 0 where it has no meaning
	Group    int // ID of its peer group
	Line     int // line in the topology file, 0 where discovered

	Part // what it may have in common with others, and what it is a part of

	// Service says that the component is a service that reports about itself under the name of a
	// cluster, such as an OSD of Ceph, and not a device that the kernel of a server reports about.
	// Server is then the name of the cluster.
	Service bool `json:",omitempty"`
	// Host is the server on which a service runs, and HostDevice the device of this server that
	// holds its data; empty where unknown.
	Host       string `json:",omitempty"`
	HostDevice string `json:",omitempty"`
}

// RunsOn returns the server on which a component runs, and its device there.
func (c *Component) RunsOn() (server, device string) {
	if c.Service {
		return c.Host, c.HostDevice
	}
	return c.Server, c.Device
}

// Class is the kind of the component's device, such as sd, nvme or dm: only
// devices of one class are compared where no topology file says more. It is
// empty if the device has no name.
func (c *Component) Class() string {
	if c.Device == "" {
		return ""
	}
	class, _ := Device{Name: c.Device}.class()
	return class
}

// IsCluster reports whether a server is no machine: it stands for the services of a cluster.
func (s *System) IsCluster(server string) bool {
	return slices.ContainsFunc(s.Components, func(c Component) bool { return c.Service && c.Server == server })
}

// HasServices reports whether the system has services that report about themselves.
func (s *System) HasServices() bool {
	return slices.ContainsFunc(s.Components, func(c Component) bool { return c.Service })
}

// A PeerGroup holds components that ought to behave alike. Every component is
// in exactly one.
type PeerGroup struct {
	ID      int    // from 1, as in L13's "2:16.51.84"
	Name    string // "primary old"
	Members []int  // indexes into System.Components, ascending
}

// A System is a storage system: its components and their peer groups.
// It is made by [Parse] or [Discover] and does not change afterwards.
type System struct {
	Name       string
	File       string // the topology file, empty where discovered
	Components []Component
	Groups     []PeerGroup // Groups[i].ID is i+1

	// The tiers, each in the order of the file.
	Servers, Arrays, Controllers, LUNs, Sets []string

	// DrivesByName says that the check of servers compares drives of one name on all
	// servers, and not the drives of a peer group. See [System.ByName].
	DrivesByName bool `json:",omitempty"`

	byName    map[string]int
	byID      map[identity]int
	hasServer map[string]bool
}

// Label names a component with its peer group, as L13's lists do: "2:16.51.84".
func (s *System) Label(component int) string {
	c := &s.Components[component]
	return fmt.Sprintf("%d:%s", c.Group, c.Name)
}

// A Warning is something that a result is weaker for; its text says what
// would cure it.
type Warning struct {
	File string // empty where no file is to blame
	Line int    // 0 where no line is to blame
	Text string
	// Grave says that a verdict may be wrong for it, and not only weaker: it stands
	// beside the verdict.
	Grave bool
	// Silent says that the warning is of servers without any data. Reports name these servers
	// themselves, so the warning is not printed beside a report.
	Silent bool
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
