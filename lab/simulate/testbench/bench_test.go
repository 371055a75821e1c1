package testbench

import (
	"io"
	"testing"
)

// BenchmarkRun makes the rows of a run of ten minutes of every workload.
func BenchmarkRun(b *testing.B) {
	for _, c := range []Cluster{pvfs10, lustre6} {
		for _, w := range Workloads() {
			b.Run(c.String()+" "+string(w), func(b *testing.B) {
				for b.Loop() {
					r, err := New(c, w, None, 1).Run()
					if err != nil {
						b.Fatal(err)
					}
					for err != io.EOF {
						_, err = r.Next()
					}
				}
			})
		}
	}
}
