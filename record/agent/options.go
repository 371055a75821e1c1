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

// Options say what is recorded of this machine, and how.
type Options struct {
	// Record says where files are written and how long they are kept. Run sets the number of
	// processors, the custom activities, Listener and Log.
	Record record.Options
	Kernel kernel.Options
	TCP    inetdiag.Options
	NoTCP  bool // connections are not sampled
	// NoWaits leaves out the waits of tasks, and the free space of file systems.
	NoWaits bool
	// Latency limits the resources in the kernel for the measurement of latencies.
	Latency   blkprobe.Options
	NoLatency bool   // latencies of requests are not measured
	Listen    string // address at which the latest sample is served; empty: none
	Once      bool   // Run prints one sample and records nothing
}

// DefaultOptions returns options that record everything of this machine every second.
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

// defaultDir returns the directory that systemd made for the service, or else the usual directory.
// If a unit names several directories, it is the first.
func defaultDir(getenv func(string) string) string {
	for _, key := range []string{"LOGS_DIRECTORY", "STATE_DIRECTORY"} {
		if dir, _, _ := strings.Cut(getenv(key), ":"); dir != "" {
			return dir
		}
	}
	return "/var/log/limpet"
}

// Validate returns an error if an option is wrong.
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
			return fmt.Errorf("cannot listen on address %q: %w: write an address such as localhost:9819 or :9819", o.Listen, err)
		}
	}
	return o.Record.Validate()
}
