package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/agent"
	"github.com/limpet-storage/limpet/report/outcome"
)

var (
	tailsFor = flag.Duration("tails", 0, "record six real block devices for so long, one of which delays some of its requests, and diagnose them")
	tailsDir = flag.String("tails-dir", "", "keep what is recorded there")
	tailsBad = flag.Float64("tails-share", 0.005, "share of the requests that are delayed")
	tailsBy  = flag.Duration("tails-by", 50*time.Millisecond, "and by how much")
	tailsAt  = flag.Float64("tails-rate", 100, "requests a second to each device; a loop device over FUSE serves one after the other, about 330")
	tailsTwo = flag.Float64("tails-load", 1, "how many times the load of its peers the last device has; from 2 on it has to be told as healthy")
	tailsMix = flag.Bool("tails-mixed", false, "change rate and size of requests every five minutes, and give each device a little more or less than the others")
)

// A slowFile is the file below a loop device. It serves as a drive does: each
// request takes a few milliseconds, some take far longer.
type slowFile struct {
	fs.Inode
	size  uint64
	mu    sync.Mutex
	rng   *rand.Rand
	share float64
	by    time.Duration
}

func (f *slowFile) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = 0o600|syscall.S_IFREG, f.size
	return 0
}

// Open bypasses the page cache: every request is served here.
func (f *slowFile) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

func (f *slowFile) Read(_ context.Context, _ fs.FileHandle, dest []byte, _ int64) (fuse.ReadResult, syscall.Errno) {
	time.Sleep(f.serves(len(dest)))
	clear(dest)
	return fuse.ReadResultData(dest), 0
}

// serves is how long a request takes: about 2 ms, lognormal, and 10 µs for each
// KiB.
func (f *slowFile) serves(size int) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	took := time.Duration(2e6*math.Exp(0.3*f.rng.NormFloat64())) + time.Duration(size)*10*time.Microsecond/1024
	if f.rng.Float64() < f.share {
		took += f.by
	}
	return took
}

// slowLoops mounts files and makes loop devices of them.
func slowLoops(t *testing.T, files []*slowFile) (names []string) {
	t.Helper()
	dir := t.TempDir()
	root := &fs.Inode{}
	server, err := fs.Mount(dir, root, &fs.Options{MountOptions: fuse.MountOptions{DirectMount: true, MaxBackground: 512}, OnAdd: func(ctx context.Context) {
		for i, f := range files {
			root.AddChild(fmt.Sprint("drive", i), root.NewPersistentInode(ctx, f, fs.StableAttr{Mode: syscall.S_IFREG}), true)
		}
	}})
	if err != nil {
		t.Skip("needs FUSE: ", err)
	}
	t.Cleanup(func() { server.Unmount() })
	for i := range files {
		out, err := exec.Command("losetup", "--read-only", "--direct-io=on", "--find", "--show", filepath.Join(dir, fmt.Sprint("drive", i))).CombinedOutput()
		if err != nil {
			t.Skipf("needs loop devices: %v: %s", err, out)
		}
		name := strings.TrimSpace(string(out))
		t.Cleanup(func() { exec.Command("losetup", "--detach", name).Run() })
		names = append(names, filepath.Base(name))
	}
	return names
}

// A mix is what is asked of a device for a while.
type mix struct {
	perSecond float64
	bytes     int
	together  int // requests that come at once
}

// steady asks for the same all the time.
func steady(perSecond float64) func(time.Duration) mix {
	return func(time.Duration) mix { return mix{perSecond, 4096, 1} }
}

// mixed asks for something else every five minutes, of all devices alike, and of
// each for up to a fifth more or less.
func mixed(perSecond float64, seed uint64) func(time.Duration) mix {
	own := 0.8 + 0.4*rand.New(rand.NewPCG(seed, 3)).Float64()
	return func(since time.Duration) mix {
		rng := rand.New(rand.NewPCG(uint64(since/(5*time.Minute)), 4))
		return mix{
			perSecond: perSecond * own * []float64{0.2, 0.5, 1, 1.5}[rng.IntN(4)],
			bytes:     []int{4096, 16384, 65536}[rng.IntN(3)],
			together:  []int{1, 1, 4}[rng.IntN(3)],
		}
	}
}

// demand makes requests at random times, as the mix of the time has it, until ctx
// ends.
func demand(ctx context.Context, t *testing.T, name string, at func(time.Duration) mix, seed uint64) {
	f, err := os.OpenFile("/dev/"+name, os.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	rng := rand.New(rand.NewPCG(seed, 1))
	var requests sync.WaitGroup
	defer requests.Wait()
	buffers := sync.Pool{New: func() any {
		b, err := unix.Mmap(-1, 0, 65536, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		return &b
	}}
	room := make(chan bool, 1000) // where more are under way, the device cannot keep up
	begin := time.Now()
	for due := begin; ctx.Err() == nil; {
		now := at(due.Sub(begin))
		due = due.Add(time.Duration(rng.ExpFloat64() * float64(now.together) / now.perSecond * 1e9))
		time.Sleep(time.Until(due))
		for range now.together {
			offset := 65536 * rng.Int64N(1<<14)
			room <- true
			requests.Go(func() {
				defer func() { <-room }()
				b := buffers.Get().(*[]byte)
				defer buffers.Put(b)
				if _, err := f.ReadAt((*b)[:now.bytes], offset); err != nil && err != io.EOF {
					t.Error(err)
				}
			})
		}
	}
}

// TestTails records six loop devices over a file system that delays requests of
// the third, at a hundred requests a second each, and has it named.
func TestTails(t *testing.T) {
	if *tailsFor == 0 {
		t.Skip("takes minutes: make tails, or -tails 12m")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to load BPF programs and to make loop devices")
	}
	dir := *tailsDir
	if dir == "" {
		dir = t.TempDir()
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16)) // drives do not wait for each other's processors
	var files []*slowFile
	for i := range 6 {
		files = append(files, &slowFile{size: 1 << 30, rng: rand.New(rand.NewPCG(uint64(i), 2))})
	}
	files[2].share, files[2].by = *tailsBad, *tailsBy
	names := slowLoops(t, files)
	o := agent.DefaultOptions()
	o.Record.Dir, o.Kernel.Devices, o.NoTCP = dir, names, true
	ctx, cancel := context.WithTimeout(t.Context(), *tailsFor)
	defer cancel()
	var all sync.WaitGroup
	for i, name := range names {
		load := *tailsAt
		if i == len(names)-1 {
			load *= *tailsTwo
		}
		what := steady(load)
		if *tailsMix {
			what = mixed(load, uint64(i))
		}
		all.Go(func() { demand(ctx, t, name, what, uint64(i)) })
	}
	t.Logf("devices %v, of which %s delays", names, names[2])
	if err := agent.Run(ctx, o, io.Discard, os.Stderr); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	topology := filepath.Join(t.TempDir(), "loops.yaml")
	text := fmt.Sprintf("servers: %s\ndrives:\n  - servers: %s\n    devices: %s\n", o.Record.File.Hostname, o.Record.File.Hostname, strings.Join(names, ", "))
	if err := os.WriteFile(topology, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := run(t.Context(), []string{"diagnose", "--exit-code", "--topology", topology, "--why", dir}, strings.NewReader(""), &out, &out)
	t.Log(out.String())
	want := 0
	if *tailsBad > 0 {
		want = 1
	}
	if strings.Count(out.String(), names[2]+": slow tail") != want || strings.Count(out.String(), ": slow tail") != want {
		t.Errorf("%d of %s, and nobody else, ought to have a tail", want, names[2])
	}
	if want == 0 && outcome.Outcome(code) == outcome.Incident {
		t.Error("nothing is wrong with any device")
	}
	loaded, asked := names[len(names)-1]+" is healthy but gets ", 0
	if *tailsTwo >= 2 {
		asked = 1
	}
	if strings.Count(out.String(), loaded) != asked || strings.Count(out.String(), " is healthy but gets ") != asked {
		t.Errorf("%d of %s, and nobody else, ought to be told as healthy with more requests, and how long one waits; that takes more than ten minutes", asked, names[len(names)-1])
	}
}
