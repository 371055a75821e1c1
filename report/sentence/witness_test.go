package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/witness"
)

// TestWitnessed: what is said near the onset is shown with what it means; what is said
// long before, of others, or at no known time is not.
func TestWitnessed(t *testing.T) {
	v := pool(t)
	in := slowDrive(1, "nas1/sdc")
	in.Onset = finding.Onset{At: 1_772_442_000, Early: 1_772_441_900, Late: 1_772_442_100}
	before := strings.Join(v.Because(&in), "\n")
	v.Witnesses = &witness.Record{}
	v.Witnesses.Add(
		witness.Statement{Sign: witness.MediaError, Server: "nas1", Device: "sdc", At: 1_772_441_000, File: "kern.log", Line: 7},
		witness.Statement{Sign: witness.MediaError, Server: "nas1", Device: "sdc", At: 1_772_442_764, File: "kern.log", Line: 9},
		witness.Statement{Sign: witness.IOError, Server: "nas1", Device: "sdc", At: 1_772_342_764, File: "kern.log", Line: 1},
		witness.Statement{Sign: witness.IOError, Server: "nas2", Device: "sdc", At: 1_772_442_000, File: "kern.log", Line: 2},
		witness.Statement{Sign: witness.LinkReset, Server: "nas1", At: 1_772_442_010, File: "kern.log", Line: 8},
		witness.Statement{Sign: witness.Reallocated, Serial: "ZL2A9XYZ", Value: 8, FromSnapshot: true, File: "smart.json", Line: 1},
	)
	got := strings.Join(v.Witnessed(&in), "\n")
	want := "SMART data and kernel logs: nas1/sdc: 2 media errors, 2026-03-02 08:43Z to 09:12Z (kern.log:7): a sign of a failing drive\n" +
		"SMART data and kernel logs: nas1/sdc: 8 reallocated sectors (smart.json:1): a sign of a failing drive\n" +
		"SMART data and kernel logs: another device of nas1: 1 reset, 2026-03-02 09:00Z (kern.log:8): a sign of a faulty link, cable or backplane"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if after := strings.Join(v.Because(&in), "\n"); after != strings.TrimPrefix(before+"\n"+want, "\n") {
		t.Errorf("witnesses are not beside the evidence:\n%s", after)
	}
	v.Witnesses = &witness.Record{}
	v.Witnesses.CoverTime("nas1", in.Onset.At-100)
	v.Witnesses.CoverTime("nas1", in.Onset.At+100)
	if got := v.Witnessed(&in); len(got) != 1 || !strings.HasSuffix(got[0], "a sign that the drive is not failing") {
		t.Errorf("a silent log: %q", got)
	}
	harmless := incident.Incident{Kind: finding.ServerIssued}
	if v.Witnesses = nil; len(v.Witnessed(&harmless)) > 0 {
		t.Error("without witnesses something is witnessed")
	}
}
