package exporter

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options describe how readings (states of servers) are made from samples.
type Options struct {
	// ServerLabel is the label that contains the server's name. A port at the
	// end of the label's value is removed.
	ServerLabel string
	// ByNodename makes limpet use the name that a server exports about itself
	// (node_uname_info, limpet_record_info), if the server exports such a name.
	// It is for sites whose instance labels contain addresses.
	ByNodename bool
	// Wait is the longest time between two samples of a scrape (samples of one server with the same
	// time). If no sample arrives for a longer time, the scrape takes no more samples. Prometheus
	// delays samples by up to 5 s, to send more samples in one request.
	Wait time.Duration `name:"wait" above:"0s" most:"1h"`
	// Ahead is the longest time by which a sample may be ahead of limpet's
	// clock.
	Ahead time.Duration `name:"ahead" above:"0s"`
	// MaxPending is the largest number of scrapes of a server that still wait for samples.
	MaxPending int `least:"2"`
	// MaxServers is the largest number of servers. One user that pushes samples may send samples of
	// at most MaxServers/2 servers. One address of the user may send samples of at most
	// MaxServers/4 servers. MaxSubjects is the largest number of devices, interfaces and remote
	// hosts of one server.
	MaxServers, MaxSubjects int
	// MaxCells is the largest number of cells (pieces of memory) of all servers. It limits the
	// memory. Each device, interface and remote host has one cell of 450 bytes, and one cell of 200
	// bytes in each incomplete scrape. The servers of one user that pushes samples may have at most
	// MaxCells/2 cells.
	MaxCells int
}

// DefaultOptions returns options that fit the defaults of Prometheus, vmagent
// and Alloy.
func DefaultOptions() Options {
	return Options{
		ServerLabel: "instance",
		Wait:        10 * time.Second,
		Ahead:       10 * time.Minute,
		MaxPending:  32,
		MaxServers:  4096,
		MaxSubjects: 8192,
		MaxCells:    1 << 20,
	}
}

// Validate returns an error if an option is invalid.
func (o *Options) Validate() error {
	switch {
	case o.ServerLabel == "":
		return fmt.Errorf("the label that contains the name of the machine is missing: give the name of the label, usually instance")
	case o.MaxServers < 1 || o.MaxSubjects < 1 || o.MaxCells < o.MaxSubjects:
		return fmt.Errorf("the limits of %d servers, %d devices for each server and %d devices in total are not possible: give at least 1 server and 1 device for each server, and a total that is at least the limit for one server", o.MaxServers, o.MaxSubjects, o.MaxCells)
	}
	return bounds.Check(*o)
}
