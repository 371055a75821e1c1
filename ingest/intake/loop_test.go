package intake

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/scrape"
	"github.com/limpet-storage/limpet/record/agent"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// loops makes loop devices, which end with the test, and works on them until
// then.
func loops(t *testing.T, n int) (names []string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes loop devices")
	}
	var stop atomic.Bool
	for range n {
		file := filepath.Join(t.TempDir(), "disk")
		if err := os.WriteFile(file, make([]byte, 8<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("losetup", "--find", "--show", "--direct-io=on", file).CombinedOutput()
		if err != nil {
			t.Skipf("no loop devices: %v %s", err, out)
		}
		path := strings.TrimSpace(string(out))
		device, err := os.OpenFile(path, os.O_RDWR|os.O_SYNC, 0)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			block := make([]byte, 4096)
			for i := int64(0); !stop.Load(); i++ {
				device.WriteAt(block, i%2000*4096)
				time.Sleep(3 * time.Millisecond)
			}
		}()
		t.Cleanup(func() {
			stop.Store(true)
			<-done
			device.Close()
			exec.Command("losetup", "--detach", path).Run()
		})
		names = append(names, filepath.Base(path))
	}
	return names
}

// TestLoopTwin: what the kernel counts of real devices is recorded and exposed
// at once; the endpoint, pulled over HTTP and spooled, gives the rows of the
// record.
func TestLoopTwin(t *testing.T) {
	t.Parallel()
	names := loops(t, 3)
	k, err := kernel.Open(kernel.Options{Root: "/", Devices: names})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	inventory, err := k.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	var known sysstat.Inventory
	for _, c := range inventory {
		known.Add(c)
	}
	e := agent.NewExporter("fs1")
	e.Completed = k.Completed
	e.Name = known.Name
	recorded := t.TempDir()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", time.Now()
	f, err := os.Create(filepath.Join(recorded, "fs1-20260301T120000Z.sa"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range inventory {
		if strings.HasPrefix(c, "dev ") {
			w.WriteComment(o.Created, c)
		}
	}
	var samples atomic.Int64
	endpoint := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		var s sysstat.Sample
		up, err1 := k.Uptime()
		err2 := k.Sample(&s)
		now := time.Now()
		if err := w.WriteStats(now, up, &s); err1 != nil || err2 != nil || err != nil {
			t.Error(err1, err2, err)
		}
		samples.Add(1)
		e.Hear(now, up, &s)
		e.ServeHTTP(rw, r)
	}))
	j := scrape.DefaultJob()
	j.Name, j.Interval, j.Timeout = "limpet", time.Second, time.Second
	j.Targets, j.Labels = []string{endpoint.Listener.Addr().String()}, map[string]string{"instance": "fs1:9101"}
	in, spooled, _ := listening(t, []scrape.Job{j})
	await(t, in, "fs1", 4)
	endpoint.Close() // no more is recorded
	for range 100 {
		if in.Status()[1].Records == uint64(samples.Load()) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	system, _, err := topology.Parse("loops.yaml", []byte(fmt.Sprintf("servers: [fs1]\ndrives:\n  - devices: [%s]\n    peers: all\n", strings.Join(names, ", "))))
	if err != nil {
		t.Fatal(err)
	}
	metrics := []string{"rd_sec", "wr_sec", "avgrq-sz", "avgqu-sz", "await", "svctm", "%util"}
	want, schema := rows(t, recorded, system, metrics, 1)
	got, _ := rows(t, spooled, system, metrics, 1)
	if n := same(t, system, schema, want, got); n < 2*3*8 || len(got) != len(want) {
		t.Errorf("only %d values were compared, %d rows and %d", n, len(want), len(got))
	}
	if t.Failed() {
		t.Logf("%+v", in.Status())
	}
}
