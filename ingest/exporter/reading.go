package exporter

import (
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// A Reading is the state of a server at one time. It has the content of one
// record of an activity file.
type Reading struct {
	Server    string
	Time      time.Time // time of the reading, in UTC
	Uptime    uint64    // uptime of the server, in 1/100 s
	Restarted bool      // true if the server was restarted since the previous reading
	Sample    sysstat.Sample
	// Connections is true if Sample.Custom[0] holds TCP connections. Waits is true if the last
	// element of Sample.Custom holds the waiting times (pressure) of the server, and its free
	// space.
	Connections, Waits bool
	// Addresses are the known addresses of the server.
	Addresses []sysstat.Address
	// Devices are all devices that the server ever had, sorted by number.
	// Changed is true if the devices differ from the devices of the previous reading.
	Devices []sysstat.Device
	Changed bool
}

// A Memory holds what the files of a server contain: its devices and its last reading.
type Memory struct {
	Devices []sysstat.Device
	Time    time.Time      // time of the last reading; zero if there is no reading
	Uptime  uint64         // uptime of the last reading, 1/100 s
	Disks   []sysstat.Disk // disks of the last reading
	// Interfaces, Errors and Peers belong to the last reading.
	Interfaces  []sysstat.Interface
	Errors      []sysstat.InterfaceErrors
	Peers       []tcpstat.Peer
	Connections bool // true if the last reading has connections
	Waits       bool // true if the last reading has waits (see Reading.Waits)
}

// Files keeps readings in files. [Spool] implements it.
type Files interface {
	// Recall returns the Memory of a server. It is called for a server before the first Write, and
	// again when another source of samples takes over.
	Recall(server string) (Memory, error)
	// Write writes a reading and keeps no reference to it. After an error, the
	// caller tries again later.
	Write(r *Reading) error
}
