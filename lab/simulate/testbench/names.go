package testbench

import (
	"bytes"
	"fmt"
	"net/netip"

	"github.com/limpet-storage/limpet/topology"
)

// Names and hardware of the machines.
const (
	diskName    = "sdb"
	nicName     = "eth0"
	gigabitMbit = 1000
)

func serverName(i int) string { return fmt.Sprintf("ios%d", i+1) }
func clientName(i int) string { return fmt.Sprintf("client%d", i+1) }

// addr returns the address of a host in the cluster's own network.
func (h *host) addr() netip.Addr {
	return netip.AddrFrom4([4]byte{10, 1, byte(h.address >> 8), byte(h.address)})
}

// topologyText returns the topology file of the cluster. All servers are peers for every resource.
func (e *Experiment) topologyText() []byte {
	var text bytes.Buffer
	servers := fmt.Sprintf("ios[1-%d]", e.Cluster.Servers)
	fmt.Fprintf(&text, "name: %s\nservers: %s\n\n", e.Cluster, servers)
	fmt.Fprintf(&text, "drives:\n  - servers: %s\n    devices: %s\n    peers: all\n\n", servers, diskName)
	fmt.Fprintf(&text, "interfaces:\n  - servers: %s\n    names: %s\n\n", servers, nicName)
	fmt.Fprintf(&text, "hosts: %s # cwnd, on the servers and on their clients\n", servers)
	return text.Bytes()
}

// System returns the cluster's servers, each with a drive, an interface and a host.
func (e *Experiment) System() (*topology.System, error) {
	system, _, err := topology.Parse("topology.yaml", e.topologyText())
	return system, err
}
