package intake

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/scrape"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// program finds a program by one of its names, or skips the test.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", names[0])
	return ""
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

// start runs a program until the test ends.
func start(t *testing.T, path string, args ...string) {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(path), said.String())
		}
	})
}

func startNodeExporter(t *testing.T) (address string) {
	t.Helper()
	address = freeAddress(t)
	start(t, program(t, "prometheus-node-exporter", "node_exporter"), "--web.listen-address="+address,
		"--collector.disable-defaults", "--collector.diskstats", "--collector.netdev", "--collector.netclass",
		"--collector.time", "--collector.stat", "--collector.uname", "--collector.meminfo")
	for range 100 {
		if r, err := http.Get("http://" + address + "/metrics"); err == nil {
			r.Body.Close()
			return address
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("node_exporter does not answer")
	return ""
}

// listening is an intake that runs, and the URL that is pushed to.
func listening(t *testing.T, jobs []scrape.Job) (in *Intake, dir, url string) {
	t.Helper()
	dir = t.TempDir()
	o := DefaultOptions()
	o.Now = time.Now
	o.Exporter.Wait = 1500 * time.Millisecond
	o.Jobs = jobs
	o.Report = func(text string) { t.Log(text) }
	in, err := New(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { in.Run(ctx); close(done) }()
	s := httptest.NewServer(in.Handler())
	t.Cleanup(func() { s.Close(); cancel(); <-done; in.Close() })
	return in, dir, s.URL + "/api/v1/write"
}

// await waits until a machine has so many records, and returns its status.
func await(t *testing.T, in *Intake, server string, records uint64) SourceStatus {
	t.Helper()
	var last []SourceStatus
	for range 150 {
		last = in.Status()
		for _, s := range last {
			if s.Kind == Machine && s.Name == server && s.Records >= records {
				return s
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s has not got %d records: %+v", server, records, last)
	return SourceStatus{}
}

// showsThisMachine holds the files against /proc/diskstats.
func showsThisMachine(t *testing.T, dir, server string) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, server+"-*.sa"))
	if len(paths) == 0 {
		t.Fatal("no files")
	}
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found := map[string]int{}
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		if boot := rec.Time - int64(rec.Uptime)/100; time.Since(time.Unix(boot, 0)) < 0 || rec.Uptime == 0 {
			t.Errorf("uptime %d", rec.Uptime)
		}
		for _, name := range r.Inventory().Names(rec.Disks(nil), nil) {
			found[name]++
		}
		if len(rec.Interfaces(nil)) == 0 {
			t.Error("a record without interfaces")
		}
	}
	text, _ := os.ReadFile("/proc/diskstats")
	for line := range strings.Lines(string(text)) {
		w := strings.Fields(line)
		if strings.HasPrefix(w[2], "loop") || strings.HasPrefix(w[2], "ram") || w[3] == "0" || strings.TrimRight(w[2], "0123456789") != w[2] {
			continue
		}
		if found[w[2]] < 2 {
			t.Errorf("%s is in %d records: %v", w[2], found[w[2]], found)
		}
	}
	t.Logf("records by device: %v", found)
}

// TestPrometheus: a real Prometheus that scrapes a real node_exporter pushes
// this machine into the files.
func TestPrometheus(t *testing.T) {
	prometheus := program(t, "prometheus")
	t.Parallel()
	exporter := startNodeExporter(t)
	in, dir, url := listening(t, nil)
	config := filepath.Join(t.TempDir(), "prometheus.yml")
	write(t, config, fmt.Sprintf(`global: {scrape_interval: 1s, external_labels: {prometheus: here}}
remote_write: [{url: %q, queue_config: {batch_send_deadline: 200ms, max_samples_per_send: 100, min_shards: 3}}]
scrape_configs: [{job_name: node, static_configs: [{targets: [%q]}]}]
`, url, exporter))
	start(t, prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(t.TempDir(), "data"), "--web.listen-address="+freeAddress(t))
	s := await(t, in, "127.0.0.1", 3)
	showsThisMachine(t, dir, "127.0.0.1")
	t.Logf("%+v", s)
}

// TestVMAgent: so does vmagent.
func TestVMAgent(t *testing.T) {
	vmagent := program(t, "vmagent")
	t.Parallel()
	exporter := startNodeExporter(t)
	in, dir, url := listening(t, nil)
	config := filepath.Join(t.TempDir(), "scrape.yml")
	write(t, config, fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs: [{job_name: node, static_configs: [{targets: [%q]}]}]\n", exporter))
	start(t, vmagent, "-promscrape.config="+config, "-remoteWrite.url="+url, "-remoteWrite.flushInterval=200ms",
		"-remoteWrite.tmpDataPath="+t.TempDir(), "-httpListenAddr="+freeAddress(t))
	s := await(t, in, "127.0.0.1", 3)
	showsThisMachine(t, dir, "127.0.0.1")
	t.Logf("%+v", s)
}

// TestPullNodeExporter: and so it is pulled, without anyone between.
func TestPullNodeExporter(t *testing.T) {
	program(t, "prometheus-node-exporter", "node_exporter")
	t.Parallel()
	j := scrape.DefaultJob()
	j.Name, j.Interval, j.Timeout = "node", time.Second, time.Second
	j.Targets = []string{startNodeExporter(t)}
	in, dir, _ := listening(t, []scrape.Job{j})
	await(t, in, "127.0.0.1", 3)
	showsThisMachine(t, dir, "127.0.0.1")
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
