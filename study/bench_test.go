package study

import "testing"

// BenchmarkReduce is the pass itself, over records that are in memory, beside
// its plain twin.
func BenchmarkReduce(b *testing.B) {
	f, all := simulated(b, small(300, 7, 1))
	const rows = 8192
	b.Run("reducer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Reduce(&pieces{all: all, rows: rows}, f, DefaultOptions()); err != nil {
				b.Fatal(err)
			}
		}
		report(b, all)
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			newTwin(f, DefaultOptions()).reduce(all)
		}
		report(b, all)
	})
}

func report(b *testing.B, all *Batch) {
	b.ReportMetric(float64(all.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
