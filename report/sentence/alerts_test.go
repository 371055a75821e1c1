package sentence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
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
