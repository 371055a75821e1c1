package activity

import (
	"net/netip"
	"testing"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// TestSegmentsAreKeptInPlace: the counters of a machine's remote hosts are
// allocated once.
func TestSegmentsAreKeptInPlace(t *testing.T) {
	var all []tcpstat.Peer
	for _, remote := range []string{"10.0.0.101", "10.0.0.102", "10.0.0.103"} {
		all = append(all, tcpstat.Peer{Remote: netip.MustParseAddr(remote), Retrans: 1, Delivered: 2})
	}
	counted, time := tally{stepSeconds: 1}, int64(0)
	record := func() {
		time++
		counted.begin(time)
		for i := range all {
			counted.add(&all[i])
		}
	}
	record()
	record()
	if n := testing.AllocsPerRun(100, record); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}
