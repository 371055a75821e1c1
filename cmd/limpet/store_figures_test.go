package main

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/store/storetest"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// measured runs a command to its end, and logs what it took: time, CPU and the most
// memory.
func measured(t *testing.T, what string, cmd *exec.Cmd, out io.Writer) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &said
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	ended, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- peakOf(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	took := time.Since(begun)
	close(ended)
	if err != nil {
		t.Fatalf("%s: %v: %s", what, err, said.String())
	}
	of := cmd.ProcessState
	t.Logf("%s: %.1f s, CPU %.1f s, at most %d MB", what, took.Seconds(), (of.UserTime() + of.SystemTime()).Seconds(), <-peak)
}

// peakOf is the most memory in MB that a process had until it ended, by Linux; 0 elsewhere. What
// the kernel says after its end counts the memory of whoever started it.
func peakOf(pid int, ended <-chan struct{}) (peak int64) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			_, rest, _ := strings.Cut(string(text), "VmHWM:")
			kB, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
			peak = max(peak, kB>>10)
		}
		select {
		case <-look.C:
		case <-ended:
			return peak
		}
	}
}

// apart is what limpet diagnose says in a process of its own, which is this program by
// another name.
func apart(t *testing.T, what string, args ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Args = append([]string{"limpet", "diagnose", "-o", "json"}, args...)
	var out strings.Builder
	measured(t, what, cmd, &out)
	return out.String()
}

// byCurl has curl fetch the samples of servers, an hour of one at a time, or a day where
// the store has an export: what the fetching alone takes.
func byCurl(t *testing.T, name, at string, servers []string, from, to time.Time) {
	t.Helper()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Log("curl is not installed: fetching alone is not measured")
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "silent\nfail\nheader = \"X-Scope-OrgID: %s\"\n", storetest.Tenant)
	for _, server := range servers {
		series := fmt.Sprintf(`{instance="%s:9100"}`, server)
		if name == storetest.VictoriaMetrics {
			q := url.Values{"match[]": {series}, "start": {fmt.Sprint(from.Unix())}, "end": {fmt.Sprint(to.Unix())}}
			fmt.Fprintf(&text, "url = \"%s/api/v1/export?%s\"\noutput = /dev/null\n", at, q.Encode())
			continue
		}
		for hour := from; hour.Before(to); hour = hour.Add(time.Hour) {
			q := url.Values{"query": {series + "[1h]"}, "time": {fmt.Sprint(hour.Add(time.Hour).Unix())}}
			fmt.Fprintf(&text, "url = \"%s/api/v1/query?%s\"\noutput = /dev/null\n", at, q.Encode())
		}
	}
	file := filepath.Join(t.TempDir(), "curl")
	writeText(t, file, text.String())
	measured(t, name+", fetched by curl and thrown away", exec.Command(curl, "-K", file), io.Discard)
}

// serversOf are those of activity files.
func serversOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, simulate.ActivityDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		server, _, _ := strings.Cut(filepath.Base(path), "-")
		list = append(list, server)
	}
	return list
}
