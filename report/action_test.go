package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/document"
)

// withPolicy returns the made-up diagnosis, on which LUN 1.0 is an OSD of a group that bears two losses.
func withPolicy(t *testing.T) *world {
	w := newWorld(t, site, false)
	for i := range w.s.System.Components {
		if c := &w.s.System.Components[i]; c.LUN == "1.0" || c.LUN == "1.7" {
			c.Storage, c.Redundancy, c.Volume = "ceph", "3 replicas", strings.TrimPrefix(c.LUN, "1.")
		}
	}
	policy, err := action.ParsePolicy("policy.yaml", []byte("mode: propose"))
	if err != nil {
		t.Fatal(err)
	}
	w.s.Policy = policy
	return w
}

// Every incident that is open and not harmless has a decision in text and JSON, and JSON is as the
// schema says.
func TestActions(t *testing.T) {
	w := withPolicy(t)
	all := w.run()
	var doc struct{ Incidents, Suspects []document.Incident }
	var plain any
	if err := json.Unmarshal([]byte(all["json"]), &doc); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(all["json"]), &plain); err != nil {
		t.Fatal(err)
	}
	root := readSchema(t)
	for _, wrong := range root.check(root, "document", plain) {
		t.Error(wrong)
	}
	var got []string
	for _, in := range append(doc.Incidents, doc.Suspects...) {
		text := "nothing"
		if a := in.Action; a != nil {
			text = fmt.Sprintf("%s %s%s", a.Decision, a.Reason, a.Command)
		}
		got = append(got, fmt.Sprintf("%s %s: %s", in.Place.Name, in.Phase, text))
	}
	slices.Sort(got)
	want := []string{
		"1.0 active: would do ceph osd primary-affinity osd.0 0", "1.3 recovering: refused recovering", "1.5 pending: refused suspect",
		"ddn2a active: refused kind", "fs1 active: nothing", "fs3 active: refused kind", "fs8 cleared: nothing",
	}
	if !slices.Equal(slices.Compact(got), want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := strings.Count(all["text"], "    Proposed action: let other OSDs answer the reads of osd.0; command: ceph osd primary-affinity osd.0 0\n"); n != 1 || strings.Contains(all["text"], "Check before the action") {
		t.Errorf("the short text has the proposal %d times:\n%s", n, all["text"])
	}
	if n := strings.Count(all["text"], "    Refused: limpet takes no action"); n != 4 {
		t.Errorf("the text has %d refusals", n)
	}
	w.s.Why = true
	text := w.run()["text"]
	for _, line := range []string{"              Check before the action: ceph pg stat --format json; expected: every PG is active+clean", "              Check after the action: ceph osd dump --format json; expected: the primary_affinity of osd.0 is 0\n", "              Undo: ceph osd primary-affinity osd.0 1\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("--why lacks %q", line)
		}
	}
}

// A choice of incidents does not change the decisions: parts that are not shown count.
func TestActionsCountWhatIsNotShown(t *testing.T) {
	w := withPolicy(t)
	s := w.summary()
	s.Silent = append(s.Silent, engine.Silence{Server: "fs4", Since: start}) // a path of 1.7 hangs on fs4
	for i := range w.s.System.Components {
		w.s.System.Components[i].Redundancy = strings.Replace(w.s.System.Components[i].Redundancy, "3", "2", 1)
	}
	var out bytes.Buffer
	m := NewOngoing(w.s)
	if err := WriteText(&out, w.s, m.At(s)); err != nil {
		t.Fatal(err)
	}
	const want = "    Refused: limpet takes no action on 1.0.1, because ceph (2 replicas) tolerates the loss of 1 part, and 1 of its other parts is already slow, masked or without data.\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s\nlacks %s", &out, want)
	}
}

// A diagnosis that goes on has the same decisions, and knows which other parts are slow.
func TestOngoingActions(t *testing.T) {
	w := withPolicy(t)
	m := NewOngoing(w.s)
	for _, step := range w.steps {
		step(m, NewEvidence(w.s))
	}
	var got bytes.Buffer
	if err := WriteJSON(&got, w.s, m.At(w.summary())); err != nil {
		t.Fatal(err)
	}
	if want := w.run()["json"]; got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if strings.Contains(got.String(), "limpet does not know which other parts are slow") {
		t.Error("the other parts that are slow are unknown")
	}
}
