package raid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// benchGeometry is T16's eight drives, 64 MiB of each.
var benchGeometry = Geometry{Data: 8, Stripes: 16384, Journal: 254, Checksums: true}

func benchArray(b *testing.B, kind policy.Kind) *Array {
	b.Helper()
	return benchArrayOf(b, kind, benchGeometry)
}

func benchArrayOf(b *testing.B, kind policy.Kind, g Geometry) *Array {
	b.Helper()
	dir := b.TempDir()
	createDir(b, dir, g)
	return openFilled(b, kind, mustOpen(b, dir))
}

func mustOpen(b *testing.B, dir string) []Member {
	b.Helper()
	members, err := openMembers(dir)
	if err != nil {
		b.Fatal(err)
	}
	return members
}

func openFilled(b *testing.B, kind policy.Kind, members []Member) *Array {
	b.Helper()
	o := DefaultOptions()
	o.Policy = policy.Default(kind)
	a, err := Open(members, o)
	if err != nil {
		b.Fatal(err)
	}
	p := noise(1, 8<<20)
	for off := int64(0); off < a.Size(); off += int64(len(p)) {
		if _, err := a.WriteAt(p, off); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() { a.Close() })
	return a
}

// plainRead is what a read of stripes costs without RAID: the same direct reads
// of the data members, side by side, into memory of the reader, one member
// after the other.
func plainRead(b *testing.B, a *Array, p []byte, from int64) {
	var all sync.WaitGroup
	each := len(p) / a.geometry.Data
	for i := range a.geometry.Data {
		all.Go(func() {
			if _, err := a.roster.Load().members[i].ReadAt(p[i*each:][:each], a.geometry.offset(from)); err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
}

// BenchmarkRead alternates reads through the array with plain ones, by several
// readers at once, and reports how fast the former are by the latter. Policies
// other than normal pay for a copy.
func BenchmarkRead(b *testing.B) {
	for _, kind := range []policy.Kind{policy.Normal, policy.Adaptive} {
		a := benchArray(b, kind)
		for _, stripes := range []int{1, 16, 128} {
			for _, readers := range []int{1, 4} {
				b.Run(fmt.Sprintf("%s/stripes=%d/readers=%d", kind, stripes, readers), func(b *testing.B) {
					of := compareReads(b, a, stripes, readers)
					if kind == policy.Normal {
						b.ReportMetric(normalBound, "bound")
					}
					if kind == policy.Normal && of < normalBound {
						b.Logf("BELOW THE BOUND: normal reads reach %.2f of plain ones, not %.2f", of, normalBound)
					}
				})
			}
		}
	}
}

// normalBound is which part of the speed of plain reads normal ones are to
// reach. A benchmark does not fail below it, since others may use the machine.
const normalBound = 0.9

func compareReads(b *testing.B, a *Array, stripes, readers int) (ofPlain float64) {
	size := int64(stripes) * a.geometry.stripeSize()
	buffers := make([][]byte, readers)
	for i := range buffers {
		buffers[i] = noise(0, int(size)) // touched, so that no page is missing
	}
	ways := []func(reader int, from int64){
		func(reader int, from int64) { plainRead(b, a, buffers[reader], from) },
		func(reader int, from int64) {
			if _, err := a.ReadAt(buffers[reader], from*a.geometry.stripeSize()); err != nil {
				b.Error(err)
			}
		},
	}
	var took [2][]time.Duration
	for round := 0; b.Loop(); round++ {
		for i := range ways {
			way := (round + i) % 2
			took[way] = append(took[way], sideBySide(readers, round, ways[way]))
		}
	}
	plain, through := median(took[0]), median(took[1])
	b.ReportMetric(float64(4*readers)*float64(size)/through.Seconds()/1e6, "MB/s")
	ofPlain = float64(plain) / float64(through)
	b.ReportMetric(ofPlain, "of-plain")
	b.ReportMetric(0, "ns/op")
	return ofPlain
}

// median is robust where others use the machine too.
func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// sideBySide is how long some readers take for four reads each.
func sideBySide(readers, round int, read func(reader int, from int64)) time.Duration {
	start := time.Now()
	var all sync.WaitGroup
	for i := range readers {
		rng := rand.New(rand.NewPCG(uint64(round), uint64(i)))
		all.Go(func() {
			for range 4 {
				read(i, rng.Int64N(benchGeometry.Stripes-128))
			}
		})
	}
	all.Wait()
	return time.Since(start)
}

// BenchmarkWrite is durable writes from one and from several writers, whose
// writes share batches.
func BenchmarkWrite(b *testing.B) {
	a := benchArray(b, policy.Normal)
	for _, size := range []int64{ChunkSize, a.geometry.stripeSize(), 16 * a.geometry.stripeSize()} {
		for _, writers := range []int{1, 16} {
			b.Run(fmt.Sprintf("bytes=%d/writers=%d", size, writers), func(b *testing.B) {
				b.SetBytes(size)
				p := noise(1, int(size))
				var all sync.WaitGroup
				each := b.N/writers + 1
				for i := range writers {
					rng := rand.New(rand.NewPCG(0, uint64(i)))
					all.Go(func() {
						for range each {
							if _, err := a.WriteAt(p, rng.Int64N(a.Size()/size)*size); err != nil {
								b.Error(err)
							}
						}
					})
				}
				all.Wait()
			})
		}
	}
}
