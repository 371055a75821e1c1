package agent

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// benchNetwork has a machine own the addresses that are for benchmarks, of
// which any two are a connection that seems to go to another host.
const benchNetwork = "ip route add local 198.18.0.0/15 dev lo"

// remotes is among how many addresses connections are spread.
const remotes = 50

// A pair is a connection: who dialled, who accepted.
type pair struct{ client, server *net.TCPConn }

// connectMany makes so many sockets, both ends of half as many connections, of
// addresses that begin with network. They are reset at the end of the test.
func connectMany(t testing.TB, network string, sockets int) (pairs []pair) {
	t.Helper()
	allowFiles(t, uint64(sockets)+100)
	l, err := net.Listen("tcp4", network+".0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for i := range sockets / 2 {
		p := dialFrom(t, l, fmt.Sprintf("%s.1.%d", network, i%remotes+1))
		t.Cleanup(p.reset)
		pairs = append(pairs, p)
	}
	return pairs
}

func dialFrom(t testing.TB, l net.Listener, address string) pair {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	out, err := d.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	in, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return pair{out.(*net.TCPConn), in.(*net.TCPConn)}
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

func (p pair) reset() {
	for _, c := range []*net.TCPConn{p.client, p.server} {
		c.SetLinger(0)
		c.Close()
	}
}

// send moves bytes from the accepted end to the other.
func (p pair) send(t testing.TB, n int) {
	t.Helper()
	if _, err := p.server.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(p.client, make([]byte, n)); err != nil {
		t.Fatal(err)
	}
}

// TestManySockets has a machine with ten thousand sockets, of which half close
// meanwhile: each sample has all that are there, and sums that do not fall.
func TestManySockets(t *testing.T) {
	if !apart(t, benchNetwork) {
		return
	}
	const sockets, sent = 10_000, 1000
	pairs := connectMany(t, "198.18", sockets)
	for _, p := range pairs {
		p.send(t, sent)
	}
	o := DefaultOptions()
	o.Record.Dir, o.Record.Interval = t.TempDir(), 500*time.Millisecond
	stop := start(t, o)
	awaitSamples(t, o, 3)
	for _, p := range pairs[sockets/4:] {
		p.reset()
	}
	awaitSamples(t, o, 7)
	stop()
	var got []crowd
	eachStats(t, onlyFile(t, o), func(rec *sysstat.Record, _ *sysstat.Inventory) { got = append(got, crowdOf(t, rec)) })
	if len(got) < 7 || got[0].sockets != sockets || got[len(got)-1].sockets != sockets/2 {
		t.Errorf("got %+v", got)
	}
	for i, c := range got {
		want := crowd{c.uptime, c.sockets, remotes, 1, sockets / 2 * sent, sockets / 2 * sent}
		if c != want || i > 0 && c.sockets > got[i-1].sockets {
			t.Errorf("sample %d: got %+v, want %+v", i, c, want)
		}
		// A machine that does other work may sample late.
		if late := i > 0 && c.uptime-got[i-1].uptime >= 100; late && !testing.Short() {
			t.Errorf("sample %d came a second or more after the one before", i)
		}
	}
}

// awaitSamples waits until the file of a recorder has a number of samples.
func awaitSamples(t *testing.T, o Options, n int) {
	t.Helper()
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(o.Record.Dir, "*Z.sa"))
		if err != nil || len(files) != 1 {
			continue
		}
		if samplesOf(files[0]) >= n {
			return
		}
	}
	t.Fatalf("there are not %d samples after a minute", n)
}

// samplesOf returns the number of whole samples in a file that may be growing.
func samplesOf(file string) (n int) {
	r, err := sysstat.Open(file)
	if err != nil {
		return 0
	}
	defer r.Close()
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		if rec.Type == sysstat.Stats {
			n++
		}
	}
	return n
}

// A crowd is what a sample says of all connections together.
type crowd struct {
	uptime            uint64
	sockets           int
	accepted, dialled int // remote hosts
	sent, received    uint64
}

func crowdOf(t *testing.T, rec *sysstat.Record) crowd {
	c := crowd{uptime: rec.Uptime}
	raw, count, size := rec.Items(tcpstat.ID)
	for i := range count {
		var p tcpstat.Peer
		if err := tcpstat.Decode(raw[i*size:], &p); err != nil {
			t.Fatal(err)
		}
		c.sockets += int(p.Sockets)
		if p.Dialled {
			c.dialled++
			c.received += p.Received
		} else {
			c.accepted++
			c.sent += p.Sent
		}
	}
	return c
}
