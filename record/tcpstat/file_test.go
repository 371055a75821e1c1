package tcpstat_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sadf"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// peersAt are those of a record: none in the first, then one more in each.
func peersAt(n int) []tcpstat.Peer {
	var peers []tcpstat.Peer
	for i := range n {
		remote := netip.AddrFrom4([4]byte{10, 0, byte(n), byte(i)})
		if i%2 == 1 {
			remote = netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i))
		}
		peers = append(peers, tcpstat.Peer{
			Remote: remote, Dialled: i%3 == 0, Sockets: uint32(i), Cwnd: 100 / float64(n), RTT: 1e-6 * float64(i),
			Retrans: uint64(i), Delivered: uint64(n) << 40, Sent: uint64(n) << 50, Received: 7, CwndDelivered: uint64(n) << 44, Control: tcpstat.ControlOf("bbr"),
		})
	}
	return peers
}

const records = 5

// write writes a small activity file, with or without connections and the
// addresses of its host.
func write(t *testing.T, connections bool) []byte {
	t.Helper()
	var out bytes.Buffer
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", start
	if connections {
		o.Custom = []sysstat.CustomActivity{{ID: 4711, Size: 3}, {ID: tcpstat.ID, Size: tcpstat.Size}}
	}
	w, err := sysstat.NewWriter(&out, o)
	if err != nil {
		t.Fatal(err)
	}
	if connections {
		a := sysstat.Address{Addr: netip.MustParseAddr("2001:db8::fe"), Interface: "eth0"}
		if err := w.WriteComment(start, a.Comment()); err != nil {
			t.Fatal(err)
		}
	}
	for n := range records {
		if err := w.WriteStats(start.Add(time.Duration(n)*time.Second), uint64(1000+100*n), sample(n)); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func sample(n int) *sysstat.Sample {
	var items []byte
	for _, p := range peersAt(n) {
		items = tcpstat.Append(items, &p)
	}
	busy := uint64(n * n)
	return &sysstat.Sample{
		CPUs:            []sysstat.CPU{{Idle: busy}, {Idle: busy}},
		Disks:           []sysstat.Disk{{Major: 8, IOs: 1 + 10*busy, ReadSectors: 80 * busy}},
		Interfaces:      []sysstat.Interface{{Name: "eth0", RxBytes: 1e6 * busy}},
		InterfaceErrors: []sysstat.InterfaceErrors{{Name: "eth0", RxDropped: busy}},
		TCP:             sysstat.TCP{InSegs: 1000 * busy},
		Custom:          [][]byte{[]byte("abc"), items},
	}
}

func TestThroughFile(t *testing.T) {
	r, err := sysstat.NewReader(bytes.NewReader(write(t, true)), "fs1")
	if err != nil {
		t.Fatal(err)
	}
	if rec, err := r.Next(); err != nil || rec.Comment() != "addr 2001:db8::fe eth0" {
		t.Fatalf("%q, %v", rec.Comment(), err)
	}
	for n := range records {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		raw, count, size := rec.Items(tcpstat.ID)
		var got []tcpstat.Peer
		for i := range count {
			var p tcpstat.Peer
			if err := tcpstat.Decode(raw[i*size:(i+1)*size], &p); err != nil {
				t.Fatal(err)
			}
			got = append(got, p)
		}
		if want := peersAt(n); !reflect.DeepEqual(got, want) {
			t.Errorf("record %d: got %+v, want %+v", n, got, want)
		}
	}
	if len(r.Warnings()) > 0 {
		t.Errorf("warnings: %v", r.Warnings())
	}
}

// TestDump: what dump prints is the same with connections in the file.
func TestDump(t *testing.T) {
	for _, report := range []sadf.Report{sadf.Disks, sadf.Interfaces, sadf.InterfaceErrors, sadf.TCP, sadf.TCPErrors, sadf.CPUs} {
		var printed [2]bytes.Buffer
		for i, connections := range []bool{false, true} {
			r, err := sysstat.NewReader(bytes.NewReader(write(t, connections)), "fs1")
			if err != nil {
				t.Fatal(err)
			}
			o := sadf.DefaultOptions()
			o.Report = report
			if err := sadf.Dump(&printed[i], r, o); err != nil {
				t.Fatal(err)
			}
		}
		if printed[0].Len() == 0 || printed[0].String() != printed[1].String() {
			t.Errorf("report %d: got\n%swant\n%s", report, &printed[1], &printed[0])
		}
	}
}

// TestSysstat: sar and sadf print of a file what they print of it without
// connections, and complain of nothing.
func TestSysstat(t *testing.T) {
	dir := t.TempDir()
	for name, connections := range map[string]bool{"plain": false, "full": true} {
		if err := os.WriteFile(filepath.Join(dir, name), write(t, connections), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{
		{"sar", "-A", "-f", "FILE"},
		{"sar", "-d", "-n", "DEV,EDEV,TCP", "-f", "FILE"},
		{"sadf", "-d", "FILE", "--", "-A"},
		{"sadf", "-j", "FILE", "--", "-A"},
	} {
		plain, full := printed(t, dir, "plain", command), printed(t, dir, "full", command)
		if plain == "" || full != plain {
			t.Errorf("%v prints\n%s\nwithout connections\n%s", command, full, plain)
		}
	}
}

// printed is what a tool of sysstat writes, errors too.
func printed(t *testing.T, dir, file string, command []string) string {
	t.Helper()
	program, err := exec.LookPath(command[0])
	if err != nil {
		t.Skipf("%s is not installed (package sysstat)", command[0])
	}
	var args []string
	for _, arg := range command[1:] {
		if arg == "FILE" {
			arg = file
		}
		args = append(args, arg)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C", "TZ=UTC", "S_COLORS=never")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return string(out)
}
