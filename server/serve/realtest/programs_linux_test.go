package realtest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a program may take to come up.
const patience = time.Minute

// installed are those of some programs that can be found: paths, or names and paths as
// vmagent-1.140.0=/opt/vmagent, apart by commas. What is absent is named.
func installed(t *testing.T, names string) (list []program) {
	t.Helper()
	for entry := range strings.SplitSeq(names, ",") {
		name, file, isNamed := strings.Cut(entry, "=")
		if !isNamed {
			file = entry
		}
		path, err := exec.LookPath(file)
		if err != nil {
			t.Logf("%s is not installed", file)
			continue
		}
		if !isNamed {
			name = filepath.Base(path) + "-" + versionOf(path)
		}
		list = append(list, program{path, name})
	}
	if len(list) == 0 {
		t.Skipf("none of %s is installed", names)
	}
	return list
}

type program struct {
	path string
	name string // with its version
}

var versionNumber = regexp.MustCompile(`[0-9]+\.[0-9]+\.[0-9]+`)

// versionOf asks a program for its version.
func versionOf(path string) string {
	for _, flag := range []string{"--version", "-version"} {
		out, _ := exec.Command(path, flag).CombinedOutput()
		if found := versionNumber.Find(out); found != nil {
			return string(found)
		}
	}
	return "unknown"
}

// start runs a program until the test ends.
func start(t *testing.T, path string, args ...string) {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.Create(filepath.Join(cmd.Dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Skipf("%s: %v", path, err)
	}
	t.Cleanup(sync.OnceFunc(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		late := time.AfterFunc(10*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		_ = cmd.Wait() // it was told to end
		late.Stop()
		if text, err := os.ReadFile(log.Name()); err == nil && (t.Failed() || testing.Verbose()) {
			t.Logf("%s said at its end:\n%s", filepath.Base(path), text[max(0, len(text)-1500):])
		}
		log.Close()
	}))
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// answers waits until a program answers with success.
func answers(t *testing.T, url string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		r, err := http.Get(url)
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
			err = fmt.Errorf("it answers %s", r.Status)
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %v", url, err)
		}
	}
}

// write makes a file of the test.
func write(t *testing.T, name, format string, args ...any) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, fmt.Appendf(nil, format, args...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// startExporter runs node_exporter with loop devices.
func startExporter(t *testing.T, p program) (address string) {
	t.Helper()
	address = freeAddress(t)
	start(t, p.path, "--web.listen-address="+address, "--collector.disable-defaults", "--collector.diskstats",
		"--collector.diskstats.device-exclude=^(ram|sr|fd)[0-9]+$", "--collector.time", "--collector.stat", "--collector.uname")
	answers(t, "http://"+address+"/metrics")
	return address
}

// scrapes is the part of a configuration that Prometheus and vmagent share.
const scrapes = `global: {scrape_interval: 5s, scrape_timeout: 5s}
scrape_configs: [{job_name: node, static_configs: [{targets: [%q], labels: {instance: "storage1:9100"}}]}]
`

// startPrometheus has Prometheus push what an exporter counts.
func startPrometheus(t *testing.T, p program, exporter, to string) {
	t.Helper()
	config := write(t, "prometheus.yml", scrapes+"remote_write: [{url: %q, queue_config: {batch_send_deadline: 1s}}]\n", exporter, to)
	start(t, p.path, "--config.file="+config, "--storage.tsdb.path="+t.TempDir(), "--web.listen-address="+freeAddress(t))
}

// startVMAgent has vmagent do so.
func startVMAgent(t *testing.T, p program, exporter, to string) {
	t.Helper()
	config := write(t, "scrape.yml", scrapes, exporter)
	start(t, p.path, "-promscrape.config="+config, "-remoteWrite.url="+to, "-remoteWrite.tmpDataPath="+t.TempDir(), "-httpListenAddr="+freeAddress(t))
}
