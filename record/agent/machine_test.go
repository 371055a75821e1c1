package agent

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// plant makes a small machine's proc and sys, and options that sample it.
func plant(t *testing.T) Options {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/uptime":       "1000.25 1500.00\n",
		"proc/stat":         "cpu  10 0 5 100 1 0 0 0 0 0\ncpu0 5 0 2 50 1 0 0 0 0 0\ncpu1 5 0 3 50 0 0 0 0 0 0\nbtime 1\n",
		"proc/diskstats":    "   8       0 sda 100 0 2048 40 50 0 4096 60 0 90 100 0 0 0 0 0 0\n   8      16 sdb 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		"proc/net/dev":      "Inter-|   Receive  |  Transmit\n face |bytes\n  eth0: 5000000 4000 1 2 0 0 0 0 7000000 6000 3 4 0 0 0 0\n",
		"proc/net/snmp":     "Tcp: RtoAlgorithm\nTcp: 1 200 120000 -1 1 2 3 4 5 600 700 8 9 10 0\n",
		"sys/block/sda/dev": "8:0\n", "sys/block/sda/size": "2000000\n", "sys/block/sda/device/model": "ST2000 X\n",
		"sys/block/sdb/dev": "8:16\n", "sys/block/sdb/size": "4000000\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := DefaultOptions()
	o.Kernel.Root, o.NoLatency, o.NoWaits = root, true, true
	o.Record.Dir = filepath.Join(t.TempDir(), "rec")
	return o
}

func opened(t *testing.T, o Options, log *bytes.Buffer) *machine {
	m, err := openMachine(o, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.close() })
	return m
}

func TestMachine(t *testing.T) {
	var log bytes.Buffer
	o := plant(t)
	o.NoTCP = true
	m := opened(t, o, &log)
	var s sysstat.Sample
	if err := m.Sample(&s); err != nil {
		t.Fatal(err)
	}
	if m.cpus != 2 || len(s.Disks) != 1 || s.Disks[0].IOs != 150 || s.TCP.OutSegs != 700 || s.Custom != nil || m.custom() != nil {
		t.Errorf("%d CPUs, sample %+v", m.cpus, s)
	}
	uptime, err := m.Uptime()
	if err != nil || uptime != 100025 {
		t.Errorf("uptime %d, error %v", uptime, err)
	}
	if lines := m.Inventory(); !slices.Contains(lines, "dev 8:0=sda model=ST2000%20X size=1024000000") {
		t.Errorf("inventory %q", lines)
	}
	if log.Len() > 0 {
		t.Errorf("logged %s", log.String())
	}
}

// TestMachineInPart has counters that cannot be read: the rest is sampled, and
// the log hears of it once for as long as it lasts.
func TestMachineInPart(t *testing.T) {
	var log bytes.Buffer
	o := plant(t)
	o.NoTCP = true
	m := opened(t, o, &log)
	snmp := filepath.Join(o.Kernel.Root, "proc/net/snmp")
	good, err := os.ReadFile(snmp)
	if err != nil {
		t.Fatal(err)
	}
	var s sysstat.Sample
	for _, text := range []string{"", "", string(good), ""} {
		if err := os.WriteFile(snmp, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := m.Sample(&s); err != nil || len(s.Disks) != 1 {
			t.Fatalf("error %v, %d disks", err, len(s.Disks))
		}
	}
	if got := strings.Count(log.String(), "has no TCP counters"); got != 2 {
		t.Errorf("logged %d times, want 2:\n%s", got, log.String())
	}
	if err := os.WriteFile(filepath.Join(o.Kernel.Root, "proc/stat"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Sample(&s); err == nil {
		t.Error("a sample without processors is no error")
	}
}

// TestMachinePatterns: who chooses by names that there are not is told so, in
// the log and in the picture of a sample.
func TestMachinePatterns(t *testing.T) {
	var log, picture bytes.Buffer
	o := plant(t)
	o.NoTCP = true
	o.Kernel.Devices, o.Kernel.Interfaces = []string{"sd*", "/dev/sd*"}, []string{"ib*"}
	opened(t, o, &log)
	if err := once(&picture, o); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no device matches /dev/sd*: write the kernel's names", "no interface matches ib*: write"} {
		if strings.Count(log.String(), want) != 1 || strings.Count(picture.String(), want) != 1 {
			t.Errorf("%q is not in\n%s\nor not in\n%s", want, log.String(), picture.String())
		}
	}
	if strings.Contains(log.String(), "called sd*") {
		t.Errorf("logged %s", log.String())
	}
}

// TestMachineWithoutDiag has a kernel that tells nothing of connections: it
// is said once, and the rest is sampled.
func TestMachineWithoutDiag(t *testing.T) {
	var log bytes.Buffer
	o := plant(t)
	o.NoTCP = true
	m := opened(t, o, &log)
	m.count(nil, fmt.Errorf("netlink: %w", inetdiag.ErrUnsupported))
	var s sysstat.Sample
	if err := errors.Join(m.Sample(&s), m.Sample(&s)); err != nil {
		t.Fatal(err)
	}
	if len(s.Disks) != 1 || s.Custom != nil || m.custom() != nil {
		t.Errorf("activities %v, sample %+v", m.custom(), s)
	}
	if strings.Count(log.String(), "load the module tcp_diag") != 1 {
		t.Errorf("logged %s", log.String())
	}
}

// TestMachinePeers holds the items of a sample against what was counted.
func TestMachinePeers(t *testing.T) {
	m := withTCP(t)
	var s sysstat.Sample
	if err := errors.Join(m.Sample(&s), m.Sample(&s)); err != nil {
		t.Fatal(err)
	}
	if len(s.Custom) != 1 || len(m.custom()) != 1 || len(s.Custom[0]) != len(m.peers)*tcpstat.Size || len(m.peers) == 0 {
		t.Fatalf("%d activities, %d remote hosts", len(s.Custom), len(m.peers))
	}
	for i, want := range m.peers {
		var got tcpstat.Peer
		if err := tcpstat.Decode(s.Custom[0][i*tcpstat.Size:], &got); err != nil || got != want {
			t.Errorf("item %d is %+v, want %+v, error %v", i, got, want, err)
		}
	}
}

func TestMachineAllocs(t *testing.T) {
	m := withTCP(t)
	var s sysstat.Sample
	take := func() {
		if err := m.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
	take()
	// Sockets of other processes come and go meanwhile, so the least of several runs counts.
	least := math.Inf(1)
	for range 10 {
		least = min(least, testing.AllocsPerRun(10, take))
	}
	if least > 2 {
		t.Errorf("%v allocations a sample", least)
	}
}

// TestMachineDeaf has no BPF: the rest is sampled, and one line says why.
func TestMachineDeaf(t *testing.T) {
	var log bytes.Buffer
	o := plant(t)
	o.NoTCP = true
	m := opened(t, o, &log)
	m.listen(nil, errors.New("the kernel does not permit the recorder to trace block requests: give this process CAP_BPF"))
	var s sysstat.Sample
	if err := errors.Join(m.Sample(&s), m.Sample(&s)); err != nil {
		t.Fatal(err)
	}
	if len(s.Disks) != 1 || s.Custom != nil || m.custom() != nil {
		t.Errorf("activities %v, sample %+v", m.custom(), s)
	}
	if strings.Count(log.String(), "give this process CAP_BPF") != 1 {
		t.Errorf("logged %s", log.String())
	}
}
