package exporter

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are how samples become readings.
type Options struct {
	// ServerLabel is the label that names the machine. The port at the end of
	// its value is cut off.
	ServerLabel string
	// ByNodename names a machine as it calls itself (node_uname_info,
	// limpet_record_info) wherever it does, for sites whose instances are
	// addresses.
	ByNodename bool
	// Wait is how long the rest of a scrape may take to come, since the last of
	// it came. Prometheus holds samples back for 5 s to send more at once.
	Wait time.Duration `name:"wait" above:"0s" most:"1h"`
	// Ahead is how far the time of a sample may be ahead of our clock.
	Ahead time.Duration `name:"ahead" above:"0s"`
	// MaxPending scrapes of a machine wait for their rest at most.
	MaxPending int `least:"2"`
	// MaxServers are taken at most, each with MaxThings devices, interfaces and
	// remote hosts.
	MaxServers, MaxThings int
	// MaxCells are held at most: a device, interface or remote host is one, and
	// one more in each scrape that waits. A cell takes 200 bytes, or 450 for the
	// first.
	MaxCells int
}

// DefaultOptions suit Prometheus, vmagent and Alloy as they come.
func DefaultOptions() Options {
	return Options{
		ServerLabel: "instance",
		Wait:        10 * time.Second,
		Ahead:       10 * time.Minute,
		MaxPending:  32,
		MaxServers:  1024,
		MaxThings:   8192,
		MaxCells:    1 << 20,
	}
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	switch {
	case o.ServerLabel == "":
		return fmt.Errorf("no label that names the machine: instance is usual")
	case o.MaxServers < 1 || o.MaxThings < 1 || o.MaxCells < o.MaxThings:
		return fmt.Errorf("at most %d servers of %d devices, %d cells: give at least 1 and 1, and a cell for each device", o.MaxServers, o.MaxThings, o.MaxCells)
	}
	return bounds.Check(*o)
}
