//go:build linux

package raid

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A benchDrive has one I/O after the other take as long as on a drive; files in
// memory take as long as memory does.
type benchDrive struct {
	Member
	pace *drivePace // shared by all members

	mu   sync.Mutex
	head int64     // where the last I/O ended
	free time.Time // when it ends
}

// A drivePace is how long a drive takes. It is at rest until it begins.
type drivePace struct {
	name   string
	begun  bool
	access time.Duration // of each I/O
	seek   time.Duration // of one elsewhere than where the last ended
	rate   float64       // bytes a second
	sync   time.Duration
}

// paces are an SSD of the slower kind, whose cache has to be flushed, and a disk
// of 7,200 a minute without one: a seek, and half a revolution.
func paces() []*drivePace {
	return []*drivePace{
		{name: "ssd", access: 100 * time.Microsecond, rate: 100e6, sync: 2 * time.Millisecond},
		{name: "disk", access: 200 * time.Microsecond, seek: 12 * time.Millisecond, rate: 100e6},
	}
}

func (d *benchDrive) wait(off, bytes int64) func() {
	if !d.pace.begun {
		return func() {}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if d.free.Before(now) {
		d.free = now
	}
	if d.head != off {
		d.free = d.free.Add(d.pace.seek)
	}
	d.free = d.free.Add(d.pace.access + time.Duration(float64(bytes)/d.pace.rate*float64(time.Second)))
	d.head = off + bytes
	ends := d.free
	return func() { time.Sleep(time.Until(ends)) }
}

func (d *benchDrive) ReadAt(p []byte, off int64) (int, error) {
	defer d.wait(off, int64(len(p)))()
	return d.Member.ReadAt(p, off)
}

func (d *benchDrive) ReadVector(bufs [][]byte, off int64) error {
	defer d.wait(off, int64(len(bufs))*ChunkSize)()
	return d.Member.ReadVector(bufs, off)
}

func (d *benchDrive) WriteAt(p []byte, off int64) (int, error) {
	defer d.wait(off, int64(len(p)))()
	return d.Member.WriteAt(p, off)
}

func (d *benchDrive) Sync() error {
	if d.pace.begun {
		time.Sleep(d.pace.sync)
	}
	return d.Member.Sync()
}

// BenchmarkChecksumsOnDrives is BenchmarkChecksums where members are no faster
// than drives.
func BenchmarkChecksumsOnDrives(b *testing.B) {
	for _, pace := range paces() {
		var arrays []*Array
		for _, sums := range []bool{false, true} {
			g := benchGeometry
			g.Checksums = sums
			arrays = append(arrays, benchArrayAt(b, pace, g))
		}
		pace.begun = true
		for _, what := range []string{"read", "write"} {
			for _, chunks := range []int{1, 8, 128, 1024} {
				b.Run(fmt.Sprintf("%s/%s/chunks=%d", pace.name, what, chunks), func(b *testing.B) {
					compareSums(b, arrays, what, chunks, 1)
				})
			}
		}
	}
}

// benchArrayAt is filled while its drives are at rest.
func benchArrayAt(b *testing.B, p *drivePace, g Geometry) *Array {
	b.Helper()
	dir := b.TempDir()
	createDir(b, dir, g)
	members := mustOpen(b, dir)
	for i, m := range members {
		members[i] = &benchDrive{Member: m, pace: p}
	}
	return openFilled(b, policy.Normal, members)
}
