//go:build unix

package journal

import (
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
)

// intrepid is the schema of 9,216 attachments by eight metrics.
var intrepid = table.Schema{StepSeconds: 15, Metrics: metric.Device(), Components: 9216, Servers: 128}

// BenchmarkAppend logs rows of Intrepid, 590 kB each, and brings them to the disk
// one by one or not. A snapshot at every thousandth keeps the disk from filling.
func BenchmarkAppend(b *testing.B) {
	for name, sync := range map[string]func(*Journal) error{"unsynced": func(*Journal) error { return nil }, "synced": (*Journal).Sync} {
		b.Run(name, func(b *testing.B) {
			j, _ := open1(b, b.TempDir())
			row, before, n := rowOf(intrepid, 1), cpu(), 0
			for ; b.Loop(); n++ {
				if n%1000 == 0 {
					snap(b, j, intrepid, n)
				}
				row.End += 15
				must(b, j.Append(row))
				must(b, sync(j))
			}
			b.ReportMetric(float64((cpu()-before).Microseconds())/float64(n), "cpu-µs/row")
		})
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
