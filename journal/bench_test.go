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
	for _, synced := range []bool{false, true} {
		b.Run(map[bool]string{false: "unsynced", true: "synced"}[synced], func(b *testing.B) { benchmarkAppend(b, synced) })
	}
}

func benchmarkAppend(b *testing.B, synced bool) {
	j, _, err := Open(b.TempDir(), DefaultOptions())
	must(b, err)
	defer j.Close()
	row := rowOf(intrepid, 1)
	before, n := cpu(), 0
	for b.Loop() {
		if n%1000 == 0 {
			must(b, j.Snapshot(intrepid, nil, nil))
		}
		n++
		row.End += 15
		must(b, j.Append(row))
		if synced {
			must(b, j.Sync())
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(n), "cpu-µs/row")
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
