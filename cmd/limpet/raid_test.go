//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/raid/replay"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/render"
)

// serving starts `limpet raid serve` over six new files, and returns by what
// clients know the export. At the end of the test it is interrupted, and what
// it leaves is scrubbed.
func serving(t *testing.T, listen string, flags ...string) (uri string) {
	t.Helper()
	uri, _, _ = servingMembers(t, listen, flags...)
	return uri
}

// servingMembers returns the files too, and what is said on standard error
// until it is interrupted.
func servingMembers(t *testing.T, listen string, flags ...string) (uri string, members []string, trouble *complaints) {
	t.Helper()
	dir := t.TempDir()
	trouble = &complaints{}
	for _, name := range []string{"d0", "d1", "d2", "d3", "p", "q"} {
		members = append(members, filepath.Join(dir, name))
	}
	said(t, append([]string{"raid", "create", "--size", "6152K"}, members...)...)
	ctx, stop := context.WithCancel(context.Background())
	said, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		args := append(append([]string{"raid", "serve", "--listen", listen}, flags...), members...)
		ended <- run(ctx, args, strings.NewReader(""), out, trouble)
		out.Close()
	}()
	lines := bufio.NewScanner(said)
	t.Cleanup(func() {
		stop()
		last := ""
		for lines.Scan() {
			last = lines.Text()
		}
		if code := <-ended; code != 0 || !strings.Contains(last, "It avoided slow drives ") {
			t.Errorf("interrupted, it exits with %d, says %q and %s", code, last, trouble.String())
		}
		var scrubbed bytes.Buffer
		if code := run(context.Background(), append([]string{"raid", "scrub"}, members...), nil, &scrubbed, &scrubbed); code != 0 {
			t.Errorf("what it left: %s", scrubbed.String())
		}
	})
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "serving 16 MiB at ") {
		t.Fatalf("it says %q and %s", lines.Text(), trouble.String())
	}
	return strings.TrimPrefix(lines.Text(), "serving 16 MiB at "), members, trouble
}

// complaints may be read while they are written.
type complaints struct {
	mu   sync.Mutex
	text strings.Builder
}

func (c *complaints) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

func (c *complaints) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// TestRaidServeFailingMember cuts a file that is served: its reads fail, and
// that is seen in the metrics and said once.
func TestRaidServeFailingMember(t *testing.T) {
	needs(t, "nbdcopy")
	metrics := freePort(t)
	uri, members, trouble := servingMembers(t, "unix:"+filepath.Join(t.TempDir(), "s"), "--metrics", metrics, "--policy", "normal")
	whole, err := os.ReadFile(members[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(members[1], 3<<20); err != nil {
		t.Fatal(err)
	}
	back := filepath.Join(t.TempDir(), "back")
	externalTool(t, "nbdcopy", uri, back)
	if got, err := os.ReadFile(back); err != nil || !bytes.Equal(got, make([]byte, 16<<20)) {
		t.Errorf("what came back is not what the array held: %v", err)
	}
	if said := trouble.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "warning: member 1 ("+members[1]+"): a read failed: ") {
		t.Errorf("it says %q", said)
	}
	r, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	counted := regexp.MustCompile(`limpet_raid_member_errors_total\{member="1",name="[^"]+",op="read"\} [1-9]`)
	if err != nil || !counted.Match(text) {
		t.Errorf("no errors are counted: %v\n%s", err, text)
	}
	if err := os.WriteFile(members[1], whole, 0o600); err != nil { // in place, as it was
		t.Fatal(err)
	}
}

// externalTool runs a program, or skips the test where it is not installed.
func externalTool(t *testing.T, name string, args ...string) string {
	t.Helper()
	needs(t, name)
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// needs skips a test for want of a tool.
func needs(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

// freePort is one that nobody listens on at present.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// image is a file as long as the array.
func image(t *testing.T) (path string, content []byte) {
	t.Helper()
	content = make([]byte, 16<<20)
	rand.NewChaCha8([32]byte{8}).Read(content)
	path = filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, content
}

// TestRaidServeNbdcopy copies an image in and out through a Unix socket, with a
// drive that is always ten times slower, and finds in the metrics that it was
// gone around.
func TestRaidServeNbdcopy(t *testing.T) {
	metrics := freePort(t)
	uri := serving(t, "unix:"+filepath.Join(t.TempDir(), "s"), "--metrics", metrics, "--policy", "adaptive",
		"--delay", "periodic:member=2,slow=10,for=50m-1h,every=61m-61m,share=0.95")
	path, want := image(t)
	externalTool(t, "nbdcopy", "--flush", path, uri)
	back := filepath.Join(t.TempDir(), "back")
	externalTool(t, "nbdcopy", uri, back)
	if got, err := os.ReadFile(back); err != nil || !bytes.Equal(got, want) {
		t.Errorf("what came back is not what went in: %v", err)
	}
	r, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var bypassed, reads int
	for line := range strings.Lines(string(text)) {
		if _, value, ok := strings.Cut(line, "} "); ok && strings.HasPrefix(line, `limpet_raid_bypassed_reads_total{member="2",`) {
			fmt.Sscan(value, &bypassed)
		}
		fmt.Sscanf(line, "limpet_nbd_request_seconds_count{op=\"read\"} %d", &reads)
	}
	if bypassed == 0 || reads == 0 {
		t.Errorf("%d of %d reads were done without the slow drive:\n%s", bypassed, reads, text)
	}
}

func TestRaidServeNbdinfo(t *testing.T) {
	uri := serving(t, freePort(t), "--name", "hidden", "--read-only")
	if got := externalTool(t, "nbdinfo", "--size", uri); strings.TrimSpace(got) != fmt.Sprint(16<<20) {
		t.Errorf("nbdinfo sees %s bytes", got)
	}
	if got := externalTool(t, "nbdinfo", uri); !strings.Contains(got, `export="hidden"`) || !strings.Contains(got, "is_read_only: true") {
		t.Errorf("nbdinfo sees %s", got)
	}
}

func TestRaidServeQemuImg(t *testing.T) {
	uri := serving(t, freePort(t), "--policy", "proactive2")
	path, _ := image(t)
	externalTool(t, "qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", path, uri)
	if got := externalTool(t, "qemu-img", "compare", "-f", "raw", "-F", "raw", path, uri); !strings.Contains(got, "identical") {
		t.Error(got)
	}
}

// TestRaidServeFio writes at random with several requests under way and
// verifies.
func TestRaidServeFio(t *testing.T) {
	if engines := externalTool(t, "fio", "--enghelp"); !strings.Contains(engines, "nbd") {
		t.Skip("fio has no nbd engine")
	}
	uri := serving(t, "unix:"+filepath.Join(t.TempDir(), "s"), "--policy", "hedge", "--delay", "rare")
	externalTool(t, "fio", "--name=verify", "--ioengine=nbd", "--uri="+uri, "--rw=randwrite", "--bsrange=512-64k", "--blockalign=512",
		"--size=4m", "--iodepth=16", "--verify=crc32c", "--verify_fatal=1", "--randseed=1")
}

// TestDelayOfStudy takes the slowdowns of drives from what a study wrote.
func TestDelayOfStudy(t *testing.T) {
	curve := study.Curve{Name: "S", Points: []study.Point{{X: 0.5, Y: 0.2}, {X: 1, Y: 0.9}, {X: 1.2, Y: 0.91}, {X: 2, Y: 0.99}, {X: 9, Y: 0.999}, {X: 20, Y: 1}}}
	r := &render.Result{Findings: &study.Findings{Parts: []*study.Part{{
		Direction: "all", Kind: "disk", DriveHours: 100_000,
		Charts: []study.Chart{{Name: "slowdown-cdf", Curves: []study.Curve{curve}}},
	}}}}
	path := filepath.Join(t.TempDir(), "fleet.json")
	var b bytes.Buffer
	if err := render.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f := delayFlags{path}
	d, err := f.distribution(7)
	if err != nil || d.Seed != 7 || d.Validate() != nil {
		t.Fatalf("%v, %v", d, err)
	}
	var slowdowns []float64
	for _, q := range d.Quantiles {
		slowdowns = append(slowdowns, q.Slowdown)
	}
	if want := []float64{1, 2, 9}; !reflect.DeepEqual(slowdowns, want) || d.Kind != replay.KindQuantiles {
		t.Errorf("got %v, want quantiles at %v", d, want)
	}
	if _, err := (&delayFlags{"image.json"}).distribution(1); err == nil {
		t.Error("a file that is not there is no mistake")
	}
}
