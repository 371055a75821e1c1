package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A Reading is the state of a server at one time, with the content of one
// record of an activity file.
type Reading struct {
	Server    string
	Time      time.Time // UTC
	Uptime    uint64    // 1/100 s
	Restarted bool      // the server was restarted since the reading before
	Sample    sysstat.Sample
	// Connections reports that the first of the sample's Custom items are
	// connections.
	Connections bool
	// Addresses are the known addresses of the server.
	Addresses []sysstat.Address
	// Devices are all devices that the server ever had, sorted by number.
	// Changed reports that they differ from the devices of the reading before.
	Devices []sysstat.Device
	Changed bool
}

// A Memory holds the devices of a server and its last reading, as its files
// contain them.
type Memory struct {
	Devices []sysstat.Device
	Time    time.Time // time of the last reading; zero: there is none
	Uptime  uint64
	Disks   []sysstat.Disk // disks of the last reading
	// Interfaces, Errors and Peers are those of the last reading.
	Interfaces  []sysstat.Interface
	Errors      []sysstat.InterfaceErrors
	Peers       []tcpstat.Peer
	Connections bool // the last reading has connections
}

// Files store readings.
type Files interface {
	// Recall is called once for each server before its first Write, and again
	// where another source takes over.
	Recall(server string) (Memory, error)
	// Write writes a reading and keeps no reference to it. After an error the
	// reading is written again later.
	Write(r *Reading) error
}
