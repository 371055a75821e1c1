package member

import (
	"math/rand/v2"
	"testing"
)

// TestSumOf holds sums against hash/crc32: of zeros, of each single bit, and of
// chunks by chance at any address.
func TestSumOf(t *testing.T) {
	buf := make([]byte, ChunkSize)
	check := func(what string, i int, chunk []byte) {
		if got, want := sumOf(chunk), plainSum(chunk); got != want {
			t.Fatalf("%s %d: %#x, want %#x", what, i, got, want)
		}
	}
	check("zeros", 0, buf)
	for bit := range 8 * len(buf) {
		buf[bit/8] = 1 << (bit % 8)
		check("bit", bit, buf)
		buf[bit/8] = 0
	}
	rng := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, ChunkSize+200)
	for i := range 200 {
		for j := range long {
			long[j] = byte(rng.Uint32())
		}
		check("chance", i, long[i:][:ChunkSize])
	}
}

// BenchmarkSumOf is of a chunk that is in the cache, and of chunks that are not.
func BenchmarkSumOf(b *testing.B) {
	memory := make([]byte, 64<<20)
	for i := range memory {
		memory[i] = byte(i)
	}
	for _, where := range []struct {
		name  string
		bytes int
	}{{"cache", ChunkSize}, {"memory", len(memory)}} {
		for _, of := range []struct {
			name string
			sum  func([]byte) uint32
		}{{"plain", plainSum}, {"fold", sumOf}} {
			b.Run(where.name+"/"+of.name, func(b *testing.B) {
				b.SetBytes(ChunkSize)
				for at := 0; b.Loop(); at = (at + ChunkSize) % where.bytes {
					of.sum(memory[at:][:ChunkSize])
				}
			})
		}
	}
}
