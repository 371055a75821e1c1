//go:build unix

package journal

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
)

// intrepid is a schema of 9,216 attachments with eight metrics.
var intrepid = table.Schema{StepSeconds: 15, Metrics: metric.Device(), Components: 9216, Servers: 128}

// BenchmarkAppend logs rows of 9,216 components, of which all or one in eight are busy, with a sync for each
// row or none. A snapshot at every thousandth row keeps the disk from filling.
func BenchmarkAppend(b *testing.B) {
	for _, name := range []string{"busy", "busy-synced", "idle", "idle-synced"} {
		sync := func(*Journal) error { return nil }
		if strings.HasSuffix(name, "synced") {
			sync = (*Journal).Sync
		}
		idle := strings.HasPrefix(name, "idle")
		b.Run(name, func(b *testing.B) {
			j, _ := open1(b, b.TempDir())
			row, before, n := busyRow(idle), cpu(), 0
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

// busyRow returns a row without equal values, or with zeros except for the first of eight paths.
func busyRow(idle bool) *table.Row {
	r := table.NewRow(intrepid)
	for i := range intrepid.Components * len(r.Values) {
		if values := r.Values[i/intrepid.Components]; !idle || i%8 == 0 {
			values[i%intrepid.Components] = float64(i)
		}
	}
	return r
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
