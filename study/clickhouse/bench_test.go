package clickhouse

import (
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// BenchmarkReduce reduces the same records by ClickHouse, from a table of texts
// and from one of numbers, and embedded, from Parquet files.
func BenchmarkReduce(b *testing.B) {
	s := startServers(b, 1)[0]
	o := small()
	o.DiskGroups, o.SSDGroups, o.Days = 60, 15, 40
	f := simulated(b, o)
	s.load("records", f.records, all)
	s.Exec("CREATE TABLE numbered ENGINE = MergeTree ORDER BY (`group`, time) AS SELECT time, cityHash64(`group`) AS `group`, cityHash64(drive) AS drive, " +
		"toUInt32(ios) AS ios, toUInt32(ifNull(latency_us, 0)) AS latency_us, toUInt32(ifNull(size_bytes, 0)) AS size_bytes FROM records")
	rate := func(b *testing.B) { b.ReportMetric(float64(len(f.records)*b.N)/b.Elapsed().Seconds(), "rows/s") }
	for _, table := range []string{"records", "numbered"} {
		b.Run(table, func(b *testing.B) {
			for b.Loop() {
				o := DefaultOptions()
				o.Table = table
				store, err := Open(b.Context(), s.DSN(), o)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := store.Reduce(b.Context(), study.DefaultOptions()); err != nil {
					b.Fatal(err)
				}
				store.Close()
			}
			rate(b)
		})
	}
	b.Run("embedded", func(b *testing.B) {
		for b.Loop() {
			f.reduce(b, nil, study.DefaultOptions())
		}
		rate(b)
	})
}
