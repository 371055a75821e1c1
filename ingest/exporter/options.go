package exporter

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options set how samples become readings.
type Options struct {
	// ServerLabel is the label with the server's name. A port at the end of its
	// value is removed.
	ServerLabel string
	// ByNodename uses the name that a server itself exports (node_uname_info,
	// limpet_record_info), if there is one. It is for sites whose instances are
	// addresses.
	ByNodename bool
	// Wait is how long the rest of a scrape may take after its last sample.
	// Prometheus delays samples by up to 5 s to send more at a time.
	Wait time.Duration `name:"wait" above:"0s" most:"1h"`
	// Ahead is how far the time of a sample may be ahead of limpet's clock.
	Ahead time.Duration `name:"ahead" above:"0s"`
	// MaxPending bounds the incomplete scrapes of a server.
	MaxPending int `least:"2"`
	// MaxServers bounds the servers, and MaxSubjects the devices, interfaces
	// and remote hosts of each.
	MaxServers, MaxSubjects int
	// MaxCells bounds the memory: each device, interface and remote host has
	// one cell, and one more in each incomplete scrape. The first cell takes
	// 450 bytes, the others 200.
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
		MaxServers:  1024,
		MaxSubjects: 8192,
		MaxCells:    1 << 20,
	}
}

// Validate reports what is wrong with the options.
func (o *Options) Validate() error {
	switch {
	case o.ServerLabel == "":
		return fmt.Errorf("no label that names the machine: instance is usual")
	case o.MaxServers < 1 || o.MaxSubjects < 1 || o.MaxCells < o.MaxSubjects:
		return fmt.Errorf("at most %d servers of %d devices, %d cells: give at least 1 and 1, and a cell for each device", o.MaxServers, o.MaxSubjects, o.MaxCells)
	}
	return bounds.Check(*o)
}
