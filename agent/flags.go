package agent

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record"
)

// Flags binds the options to flags. The values that the options have are the
// defaults.
func (o *Options) Flags(fs *flag.FlagSet) {
	r := &o.Record
	fs.StringVar(&r.Dir, "dir", r.Dir, "`directory` of the files")
	fs.DurationVar(&r.Interval, "interval", r.Interval, "`time` between samples")
	fs.DurationVar(&r.Sync, "sync", r.Sync, "`time` of recording that a loss of power may cost")
	fs.StringVar(&r.Compress, "compress", r.Compress, "`format` of closed files: "+strings.Join([]string{record.Zstd, record.XZ, record.Plain}, ", "))
	fs.IntVar(&r.CompressMB, "compress-rate", r.CompressMB, "`MB` a second of a closed file are read at most; 0: no bound")
	fs.IntVar(&r.KeepDays, "keep-days", r.KeepDays, "`days` that have files are kept, the newest; 0: all")
	fs.Var((*size)(&r.KeepBytes), "keep-bytes", "`bytes` are kept, such as 20G, and the oldest files go first; 0: no bound")
	fs.Var((*globs)(&o.Kernel.Devices), "devices", "record only devices of these `names`, such as sd*,nvme* (default: all)")
	fs.Var((*globs)(&o.Kernel.Interfaces), "interfaces", "record only interfaces of these `names`, such as eth*,ib0 (default: all)")
	fs.BoolVar(&o.NoTCP, "no-tcp", o.NoTCP, "leave connections out")
	fs.StringVar(&o.Listen, "listen", o.Listen, "also serve the latest sample to Prometheus at this `address`, such as localhost:9819")
	fs.BoolVar(&o.Once, "once", o.Once, "print one sample for people to check, and record nothing")
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

// A size is a number of bytes.
type size int64

// sizeUnits are powers of 1024.
const sizeUnits = "KMGT"

// String is the size in the largest unit that it is a whole number of.
func (s *size) String() string {
	n, unit := int64(*s), ""
	for i := 0; i < len(sizeUnits) && n != 0 && n%1024 == 0; i++ {
		n, unit = n/1024, sizeUnits[i:i+1]
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads 20G and the like.
func (s *size) Set(text string) error {
	digits, scale := text, int64(1)
	if n := len(text); n > 0 {
		if unit := strings.IndexByte(sizeUnits, text[n-1]); unit >= 0 {
			digits, scale = text[:n-1], 1<<(10*(unit+1))
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || int64(n) > math.MaxInt64/scale {
		return fmt.Errorf("no number of bytes: write one such as 500M, 20G or 1T")
	}
	*s = size(int64(n) * scale)
	return nil
}
