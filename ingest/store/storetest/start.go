package storetest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/internal/post"
)

// Stores that can be started.
const (
	Prometheus      = "prometheus"
	VictoriaMetrics = "victoria-metrics"
	Mimir           = "mimir" // as three nodes
)

// Program finds a program, or skips the test.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// Start starts a store that keeps nothing beyond the test, and returns its address.
// Prometheus scrapes as the rest of its configuration says.
func Start(t testing.TB, name, config string) string {
	t.Helper()
	if name == Mimir {
		return startMimir(t)
	}
	program, address, dir := Program(t, name), FreeAddress(t), t.TempDir()
	args := []string{"-storageDataPath=" + dir, "-httpListenAddr=" + address, "-retentionPeriod=100y", "-search.maxUniqueTimeseries=1000000", "-search.latencyOffset=0s"}
	if name == Prometheus {
		file := filepath.Join(dir, "prometheus.yml")
		if err := os.WriteFile(file, []byte("global: {scrape_interval: 15s}\n"+config), 0o644); err != nil {
			t.Fatal(err)
		}
		args = []string{"--config.file=" + file, "--storage.tsdb.path=" + dir, "--web.listen-address=" + address, "--web.enable-remote-write-receiver", "--storage.tsdb.retention.time=100y"}
	}
	run(t, program, args...)
	url := "http://" + address
	await(t, name, url+map[bool]string{true: "/-/ready", false: "/health"}[name == Prometheus])
	return url
}

// run runs a program until the test ends.
func run(t testing.TB, program string, args ...string) {
	t.Helper()
	runIn(t, "", program, args...)
}

// runIn runs it in a directory.
func runIn(t testing.TB, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(program), said.String())
		}
	})
}

// patience is for how long a loaded machine may take.
const patience = 60 * time.Second

func await(t testing.TB, name, url string) {
	t.Helper()
	const pause = 20 * time.Millisecond
	for range patience / pause {
		time.Sleep(pause)
		if r, err := http.Get(url); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatalf("%s does not answer at %s", name, url)
}

// FreeAddress is one that nobody listens at.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A Loader fills a store, some samples at a time.
type Loader struct {
	writer  remotewrite.Writer
	series  []remotewrite.Series
	samples int
	Sent    int
}

// NewLoader fills the store at an address.
func NewLoader(url string) (*Loader, error) {
	path := remotewrite.Path
	if base, ok := strings.CutSuffix(url, mimirPath); ok {
		url, path = base, "api/v1/push"
	}
	client, err := post.New(post.Options{URL: url, Timeout: patience})
	if err != nil {
		return nil, err
	}
	return &Loader{writer: remotewrite.Writer{Client: client, Path: path, Header: http.Header{"X-Scope-Orgid": {Tenant}}}}, nil
}

// atOnce is how many samples are sent at a time.
const atOnce = 20_000

// Add adds samples of a series.
func (l *Loader) Add(ctx context.Context, s remotewrite.Series) error {
	l.series = append(l.series, s)
	if l.samples += len(s.Samples); l.samples < atOnce {
		return nil
	}
	return l.Flush(ctx)
}

// Flush sends what waits.
func (l *Loader) Flush(ctx context.Context) error {
	if len(l.series) == 0 {
		return nil
	}
	err := l.writer.Write(ctx, l.series)
	if err != nil {
		return fmt.Errorf("after %d samples: %w", l.Sent, err)
	}
	l.Sent += l.samples
	l.series, l.samples = l.series[:0], 0
	return nil
}
