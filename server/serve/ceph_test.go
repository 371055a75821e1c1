package serve

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/scrape"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// cephTopology describes the hosts of the recorded Ceph: an OSD on each.
const cephTopology = `name: bench
servers: s[1-6]
kind: ceph
redundancy: 3 replicas
drives:
  - {servers: s1, devices: loop1, sets: data, peers: set}
  - {servers: s2, devices: loop3, sets: data, peers: set}
  - {servers: s3, devices: loop5, sets: data, peers: set}
  - {servers: s4, devices: loop7, sets: data, peers: set}
  - {servers: s5, devices: loop9, sets: data, peers: set}
  - {servers: s6, devices: loop11, sets: data, peers: set}
parts:
  s1/loop1: {volume: osd.0}
  s2/loop3: {volume: osd.1}
  s3/loop5: {volume: osd.2}
  s4/loop7: {volume: osd.3}
  s5/loop9: {volume: osd.4}
  s6/loop11: {volume: osd.5}
`

// scraped makes activity files of recorded scrapes of a real Ceph 16.2.15 and of its hosts, every five
// seconds for four minutes. After 63 s, each request to the disk of osd.5 took 174 ms longer. The series
// of hosts are counters of limpet-record under the names of node_exporter. The caller chooses
// the targets: m is the manager, s1 to s6 are hosts.
func scraped(t *testing.T, chosen func(target string) bool) (dir string) {
	t.Helper()
	data, err := os.ReadFile("testdata/ceph-slow-osd5.prom.zst")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	spool, err := exporter.Open(dir, exporter.DefaultSpoolOptions())
	if err != nil {
		t.Fatal(err)
	}
	assembler, err := exporter.New(exporter.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split("\n"+string(text), "\n2026-")[1:] {
		head, exposition, _ := strings.Cut(block, "\n")
		when, target, _ := strings.Cut("2026-"+head, " ")
		at, err := time.Parse(time.RFC3339, when)
		if err != nil {
			t.Fatal(err)
		}
		if !chosen(target) {
			continue
		}
		batch, err := scrape.Parse([]byte(exposition), map[string]string{"instance": target + ":9100", "job": "recorded"}, "instance", at)
		if err != nil {
			t.Fatal(err)
		}
		if _, why := assembler.Take(batch, exporter.Sender{Name: target}, at); why != "" {
			t.Fatal(why)
		}
		if err := assembler.Flush(spool, at, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := spool.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// servedOnce serves files once and returns the report.
func servedOnce(t *testing.T, dir string, withTopology bool) string {
	t.Helper()
	c := config.Default()
	c.Directories, c.State, c.Push = []string{dir}, filepath.Join(t.TempDir(), "state"), false
	if withTopology {
		c.Topology = filepath.Join(t.TempDir(), "ceph.yaml")
		if err := os.WriteFile(c.Topology, []byte(cephTopology), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := Once(t.Context(), c, Options{Version: "1.2.3", Now: time.Now, Report: func(string) {}, Stdout: io.Discard, Stderr: io.Discard}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestCeph: of recorded scrapes of a real Ceph, serve names the slow OSD and no other, and says that its
// device is slow.
func TestCeph(t *testing.T) {
	text := servedOnce(t, scraped(t, func(string) bool { return true }), true)
	for _, want := range []string{
		"OSD osd.5: slow OSD, since 2026-11-18 06:03Z",
		"device s6/loop11 of the daemon took", "a sign that the device is slow, not the daemon",
		"Ruled out: workload (",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, healthy := range []string{"osd.0", "osd.1", "osd.2", "osd.3", "osd.4", "silent server"} {
		if strings.Contains(text, healthy) {
			t.Errorf("%s is named in:\n%s", healthy, text)
		}
	}
}

// TestCephAlone: without data of hosts, the OSD is named, and its device is not checked.
func TestCephAlone(t *testing.T) {
	text := servedOnce(t, scraped(t, func(target string) bool { return target == "m" }), false)
	for _, want := range []string{"OSD osd.5: slow OSD", "Not checked: device, network and daemon (limpet has no data about the device from its host at this time: record on the host too)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
