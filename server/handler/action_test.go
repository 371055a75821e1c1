package handler_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// TestActions: with a policy, every answer with an open incident has its decision, and limpet incidents
// show prints it. The archive has none.
func TestActions(t *testing.T) {
	site := sitetest.New()
	subject := &site.Result().Subject
	for i := range subject.System.Components {
		if c := &subject.System.Components[i]; c.LUN == "1.0" {
			c.Storage, c.Redundancy, c.Volume = "ceph", "3 replicas", "0"
		}
	}
	var err error
	if subject.Policy, err = action.ParsePolicy("policy.yaml", []byte("mode: propose")); err != nil {
		t.Fatal(err)
	}
	h := sitetest.NewHandler(t, site, "", nil)
	const command = "ceph osd primary-affinity osd.0 0"
	kept := get[api.Kept](t, h, "/incidents/slow-1.0")
	if a := kept.Incident.Action; a == nil || a.Decision != "would do" || a.Command != command || len(a.Before) == 0 || len(a.After) != 1 || a.Undo == "" {
		t.Errorf("%+v", a)
	}
	var shown bytes.Buffer
	client.Show(&shown, &kept, picture.Style{})
	for _, line := range []string{"  Proposed action: let other OSDs answer the reads of osd.0; command: " + command + "\n", "            Undo: ceph osd primary-affinity osd.0 1\n"} {
		if !strings.Contains(shown.String(), line) {
			t.Errorf("%s\nlacks %q", &shown, line)
		}
	}
	list := get[api.IncidentList](t, h, "/incidents")
	for _, r := range list.Incidents {
		if (r.Incident.Action != nil) != (r.Section != "over") {
			t.Errorf("%s, %s: %+v", r.Incident.ID, r.Section, r.Incident.Action)
		}
	}
	if a := list.Suspects[0].Action; a == nil || a.Reason != action.OnlySuspect {
		t.Errorf("of a suspect: %+v", a)
	}
	if answer := ask(h, "", http.MethodGet, api.Base+"/diagnosis", "").Body.String(); !strings.Contains(answer, command) {
		t.Errorf("the diagnosis lacks %s:\n%s", command, answer)
	}
	kept = get[api.Kept](t, sitetest.NewHandler(t, sitetest.New(), "", nil), "/incidents/slow-1.0")
	if kept.Incident.Action != nil {
		t.Errorf("without a policy: %+v", kept.Incident.Action)
	}
}

// TestOperatorsDecide: an operator approves, reverses and stops actions, and the audit trail has it before it
// is done. Mistakes change nothing.
func TestOperatorsDecide(t *testing.T) {
	site := sitetest.New()
	site.SetActions(sitetest.SampleActions("slow-1.0", "1.0.1", site.Result().To)...)
	site.Set(func(s *api.Result) { s.Actions, s.ActionsStopped = map[string]int{"asked": 1}, true })
	h := sitetest.NewHandler(t, site, "", nil)
	kept := get[api.Kept](t, h, "/incidents/slow-1.0")
	if len(kept.Actions) != 2 || kept.Actions[0].ID != "17" {
		t.Errorf("%+v", kept.Actions)
	}
	var shown bytes.Buffer
	client.Show(&shown, &kept, picture.Style{})
	if want := "  Action 17 is in state asked until 2026-03-01 04:50Z. Command: ceph osd primary-affinity osd.0 0\n"; !strings.Contains(shown.String(), want) {
		t.Errorf("%s\nlacks %q", &shown, want)
	}
	for _, tt := range []struct {
		path, body string
		code       int
		want       string
	}{
		{"/actions/17/command", `{"verb":"destroy"}`, http.StatusBadRequest, `the field \"verb\" must be one of approve, refuse, undo, not \"destroy\"`},
		{"/actions/17/command", `{"verb":"stop"}`, http.StatusBadRequest, "must be one of approve, refuse, undo"},
		{"/actions/17/command", `{"verb":"undo"}`, http.StatusBadRequest, "its state is asked"},
		{"/actions/17/command", `{"verb":"approve","text":"a\nb"}`, http.StatusBadRequest, "control characters"},
		{"/actions/99/command", `{"verb":"approve"}`, http.StatusNotFound, `there is no action with the number \"99\"`},
		{"/actions/17/command", `{"verb":"approve","text":"go ahead"}`, http.StatusOK, `"state":"watching"`},
		{"/actions/17/command", `{"verb":"approve"}`, http.StatusBadRequest, "its state is watching"},
		{"/actions/17/command", `{"verb":"undo"}`, http.StatusOK, `"state":"undone"`},
		{"/actions/command", `{"verb":"approve"}`, http.StatusBadRequest, "must be one of stop, resume"},
		{"/actions/command", `{"verb":"stop","text":"maintenance"}`, http.StatusOK, `"stopped":true`},
	} {
		if w := ask(h, "", http.MethodPost, api.Base+tt.path, tt.body); w.Code != tt.code || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s %s: %d %s, want %d %s", tt.path, tt.body, w.Code, w.Body, tt.code, tt.want)
		}
	}
	trail, err := site.Audit(t.Context(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, d := range trail {
		said = append(said, d.Action+" "+d.Object+" "+d.Text+" "+d.Outcome)
	}
	for _, want := range []string{"action approve 17 go ahead done", "action undo 17  done", "action undo 17  refused: action 17 cannot be changed: its state is asked", "actions stop  maintenance done"} {
		if !slices.Contains(said, want) {
			t.Errorf("the audit trail %q lacks %q", said, want)
		}
	}
	metrics := ask(h, "", http.MethodGet, "/metrics", "").Body.String()
	for _, want := range []string{`limpet_actions{state="asked"} 1`, `limpet_actions{state="helped"} 0`, "limpet_actions_stopped 1"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	one := get[api.ActionKept](t, h, "/actions/3")
	shown.Reset()
	client.ShowAction(&shown, &one)
	for _, want := range []string{"Action 3 on component 1.0.1: let other OSDs answer the reads of osd.0\n", "  State: undone. Before the action, a request to the peer group took 10 ms (5 ms without the slow component)", " ann: do: start: ceph osd primary-affinity osd.0 0\n"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("%s\nlacks %q", &shown, want)
		}
	}
	list := get[api.ActionList](t, h, "/actions")
	shown.Reset()
	if err := client.ActionTable(&shown, &list, false); err != nil || !strings.Contains(shown.String(), " stopped all actions at ") || !strings.Contains(shown.String(), "No action is active or waiting for approval. 2 actions are over") {
		t.Errorf("%v\n%s", err, &shown)
	}
	shown.Reset()
	if err := client.ActionTable(&shown, &list, true); err != nil || strings.Count(shown.String(), "ceph osd") != 2 {
		t.Errorf("%v\n%s", err, &shown)
	}
}
