package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/outcome"
)

// TestDraftKeepsAnEditedTopology: a topology file that differs from the draft is replaced only with
// --force.
func TestDraftKeepsAnEditedTopology(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.yaml")
	draft := func(more ...string) answer {
		return tellOf(append(append([]string{"topology", "import", "--output", file}, more...), "../../examples/site")...)
	}
	if got := draft(); got.code != 0 {
		t.Fatal(got.err)
	}
	if got := draft(); got.code != 0 {
		t.Errorf("the same draft is not written again: %s", got.err)
	}
	const edited = "# edited\nservers: io1\n"
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	got := draft()
	kept, _ := os.ReadFile(file)
	if got.code != outcome.Failed || string(kept) != edited || !strings.Contains(got.err, "exists and differs from the draft, so it is kept") {
		t.Errorf("code %d, %s\n%s", got.code, got.err, kept)
	}
	if got := draft("--force"); got.code != 0 {
		t.Error(got.err)
	}
	if now, _ := os.ReadFile(file); string(now) == edited {
		t.Error("--force replaces nothing")
	}
}

// TestNextStepIsNamed: a command that cannot go on names the command or the flag that can.
func TestNextStepIsNamed(t *testing.T) {
	dir := t.TempDir()
	demoDir, fleet := filepath.Join(dir, "demo"), filepath.Join(dir, "fleet")
	demo(t, demoDir)
	activity, site := filepath.Join(demoDir, "activity"), filepath.Join(demoDir, "topology.yaml")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"diagnose", "--tables", dir}, 2, "limpet diagnose --tables FILE " + dir},
		{[]string{"diagnose", "--tables", dir, dir}, 2, "is a directory: give a description file or the name of a preset"},
		{[]string{"study", activity}, 1, "these are activity files: add --activity"},
	} {
		if got := tellOf(tt.args...); int(got.code) != tt.code || !strings.Contains(got.err, tt.want) {
			t.Errorf("%q: code %d, %s", tt.args, got.code, got.err)
		}
	}
	text := limpetText(t, "simulate", "fleet", "--disk-groups", "4", "--ssd-groups", "0", "--days", "1", "--dir", fleet)
	if !strings.HasSuffix(text, "\nlimpet study "+fleet+"\n") {
		t.Errorf("the next command is not the last line:\n%s", text)
	}
	if got := tellOf("study", fleet); got.code != 0 {
		t.Errorf("the next command fails: %s", got.err)
	}
	whole := limpetText(t, "diagnose", "--topology", site, activity)
	ids := incidentIDs(whole)
	for _, name := range []string{"1.07", "LUN 1.07"} {
		if got := tellOf("diagnose", "--topology", site, "--component", name, activity); got.code != 0 || !strings.Contains(got.out, "LUN 1.07: single LUN") {
			t.Errorf("--component %q: %s%s", name, got.err, got.out)
		}
	}
	if got := tellOf("diagnose", "--topology", site, "--component", ids[0], activity); got.code != 0 || strings.Join(incidentIDs(got.out), " ") != ids[0] {
		t.Errorf("--component %s: %s%s", ids[0], got.err, got.out)
	}
}
