package activity

import (
	"testing"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// carrying returns an item with numbers of sent and received bytes.
func carrying(p tcpstat.Peer, sent, received uint64) tcpstat.Peer {
	p.Sent, p.Received = sent, received
	return p
}

var exchangeMetrics = []string{"rxsrv", "txsrv"}

// TestExchange: bytes from and to other servers count, whoever dialled. Bytes of clients, of hosts without
// files and of the server itself do not. A server whose connections lead to no other server exchanges
// nothing, and a server without connections has no value.
func TestExchange(t *testing.T) {
	dir := t.TempDir()
	fs1, fs2, fs3 := attach(t, dir, "fs1", "10.0.0.1"), attach(t, dir, "fs2", "10.0.0.2"), attach(t, dir, "fs3", "10.0.0.3")
	client := attach(t, dir, "client1", "10.0.0.101")
	for n := range uint64(3) {
		fs1.second(1, carrying(to("10.0.0.2", 1, 10), 7+1000*n, 9+5*n), carrying(from("10.0.0.2", 1, 10), 3*n, 40*n), carrying(to("10.0.0.1", 1, 10), 800*n, 800*n),
			carrying(from("10.0.0.101", 1, 10), 90*n, 90*n), carrying(to("192.0.2.1", 1, 10), 70*n, 70*n))
		fs2.second(1, carrying(from("10.0.0.101", 1, 10), 60*n, 60*n))
		fs3.second(1)
		client.second(1, carrying(to("10.0.0.1", 1, 10), 90*n, 90*n))
	}
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: exchangeMetrics})
	compare(t, printed(t, a, exchangeMetrics...), lines(
		"2 fs1 rxsrv 45", "2 fs2 rxsrv 0", "2 fs1 txsrv 1003", "2 fs2 txsrv 0",
		"3 fs1 rxsrv 45", "3 fs2 rxsrv 0", "3 fs1 txsrv 1003", "3 fs2 txsrv 0"))
}

// TestExchangeBeginsAnew: a server that appears, and counters that fall, have no growth. The other
// direction of the same server still counts.
func TestExchangeBeginsAnew(t *testing.T) {
	dir := t.TempDir()
	fs1 := attach(t, dir, "fs1", "10.0.0.1")
	for _, name := range []string{"2", "3"} {
		attach(t, dir, "fs"+name, "10.0.0."+name).second(1)
	}
	fs1.second(1, carrying(from("10.0.0.2", 1, 10), 100, 100))
	fs1.second(1, carrying(from("10.0.0.2", 1, 10), 110, 110), carrying(to("10.0.0.2", 1, 10), 5000, 5000))
	fs1.second(1, carrying(from("10.0.0.2", 1, 10), 120, 30), carrying(to("10.0.0.2", 1, 10), 5007, 5008))
	a := networked(t, dir, Options{System: system(t, cluster), Metrics: exchangeMetrics})
	compare(t, printed(t, a, exchangeMetrics...), lines("2 fs1 rxsrv 10", "2 fs1 txsrv 10", "3 fs1 rxsrv 8", "3 fs1 txsrv 7"))
}

// TestExchangeOverSteps: a step of several records has the mean of its seconds.
func TestExchangeOverSteps(t *testing.T) {
	dir := t.TempDir()
	fs1 := attach(t, dir, "fs1", "10.0.0.1")
	attach(t, dir, "fs2", "10.0.0.2").second(1)
	for i := range uint64(30) {
		fs1.second(1, carrying(to("10.0.0.2", 1, 10), 100*min(i, 25), 0))
	}
	a := networked(t, dir, Options{StepSeconds: 10, Metrics: exchangeMetrics, System: system(t, "servers: fs[1-2]\ndrives:\n  - devices: sdb\n    peers: all\nhosts: fs[1-2]\n")})
	compare(t, printed(t, a, "txsrv"), lines("20 fs1 txsrv 100", "30 fs1 txsrv 60"))
}
