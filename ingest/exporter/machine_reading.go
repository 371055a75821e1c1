package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A Reading is what a machine showed at one time, as a record of an activity
// file holds it.
type Reading struct {
	Server    string
	Time      time.Time // in UTC
	Uptime    uint64    // in 1/100 s
	Restarted bool      // the machine was started again since the reading before
	Sample    sysstat.Sample
	// Connections says that the machine tells of its connections: they are the
	// first of the sample's Custom items.
	Connections bool
	// Addresses are those that the machine is known to have.
	Addresses []sysstat.Address
	// Devices are all that were ever heard of, by number. They are Changed since
	// the reading before where that is set.
	Devices []sysstat.Device
	Changed bool
}

// A Memory is what the files of a machine hold of it.
type Memory struct {
	Devices []sysstat.Device
	Time    time.Time // of the last reading; zero: there is none
	Uptime  uint64
	Disks   []sysstat.Disk // of the last reading
	// Interfaces, Errors and Peers are those of the last reading.
	Interfaces  []sysstat.Interface
	Errors      []sysstat.InterfaceErrors
	Peers       []tcpstat.Peer
	Connections bool // it told of connections
}

// Files keep readings.
type Files interface {
	// Recall is asked once for each machine, ahead of its first Write, and again
	// where another source takes over.
	Recall(server string) (Memory, error)
	// Write keeps a reading. It owns nothing of it afterwards. Where it fails
	// the reading is tried again later.
	Write(r *Reading) error
}
