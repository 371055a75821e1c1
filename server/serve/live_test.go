package serve

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
	"github.com/limpet-storage/limpet/server/serve/config"
)

var (
	liveDir     = flag.String("live.dir", "", "directory that limpet simulate wrote, uncompressed, to be lived through")
	liveSpeed   = flag.Float64("live.speed", 20, "times faster than real")
	liveHours   = flag.Float64("live.hours", 0, "how much of it is lived through; 0: all")
	liveLook    = flag.Float64("live.look", 0, "seconds of its clock between two looks at the files; 0: the server's own choice, by ours")
	liveRatio   = flag.Float64("live.ratio", 0, "at most so many times the processors' time of diagnose; 0: any")
	liveMB      = flag.Int64("live.mb", 0, "at most so many MB of memory; 0: any")
	liveSeconds = flag.Float64("live.seconds", 0, "a backlog is read within so many seconds; 0: any")
	livePprof   = flag.String("live.profile", "", "directory for profiles of both processes' CPU")
)

// The environment of a child that serves.
const (
	childDir   = "LIMPET_SERVE_CHILD" // directory whose files it follows
	childZero  = "LIMPET_SERVE_ZERO"  // its clock began at this Unix time
	childBegan = "LIMPET_SERVE_BEGAN" // which was this time of ours, in nanoseconds
	childSpeed = "LIMPET_SERVE_SPEED"
	childLook  = "LIMPET_SERVE_LOOK"     // seconds of its clock between two looks at the files
	childOther = "LIMPET_SERVE_DIAGNOSE" // instead diagnose the files, as limpet diagnose does
	childUntil = "LIMPET_SERVE_UNTIL"    // and no step that ends later than this Unix time
	childAt    = "LIMPET_SERVE_LISTEN"
	childPprof = "LIMPET_SERVE_PROFILE" // file for a profile of its CPU
)

func TestMain(m *testing.M) {
	if os.Getenv(childOther)+os.Getenv(childDir) != "" {
		debug.SetGCPercent(50) // as in limpet
		profile(os.Getenv(childPprof))
	}
	switch {
	case os.Getenv(childOther) != "":
		diagnoseChild(os.Getenv(childOther))
	case os.Getenv(childDir) != "":
		serveChild(os.Getenv(childDir))
	default:
		code := m.Run()
		if recordings.dir != "" {
			os.RemoveAll(recordings.dir)
		}
		os.Exit(code)
	}
}

// profile begins a profile of this process, where a file for it is named.
func profile(path string) {
	if path == "" {
		return
	}
	f, err := os.Create(path)
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		panic(err)
	}
}

// endProfile writes the profile, and beside it one of what was allocated.
func endProfile(path string) {
	if path == "" {
		return
	}
	pprof.StopCPUProfile()
	f, err := os.Create(path + ".allocs")
	if err == nil {
		err = pprof.Lookup("allocs").WriteTo(f, 0)
	}
	if err != nil {
		panic(err)
	}
}

func number(name string) float64 {
	v, err := strconv.ParseFloat(os.Getenv(name), 64)
	if err != nil {
		panic(err)
	}
	return v
}

// liveConfig judges all metrics of a device.
func liveConfig(dir string) config.Config {
	c := config.Default()
	c.Directories, c.State = []string{filepath.Join(dir, "grows", "activity")}, filepath.Join(dir, "state")
	c.Topology, c.Push = filepath.Join(dir, simulate.TopologyFile), false
	c.Diagnosis.Options.Metrics = nil
	for _, m := range metric.Device() {
		c.Diagnosis.Options.Metrics = append(c.Diagnosis.Options.Metrics, m.Name)
	}
	return c
}

// serveChild serves by a fast clock until it is told to stop.
func serveChild(dir string) {
	zero, began, speed := int64(number(childZero)), int64(number(childBegan)), number(childSpeed)
	now := func() time.Time {
		return time.Unix(zero, 0).Add(time.Duration(float64(time.Now().UnixNano()-began) * speed))
	}
	c := liveConfig(dir)
	c.Listen = os.Getenv(childAt)
	poll := time.Duration(number(childLook) / speed * float64(time.Second))
	s, err := Open(context.Background(), c, Options{Version: "1.2.3", Now: now, Poll: poll, Report: func(s string) { fmt.Fprintln(os.Stderr, s) }, Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // its end says to stop
		stop()
	}()
	if err := s.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	endProfile(os.Getenv(childPprof))
	os.Exit(0)
}

// diagnoseChild prints what diagnose says.
func diagnoseChild(dir string) {
	fmt.Print(diagnosed(&testing.B{}, dir, liveConfig(dir).Diagnosis.Options, int64(number(childUntil))))
	endProfile(os.Getenv(childPprof))
	os.Exit(0)
}

// used is what a process took.
func used(c *exec.Cmd) (cpu time.Duration, peakMB int64) {
	u := c.ProcessState.SysUsage().(*syscall.Rusage)
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), u.Maxrss >> 10
}

// differing shows the first lines in which two texts differ.
func differing(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	at := 0
	for at < min(len(g), len(w)) && g[at] == w[at] {
		at++
	}
	line := func(list []string) string {
		if at >= len(list) {
			return "nothing more"
		}
		return fmt.Sprintf("%.2000s", list[at])
	}
	return fmt.Sprintf("line %d of %d and %d\n%s\nwant\n%s", at+1, len(g), len(w), line(g), line(w))
}

// TestLive lives through what limpet simulate wrote, at a faster clock, and holds the
// verdict, the time of processors and the memory against those of a diagnosis of the same
// files.
func TestLive(t *testing.T) {
	if *liveDir == "" {
		t.Skip("no directory to live through: -live.dir")
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(*liveDir, simulate.TopologyFile), filepath.Join(dir, simulate.TopologyFile)); err != nil {
		t.Fatal(err)
	}
	grows, err := playback.Open(*liveDir, filepath.Join(dir, "grows"))
	if err != nil {
		t.Fatal(err)
	}
	first, last := grows.Span()
	if *liveHours > 0 {
		last = min(last, first+int64(*liveHours*3600))
	}
	began := time.Now()
	at := freeAddress(t)
	c, end := startServing(t, dir, at, first, began)
	clock := func() int64 { return first + int64(time.Since(began).Seconds()**liveSpeed) }
	behind, asked := int64(0), time.Now()
	for more := true; more; time.Sleep(20 * time.Millisecond) {
		to := min(clock(), last)
		if more, err = grows.Write(to); err != nil {
			t.Fatal(err)
		}
		more = more && to < last
		if time.Since(asked) < 30*time.Second { // to ask costs the server something, too
			continue
		}
		asked = time.Now()
		if stands := standsAt(at); stands > 0 {
			behind = max(behind, clock()-stands)
		}
	}
	stands := int64(0)
	until(t, "all was read", func() bool {
		before := stands
		time.Sleep(20 * time.Second) // longer than from look to look
		stands = standsAt(at)
		return stands == before && stands >= last-60
	})
	got := answer(at, "/api/v1/diagnosis")
	lived := time.Since(began)
	end()
	cpu, peak := used(c)

	d := exec.Command(os.Args[0])
	// The last steps of files that grow are not over before other records come.
	d.Env = append(os.Environ(), childOther+"="+dir, fmt.Sprintf("%s=%d", childUntil, stands))
	d.Env = append(d.Env, profileTo("diagnose")...)
	d.Stderr = os.Stderr
	var want bytes.Buffer
	d.Stdout = &want
	if err := d.Run(); err != nil {
		t.Fatal(err)
	}
	if got != want.String() {
		t.Errorf("the verdicts differ:\n%s", differing(got, want.String()))
	}
	dcpu, dpeak := used(d)
	if *liveRatio > 0 && cpu.Seconds() > *liveRatio*dcpu.Seconds() {
		t.Errorf("more than %g times the processors' time of diagnose", *liveRatio)
	}
	if *liveMB > 0 && peak > *liveMB {
		t.Errorf("more than %d MB", *liveMB)
	}
	t.Logf("verdicts equal byte for byte: %t, %d bytes; %.1f h lived through in %v, at most %d s behind: %.1f CPU-s, %d MB; diagnose: %.1f CPU-s, %d MB; ratios %.2f and %.2f",
		got == want.String(), len(got), float64(last-first)/3600, lived.Round(time.Second), behind, cpu.Seconds(), peak, dcpu.Seconds(), dpeak, cpu.Seconds()/dcpu.Seconds(), float64(peak)/float64(dpeak))
}

// profileTo is what a child needs to know to profile itself.
func profileTo(name string) []string {
	if *livePprof == "" {
		return nil
	}
	return []string{childPprof + "=" + filepath.Join(*livePprof, name+".prof")}
}

func startServing(t *testing.T, dir, at string, zero int64, began time.Time) (c *exec.Cmd, end func()) {
	t.Helper()
	c = exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childDir+"="+dir, childAt+"="+at, fmt.Sprintf("%s=%d", childZero, zero),
		fmt.Sprintf("%s=%d", childBegan, began.UnixNano()), fmt.Sprintf("%s=%g", childSpeed, *liveSpeed), fmt.Sprintf("%s=%g", childLook, *liveLook))
	c.Env = append(c.Env, profileTo("serve")...)
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, func() {
		if err := stdin.Close(); err != nil {
			t.Error(err)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func answer(at, path string) string {
	a, err := http.Get("http://" + at + path)
	if err != nil {
		return ""
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

// standsAt is the time of the last row, by the server's metrics.
func standsAt(at string) int64 {
	for line := range strings.Lines(answer(at, "/metrics")) {
		if value, ok := strings.CutPrefix(line, "limpet_last_row_timestamp_seconds "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				return 0
			}
			return int64(v)
		}
	}
	return 0
}
