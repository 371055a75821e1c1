package inetdiag

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// listenerAddr is of the loopback network, and nobody else's.
const listenerAddr = "127.83.0.1"

// A pair is a connection: who dialled, who accepted.
type pair struct{ client, server *net.TCPConn }

// listenAt opens a listener that ends with the test.
func listenAt(t testing.TB, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skipf("no listener at %s %s: %v", network, address, err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// dialTo connects from a local address to a listener. Both ends are reset at
// the end of the test, so that nothing is left waiting.
func dialTo(t testing.TB, l net.Listener, network, from, to string) pair {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	out, err := d.Dial(network, net.JoinHostPort(to, port))
	if err != nil {
		t.Fatal(err)
	}
	in, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p := pair{out.(*net.TCPConn), in.(*net.TCPConn)}
	t.Cleanup(p.reset)
	return p
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
	go p.server.Write(make([]byte, n))
	if _, err := io.ReadFull(p.client, make([]byte, n)); err != nil {
		t.Fatal(err)
	}
}

func openLoopback(t testing.TB) *Counter {
	t.Helper()
	o := DefaultOptions()
	o.Loopback = true
	c, err := Open(o)
	if err != nil {
		t.Skipf("the kernel does not tell of its sockets: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// sample finds a remote host on a side.
func sample(t testing.TB, c *Counter, remote string, dialled bool) tcpstat.Peer {
	t.Helper()
	peers, err := c.Peers(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range peers {
		if p.Remote == netip.MustParseAddr(remote) && p.Dialled == dialled {
			return p
		}
	}
	return tcpstat.Peer{}
}

// expect samples until a remote host is as it should be: acknowledgements may
// be under way, and sockets about to close.
func expect(t testing.TB, c *Counter, remote string, dialled bool, ok func(tcpstat.Peer) bool) tcpstat.Peer {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		p := sample(t, c, remote, dialled)
		switch {
		case ok(p):
			return p
		case time.Now().After(deadline):
			t.Fatalf("%s is still %+v", remote, p)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestKernel(t *testing.T) {
	tests := map[string]struct{ listen, at, dial, from, to string }{
		"IPv4":               {"tcp4", listenerAddr + ":0", "tcp4", "127.83.1.1", listenerAddr},
		"any IPv4":           {"tcp4", "0.0.0.0:0", "tcp4", "127.83.1.2", "127.83.0.2"},
		"IPv4 through IPv6":  {"tcp", "[::]:0", "tcp4", "127.83.1.3", "127.83.0.3"},
		"IPv6":               {"tcp6", "[::1]:0", "tcp6", "::1", "::1"},
		"any IPv6, and only": {"tcp6", "[::]:0", "tcp6", "::1", "::1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, c := listenAt(t, tt.listen, tt.at), openLoopback(t)
			before := sample(t, c, tt.from, false) // ::1 may have others
			pairs := []pair{dialTo(t, l, tt.dial, tt.from, tt.to), dialTo(t, l, tt.dial, tt.from, tt.to)}
			for _, p := range pairs {
				p.send(t, 1e6)
			}
			expect(t, c, tt.from, false, func(in tcpstat.Peer) bool {
				return in.Sockets >= before.Sockets+2 && in.Cwnd >= 1 && in.RTT > 0 && in.Sent >= before.Sent+2e6 && in.Delivered > before.Delivered
			})
			expect(t, c, tt.to, true, func(out tcpstat.Peer) bool {
				return out.Sockets >= 2 && out.Cwnd >= 1 && out.Received >= 2e6
			})
		})
	}
}

// TestKernelCloses: sums stay when sockets close, and grow with new ones.
func TestKernelCloses(t *testing.T) {
	const remote = "127.83.2.1"
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	for i := range 5 {
		sent := 1000 * uint64(i+1)
		p := dialTo(t, l, "tcp4", remote, listenerAddr)
		p.send(t, 1000)
		expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sockets == 1 && p.Sent == sent })
		p.reset()
		expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sockets == 0 && p.Cwnd == 0 && p.Sent == sent })
	}
}

// TestKernelHalfCloses: what is sent after one end has closed its side counts
// at both ends, whoever it was.
func TestKernelHalfCloses(t *testing.T) {
	const remote, least = "127.83.8.1", 1e6
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	p := dialTo(t, l, "tcp4", remote, listenerAddr)
	p.send(t, 1000)
	expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sockets == 1 && p.Sent == 1000 })
	before := sample(t, c, listenerAddr, true)
	if err := p.client.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	p.send(t, least)
	expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sockets == 0 && p.Cwnd == 0 && p.Sent >= least+1000 })
	expect(t, c, listenerAddr, true, func(p tcpstat.Peer) bool { return p.Received >= before.Received+least })
}

// TestKernelRemains: a socket whose owner has gone leaves something behind that
// waits for the other end. It is not counted as another socket.
func TestKernelRemains(t *testing.T) {
	const remote = "127.83.8.2"
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	p := dialTo(t, l, "tcp4", remote, listenerAddr)
	p.send(t, 1000)
	expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sent == 1000 })
	if err := p.server.Close(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		for _, s := range c.sockets {
			if s.remote.Addr() == netip.MustParseAddr(remote) && !s.counts {
				t.Fatalf("%+v is left", s)
			}
		}
		if p := sample(t, c, remote, false); p.Sent > 1001 { // and the end of it
			t.Fatalf("got %+v", p)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestKernelLoses: a filter at the receiving socket throws segments away, which
// needs neither privilege nor a tool.
func TestKernelLoses(t *testing.T) {
	const remote = "127.83.3.1"
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	p := dialTo(t, l, "tcp4", remote, listenerAddr)
	p.send(t, 1000)
	expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sent == 1000 && p.Retrans == 0 })
	filter(t, p.client, func(fd int) error {
		nothing := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K}
		return unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &nothing})
	})
	go func() {
		time.Sleep(500 * time.Millisecond)
		filter(t, p.client, func(fd int) error {
			return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_DETACH_FILTER, 0)
		})
	}()
	p.send(t, 1000)
	expect(t, c, remote, false, func(p tcpstat.Peer) bool { return p.Sent == 2000 && p.Retrans > 0 })
}

func filter(t *testing.T, c *net.TCPConn, set func(fd int) error) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err == nil {
		var failed error
		if err = raw.Control(func(fd uintptr) { failed = set(int(fd)) }); err == nil {
			err = failed
		}
	}
	if err != nil {
		t.Errorf("socket filter: %v", err)
	}
}

// TestSideAfterListener: who dialled is known even when the listener is gone.
func TestSideAfterListener(t *testing.T) {
	const remote = "127.83.4.1"
	l, c := listenAt(t, "tcp4", listenerAddr+":0"), openLoopback(t)
	dialTo(t, l, "tcp4", remote, listenerAddr)
	for range 2 {
		if p := sample(t, c, remote, false); p.Sockets != 1 {
			t.Errorf("got %+v", p)
		}
		l.Close()
	}
}

// TestPortOfListener: a socket is dialled although its port is listened at, at
// another address.
func TestPortOfListener(t *testing.T) {
	const from, to = "127.83.9.1", "127.83.9.2"
	port := listenAt(t, "tcp4", listenerAddr+":0").Addr().(*net.TCPAddr).Port
	l, c := listenAt(t, "tcp4", to+":0"), openLoopback(t)
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from), Port: port}}
	out, err := d.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if p := sample(t, c, to, true); p.Sockets != 1 {
		t.Errorf("got %+v", p)
	}
}

// TestIPv6Only: the kernel says which listeners take IPv4 as well.
func TestIPv6Only(t *testing.T) {
	for network, takes := range map[string]bool{"tcp": true, "tcp6": false} {
		l, c := listenAt(t, network, "[::]:0"), openLoopback(t)
		local := netip.AddrPortFrom(netip.MustParseAddr("::ffff:10.0.0.1"), uint16(l.Addr().(*net.TCPAddr).Port))
		if err := c.findListeners(); err != nil {
			t.Fatal(err)
		}
		if got := c.listeners.accepted(local); got != takes {
			t.Errorf("%s: %v is accepted %v, want %v", network, local, got, takes)
		}
	}
}

func TestWithoutLoopback(t *testing.T) {
	l := listenAt(t, "tcp", "[::]:0")
	dialTo(t, l, "tcp4", "127.83.5.1", listenerAddr)
	c, err := Open(DefaultOptions())
	if err != nil {
		t.Skipf("the kernel does not tell of its sockets: %v", err)
	}
	defer c.Close()
	peers, err := c.Peers(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range peers {
		if p.Remote.IsLoopback() {
			t.Errorf("%+v is listed", p)
		}
	}
}

// TestUnprivileged samples in a thread that belongs to nobody.
func TestUnprivileged(t *testing.T) {
	const nobody, remote = 65534, "127.83.6.1"
	l := listenAt(t, "tcp4", listenerAddr+":0")
	dialTo(t, l, "tcp4", remote, listenerAddr)
	failed := make(chan error)
	go func() { // ends with its thread, which stays locked
		runtime.LockOSThread()
		if unix.Getuid() == 0 {
			if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
				failed <- errno
				return
			}
		}
		failed <- sampleOnce(remote)
	}()
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

func sampleOnce(remote string) error {
	c, err := Open(Options{Loopback: true})
	if err != nil {
		return err
	}
	defer c.Close()
	peers, err := c.Peers(nil)
	if err != nil {
		return err
	}
	for _, p := range peers {
		if p.Remote == netip.MustParseAddr(remote) && p.Sockets == 1 && p.Cwnd > 0 {
			return nil
		}
	}
	return fmt.Errorf("%s is not among %+v", remote, peers)
}

// TestKernelStuck: bytes that a process leaves in its socket are unread and the socket is stuck, until
// the process reads them; a buffer that is full closes the window.
func TestKernelStuck(t *testing.T) {
	c := openLoopback(t)
	l := listenAt(t, "tcp", listenerAddr+":0")
	p := dialTo(t, l, "tcp", "127.83.0.9", listenerAddr)
	queues := func() (accepted, dialled hoststat.Queues) {
		t.Helper()
		if _, err := c.Peers(nil); err != nil {
			t.Fatal(err)
		}
		accepted, dialled = c.Queues()
		return accepted, dialled
	}
	queues()
	go p.client.Write(make([]byte, 64<<20)) // more than any buffer holds
	time.Sleep(300 * time.Millisecond)
	queues()
	time.Sleep(300 * time.Millisecond)
	a, d := queues()
	if a.Stuck < 1 || a.Unread < 4096 || a.OldestMs < 200 || d.Unsent == 0 {
		t.Errorf("accepted %+v, dialled %+v", a, d)
	}
	if a.Closed+d.ClosedThere == 0 {
		t.Logf("no window is closed: this kernel does not tell, or its buffer is not full yet: %+v %+v", a, d)
	}
	if _, err := io.ReadFull(p.server, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if a, _ := queues(); a.Stuck != 0 || a.Read < 1<<20 {
		t.Errorf("after a read %+v", a)
	}
}
