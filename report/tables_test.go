package report

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/sentence"
)

// TestPausesAreOfTheServer shows that the tables of pauses name the server, and not the drive that stands
// for the server in the finding.
func TestPausesAreOfTheServer(t *testing.T) {
	w := newWorld(t, site, false)
	b := base{s: w.s, sentences: sentence.New(w.s.System, w.s.Schema, &w.s.Options)}
	drive := w.at("1.2.3")
	in := opened("pause-fs3", 1, incident.Incident{
		Class: finding.Pause, Kind: finding.Pauses, Place: blame.Place{Tier: blame.Server, Name: "fs3"}, Members: []finding.Member{w.member(finding.AtFault, "1.2.3")},
		Evidence: []finding.Evidence{{Metric: finding.PauseCount, Component: drive, Own: 6, Scale: finding.EvidenceUnits, Decides: true}},
	})
	members, evidence := b.memberRows(&in, memberLines), b.evidenceRows(&in)
	if members[0][0] != "fs3" || members[0][2] != "" || evidence[0][1] != "fs3" {
		t.Errorf("the tables name %q and %q, want fs3", members, evidence)
	}
}
