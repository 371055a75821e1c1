package explain

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/metric"
)

// TestChecklist walks through every combination of suspect metrics and holds
// the answer against the rules as F10 states them, one by one: §10.2 for
// storage, §12 for the network.
func TestCheck(t *testing.T) {
	names := Metrics()
	seen := map[Cause]int{}
	for set := range 1 << len(names) {
		suspect := func(name string) bool {
			i := slices.Index(names, name)
			return i >= 0 && set>>i&1 == 1
		}
		got, ok := check(suspect)
		want := byRules(suspect)
		if got != want || ok != (want != "") {
			t.Errorf("%07b: %q %t, want %q", set, got, ok, want)
		}
		seen[got]++
	}
	// Of 128 sets: 96 with storage throughput, 16 more with await alone of
	// storage; of 16 sets of the network, 4 have both ways and 2 one way
	// without cwnd, 9 cwnd otherwise, and one is empty.
	want := map[Cause]int{DiskHog: 96, DiskBusy: 16, NetworkHog: 6, PacketLoss: 9, "": 1}
	for cause, n := range want {
		if seen[cause] != n {
			t.Errorf("%q: %d sets, want %d", cause, seen[cause], n)
		}
	}
}

func byRules(suspect func(string) bool) Cause {
	rx, tx := suspect("rxbyt"), suspect("txbyt")
	cwnd := suspect("cwnd_out") || suspect("cwnd_in")
	rules := []struct {
		holds bool
		cause Cause
	}{
		{suspect("rd_sec"), DiskHog},
		{suspect("wr_sec"), DiskHog},
		{suspect("await"), DiskBusy},
		{rx && tx, NetworkHog},
		{(rx || tx) && !cwnd, NetworkHog},
		{cwnd, PacketLoss},
	}
	for _, r := range rules {
		if r.holds {
			return r.cause
		}
	}
	return ""
}

// TestOtherMetricsDoNotIndict: what F10 §7 found unreliable is not on its list,
// and neither are retransmissions, which it had not got. Every metric of the
// list speaks for one cause.
func TestOtherMetricsDoNotIndict(t *testing.T) {
	for _, m := range metric.All() {
		listed := slices.Contains(Metrics(), m.Name)
		cause, ok := check(func(name string) bool { return name == m.Name })
		if ok != listed || listed && cause != causeOf(m.Name) {
			t.Errorf("%s alone indicts: %t, is listed: %t, speaks for %q", m.Name, ok, listed, causeOf(m.Name))
		}
	}
	if causeOf("retr_in") != PacketLoss || causeOf("retr_out") != PacketLoss || causeOf("tps") != "" {
		t.Error("segments that are sent again do not speak for packet loss, or requests for anything")
	}
}
