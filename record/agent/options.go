package agent

import (
	"fmt"
	"net"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/kernel/blkprobe"
	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
)

// Options are what is recorded of this machine, and how.
type Options struct {
	// Record says where files go and how they are kept. Processors, activities
	// of its own, Listener and Log are set by Run.
	Record record.Options
	Kernel kernel.Options
	TCP    inetdiag.Options
	NoTCP  bool // leaves connections out
	// NoWaits leaves out what tasks wait for, and the free space of file systems.
	NoWaits bool
	// Latency bounds what latencies of requests take in the kernel.
	Latency   blkprobe.Options
	NoLatency bool   // leaves them out
	Listen    string // address to serve the latest sample at; empty: nowhere
	Once      bool   // prints one sample and records nothing
}

// DefaultOptions record all of this machine every second.
func DefaultOptions() Options {
	o := Options{
		Record: record.DefaultOptions(),
		Kernel: kernel.DefaultOptions(),
		TCP:    inetdiag.DefaultOptions(),

		Latency: blkprobe.DefaultOptions(),
	}
	o.Record.Dir = defaultDir(os.Getenv)
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		f := &o.Record.File
		f.Hostname, f.Release, f.Machine = unix.ByteSliceToString(u.Nodename[:]), unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Machine[:])
	}
	return o
}

// defaultDir is the directory that systemd made for the service, the first
// where a unit names several, or the usual one.
func defaultDir(getenv func(string) string) string {
	for _, key := range []string{"LOGS_DIRECTORY", "STATE_DIRECTORY"} {
		if dir, _, _ := strings.Cut(getenv(key), ":"); dir != "" {
			return dir
		}
	}
	return "/var/log/limpet"
}

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	if err := o.Kernel.Validate(); err != nil {
		return err
	}
	if err := o.TCP.Validate(); err != nil {
		return err
	}
	if err := o.Latency.Validate(); err != nil {
		return err
	}
	if o.Listen != "" {
		if _, _, err := net.SplitHostPort(o.Listen); err != nil {
			return fmt.Errorf("cannot listen at address %q: %w: write an address such as localhost:9819 or :9819", o.Listen, err)
		}
	}
	return o.Record.Validate()
}
