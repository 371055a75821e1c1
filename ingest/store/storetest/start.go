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

// Names of the stores that Start can start.
const (
	Prometheus      = "prometheus"
	VictoriaMetrics = "victoria-metrics"
	Mimir           = "mimir" // a Mimir of three nodes
)

// Program returns the path of a program. If the program is not installed, the test is
// skipped.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// Start starts a store, and returns the address of the store. The store keeps its data in a
// temporary directory of the test. The given configuration is appended to the configuration of
// Prometheus.
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

// runIn runs a program in a directory until the test ends.
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
		_ = cmd.Wait() // the error reports only that the program was killed
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(program), said.String())
		}
	})
}

// patience is the longest time that a store may take to start on a busy
// machine.
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

// FreeAddress returns an address at which no program listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A Loader writes samples into a store. It sends many samples in one request.
type Loader struct {
	writer  remotewrite.Writer
	series  []remotewrite.Series
	samples int // number of samples in Loader.series
	Sent    int // number of samples that were sent
}

// NewLoader returns a Loader for the store at an address.
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

// atOnce is the number of collected samples at which the Loader sends a request.
const atOnce = 20_000

// Add adds samples of a series. It sends the collected samples if their number is at least atOnce.
func (l *Loader) Add(ctx context.Context, s remotewrite.Series) error {
	l.series = append(l.series, s)
	if l.samples += len(s.Samples); l.samples < atOnce {
		return nil
	}
	return l.Flush(ctx)
}

// Flush sends all collected samples.
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
