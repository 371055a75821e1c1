//go:build linux

package raid

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// BenchmarkChecksums holds an array with checksums against one without, turn by
// turn in one run: how much longer the former takes by the medians of all turns,
// and how much more of the processors, which others on the machine change less.
// Who takes a read copies what was read, as a server's socket does: the first to
// look at memory that a drive has written waits for it.
func BenchmarkChecksums(b *testing.B) {
	plain := benchGeometry
	plain.Checksums = false
	for _, kind := range []policy.Kind{policy.Normal, policy.Adaptive} {
		arrays := []*Array{benchArrayOf(b, kind, plain), benchArrayOf(b, kind, benchGeometry)}
		for _, chunks := range []int{1, 8, 128, 1024} {
			for _, what := range []string{"read", "take", "write"} {
				if what == "write" && kind != policy.Normal {
					continue // written alike
				}
				for _, users := range []int{1, 4} {
					b.Run(fmt.Sprintf("%s/%s/chunks=%d/users=%d", what, kind, chunks, users), func(b *testing.B) {
						compareSums(b, arrays, what, chunks, users)
					})
				}
			}
		}
	}
}

func compareSums(b *testing.B, arrays []*Array, what string, chunks, users int) {
	var took, spent [2][]time.Duration
	buffers, taken := make([][]byte, users), make([][]byte, users)
	for i := range buffers {
		buffers[i] = arrays[0].pool.Get(chunks * ChunkSize)
		taken[i] = noise(uint64(i), len(buffers[i])) // touched, so that no page is missing
		copy(buffers[i], taken[i])
		defer arrays[0].pool.Put(buffers[i])
	}
	for round := 0; b.Loop(); round++ {
		for i := range arrays {
			way := (round + i) % 2
			before := processors(b)
			took[way] = append(took[way], useArray(b, arrays[way], what, buffers, taken, round))
			spent[way] = append(spent[way], processors(b)-before)
		}
	}
	plain, summed := median(took[0]), median(took[1])
	b.ReportMetric(float64(plain.Microseconds()), "plain-µs")
	b.ReportMetric(100*(float64(summed)/float64(plain)-1), "%longer")
	b.ReportMetric(100*(float64(sum(spent[1]))/float64(sum(spent[0]))-1), "%cpu")
	b.ReportMetric(0, "ns/op")
}

// processors is how long they have worked for this process.
func processors(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func sum(list []time.Duration) (total time.Duration) {
	for _, d := range list {
		total += d
	}
	return total
}

// useArray is how long some users take for four requests each.
func useArray(b *testing.B, a *Array, what string, buffers, taken [][]byte, round int) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for i, p := range buffers {
		rng := rand.New(rand.NewPCG(uint64(round), uint64(i)))
		all.Go(func() {
			for range 4 {
				off := rng.Int64N((a.Size()-int64(len(p)))/ChunkSize) * ChunkSize
				do := a.ReadAt
				if what == "write" {
					do = a.WriteAt
				}
				if _, err := do(p, off); err != nil {
					b.Error(err)
				}
				if what == "take" {
					copy(taken[i], p)
				}
			}
		})
	}
	all.Wait()
	return time.Since(start)
}
