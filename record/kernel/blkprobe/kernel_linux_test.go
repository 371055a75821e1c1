package blkprobe

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/blklat"
)

// opened is a probe with one kind of hooks.
func opened(t testing.TB, o Options) *Probe {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to load BPF programs")
	}
	p, err := Open(o)
	if err != nil {
		t.Skip("needs a kernel with BPF: ", err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// A loop is a block device over a file.
type loop struct {
	path         string
	major, minor uint32
}

// newLoop makes a device of 16 MiB that ends with the test.
func newLoop(t testing.TB) loop {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, make([]byte, 16<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", file).CombinedOutput()
	if err != nil {
		t.Skipf("needs a loop device: %v: %s", err, out)
	}
	l := loop{path: strings.TrimSpace(string(out))}
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", l.path).Run() })
	var s unix.Stat_t
	if err := unix.Stat(l.path, &s); err != nil {
		t.Fatal(err)
	}
	l.major, l.minor = unix.Major(s.Rdev), unix.Minor(s.Rdev)
	return l
}

func (l loop) is(major, minor uint32) bool { return l.major == major && l.minor == minor }

// request makes requests of some bytes each, at places of their own.
func (l loop) request(t testing.TB, op blklat.Op, count, size int) {
	t.Helper()
	f, err := os.OpenFile(l.path, os.O_RDWR|unix.O_DIRECT, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buffer := aligned(size)
	for i := range count {
		switch at := int64(i*size) % (8 << 20); op {
		case blklat.Read:
			_, err = f.ReadAt(buffer, at)
		case blklat.Write:
			_, err = f.WriteAt(buffer, at)
		case blklat.Flush:
			err = f.Sync()
		case blklat.Discard:
			span := [2]uint64{uint64(at), uint64(size)}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), unix.BLKDISCARD, uintptr(unsafe.Pointer(&span))); errno != 0 {
				err = errno
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// aligned is memory that direct I/O can use.
func aligned(size int) []byte {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	return b
}

// sampled is what a probe says of a device.
func sampled(t testing.TB, p *Probe, l loop) (s blklat.Sample) {
	t.Helper()
	b, err := p.Append(nil, l.is)
	if err != nil {
		t.Fatal(err)
	}
	if err := blklat.Decode(b, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCounts: every request is counted once, with its size, in its sample, and
// with times that add up to what the caller saw.
func TestCounts(t *testing.T) {
	for _, way := range hookKinds {
		t.Run(way, func(t *testing.T) {
			o := DefaultOptions()
			o.hookKind = way
			p := opened(t, o)
			l := newLoop(t)
			l.request(t, blklat.Read, 1, 4096) // what udev and the page cache did before is no part of it
			// Another test may have used a device of this number since the run began.
			total := find(t, sampled(t, p, l), blklat.Read).Requests
			for _, c := range []struct {
				op                 blklat.Op
				count, size, class int
			}{
				{blklat.Read, 100, 4096, 0},
				{blklat.Read, 50, 8192, 1},
				{blklat.Read, 20, 128 << 10, 2},
				{blklat.Write, 100, 4096, 0},
				{blklat.Discard, 10, 1 << 20, 2},
			} {
				begun := time.Now()
				l.request(t, c.op, c.count, c.size)
				took := time.Since(begun)
				s := sampled(t, p, l)
				i := find(t, s, c.op)
				if c.op == blklat.Read {
					total += uint64(c.count)
				}
				if n := uint64(c.count); i.MostInFlight > 1 || i.Device.Requests() < n {
					skipIfUnheard(t, p, l)
				}
				if n := uint64(c.count); i.Device.Requests() != n || i.Queue.Requests() != n || i.Sizes[c.class] != n || i.Bytes != n*uint64(c.size) {
					t.Errorf("%d %ss of %d bytes: %+v", c.count, c.op, c.size, i)
				}
				if i.Errors != 0 || i.MostInFlight != 1 {
					t.Errorf("%ss: %d errors, %d in flight", c.op, i.Errors, i.MostInFlight)
				}
				if c.op == blklat.Read && i.Requests != total {
					t.Errorf("%d reads since the run began, want %d", i.Requests, total)
				}
				if shortest, longest := sumBounds(i.Device); shortest > uint64(took) || longest == 0 {
					t.Errorf("%ss took %v, their devices between %d and %d ns", c.op, took, shortest, longest)
				}
			}
		})
	}
}

// skipIfUnheard skips the test if the probe has not heard the completion of a request. This happens if
// another program comes to the same tracepoint, or leaves it, while the request is in flight. The probe
// counts the request as missed when the kernel uses its memory for another request.
func skipIfUnheard(t testing.TB, p *Probe, l loop) {
	t.Helper()
	l.request(t, blklat.Read, 1000, 4096)
	if s := sampled(t, p, l); s.Missed > 0 {
		t.Skipf("%d completions were not heard, and said to be: others listen here, who come and go", s.Missed)
	}
}

func find(t testing.TB, s blklat.Sample, op blklat.Op) blklat.Item {
	t.Helper()
	if s.Missed > 0 {
		t.Skipf("%d completions were not heard, and said to be: others listen here, who come and go", s.Missed)
	}
	for _, i := range s.Items {
		if i.Op == op {
			return i
		}
	}
	t.Fatalf("no %s in %+v", op, s)
	return blklat.Item{}
}

// sumBounds returns the least and the most that the times of a histogram add up to, in ns.
func sumBounds(h blklat.Histogram) (least, most uint64) {
	for _, c := range h {
		least += uint64(c.Requests) * blklat.LowerNs(int(c.Bucket))
		most += uint64(c.Requests) * blklat.LowerNs(int(c.Bucket)+1)
	}
	return least, most
}

// TestSums: the sums lie between what the buckets allow.
func TestSums(t *testing.T) {
	p := opened(t, DefaultOptions())
	l := newLoop(t)
	l.request(t, blklat.Write, 1, 4096)
	before := find(t, sampled(t, p, l), blklat.Write)
	l.request(t, blklat.Write, 1000, 4096)
	i := find(t, sampled(t, p, l), blklat.Write)
	for _, kind := range []struct {
		name string
		ns   uint64
		h    blklat.Histogram
	}{{"device", i.DeviceNs - before.DeviceNs, i.Device}, {"queue", i.QueueNs - before.QueueNs, i.Queue}} {
		if least, most := sumBounds(kind.h); kind.ns < least || kind.ns > most {
			t.Errorf("%s: %d ns, the buckets have %d to %d", kind.name, kind.ns, least, most)
		}
	}
}

// TestSpent: programs tell what they cost. One run in 1024 is timed, so a few
// thousand requests make it nearly certain that some are.
func TestSpent(t *testing.T) {
	p := opened(t, DefaultOptions())
	l := newLoop(t)
	for range 50 {
		l.request(t, blklat.Read, 1000, 4096)
		sampled(t, p, l)
		if p.Spent() > 0 {
			return
		}
	}
	t.Error("50,000 requests cost nothing")
}

// TestReturns: a device that goes and returns goes on where it was.
func TestReturns(t *testing.T) {
	p := opened(t, DefaultOptions())
	l := newLoop(t)
	l.request(t, blklat.Read, 5, 4096)
	first := find(t, sampled(t, p, l), blklat.Read)
	l.goAndReturn(t)
	l.request(t, blklat.Read, 7, 4096)
	if second := find(t, sampled(t, p, l), blklat.Read); second.Requests < first.Requests+7 || second.Requests > first.Requests+100 {
		t.Errorf("%d reads, then %d", first.Requests, second.Requests)
	}
}

// TestNoPlace: requests without a block are missed, and said to be.
func TestNoPlace(t *testing.T) {
	o := DefaultOptions()
	o.Blocks, o.processors = MinBlocks, 1
	p := opened(t, o)
	before := uint64(0)
	for range 5 { // of which each needs two
		l := newLoop(t)
		l.request(t, blklat.Read, 10, 4096)
		before = sampled(t, p, l).Missed
	}
	if before < 10 {
		t.Errorf("%d requests were missed, of at least 10", before)
	}
}

// TestUnheard: requests whose completion is not heard are missed, and said to be.
func TestUnheard(t *testing.T) {
	for _, way := range hookKinds {
		o := DefaultOptions()
		o.hookKind, o.deaf = way, "block_rq_complete"
		p := opened(t, o)
		l := newLoop(t)
		for range 3 { // the kernel uses requests again, and tracefs tells them by their place
			l.request(t, blklat.Read, 500, 4096)
		}
		if s := sampled(t, p, l); s.Missed < 750 {
			t.Errorf("%s: %d requests were missed, of 1500", way, s.Missed)
		}
	}
}

// TestSampleAllocates nothing.
func TestSampleAllocates(t *testing.T) {
	p := opened(t, DefaultOptions())
	l := newLoop(t)
	var b []byte
	once := func() {
		l.request(t, blklat.Read, 1, 4096)
		b, _ = p.Append(b[:0], l.is)
	}
	once()
	with := testing.AllocsPerRun(20, once)
	without := testing.AllocsPerRun(20, func() { l.request(t, blklat.Read, 1, 4096) })
	if with > without {
		t.Errorf("a sample allocates %v times", with-without)
	}
}

func BenchmarkSample(b *testing.B) {
	p := opened(b, DefaultOptions())
	l := newLoop(b)
	l.request(b, blklat.Read, 100, 4096)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = p.Append(dst[:0], l.is)
	}
}

// TestErrors: a request that fails is counted as such. The file below the
// device loses its end.
func TestErrors(t *testing.T) {
	p := opened(t, DefaultOptions())
	l := newLoop(t)
	file, err := os.ReadFile(fmt.Sprintf("/sys/block/%s/loop/backing_file", filepath.Base(l.path)))
	if err != nil {
		t.Fatal(err)
	}
	l.request(t, blklat.Read, 1, 4096)
	sampled(t, p, l)
	if err := os.Truncate(strings.TrimSpace(string(file)), 4096); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.path, os.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.ReadAt(aligned(4096), 8<<20); err == nil {
		t.Skip("this kernel's loop devices read zeros behind the end of their file")
	}
	if i := find(t, sampled(t, p, l), blklat.Read); i.Errors != 1 || i.Device.Requests() != 1 {
		t.Errorf("%+v", i)
	}
}
