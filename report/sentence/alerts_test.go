package sentence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Every kind as somebody reads it on a telephone: while it lasts and when it is over.
func TestAlertsOfEveryKind(t *testing.T) {
	v := siteWriter(t)
	var out strings.Builder
	for _, in := range every(t, v) {
		active, over := inPhase(in, incident.Active), inPhase(in, incident.Cleared)
		fmt.Fprintf(&out, "%s\n  %s.\n  %s\n  %s\n  %s.\n\n", v.Headline(&active), v.Number(&active), v.Action(&active), Ended("recovered", v.Headline(&over)), v.Number(&over))
	}
	headline, number, action := AndMore(37, 3, 20, 600)
	fmt.Fprintf(&out, "%s\n  %s.\n  %s\n", headline, number, action)
	for _, why := range []string{"resolved", "removed", "merged", "muted", "became an incident", "lost sight of"} {
		fmt.Fprintf(&out, "%s\n", Ended(why, "fs1 lost 1.0.1"))
	}
	name := filepath.Join("testdata", "alerts.txt")
	if *update {
		if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		t.Errorf("the sentences changed; see them with go test ./report/sentence -update and git diff\n%s", got)
	}
}

// Whoever is woken by a kind is told what to do about it.
func TestEveryKindHasAnAction(t *testing.T) {
	for _, k := range finding.Kinds() {
		if utcVoice.Action(&incident.Incident{Kind: k}) == "" {
			t.Errorf("kind %s has no action in actions", k)
		}
	}
}

// TestNumberOfServerPeers: the number of an incident of a server counts the peers on other servers, and
// not the group of the drive, which may have no other drive.
func TestNumberOfServerPeers(t *testing.T) {
	var list []topology.Listed
	for _, server := range []string{"ios1", "ios2", "ios3", "ios4"} {
		list = append(list, topology.Listed{Peers: server + " sd", Component: topology.Component{Name: server + "/sdb", Server: server, Device: "sdb"}})
	}
	system, _, err := topology.List("discovered", list)
	if err != nil {
		t.Fatal(err)
	}
	o := engine.DefaultOptions()
	v := New(system, table.Schema{StepSeconds: 1, Components: len(system.Components), Servers: 4, Metrics: []metric.Metric{metric.Await}}, &o)
	in := incident.Incident{
		Class: finding.Resource, Kind: finding.DiskBusy, Phase: incident.Active, Place: blame.Place{Tier: blame.Server, Name: "ios3"},
		Evidence: []finding.Evidence{{Metric: "await", Component: 2, Decides: true, Own: 4010, Peers: 46.5, Unit: "ms", Score: 86, Threshold: 1.5, Scale: finding.TimesPeers}},
	}
	if got := v.Number(&in); !strings.Contains(got, " of 3 peers, since ") {
		t.Error(got)
	}
	v.System.File = "site.yaml" // the drives are peers only as the file says
	if got := v.Number(&in); !strings.Contains(got, " of its peers, since ") {
		t.Error(got)
	}
}
