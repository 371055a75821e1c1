package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// incidentIDs returns the IDs of incidents in a report of diagnose, in their order.
func incidentIDs(report string) []string {
	var ids []string
	for _, m := range regexp.MustCompile(`(?m)^  .*\[([0-9a-f]{8}[^\]]*)\]$`).FindAllStringSubmatch(report, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// TestDiscoveredTopologyChangesNothing: the topology that discover drafts is the system
// that diagnose finds without one. So the report is the same: places, IDs and values.
func TestDiscoveredTopologyChangesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []struct {
		name, inDraft string
		command       []string // nil: limpet demo
	}{
		{"arrays", `names: "shared-fs(1-4)"`, nil},
		{"drives", "devices: sdb", []string{"simulate", "testbench", "--workload", "ddw", "--fault", "disk-busy"}},
		{"networks", "names: eth0", []string{"simulate", "testbench", "--workload", "ddw", "--fault", "receive-pktloss"}},
	} {
		t.Run(run.name, func(t *testing.T) {
			activity, file := filepath.Join(dir, run.name, "activity"), filepath.Join(dir, run.name+".yaml")
			if run.command == nil {
				demo(t, filepath.Join(dir, run.name))
			} else if got := tellOf(append(run.command, "--dir", filepath.Join(dir, run.name))...); got.code != 0 {
				t.Fatal(got.err)
			}
			if got := tellOf("topology", "discover", "--output", file, activity); got.code != 0 {
				t.Fatal(got.err)
			}
			draft, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(draft), run.inDraft) || !strings.Contains(string(draft), "interfaces:") {
				t.Errorf("no %q or no interfaces in the draft:\n%s", run.inDraft, draft)
			}
			alone, with := tellOf("diagnose", activity), tellOf("diagnose", "--topology", file, activity)
			if len(incidentIDs(alone.out)) == 0 {
				t.Fatalf("diagnose finds nothing:\n%s", alone.out)
			}
			// Only a report without a topology says that limpet made a name itself.
			if out := madeUp.ReplaceAllString(alone.out, ""); out != with.out {
				t.Errorf("without a topology\n%s\nwith the discovered topology\n%s", out, with.out)
			}
		})
	}
}

var madeUp = regexp.MustCompile(`(?m)^ *- limpet made the name .*\n`)
