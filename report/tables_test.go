package report

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/sentence"
)

// TestEmptyColumnsAreLeftOut shows that --why has no column without any value: lost paths have no time and no
// peak.
func TestEmptyColumnsAreLeftOut(t *testing.T) {
	w := newWorld(t, site, true)
	w.s.Why = true
	_, paths, _ := strings.Cut(w.run()["text"], "controller ddn2a: lost paths")
	paths, slow, _ := strings.Cut(paths, "LUN 1.0: single LUN")
	if strings.Contains(paths, "times slower") || strings.Contains(paths, "at its peak") || !strings.Contains(paths, "component  server") {
		t.Errorf("the table of lost paths has empty columns, or is missing:\n%s", paths)
	}
	if !strings.Contains(slow, "times slower  at its peak") {
		t.Error("the table of a slow LUN lacks its columns")
	}
}

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
