package activity

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
	"github.com/limpet-storage/limpet/topology"
)

// station writes the activity file of a machine on a network, one record a
// second. Values that are not set stay the same.
type station struct {
	t      testing.TB
	w      *sysstat.Writer
	now    time.Time
	uptime uint64
	sysstat.Sample
}

// attach begins the file of a machine with the given addresses. Servers have a
// disk, sdb; the names of clients begin with client.
func attach(t testing.TB, dir, host string, addresses ...string) *station {
	t.Helper()
	return attachSized(t, tcpstat.Size, dir, host, addresses...)
}

// attachSized begins a file whose connection items have a given size.
func attachSized(t testing.TB, size int, dir, host string, addresses ...string) *station {
	t.Helper()
	s := &station{t: t, now: midnight, uptime: 360000}
	f, err := os.Create(filepath.Join(dir, host+".sa"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = host, midnight
	o.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: size}}
	if s.w, err = sysstat.NewWriter(f, o); err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		s.comment(sysstat.Address{Addr: netip.MustParseAddr(a), Interface: "eth0"}.Comment())
	}
	s.CPUs = make([]sysstat.CPU, 2)
	s.Interfaces = []sysstat.Interface{{Name: "lo"}, {Name: "eth0"}}
	if !strings.HasPrefix(host, "client") {
		s.Disks = []sysstat.Disk{{Major: 8, Minor: 16, IOs: 1000}}
	}
	return s
}

func (s *station) comment(text string) {
	s.t.Helper()
	if err := s.w.WriteComment(s.now, text); err != nil {
		s.t.Fatal(err)
	}
}

// second advances a second, in which eth0 receives the given bytes, and sends
// twice as many, in packets of 100. Then it writes the connections.
func (s *station) second(bytes uint64, peers ...tcpstat.Peer) {
	s.t.Helper()
	s.now, s.uptime = s.now.Add(time.Second), s.uptime+100
	for i := range s.Interfaces {
		if c := &s.Interfaces[i]; c.Name != "lo" {
			c.RxBytes, c.TxBytes = c.RxBytes+bytes, c.TxBytes+2*bytes
			c.RxPackets, c.TxPackets = c.RxPackets+bytes/100, c.TxPackets+2*bytes/100
		}
	}
	s.write(peers...)
}

func (s *station) write(peers ...tcpstat.Peer) {
	s.t.Helper()
	s.Custom = [][]byte{nil}
	for i := range peers {
		s.Custom[0] = tcpstat.Append(s.Custom[0], &peers[i])
	}
	s.record()
}

// writeFirst writes items of version 1: the first 72 bytes of today's.
func (s *station) writeFirst(peers ...tcpstat.Peer) {
	s.t.Helper()
	s.Custom = [][]byte{nil}
	for i := range peers {
		item := tcpstat.Append(nil, &peers[i])[:sizeOfFirst]
		item[0] = 1
		s.Custom[0] = append(s.Custom[0], item...)
	}
	s.now, s.uptime = s.now.Add(time.Second), s.uptime+100
	s.record()
}

// sizeOfFirst is the size of an item of version 1.
const sizeOfFirst = 72

// record writes the counters as they are.
func (s *station) record() {
	s.t.Helper()
	if err := s.w.WriteStats(s.now, s.uptime, &s.Sample); err != nil {
		s.t.Fatal(err)
	}
}

// from returns the item of connections that a machine accepted.
func from(remote string, sockets uint32, cwnd float64) tcpstat.Peer {
	return tcpstat.Peer{Remote: netip.MustParseAddr(remote), Sockets: sockets, Cwnd: cwnd}
}

// to returns the item of connections that a machine opened.
func to(remote string, sockets uint32, cwnd float64) tcpstat.Peer {
	p := from(remote, sockets, cwnd)
	p.Dialled = true
	return p
}

// counting returns an item with numbers of retransmitted and delivered
// segments.
func counting(p tcpstat.Peer, again, delivered uint64) tcpstat.Peer {
	p.Retrans, p.Delivered = again, delivered
	return p
}

var network = []string{"rxpck", "txpck", "rxbyt", "txbyt", "cwnd_out", "cwnd_in", "retr_out", "retr_in", "dlv_out", "dlv_in"}

// networked reads a directory, by default in steps of a second.
func networked(t testing.TB, dir string, o Options) *Source {
	t.Helper()
	if o.StepSeconds == 0 {
		o.StepSeconds = 1
	}
	if o.Metrics == nil {
		o.Metrics = network
	}
	a, err := Open(t.Context(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// printed prints a line for every value of the metrics, except tps: seconds
// after midnight, component, metric, value.
func printed(t testing.TB, a *Source, metrics ...string) string {
	t.Helper()
	var b strings.Builder
	for {
		row, err := a.Next(t.Context())
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		for m, values := range row.Values {
			for c, v := range values {
				if name := a.Schema().Metrics[m].Name; slices.Contains(metrics, name) && !table.IsMissing(v) {
					fmt.Fprintf(&b, "%d %s %s %v\n", row.End-midnight.Unix(), a.System().Components[c].Name, name, v)
				}
			}
		}
	}
}

func system(t testing.TB, text string) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cluster returns a topology of three servers.
const cluster = "servers: fs[1-3]\ndrives:\n  - devices: sdb\n    peers: all\ninterfaces:\n  - names: eth0\nhosts: fs[1-3]\n"

func noWarnings(t testing.TB, a *Source) {
	t.Helper()
	if w := a.Warnings(); len(w) > 0 {
		t.Errorf("warnings about healthy files: %v", w)
	}
}

// lines joins lines of the output of printed.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func compare(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\ngot\n%s", firstDifference(got, want), got)
	}
}

func TestNetworkRows(t *testing.T) {
	dir := t.TempDir()
	fs1, fs2, fs3 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3", "10.9.0.3")
	client1, client2 := attach(t, dir, "client1", "10.0.0.101"), attach(t, dir, "client2", "10.0.0.102")
	client2.Disks = []sysstat.Disk{{Major: 8, IOs: 1}} // a client's own disk is not a component
	for n := range uint64(2) {
		fs1.second(1000, counting(from("10.0.0.101", 2, 10), 3*n, 50*n), counting(from("10.0.0.102", 1, 40), n, 0), counting(from("10.0.0.103", 1, 20), 0, 7*n))
		fs2.second(0, from("10.0.0.102", 1, 7), counting(to("10.0.0.1", 9, 1000), 8*n, 9*n))
		fs3.second(500)
		client1.second(9, counting(to("10.0.0.1", 2, 64), n, 20*n), counting(to("10.0.0.3", 1, 8), n, 30*n), counting(to("10.9.0.3", 1, 16), 0, n))
		client2.second(9, counting(to("10.0.0.1", 1, 32), 0, 2*n), counting(to("192.0.2.1", 1, 1), n, n))
	}
	a := networked(t, dir, Options{System: system(t, cluster)})
	// cwnd_out of fs1: (2·10 + 40 + 20) / 4. fs3 has no connections of its own.
	// cwnd_in of fs1: (64 + 32) / 2; of fs3 under both addresses; none of fs2.
	compare(t, printed(t, a, network...), lines(
		"2 fs1/eth0 rxpck 10", "2 fs2/eth0 rxpck 0", "2 fs3/eth0 rxpck 5",
		"2 fs1/eth0 txpck 20", "2 fs2/eth0 txpck 0", "2 fs3/eth0 txpck 10",
		"2 fs1/eth0 rxbyt 1000", "2 fs2/eth0 rxbyt 0", "2 fs3/eth0 rxbyt 500",
		"2 fs1/eth0 txbyt 2000", "2 fs2/eth0 txbyt 0", "2 fs3/eth0 txbyt 1000",
		"2 fs1 cwnd_out 20", "2 fs2 cwnd_out 7",
		"2 fs1 cwnd_in 48", "2 fs3 cwnd_in 12",
		"2 fs1 retr_out 4", "2 fs2 retr_out 0", "2 fs1 retr_in 1", "2 fs3 retr_in 1",
		"2 fs1 dlv_out 57", "2 fs2 dlv_out 0", "2 fs1 dlv_in 22", "2 fs3 dlv_in 31",
	))
	noWarnings(t, a)
	if s := a.System(); len(s.Servers) != 3 || len(s.Components) != 9 {
		t.Errorf("clients became part of the system: %v", s.Servers)
	}
}

// TestWindowsThatCount: which connections count, and in which direction.
func TestWindowsThatCount(t *testing.T) {
	tests := map[string]struct {
		server, client []tcpstat.Peer
		out, in        string
	}{
		"one each": {
			[]tcpstat.Peer{from("10.0.0.101", 1, 12)}, []tcpstat.Peer{to("10.0.0.1", 1, 34)}, "12", "34",
		},
		"none":              {nil, nil, "", ""},
		"a window of zero":  {[]tcpstat.Peer{from("10.0.0.101", 1, 0)}, []tcpstat.Peer{to("10.0.0.1", 1, 0)}, "0", "0"},
		"no longer":         {[]tcpstat.Peer{from("10.0.0.101", 0, 12)}, []tcpstat.Peer{to("10.0.0.1", 0, 34)}, "", ""},
		"the other way too": {[]tcpstat.Peer{to("10.0.0.101", 5, 99), from("10.0.0.101", 1, 12)}, []tcpstat.Peer{from("10.0.0.1", 5, 99), to("10.0.0.1", 1, 34)}, "12", "34"},
		"the other way too, in other order": {
			[]tcpstat.Peer{from("10.0.0.101", 1, 12), to("10.0.0.101", 5, 99)}, []tcpstat.Peer{to("10.0.0.1", 1, 34), from("10.0.0.1", 5, 99)}, "12", "34",
		},
		"the other way only": {[]tcpstat.Peer{to("10.0.0.101", 5, 99)}, []tcpstat.Peer{from("10.0.0.1", 5, 99)}, "99", "99"},
		"the other way once": {
			[]tcpstat.Peer{to("10.0.0.101", 0, 99), from("10.0.0.102", 1, 12)}, []tcpstat.Peer{from("10.0.0.1", 1, 7), to("10.0.0.1", 0, 99)}, "12", "7",
		},
		"to strangers": {[]tcpstat.Peer{from("10.0.0.101", 1, 12), from("192.0.2.9", 1, 90)}, []tcpstat.Peer{to("10.0.0.1", 1, 34), to("192.0.2.9", 1, 90)}, "12", "34"},
		"to itself":    {[]tcpstat.Peer{from("127.0.0.1", 3, 5), from("10.0.0.1", 3, 5)}, []tcpstat.Peer{to("127.0.0.1", 3, 5), to("10.0.0.101", 3, 5)}, "", ""},
		"to servers":   {[]tcpstat.Peer{to("10.0.0.2", 3, 5), from("10.0.0.3", 3, 5)}, nil, "", ""},
		"IPv6's words": {[]tcpstat.Peer{from("::ffff:10.0.0.2", 3, 5)}, []tcpstat.Peer{to("::ffff:10.0.0.1", 1, 34)}, "", "34"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, s := range []*station{attach(t, dir, "fs2", "10.0.0.2", "127.0.0.1"), attach(t, dir, "fs3", "10.0.0.3", "127.0.0.1")} {
				s.second(1)
				s.second(1)
			}
			fs1, client := attach(t, dir, "fs1", "10.0.0.1", "127.0.0.1"), attach(t, dir, "client1", "10.0.0.101", "10.0.0.102", "127.0.0.1")
			for range 2 {
				fs1.second(1, tt.server...)
				client.second(1, tt.client...)
			}
			want := ""
			if tt.out != "" {
				want += "2 fs1 cwnd_out " + tt.out + "\n"
			}
			if tt.in != "" {
				want += "2 fs1 cwnd_in " + tt.in + "\n"
			}
			a := networked(t, dir, Options{System: system(t, cluster)})
			compare(t, printed(t, a, "cwnd_out", "cwnd_in"), want)
			noWarnings(t, a)
		})
	}
}

// TestWindowsOfStrangers: where no client leaves files, every host that dialled
// a server is a client, and a host that the server dialled is not.
func TestWindowsOfStrangers(t *testing.T) {
	dir := t.TempDir()
	for _, host := range []string{"fs1", "fs2", "fs3"} {
		s := attach(t, dir, host, "10.0.0."+host[2:])
		for range 2 {
			s.second(1, from("192.0.2.1", 1, 8), from("192.0.2.2", 3, 4), to("192.0.2.2", 1, 99), to("192.0.2.3", 1, 1000))
		}
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: []string{"cwnd_out"}})
	compare(t, printed(t, a, "cwnd_out"), lines("2 fs1 cwnd_out 5", "2 fs2 cwnd_out 5", "2 fs3 cwnd_out 5"))
	noWarnings(t, a)
}

func TestNetworkIPv6(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		s := attach(t, dir, fmt.Sprintf("fs%d", i+1), fmt.Sprintf("2001:db8::%d", i+1), "::1", fmt.Sprintf("fe80::%d%%eth0", i+1))
		for range 2 {
			s.second(1, from("2001:db8::c", 1, float64(10*i)), from("fe80::3", 1, 1e6))
		}
	}
	client := attach(t, dir, "client1", "2001:db8::c", "::1")
	for range 2 {
		client.second(1, to("2001:db8::2", 1, 5), to("fe80::3", 1, 6), to("::1", 1, 7))
	}
	a := networked(t, dir, Options{System: system(t, cluster)})
	compare(t, printed(t, a, "cwnd_out", "cwnd_in"), lines(
		"2 fs1 cwnd_out 0", "2 fs2 cwnd_out 10", "2 fs3 cwnd_out 20", "2 fs2 cwnd_in 5", "2 fs3 cwnd_in 6"))
	noWarnings(t, a)
}

// TestNetworkGaugesAndCounters: in a step of several records, counters are
// differenced, and windows are those of the last record.
func TestNetworkGaugesAndCounters(t *testing.T) {
	dir := t.TempDir()
	fs1, client := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "client1", "10.0.0.101")
	for i := range 30 {
		fs1.second(uint64(100*i), from("10.0.0.101", 1, float64(i)))
		client.second(1, to("10.0.0.1", 1, float64(100+i)))
	}
	a := networked(t, dir, Options{StepSeconds: 10, System: system(t, "servers: fs1\ndrives:\n  - devices: sdb\n    peers: all\ninterfaces:\n  - names: eth0\nhosts: fs1\n")})
	compare(t, printed(t, a, "rxbyt", "cwnd_out", "cwnd_in"), lines(
		"20 fs1/eth0 rxbyt 1450", "20 fs1 cwnd_out 19", "20 fs1 cwnd_in 119",
		"30 fs1/eth0 rxbyt 2450", "30 fs1 cwnd_out 29", "30 fs1 cwnd_in 129"))
}

// TestNetworkBreaks: an interface that comes, goes and is reset, and a reboot.
func TestNetworkBreaks(t *testing.T) {
	dir := t.TempDir()
	s := attach(t, dir, "fs1", "10.0.0.1")
	s.Interfaces = s.Interfaces[:1]
	c := from("10.0.0.101", 1, 8)
	s.second(100, c) // 1: without eth0
	s.second(100, c)
	s.Interfaces = []sysstat.Interface{{Name: "eth0", RxBytes: 5000}, {Name: "lo"}} // in another place
	s.second(100, c)                                                                // 3: there it is
	s.second(100, c)
	s.second(0) // 5: idle
	s.Interfaces[0] = sysstat.Interface{Name: "eth0"}
	s.second(100, c) // 6: reset
	s.second(100, c)
	nics := s.Interfaces
	s.Interfaces = nil
	s.second(100, c) // 8: gone
	s.Interfaces = nics
	s.second(100, c) // 9: back
	s.second(100, c)
	if err := s.w.WriteRestart(s.now, 1); err != nil {
		t.Fatal(err)
	}
	s.uptime = 1000
	s.Interfaces[0] = sysstat.Interface{Name: "eth0", RxBytes: 1 << 40}
	s.second(100, c) // 11: the first after a reboot
	s.second(100, c)
	a := networked(t, dir, Options{System: system(t, "servers: fs1\ndrives:\n  - devices: sdb\n    peers: all\ninterfaces:\n  - names: eth0\nhosts: fs1\n"), Metrics: []string{"rxbyt", "cwnd_out"}})
	heard := 0
	var b strings.Builder
	for {
		row, err := a.Next(t.Context())
		if err != nil {
			break
		}
		if row.Heard[0] {
			heard++
		}
		fmt.Fprintf(&b, "%d %v %v\n", row.End-midnight.Unix(), row.Values[1][1], row.Values[2][2])
	}
	compare(t, b.String(), lines("2 NaN 8", "3 NaN 8", "4 100 8", "5 0 NaN", "6 NaN 8", "7 100 8", "8 NaN 8", "9 NaN 8", "10 100 8", "12 100 8"))
	if heard != 10 {
		t.Errorf("the server was heard in %d steps of 10", heard)
	}
}

// TestClientClocks: where a client's clock is seconds off, its values are in
// rows that are off by as much, and it makes no rows of its own.
func TestClientClocks(t *testing.T) {
	for _, off := range []int{-3, 3} {
		dir := t.TempDir()
		fs1, client1, client2 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "client1"), attach(t, dir, "client2")
		client2.now = client2.now.Add(time.Duration(off) * time.Second)
		for i := range 200 {
			fs1.second(1)
			client1.second(1, to("10.0.0.1", 1, float64(1000+i)))
			client2.second(1, to("10.0.0.1", 1, float64(2000+i)))
		}
		a := networked(t, dir, Options{System: system(t, "servers: fs1\ndrives:\n  - devices: sdb\n    peers: all\nhosts: fs1\n"), Metrics: []string{"cwnd_in"}})
		var want strings.Builder
		for end := 2; end <= 200; end++ {
			first, second := float64(1000+end-1), float64(2000+end-1-off)
			v := (first + second) / 2
			if end-off < 2 || end-off > 200 { // client2 has no record of that second
				v = first
			}
			fmt.Fprintf(&want, "%d fs1 cwnd_in %v\n", end, v)
		}
		compare(t, printed(t, a, "cwnd_in"), want.String())
		noWarnings(t, a)
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
