package testbench_test

import (
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// TestThirdParties: a server's records have those of a network hog among its
// remote hosts while the fault lasts, under addresses of their own, and nobody
// else's records have them.
func TestThirdParties(t *testing.T) {
	tests := map[testbench.Fault]struct {
		dialled        bool
		sent, received float64 // bytes a second, about, of one at full speed
	}{
		testbench.WriteNetworkHog: {false, 0, 50e6},
		testbench.ReadNetworkHog:  {true, 50e6, 0},
	}
	for fault, tt := range tests {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			e := manyHogs(fault)
			dir := write(t, e)
			seen := map[netip.Addr]string{}
			for i, name := range []string{"ios1", "ios2", "ios3", "ios4", "ios5", "ios6"} {
				thirds := 0
				for _, p := range strangers(t, filepath.Join(dir, simulate.ActivityDir, name+"-20090901T000000Z.sa"), e) {
					thirds++
					if seen[p.Remote] != "" {
						t.Errorf("%s is a third party of %s and of %s", p.Remote, seen[p.Remote], name)
					}
					seen[p.Remote] = name
					if p.Dialled != tt.dialled || p.Sockets != 1 {
						t.Errorf("%s: dialled %v, %d sockets", p.Remote, p.Dialled, p.Sockets)
					}
					about(t, "bytes sent", p.Sent, 300*tt.sent)
					about(t, "bytes received", p.Received, 300*tt.received)
					about(t, "segments delivered", p.Delivered, 300*tt.sent/1448)
				}
				if want := map[int]int{1: 3, 4: 3}[i]; thirds != want {
					t.Errorf("%s has %d third parties, want %d", name, thirds, want)
				}
			}
		})
	}
}

// about fails where a sum is not of the magnitude that it should have: a third
// party shares the port with two others and the clients, and one is at half
// speed.
func about(t *testing.T, what string, got uint64, want float64) {
	t.Helper()
	if low, high := want/10, want*3; float64(got) < low || float64(got) > high {
		t.Errorf("%d %s, want %g to %g", got, what, low, high)
	}
}

// strangers are the remote hosts in a server's file beside the clients, as they
// were last. They are there for as long as the fault lasts.
func strangers(t *testing.T, path string, e *testbench.Experiment) map[netip.Addr]tcpstat.Peer {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	last, records, again := map[netip.Addr]tcpstat.Peer{}, map[netip.Addr]int{}, uint64(0)
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		if rec.Type != sysstat.Stats {
			continue
		}
		for _, p := range peersOf(t, rec)[e.Cluster.Clients:] {
			notLess(t, last[p.Remote].Retrans, p.Retrans)
			notLess(t, last[p.Remote].Delivered, p.Delivered)
			last[p.Remote] = p
			records[p.Remote]++
		}
		errors, _ := rec.TCPErrors()
		notLess(t, again, errors.RetransSegs)
		again = errors.RetransSegs
	}
	for addr, n := range records {
		if lasts := int((e.To - e.From).Seconds()); n != lasts {
			t.Errorf("%s: %s is in %d records, the fault lasts %d s", path, addr, n, lasts)
		}
	}
	return last
}

func peersOf(t *testing.T, rec *sysstat.Record) []tcpstat.Peer {
	t.Helper()
	raw, n, size := rec.Items(tcpstat.ID)
	peers := make([]tcpstat.Peer, n)
	for i := range peers {
		if err := tcpstat.Decode(raw[i*size:], &peers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return peers
}

// notLess fails where a counter falls.
func notLess(t *testing.T, was, now uint64) {
	t.Helper()
	if now < was {
		t.Fatalf("a counter fell from %d to %d", was, now)
	}
}
