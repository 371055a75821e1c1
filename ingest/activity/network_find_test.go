package activity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// fewMachines writes three servers and two clients, one of which has a loop
// device.
func fewMachines(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i, host := range []string{"fs1", "fs2", "fs3"} {
		s := attach(t, dir, host, "10.0.0."+host[2:])
		s.Interfaces = append(s.Interfaces, sysstat.Interface{Name: "veth12ab"})
		for range 3 {
			s.second(100, from("10.0.0.101", 1, float64(i)))
		}
	}
	for i, host := range []string{"client1", "client2"} {
		s := attach(t, dir, host, "10.0.0.10"+host[6:])
		if i == 0 {
			s.Disks = []sysstat.Disk{{Major: 7, Minor: 1, IOs: 1}}
		}
		for range 3 {
			s.second(100, to("10.0.0.1", 1, 4), to("10.0.0.2", 1, 5), to("10.0.0.3", 1, 6))
		}
	}
	return dir
}

func componentNames(s *topology.System) string {
	var names []string
	for i := range s.Components {
		names = append(names, s.Components[i].Name)
	}
	return strings.Join(names, " ")
}

// TestNetworkWithoutTopology: the system has a component for everything with a
// metric.
func TestNetworkWithoutTopology(t *testing.T) {
	dir := fewMachines(t)
	tests := map[string]struct {
		metrics    []string
		components string
	}{
		"disks":       {[]string{"await"}, "fs1/sdb fs2/sdb fs3/sdb"},
		"interfaces":  {[]string{"rxbyt"}, "fs1/sdb fs2/sdb fs3/sdb fs1/eth0 fs2/eth0 fs3/eth0"},
		"connections": {[]string{"cwnd_in"}, "fs1/sdb fs2/sdb fs3/sdb fs1 fs2 fs3"},
		"all":         {network, "fs1/sdb fs2/sdb fs3/sdb fs1/eth0 fs2/eth0 fs3/eth0 fs1 fs2 fs3"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := networked(t, dir, Options{Metrics: tt.metrics, Peers: topology.PeersAll})
			compare(t, componentNames(a.System()), tt.components)
			for _, w := range a.Warnings() {
				if !strings.HasPrefix(w.Text, "these devices are left out: ") {
					t.Errorf("warning about healthy files: %v", w)
				}
			}
		})
	}
	a := networked(t, dir, Options{Peers: topology.PeersAll})
	compare(t, printed(t, a, "rxbyt", "cwnd_out", "cwnd_in"), lines(
		"2 fs1/eth0 rxbyt 100", "2 fs2/eth0 rxbyt 100", "2 fs3/eth0 rxbyt 100",
		"2 fs1 cwnd_out 0", "2 fs2 cwnd_out 1", "2 fs3 cwnd_out 2", "2 fs1 cwnd_in 4", "2 fs2 cwnd_in 5", "2 fs3 cwnd_in 6",
		"3 fs1/eth0 rxbyt 100", "3 fs2/eth0 rxbyt 100", "3 fs3/eth0 rxbyt 100",
		"3 fs1 cwnd_out 0", "3 fs2 cwnd_out 1", "3 fs3 cwnd_out 2", "3 fs1 cwnd_in 4", "3 fs2 cwnd_in 5", "3 fs3 cwnd_in 6"))
}

// TestVirtualInterfacesByName: a virtual interface is read where the topology
// names it.
func TestVirtualInterfacesByName(t *testing.T) {
	text := strings.Replace(cluster, "names: eth0", "names: [eth0, lo, veth12ab]", 1)
	a := networked(t, fewMachines(t), Options{System: system(t, text), Metrics: []string{"rxbyt"}})
	got := printed(t, a, "rxbyt")
	if strings.Count(got, "/lo rxbyt 0\n") != 6 || strings.Count(got, "/veth12ab rxbyt 100\n") != 6 {
		t.Errorf("got\n%s", got)
	}
	noWarnings(t, a)
}

// TestNoWarningOfClients: there is no warning of a machine that has connections
// to the servers. An unrelated machine is named.
func TestNoWarningOfClients(t *testing.T) {
	dir := fewMachines(t)
	own := attach(t, dir, "client3", "10.0.0.103")
	own.Disks = []sysstat.Disk{{Major: 8, IOs: 1}}
	stranger := attach(t, dir, "client4", "10.0.0.104")
	stranger.Disks = []sysstat.Disk{{Major: 8, IOs: 1}}
	for range 3 {
		own.second(1, to("10.0.0.2", 1, 5))
		stranger.second(1, to("10.0.0.103", 1, 5))
	}
	for _, metrics := range [][]string{{"await"}, {"rxbyt"}, {"cwnd_out"}, network} {
		a := networked(t, dir, Options{System: system(t, cluster), Metrics: metrics})
		printed(t, a)
		var texts []string
		for _, w := range a.Warnings() {
			texts = append(texts, w.String())
		}
		// veth12ab is virtual, so there is no warning that it is missing.
		compare(t, strings.Join(texts, "\n"), "t.yaml: the topology file does not name sda of client4; add these devices to the file if they belong to the storage system")
	}
}

// TestAddressesOfDays: the addresses at the start of any of a host's files are
// its own, and no more of the files is read for them.
func TestAddressesOfDays(t *testing.T) {
	for _, metrics := range [][]string{{"await"}, {"cwnd_in"}} {
		dir, other := t.TempDir(), t.TempDir()
		day, next := attach(t, dir, "fs1"), attach(t, other, "fs1")
		client := attach(t, dir, "client1")
		client.Disks = []sysstat.Disk{{Major: 8, IOs: 1}}
		for range 3 {
			day.second(1)
			client.second(1, to("10.0.0.1", 1, 5))
		}
		next.now, next.uptime = day.now, day.uptime
		next.comment("addr 10.0.0.1 eth0")
		next.second(1)
		a, err := Open(t.Context(), []string{dir, other}, Options{StepSeconds: 1, Metrics: metrics, System: system(t, strings.ReplaceAll(cluster, "fs[1-3]", "fs1"))})
		if err != nil {
			t.Fatal(err)
		}
		printed(t, a)
		noWarnings(t, a)
		a.Close()
	}
}

func TestNetworkWarnings(t *testing.T) {
	write := func(t *testing.T, addresses bool, hosts ...string) string {
		dir := t.TempDir()
		for _, host := range hosts {
			var own []string
			if addresses {
				own = append(own, "10.0.0."+host[len(host)-1:])
			}
			s := attach(t, dir, host, own...)
			for range 3 {
				s.second(1, from("10.0.1.1", 1, 5))
			}
		}
		return dir
	}
	servers := []string{"fs1", "fs2", "fs3"}
	drives := "servers: fs[1-3]\ndrives:\n  - devices: sdb\n    peers: all\n"
	tests := map[string]struct {
		dir      string
		topology string
		metrics  []string
		want     string
	}{
		"no interfaces in the topology": {
			write(t, true, servers...), drives, []string{"rxbyt", "txpck"}, "t.yaml: the topology file names no interfaces, so these metrics have no values: txpck, rxbyt; add the setting \"interfaces\"",
		},
		"no hosts in the topology": {
			write(t, true, servers...), drives, []string{"cwnd_out"}, "t.yaml: the topology file names no hosts, so these metrics have no values: cwnd_out; add the setting \"hosts\"",
		},
		"no addresses": {
			write(t, false, "fs1", "fs2", "fs3", "client1"), cluster,
			[]string{"cwnd_in"},
			"the files of fs[1-3] do not contain the addresses of these servers, so limpet cannot recognise connections to these servers; record with limpet record, or add the address to each file as a comment (sadc -C \"addr 10.0.0.3 eth0\" FILE)",
		},
		"no clients": {
			write(t, true, servers...), cluster, []string{"cwnd_in"}, "no file of a client has data of TCP connections, so these metrics have no values: cwnd_in; add files of clients",
		},
		"an interface that no server has": {
			write(t, true, servers...), strings.Replace(cluster, "eth0", "eth[0-1]", 1),
			[]string{"rxbyt"},
			"t.yaml:6: there are no data of fs2/eth1 on fs2, although all other drives of this server have data",
		},
		"a server without a file": {
			write(t, true, "fs1", "fs2", "client1"), cluster,
			[]string{"cwnd_in"},
			"t.yaml:3: there are no data of fs3, which should have 1 component; add the files of this server, or remove the server from the topology file",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := networked(t, tt.dir, Options{System: system(t, tt.topology), Metrics: tt.metrics})
			printed(t, a)
			if !activityWarned(a, tt.want) {
				t.Errorf("got %v, want %s", a.Warnings(), tt.want)
			}
		})
	}
}

// TestPlainSysstat: files of sadc have interfaces and no connections.
func TestPlainSysstat(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2", "fs3"} {
		r := record(t, dir, host, host, midnight, 1)
		r.run(60, 1, 20, 7)
	}
	a := networked(t, dir, Options{Peers: topology.PeersAll, Metrics: network})
	compare(t, componentNames(a.System()), "fs1/sda fs2/sda fs3/sda")
	if got := printed(t, a, network...); got != "" {
		t.Errorf("values out of nothing:\n%s", got)
	}
	for _, want := range []string{
		"no file has data of network interfaces, so these metrics have no values: rxpck, txpck, rxbyt, txbyt; start sadc with -S A_NET_DEV to record network interfaces",
		"no file has data of TCP connections, so these metrics have no values: cwnd_out, cwnd_in, retr_out, retr_in, dlv_out, dlv_in; use limpet record, because sysstat does not record connections",
	} {
		if !activityWarned(a, want) {
			t.Errorf("got %v, want %s", a.Warnings(), want)
		}
	}
}

// TestServersWithoutConnections: metrics that clients measure have values.
func TestServersWithoutConnections(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2", "fs3"} {
		r := record(t, dir, host, host, midnight, 1)
		if err := r.w.WriteComment(midnight, "addr 10.0.0."+host[2:]); err != nil {
			t.Fatal(err)
		}
		r.run(2, 1, 20, 7)
	}
	client := attach(t, dir, "client1")
	for range 2 {
		client.second(1, to("10.0.0.2", 1, 5))
	}
	a := networked(t, dir, Options{Peers: topology.PeersAll, Metrics: []string{"cwnd_out", "cwnd_in"}})
	compare(t, componentNames(a.System()), "fs1/sda fs2/sda fs3/sda fs1 fs2 fs3")
	compare(t, printed(t, a, "cwnd_out", "cwnd_in"), "2 fs2 cwnd_in 5\n")
	if !activityWarned(a, "the files of fs[1-3] have no data of TCP connections, so these metrics have no values for these servers: cwnd_out; use limpet record, because sysstat does not record connections") {
		t.Errorf("nothing said of the servers: %v", a.Warnings())
	}
}

// TestSilentServer: clients still measure a server whose file breaks off.
func TestSilentServer(t *testing.T) {
	dir := fewMachines(t)
	path := filepath.Join(dir, "fs2.sa")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-100], 0o644); err != nil {
		t.Fatal(err)
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: []string{"cwnd_out", "cwnd_in"}})
	compare(t, printed(t, a, "cwnd_out", "cwnd_in"), lines(
		"2 fs1 cwnd_out 0", "2 fs2 cwnd_out 1", "2 fs3 cwnd_out 2", "2 fs1 cwnd_in 4", "2 fs2 cwnd_in 5", "2 fs3 cwnd_in 6",
		"3 fs1 cwnd_out 0", "3 fs3 cwnd_out 2", "3 fs1 cwnd_in 4", "3 fs2 cwnd_in 5", "3 fs3 cwnd_in 6"))
}

// TestDisputedAddress: an address of two machines has no owner, unless neither
// is a server. Addresses may appear late in a file.
func TestDisputedAddress(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2", "fs3"} {
		s := attach(t, dir, host, "10.0.0."+host[2:], "172.17.0.1")
		s.second(1, from("172.18.0.1", 1, 3), from("10.0.0.9", 1, 1e6))
		if host != "fs3" {
			s.comment("addr 10.0.0.9 eth0:1")
		}
		for range 2 {
			s.second(1, from("172.18.0.1", 1, 3), from("10.0.0.9", 1, 1e6))
		}
	}
	for _, host := range []string{"client1", "client2"} {
		s := attach(t, dir, host, "172.17.0.1", "172.18.0.1")
		for range 3 {
			s.second(1, to("10.0.0.9", 1, 1e6), to("10.0.0.1", 1, 4))
		}
	}
	a := networked(t, dir, Options{System: system(t, cluster)})
	compare(t, printed(t, a, "cwnd_out", "cwnd_in"), lines(
		"2 fs1 cwnd_out 3", "2 fs2 cwnd_out 3", "2 fs3 cwnd_out 3", "2 fs1 cwnd_in 4",
		"3 fs1 cwnd_out 3", "3 fs2 cwnd_out 3", "3 fs3 cwnd_out 3", "3 fs1 cwnd_in 4"))
	var texts []string
	for _, w := range a.Warnings() {
		texts = append(texts, w.String())
	}
	compare(t, strings.Join(texts, "\n"), "address 10.0.0.9 belongs to more than one server (fs[1-2]), so limpet leaves out the connections to this address; give the address to one server only")
}

// TestDamagedConnections: a damaged item is missing, and the others are read.
func TestDamagedConnections(t *testing.T) {
	dir := t.TempDir()
	s := attach(t, dir, "fs1", "10.0.0.1")
	s.second(100, from("10.0.0.101", 1, 8))
	s.second(100, from("10.0.0.101", 1, 8))
	s.second(100, from("10.0.0.101", 1, 8), from("10.0.0.102", 1, -1))
	s.second(100, from("10.0.0.101", 1, 8))
	a := networked(t, dir, Options{System: system(t, strings.ReplaceAll(cluster, "fs[1-3]", "fs1")), Metrics: []string{"rxbyt", "cwnd_out"}})
	compare(t, printed(t, a, "rxbyt", "cwnd_out"), lines(
		"2 fs1/eth0 rxbyt 100", "2 fs1 cwnd_out 8", "3 fs1/eth0 rxbyt 100", "4 fs1/eth0 rxbyt 100", "4 fs1 cwnd_out 8"))
	if !activityWarned(a, "limpet leaves out the TCP connections in 1 record of fs1: an item of a TCP connection (version 2) has an impossible congestion window -1") {
		t.Errorf("nothing said of the damage: %v", a.Warnings())
	}
}

// TestLongerItems: items of a later version are read as far as they are known.
func TestLongerItems(t *testing.T) {
	const size = tcpstat.Size + 24
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "sa01"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "fs1", midnight
	o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: size}}
	s := attach(t, t.TempDir(), "fs1")
	if s.w, err = sysstat.NewWriter(f, o); err != nil {
		t.Fatal(err)
	}
	item := make([]byte, 2*size)
	for i, cwnd := range []float64{8, 4} {
		p := from("10.0.0.101", 1, cwnd)
		p.Remote = p.Remote.Next()
		tcpstat.Append(item[i*size:i*size], &p)
		item[i*size] = 2
	}
	s.Custom = [][]byte{item}
	for range 2 {
		s.now, s.uptime = s.now.Add(1e9), s.uptime+100
		s.record()
	}
	a := networked(t, dir, Options{System: system(t, strings.ReplaceAll(cluster, "fs[1-3]", "fs1")), Metrics: []string{"cwnd_out"}})
	compare(t, printed(t, a, "cwnd_out"), "2 fs1 cwnd_out 6\n")
}

// TestNoDriveLeft: without drives servers and clients look alike, so nothing is
// read without a topology.
func TestNoDriveLeft(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2", "fs3", "client1"} {
		s := attach(t, dir, host)
		s.Disks = nil
		if host != "client1" {
			s.Disks = []sysstat.Disk{{Major: 7, Minor: 1, IOs: 1}}
		}
		s.second(100)
		s.second(100)
	}
	_, err := Open(t.Context(), []string{dir}, Options{Metrics: []string{"rxbyt"}, StepSeconds: 1})
	for _, want := range []string{"client1, fs[1-3]", "no drive that can be judged (these devices are left out: virtual interfaces (4), loop devices (3))", "name the servers"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	system, _, err := topology.Parse("fs.yaml", []byte("servers: fs[1-3]\ninterfaces:\n  - {servers: \"fs[1-3]\", names: eth0}\n"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, componentNames(networked(t, dir, Options{Metrics: []string{"rxbyt"}, System: system}).System()), "fs1/eth0 fs2/eth0 fs3/eth0")
}
