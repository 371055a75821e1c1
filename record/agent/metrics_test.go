package agent

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

var _ record.Listener = (*Exporter)(nil)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 250e6, time.UTC)

// fullSample is a sample with all that may be known of its things, and with some
// of which little is.
func fullSample() *sysstat.Sample {
	s := &sysstat.Sample{
		Disks: []sysstat.Disk{
			{
				Major: 8, Minor: 0, WWN: [2]uint64{0x5000c500a1b2c3d4}, IOs: 112133,
				ReadSectors: 1847102, WriteSectors: 3184522, DiscardSectors: 64,
				ReadTicks: 9120, WriteTicks: 71245, DiscardTicks: 3, BusyTicks: 60212, QueueTicks: 1<<32 - 1,
			},
			{Major: 253, Minor: 3, WWN: [2]uint64{0x600605b00a2bdf00, 0x242b28c10dcb1999}, IOs: 1},
			{Major: 259, Minor: 0, IOs: 1 << 53, ReadSectors: 1 << 50},
		},
		Interfaces: []sysstat.Interface{
			{Name: "lo", RxPackets: 7, TxPackets: 7, RxBytes: 700, TxBytes: 700},
			{
				Name: "eth0", RxPackets: 40245, TxPackets: 42192, RxBytes: 627947667, TxBytes: 4059914,
				RxCompressed: 1, TxCompressed: 2, Multicast: 3, SpeedMbit: 25000, Duplex: sysstat.FullDuplex,
			},
		},
		InterfaceErrors: []sysstat.InterfaceErrors{
			{Name: "lo"},
			{Name: "eth0", Collisions: 1, RxErrors: 2, TxErrors: 3, RxDropped: 4, TxDropped: 5, RxFIFO: 6, TxFIFO: 7, RxFrame: 8, TxCarrier: 9},
		},
	}
	s.Custom = [][]byte{nil}
	for _, p := range []tcpstat.Peer{
		{Remote: netip.MustParseAddr("10.0.0.3"), Sockets: 2, Cwnd: 10.5, RTT: 0.00021, Retrans: 4, Delivered: 500, Sent: 700000, Received: 900, CwndDelivered: 6000, Control: tcpstat.ControlOf("bbr")},
		{Remote: netip.MustParseAddr("10.0.0.3"), Dialled: true, Retrans: 5, Delivered: 6, Sent: 7, Received: 8},
		{Remote: netip.MustParseAddr("fd00::7"), Dialled: true, Sockets: 1, Cwnd: 1, RTT: 1.5},
	} {
		s.Custom[0] = tcpstat.Append(s.Custom[0], &p)
	}
	return s
}

// names is what the kernel of server would call its devices.
func names(major, _ uint32) string {
	return map[uint32]string{253: "dm-3", 259: "nvme0n1"}[major]
}

// done is what it would say of their I/Os.
func done(i int) (reads, writes, discards uint64) {
	return []uint64{24012, 1, 1 << 52}[i], []uint64{88120, 0, 1 << 52}[i], []uint64{1, 0, 0}[i]
}

func get(e *Exporter, path string) *httptest.ResponseRecorder {
	return ask(e, http.MethodGet, path)
}

func ask(e *Exporter, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestMetrics(t *testing.T) {
	e := NewExporter("fs1")
	e.Name, e.Completed = names, done
	e.Cost = func() Cost {
		return Cost{Processor: 1500 * time.Millisecond, Resident: 12 << 20, Programs: 270 * time.Microsecond}
	}
	e.Hear(noon, 360012, fullSample())
	got := get(e, "/metrics").Body.Bytes()
	golden := filepath.Join("testdata", "metrics.txt")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant what %s has; see -update", got, golden)
	}
}

// TestLatest: of two samples the last is shown, and nothing of the first.
func TestLatest(t *testing.T) {
	e := NewExporter("fs1")
	e.Hear(noon, 360012, fullSample())
	e.Hear(noon.Add(time.Second), 360112, &sysstat.Sample{Disks: []sysstat.Disk{{Major: 8, Minor: 16, IOs: 5}}})
	got := get(e, "/metrics").Body.String()
	for _, want := range []string{
		`limpet_disk_ios_total{device="sdb"} 5`,
		"limpet_uptime_seconds 3601.12",
		"limpet_sample_timestamp_seconds 1772366401.25",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, old := range []string{`"sda"`, "node_network", "limpet_tcp"} {
		if strings.Contains(got, old) {
			t.Errorf("%s is of the sample before:\n%s", old, got)
		}
	}
}

func TestServe(t *testing.T) {
	e := NewExporter("fs1")
	for _, c := range []struct {
		when, method, path string
		want               int
		kind               string
	}{
		{"before", http.MethodGet, "/metrics", http.StatusServiceUnavailable, "text/plain; charset=utf-8"},
		{"before", http.MethodGet, "/", http.StatusOK, "text/plain; charset=utf-8"},
		{"after", http.MethodGet, "/metrics", http.StatusOK, "text/plain; version=0.0.4; charset=utf-8"},
		{"after", http.MethodHead, "/metrics", http.StatusOK, "text/plain; version=0.0.4; charset=utf-8"},
		{"after", http.MethodPost, "/metrics", http.StatusMethodNotAllowed, "text/plain; charset=utf-8"},
		{"after", http.MethodGet, "/metrics/all", http.StatusNotFound, "text/plain; charset=utf-8"},
		{"after", http.MethodDelete, "/", http.StatusMethodNotAllowed, "text/plain; charset=utf-8"},
	} {
		if c.when == "after" {
			e.Hear(noon, 1, fullSample())
		}
		w := ask(e, c.method, c.path)
		if got := w.Header().Get("Content-Type"); w.Code != c.want || got != c.kind {
			t.Errorf("%s the first sample %s %s: %d %q, want %d %q", c.when, c.method, c.path, w.Code, got, c.want, c.kind)
		}
	}
}

func TestDeviceNames(t *testing.T) {
	disks := []sysstat.Disk{{Major: 8}, {Major: 8, Minor: 16}, {Major: 253}, {Major: 253, Minor: 1}}
	for _, c := range []struct {
		what string
		name func(major, minor uint32) string
		want string
	}{
		{"none handed in", nil, "sda sdb dev253-0 dev253-1"},
		{"none known", func(_, _ uint32) string { return "" }, "sda sdb dev253-0 dev253-1"},
		{"one given twice", func(major, _ uint32) string { return map[uint32]string{253: "dm-0"}[major] }, "sda sdb dm-0 dev253-1"},
	} {
		e := NewExporter("fs1")
		e.Name = c.name
		devices, _ := e.diskLabels(disks)
		var got []string
		for _, l := range devices {
			got = append(got, l[1])
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// TestTornItems: what is no whole item, or none that is known, is left out.
func TestTornItems(t *testing.T) {
	items := fullSample().Custom[0]
	items[0] = 0 // a version that never was
	var out text
	writePeers(&out, items[:2*tcpstat.Size+5])
	got := string(out.bytes())
	if strings.Contains(got, "accepted") || !strings.Contains(got, "dialled") || strings.Contains(got, "fd00::7") {
		t.Errorf("the second of three items is the good one, got\n%s", got)
	}
}

func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	e := NewExporter("host \"of\"\n\xff mine\\")
	e.Name, e.Completed = names, done
	e.Hear(noon, 360012, fullSample())
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = get(e, "/metrics").Body
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}
