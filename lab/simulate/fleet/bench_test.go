package fleet

import (
	"strconv"
	"testing"
)

// BenchmarkWrite measures drive hours a second, drawn and written.
func BenchmarkWrite(b *testing.B) {
	for _, format := range []Format{Parquet, CSV} {
		b.Run(string(format), func(b *testing.B) {
			o := DefaultOptions()
			o.Days = 20
			o.Format = format
			var records int64
			n := 0
			for b.Loop() {
				n++
				s, err := Write(b.Context(), b.TempDir()+strconv.Itoa(n), o, nil)
				if err != nil {
					b.Fatal(err)
				}
				records += s.Disk.Counts.Records + s.SSD.Counts.Records
			}
			b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "drive-hours/s")
		})
	}
}

// BenchmarkHours measures drive hours a second without files.
func BenchmarkHours(b *testing.B) {
	o := DefaultOptions()
	o.Days = 20
	var records int64
	for b.Loop() {
		f, err := New(o)
		if err != nil {
			b.Fatal(err)
		}
		for h := range f.Hours() {
			records += int64(len(h.IOs))
		}
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "drive-hours/s")
}
