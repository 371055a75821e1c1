package checklist

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
)

// TestCheck compares the kind for every combination of suspect metrics with the rules as
// F10 states them: §10.2 for storage, §12 for the network.
func TestCheck(t *testing.T) {
	names := Metrics()
	seen := map[finding.Kind]int{}
	for set := range 1 << len(names) {
		suspect := func(name string) bool {
			i := slices.Index(names, name)
			return i >= 0 && set>>i&1 == 1
		}
		got, ok := firstKind(suspect)
		want := byRules(suspect)
		if got != want || ok != (want != "") {
			t.Errorf("%07b: %q %t, want %q", set, got, ok, want)
		}
		seen[got]++
	}
	// Of 128 sets: 96 with storage throughput, 16 more with await alone of
	// storage; of 16 sets of the network, 4 have both ways and 2 one way
	// without cwnd, 9 cwnd otherwise, and one is empty.
	want := map[finding.Kind]int{finding.DiskHog: 96, finding.DiskBusy: 16, finding.NetworkHog: 6, finding.PacketLoss: 9, "": 1}
	for kind, n := range want {
		if seen[kind] != n {
			t.Errorf("%q: %d sets, want %d", kind, seen[kind], n)
		}
	}
}

func byRules(suspect func(string) bool) finding.Kind {
	rx, tx := suspect("rxbyt"), suspect("txbyt")
	cwnd := suspect("cwnd_out") || suspect("cwnd_in")
	rules := []struct {
		holds bool
		kind  finding.Kind
	}{
		{suspect("rd_sec"), finding.DiskHog},
		{suspect("wr_sec"), finding.DiskHog},
		{suspect("await"), finding.DiskBusy},
		{rx && tx, finding.NetworkHog},
		{(rx || tx) && !cwnd, finding.NetworkHog},
		{cwnd, finding.PacketLoss},
	}
	for _, r := range rules {
		if r.holds {
			return r.kind
		}
	}
	return ""
}

// TestOtherMetricsDecideNothing: metrics that F10 §7 found unreliable are not on the
// list, and neither are retransmissions, which F10 did not have. The list has the order
// of all metrics.
func TestOtherMetricsDecideNothing(t *testing.T) {
	var order []string
	for _, m := range metric.All() {
		listed := slices.Contains(Metrics(), m.Name)
		if listed {
			order = append(order, m.Name)
		}
		if _, ok := firstKind(func(name string) bool { return name == m.Name }); ok != listed {
			t.Errorf("%s alone decides: %t, is listed: %t", m.Name, ok, listed)
		}
	}
	if !slices.Equal(order, Metrics()) {
		t.Errorf("%v, want the order %v", Metrics(), order)
	}
}
