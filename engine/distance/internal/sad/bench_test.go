package sad

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

const (
	benchRows   = 768
	benchStride = 1024
)

// window is a peer group of components with 60 samples each in 1000 bins.
func window(n int) []byte {
	r := rand.New(rand.NewPCG(60, 1000))
	matrix := make([]byte, n*benchStride)
	for i := range n {
		row, centre := matrix[i*benchStride:][:1000], 200+r.IntN(100)
		for range 60 {
			row[centre+r.IntN(500)]++
		}
		for b := 1; b < len(row); b++ {
			row[b] += row[b-1]
		}
	}
	return matrix
}

func perPair(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*(n-1)/2), "ns/pair")
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{48, benchRows, 3 * benchRows} {
		matrix, dst := window(n), make([]uint32, n*n)
		for _, k := range kernels() {
			b.Run(fmt.Sprintf("%s/%d", k, n), func(b *testing.B) {
				for b.Loop() {
					k.pairs(dst, matrix, benchStride)
				}
				perPair(b, n)
			})
		}
	}
}

// BenchmarkSelect is the score of every component of a group, given its pairs:
// to be held against BenchmarkPairs in the same unit.
func BenchmarkSelect(b *testing.B) {
	dst := make([]uint32, benchRows*benchRows)
	Pairs(dst, window(benchRows), benchStride)
	scores := func(b *testing.B, score func(dist []uint32, m int) uint32) {
		for b.Loop() {
			for i := range benchRows {
				score(dst[i*benchRows:][:benchRows], (benchRows-1)/2+1)
			}
		}
		perPair(b, benchRows)
	}
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) { scores(b, k.nth) })
	}
	b.Run("sorted", func(b *testing.B) { scores(b, sorted) })
}

func BenchmarkSum(b *testing.B) {
	matrix := window(2)
	x, y := matrix[:benchStride], matrix[benchStride:]
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) {
			for b.Loop() {
				k.sum(x, y)
			}
		})
	}
	b.Run("naive", func(b *testing.B) {
		for b.Loop() {
			naive(x, y)
		}
	})
}
