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
	fs.StringVar(&r.Dir, "dir", r.Dir, "`directory` of the files")
	fs.Var(bounded.Duration(&r.Interval, record.MinInterval, record.MaxInterval), "interval", "`time` between samples")
	fs.Var(bounded.Duration(&r.Sync, record.MinInterval, record.MaxSync), "sync", "`time` of recorded data that a power failure may lose")
	fs.StringVar(&r.Compress, "compress", r.Compress, "`format` of closed files: "+strings.Join([]string{record.Zstd, record.XZ, record.Plain}, ", "))
	fs.Var(bounded.Int(&r.CompressMB, 0, record.MaxCompressMB, "MB a second"), "compress-rate", "most `MB` a second to read while a closed file is compressed; 0: no limit")
	fs.Var(bounded.Int(&r.KeepDays, 0, record.MaxKeepDays, "days"), "keep-days", "number of newest `days` with files to keep; 0: all")
	fs.Var(bounded.Bytes(&r.KeepBytes, 0, record.MaxKeepBytes), "keep-bytes", "most `bytes` to keep, such as 20G; the oldest files are removed first; 0: no limit")
	fs.Var((*globs)(&o.Kernel.Devices), "devices", "record only devices of these `names`, such as sd*,nvme* (default: all)")
	fs.Var((*globs)(&o.Kernel.Interfaces), "interfaces", "record only interfaces of these `names`, such as eth*,ib0 (default: all)")
	fs.BoolVar(&o.NoTCP, "no-tcp", o.NoTCP, "do not record connections")
	fs.BoolVar(&o.NoLatency, "no-latency", o.NoLatency, "do not record latencies of requests, which BPF programs measure")
	fs.StringVar(&o.Listen, "listen", o.Listen, "also serve the latest sample to Prometheus at this `address`, such as localhost:9819")
	fs.BoolVar(&o.Once, "once", o.Once, "print one sample to check it, and record nothing")
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
			return fmt.Errorf("an empty pattern: write one such as sd* or sd*,nvme*")
		}
		*g = append(*g, p)
	}
	return nil
}
