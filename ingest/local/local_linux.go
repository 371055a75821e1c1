package local

import (
	"context"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/record/agent"
	"github.com/limpet-storage/limpet/topology"
)

// Open starts a goroutine that samples this machine, and returns a source of the rows.
func Open(ctx context.Context, o Options) (*Source, error) {
	a := agent.DefaultOptions()
	a.Record.Dir, a.Kernel.Devices, a.NoLatency = o.Dir, o.Devices, o.NoLatency
	a.NoTCP = o.Dir == "" // connections are sampled only for a recording, because the rows of one machine have no metrics of connections
	if err := a.Kernel.Validate(); err != nil {
		return nil, err
	}
	rows, err := activity.NewLocal(a.Record.File.Hostname, o.Activity)
	if err != nil {
		return nil, err
	}
	s := &Source{Local: rows, ended: make(chan struct{})}
	ctx, s.stop = context.WithCancel(ctx)
	go func() {
		defer close(s.ended)
		// A panic becomes an error of the source. So a program that shows the rows can restore the
		// terminal before it prints the error.
		defer func() {
			if p := recover(); p != nil {
				rows.End(fmt.Errorf("limpet could not read the counters of this machine: %v: this is a fault of limpet; please report this error", p))
			}
		}()
		rows.End(agent.Observe(ctx, a, slog.New(&s.remarks), func(v *agent.Observation) {
			rows.Take(v.Time, v.Uptime, v.Disks, v.Latencies, v.Inventory)
		}))
	}()
	return s, nil
}

// mostDiskstats is the largest size of /proc/diskstats, in bytes: room for 100,000 devices.
const mostDiskstats = 32 << 20

// NoMatch returns an error if a pattern matches none of this machine's devices. The error lists the
// devices.
func NoMatch(patterns []string) error {
	data, err := bounded.ReadFile("/proc/diskstats", mostDiskstats, "the counters of the kernel")
	if err != nil {
		return err
	}
	return noMatch(patterns, string(data))
}

// noMatch does the work of NoMatch for the text of /proc/diskstats.
func noMatch(patterns []string, diskstats string) error {
	var devices, shown []string
	for line := range strings.Lines(diskstats) {
		if f := strings.Fields(line); len(f) > 3 {
			devices = append(devices, f[2])
			if !strings.HasPrefix(f[2], "loop") && !strings.HasPrefix(strings.TrimPrefix(f[2], "z"), "ram") {
				shown = append(shown, f[2])
			}
		}
	}
	if len(shown) == 0 {
		shown = devices
	}
	for _, pattern := range patterns {
		if slices.ContainsFunc(devices, func(name string) bool { ok, _ := path.Match(pattern, strings.ReplaceAll(name, "/", "!")); return ok }) {
			continue
		}
		if len(shown) == 0 {
			return fmt.Errorf("no device matches %s: this machine has no block devices", pattern)
		}
		return fmt.Errorf("no device matches %s; this machine has %s: correct --devices", pattern, topology.Fold(shown))
	}
	return nil
}
