package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// Every reason for a refusal has a sentence of its own.
func TestRefusalsHaveSentences(t *testing.T) {
	w := &Writer{System: &topology.System{File: "site.yaml", Components: []topology.Component{{Name: "osd1/sdb", Part: topology.Part{Storage: "ceph", Redundancy: "4+2"}}}}}
	in := &incident.Incident{Kind: finding.SlowDrive, MayBe: finding.ArrayUpkeep, Alike: []blame.Place{{Tier: blame.Server, Name: "osd1"}}}
	policy := action.DefaultPolicy()
	seen := map[string]action.Reason{}
	for _, r := range action.Reasons() {
		guard := advice.Guard{Group: "ceph", Name: "4+2", Spares: 2, Lost: 1}
		guard.Reason = map[action.Reason]advice.Reason{action.UnknownStorage: advice.NoKind, action.NoRedundancy: advice.NoneLeft, action.BeneathPart: advice.Beneath}[r]
		d := &action.Decision{
			Refused: r, Guard: &guard, Missing: map[action.Reason]string{action.UnknownServer: "server", action.UnknownName: "volume"}[r],
			Rule: &action.Rule{Effects: []action.Effect{action.Relieve}, TimesSlower: 1.5, LastedSeconds: 900, Hours: action.Hours{FromMinute: 60, ToMinute: 120}}, Steps: action.Steps{Driver: &action.Driver{Effect: action.TakeOut}},
		}
		text := w.refusal(in, &policy, d)
		if other, ok := seen[text]; ok || strings.HasPrefix(text, "of the cap") || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: %q (as %s)", r, text, other)
		}
		seen[text] = r
	}
}

// TestKindMissing: where the topology does not name the kind of storage, a refusal states that, and not
// that no rule applies.
func TestKindMissing(t *testing.T) {
	w := &Writer{System: &topology.System{File: "site.yaml", Components: []topology.Component{{Name: "1.07.4"}, {Name: "osd.1", Part: topology.Part{Storage: "ceph"}}}}}
	policy := action.DefaultPolicy()
	for component, want := range []string{`Add the setting "kind" to the topology file.`, "no rule in the policy file applies to osd.1."} {
		text := w.refusal(&incident.Incident{}, &policy, &action.Decision{Component: component, Refused: action.NoRule})
		if !strings.HasSuffix(text, want) {
			t.Errorf("%q, want %q at its end", text, want)
		}
	}
	w.System.File = ""
	text := w.refusal(&incident.Incident{}, &policy, &action.Decision{Refused: action.NoRule})
	for _, want := range []string{`add the setting "kind" to the description file of the tables`, "draft a topology file"} {
		if !strings.Contains(text, want) || strings.Contains(text, "the topology file does not") {
			t.Errorf("without a topology: %q, want %q in it", text, want)
		}
	}
}

func TestLines(t *testing.T) {
	var none *Proposal
	if none.Lines() != nil {
		t.Error("nothing has lines")
	}
	for want, p := range map[string]*Proposal{
		"Refused: limpet takes no action on osd1/sdb, because the incident is muted.": {Verdict: Refused, Component: "osd1/sdb", Text: "the incident is muted."},
		"Refused: limpet takes no action, because the incident is muted.":             {Verdict: Refused, Text: "the incident is muted."},
		"Proposed action: take sdb offline; command: zpool offline -t tank sdb\n          Check before the action: zpool status; expected: ONLINE\n          Undo: zpool online tank sdb\n          A note.": {
			Verdict: WouldDo, Text: "take sdb offline", Command: "zpool offline -t tank sdb", Before: []Checked{{"zpool status", "ONLINE"}}, Undo: "zpool online tank sdb", Note: "A note.",
		},
	} {
		if got := strings.Join(p.Lines(), "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
