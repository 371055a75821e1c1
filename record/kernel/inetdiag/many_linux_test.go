package inetdiag

import (
	"fmt"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// dialFrom is where connections of this file come from.
var dialFrom = netip.MustParsePrefix("127.83.8.0/24")

// remotes is among how many addresses connections are spread.
const remotes = 100

// connectMany makes so many sockets, both ends of half as many connections.
func connectMany(t testing.TB, sockets int) {
	t.Helper()
	allowFiles(t, uint64(sockets)+100)
	l := listenAt(t, "tcp4", listenerAddr+":0")
	for i := range sockets / 2 {
		dialTo(t, l, "tcp4", fmt.Sprintf("127.83.8.%d", i%remotes+1), listenerAddr)
	}
}

func allowFiles(t testing.TB, n uint64) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Cur >= n {
		return
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: max(n, limit.Max)}); err != nil {
		t.Skipf("%d files may be open, %d are needed (ulimit -n): %v", limit.Cur, n, err)
	}
}

func TestManySockets(t *testing.T) {
	const sockets = 10_000
	c := openLoopback(t)
	connectMany(t, sockets)
	peers, err := c.Peers(nil)
	if err != nil {
		t.Fatal(err)
	}
	var in, out, hosts int
	for _, p := range peers {
		switch {
		case p.Dialled && p.Remote == netip.MustParseAddr(listenerAddr):
			out += int(p.Sockets)
		case !p.Dialled && dialFrom.Contains(p.Remote):
			hosts++
			in += int(p.Sockets)
		}
	}
	if in != sockets/2 || out != sockets/2 || hosts != remotes {
		t.Errorf("%d accepted from %d hosts, %d dialled", in, hosts, out)
	}
	if n := allocations(t, c); n > 10 { // other programs may open sockets
		t.Errorf("%v allocations a sample", n)
	}
}

// allocations is how many a sample makes while none of ours comes or goes.
func allocations(t *testing.T, c *Counter) float64 {
	t.Helper()
	var peers []tcpstat.Peer
	return testing.AllocsPerRun(5, func() {
		var err error
		if peers, err = c.Peers(peers[:0]); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkPeers reports processor time, the kernel's included, beside what
// passes on the clock of a machine that may have other work.
func BenchmarkPeers(b *testing.B) {
	for _, sockets := range []int{0, 100, 10_000} {
		b.Run(fmt.Sprint(sockets), func(b *testing.B) {
			c := openLoopback(b)
			connectMany(b, sockets)
			peers, err := c.Peers(nil)
			if err != nil {
				b.Fatal(err)
			}
			used := processorMicros(b)
			for b.Loop() {
				if peers, err = c.Peers(peers[:0]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorMicros(b)-used)/float64(b.N), "cpu-µs/op")
		})
	}
}

// processorMicros is what this process has used.
func processorMicros(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e3
}
