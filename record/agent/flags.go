package agent

import (
	"flag"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/record"
)

// Flags binds the options to flags. The values that the options have are the
// defaults.
func (o *Options) Flags(fs *flag.FlagSet) {
	r := &o.Record
	fs.StringVar(&r.Dir, "dir", r.Dir, "`directory` for the recorded files")
	fs.Var(bounded.Duration(&r.Interval, record.MinInterval, record.MaxInterval), "interval", "`time` between samples")
	fs.Var(bounded.Duration(&r.Sync, record.MinInterval, record.MaxSync), "sync", "write recorded data to the disk at least once in this `time`; a power failure loses the data since the last write")
	fs.StringVar(&r.Compress, "compress", r.Compress, "compression `format` of closed files, one of "+strings.Join([]string{record.Zstd, record.XZ, record.Plain}, ", "))
	fs.Var(bounded.Int(&r.CompressMB, 0, record.MaxCompressMB, "MB a second"), "compress-rate", "read at most this many `MB` a second while a closed file is compressed; 0 means no limit")
	fs.Var(bounded.Int(&r.KeepDays, 0, record.MaxKeepDays, "days"), "keep-days", "keep the files of this many `days`, and remove older files; 0 means keep all files")
	fs.Var(bounded.Bytes(&r.KeepBytes, 0, record.MaxKeepBytes), "keep-bytes", "keep at most this many `bytes` in all files together, such as 20G; the oldest files are removed first; 0 means no limit")
	fs.Var((*globs)(&o.Kernel.Devices), "devices", "record only devices with these `names`, such as sd*,nvme* (default: all devices)")
	fs.Var((*globs)(&o.Kernel.Interfaces), "interfaces", "record only network interfaces with these `names`, such as eth*,ib0 (default: all interfaces)")
	fs.BoolVar(&o.NoTCP, "no-tcp", o.NoTCP, "do not record TCP connections")
	fs.BoolVar(&o.NoWaits, "no-waits", o.NoWaits, "do not record what tasks, sockets and requests wait for, and do not record the free space of file systems")
	fs.BoolVar(&o.NoLatency, "no-latency", o.NoLatency, "do not record latencies of requests (BPF programs in the kernel measure the latencies)")
	fs.StringVar(&o.Listen, "listen", o.Listen, "also show the latest sample to Prometheus at this `address`, such as localhost:9819 (default: the recorder does not listen)")
	fs.BoolVar(&o.Once, "once", o.Once, "print one sample, and record nothing")
}

// globs are patterns with commas between them. A flag that is given again adds
// to them.
type globs []string

// String is the patterns as they are given.
func (g *globs) String() string { return strings.Join(*g, ",") }

// Set adds patterns.
func (g *globs) Set(text string) error {
	for p := range strings.SplitSeq(text, ",") {
		if p = strings.TrimSpace(p); p == "" {
			return fmt.Errorf("a pattern is empty: write a pattern such as sd* or sd*,nvme*")
		}
		*g = append(*g, p)
	}
	return nil
}
