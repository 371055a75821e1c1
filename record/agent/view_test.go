package agent

import (
	"bytes"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has\n%s\ngot\n%s", path, want, got)
	}
}

func TestView(t *testing.T) {
	devices := &sysstat.Inventory{}
	devices.Set(sysstat.Device{Major: 8, Minor: 0, Name: "sda", WWN: "0x5000c500a1b2c3d4", Model: "ST16000NM001G", Serial: "ZL2A9XYZ", Size: 16000900661248, MD: "md0", Parents: []string{"dm-3"}})
	devices.Set(sysstat.Device{Major: 8, Minor: 16, Name: "sdb", Size: 16000900661248, Pool: "tank"})
	devices.Add(sysstat.Address{Addr: netip.MustParseAddr("10.0.0.7"), Interface: "eth0"}.Comment())
	v := &view{
		host:   sysstat.WriterOptions{Hostname: "fs1", Release: "6.1.0-9-amd64", Machine: "x86_64", CPUs: 16},
		time:   time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		uptime: 9_000_025,
		sample: sysstat.Sample{
			Disks: []sysstat.Disk{
				{Major: 8, Minor: 0, IOs: 1_234_567, ReadSectors: 88_000_000, WriteSectors: 2048, ReadTicks: 991_234, WriteTicks: 12, BusyTicks: 800_000},
				{Major: 259, Minor: 3, IOs: 4},
			},
			Interfaces:      []sysstat.Interface{{Name: "lo"}, {Name: "eth0", RxBytes: 5_000_000_000, TxBytes: 70_000, RxPackets: 4_000_000, TxPackets: 900, SpeedMbit: 10_000}},
			InterfaceErrors: []sysstat.InterfaceErrors{{Name: "lo"}, {Name: "eth0", RxErrors: 1, TxErrors: 2, RxDropped: 3}},
			TCP:             sysstat.TCP{InSegs: 1000, OutSegs: 2000},
			TCPErrors:       sysstat.TCPErrors{RetransSegs: 30, InErrs: 4},
		},
		tcp: true,
		peers: []tcpstat.Peer{
			{Remote: netip.MustParseAddr("10.0.0.21"), Sockets: 12, Cwnd: 83.25, RTT: 0.000213, Retrans: 17, Delivered: 1_000_000, Sent: 1_500_000_000, Received: 2_000_000, CwndDelivered: 91_000_000, Control: tcpstat.ControlOf("cubic")},
			{Remote: netip.MustParseAddr("fd00::21"), Dialled: true, Sockets: 1, Cwnd: 10, RTT: 0.0012, Delivered: 25, Sent: 3_000, Received: 4_000},
		},
		devices: devices,
		trouble: []string{"/proc/net/dev: permission denied"},
	}
	var out bytes.Buffer
	v.print(&out)
	golden(t, "view.golden", out.String())
}

// TestOnce prints a machine of which one thing cannot be read.
func TestOnce(t *testing.T) {
	o := plant(t)
	o.NoTCP, o.Once = true, true
	if err := os.WriteFile(filepath.Join(o.Kernel.Root, "proc/net/snmp"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	if err := Run(t.Context(), o, &out, &log); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n  sda      150      1.0", "\n  sdb     8:16           2048.0", "\nConnections: not recorded\n", "\nCounters that cannot be read: 1\n  file " + o.Kernel.Root} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if _, err := os.Stat(o.Record.Dir); err == nil || log.Len() > 0 {
		t.Errorf("something was recorded or logged: %s", log.String())
	}
}
