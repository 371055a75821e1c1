package handler_test

import (
	"bytes"
	"net/http"
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
	subject := &site.Standing().Subject
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
	for _, line := range []string{"  Would do: let other OSDs answer the reads of osd.0: " + command + "\n", "            Undo: ceph osd primary-affinity osd.0 1\n"} {
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
