package agent

import (
	"bytes"
	"testing"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestMachineLatencies: a sample of this machine has an activity of latencies
// that can be read, of devices that the sample has, and takes no memory.
func TestMachineLatencies(t *testing.T) {
	needRoot(t, "loads BPF programs")
	var log bytes.Buffer
	o := DefaultOptions()
	m := opened(t, o, &log)
	if m.latencyError != nil {
		t.Skip("needs a kernel with BPF: ", m.latencyError)
	}
	activities := m.custom()
	if last := activities[len(activities)-1]; last.ID != blklat.ID || m.activities() != len(activities) {
		t.Fatalf("activities %v", activities)
	}
	var s sysstat.Sample
	var got blklat.Sample
	for n := range 3 {
		if err := m.Sample(&s); err != nil {
			t.Fatal(err)
		}
		if err := blklat.Decode(s.Custom[len(s.Custom)-1], &got); err != nil || got.Sequence != uint64(n+1) {
			t.Fatalf("%+v: %v", got, err)
		}
		for _, i := range got.Items {
			if !m.takes(i.Major, i.Minor) {
				t.Errorf("a device that is not recorded: %+v", i)
			}
		}
	}
}
