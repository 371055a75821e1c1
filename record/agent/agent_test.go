package agent

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// levelAbove finds lines of a log that tell of trouble.
var levelAbove = regexp.MustCompile(`level=(WARN|ERROR)`)

// A journal is a log that may be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// TestRun records a small machine until it is told to end, and hears what the
// service manager, Prometheus and the file are told.
func TestRun(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	conn := listen(t, socket)
	t.Setenv("NOTIFY_SOCKET", socket)
	t.Setenv("WATCHDOG_USEC", "30000000")
	t.Setenv("WATCHDOG_PID", "")
	connect(t)
	o := plant(t)
	o.TCP.Loopback = true
	o.Record.Interval = 10 * time.Millisecond
	o.Listen = "127.0.0.1:0"
	var log journal
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, o, io.Discard, &log) }()
	first, _ := next(t, conn, 10*time.Second)
	if got := append([]string{first}, told(t, conn)...); !slices.Equal(got, []string{"READY=1", "WATCHDOG=1"}) {
		t.Errorf("at first told %q", got)
	}
	metrics := scrape(t, log.String())
	for _, want := range []string{`limpet_disk_ios_total{device="sda"} 150`, `node_disk_reads_completed_total{device="sda"} 100`, `node_disk_writes_completed_total{device="sda"} 50`, "process_resident_memory_bytes ", "limpet_record_programs_seconds_total "} {
		if !strings.Contains(metrics, want) {
			t.Errorf("%s is not in\n%s", want, metrics)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := told(t, conn); !slices.Equal(got, []string{"STOPPING=1"}) {
		t.Errorf("at last told %q", got)
	}
	checkFile(t, o, !strings.Contains(log.String(), "load the module tcp_diag"))
}

// scrape asks at the address that the log names.
func scrape(t *testing.T, log string) string {
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(log)
	resp, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatalf("%v, the log is\n%s", err, log)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// checkFile reads back what was recorded, with connections where the kernel
// has told of any.
func checkFile(t *testing.T, o Options, connected bool) {
	files, err := filepath.Glob(filepath.Join(o.Record.Dir, o.Record.File.Hostname+"-*Z.sa"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, error %v", files, err)
	}
	r, err := sysstat.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	samples := 0
	for rec, err := r.Next(); !errors.Is(err, io.EOF); rec, err = r.Next() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == sysstat.Stats {
			samples++
			if _, count, size := rec.Items(tcpstat.ID); (count > 0) != connected || connected && size != tcpstat.Size {
				t.Errorf("sample %d has %d remote hosts of %d bytes", samples, count, size)
			}
		}
	}
	if d, _ := r.Inventory().Device(8, 0); r.Header().CPUs != 2 || d.Model != "ST2000 X" || samples < 2 || len(r.Warnings()) > 0 {
		t.Errorf("%d samples, %d CPUs, device %+v, warnings %v", samples, r.Header().CPUs, d, r.Warnings())
	}
}

func TestRunRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for want, change := range map[string]func(*Options){
		"choose another address": func(o *Options) { o.Listen = taken.Addr().String() },
		"that /proc is mounted":  func(o *Options) { o.Kernel.Root = filepath.Join(o.Kernel.Root, "sys") },
		"not a directory":        func(o *Options) { o.Record.Dir = filepath.Join(o.Kernel.Root, "proc/stat/rec") },
		"the setting interval must be between 1ms and 1h0m0s, not 0s": func(o *Options) { o.Record.Interval = 0 },
		"uses the file: stop the other ":                              func(o *Options) { occupy(t, o) },
	} {
		o := plant(t)
		o.NoTCP = true
		change(&o)
		if err := Run(t.Context(), o, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// occupy has another recorder write the file of now.
func occupy(t *testing.T, o *Options) {
	other, ctx := *o, t.Context()
	other.Record.Interval = 10 * time.Millisecond
	var running sync.WaitGroup
	running.Go(func() { _ = Run(ctx, other, io.Discard, io.Discard) })
	t.Cleanup(running.Wait)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(o.Record.Dir, "*.sa")); len(files) > 0 {
			return
		}
	}
	t.Fatal("the other recorder does not begin")
}

func TestHint(t *testing.T) {
	denied := &fs.PathError{Op: "mkdir", Path: "/var/log/limpet", Err: fs.ErrPermission}
	if err := withHint(denied); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "/var/log/limpet: permission denied: record as a user who may write to this directory") {
		t.Error(err)
	}
	if other := errors.New("other"); withHint(other) != other || withHint(nil) != nil {
		t.Error("a hint where none helps")
	}
}
