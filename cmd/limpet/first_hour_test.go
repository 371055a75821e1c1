package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/outcome"
)

// writeFiles writes files into a new directory and returns it.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMisspeltCommandIsSuggested(t *testing.T) {
	for typed, want := range map[string]string{
		"diganose":        `there is no command "diganose"; did you mean "diagnose"?`,
		"help stuyd":      `there is no command "stuyd"; did you mean "study"?`,
		"topology improt": `there is no command "improt" of topology; did you mean "import"?`,
		"incidents shwo":  `there is no command "shwo" of incidents; did you mean "show"?`,
	} {
		got := tellOf(strings.Fields(typed)...)
		if got.code != outcome.Misused || !strings.Contains(got.err, want) {
			t.Errorf("%s: code %d, %s", typed, got.code, got.err)
		}
	}
	if got := tellOf("xyzzy"); strings.Contains(got.err, "did you mean") {
		t.Error(got.err)
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	got := tellOf("help")
	for _, c := range newRoot().Commands() {
		if c.Runnable() && !strings.Contains(got.out, "\n  "+c.Name()+" ") {
			t.Errorf("help does not list %s", c.Name())
		}
	}
	for _, name := range []string{"completion", "manual"} {
		if !strings.Contains(got.out, "\n  "+name+" ") {
			t.Errorf("help does not list %s", name)
		}
	}
}

func TestEmptySysstatDirectoryNamesTheService(t *testing.T) {
	got := tellOf("diagnose", t.TempDir())
	for _, want := range []string{"there are no files", "systemctl enable --now sysstat", "limpet record"} {
		if got.code != outcome.Failed || !strings.Contains(got.err, want) {
			t.Errorf("code %d, no %q in: %s", got.code, want, got.err)
		}
	}
}

// TestImportOfCephNamesNoToolOfGPFS: the outputs of two clusters of Ceph name an OSD on
// two hosts. An OSD is no LUN that two servers share.
func TestImportOfCephNamesNoToolOfGPFS(t *testing.T) {
	metadata, err := os.ReadFile("../../examples/ceph/osd-metadata.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{
		"a.json": string(metadata),
		"b.json": strings.NewReplacer("node1", "rack2a", "node2", "rack2b").Replace(string(metadata)),
	})
	got := tellOf("topology", "import", dir)
	if got.code != 0 || strings.Contains(got.out+got.err, "mmlsnsd") || strings.Contains(got.out, "arrays:") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
	if !strings.Contains(got.out, "4 OSDs are on several hosts (osd.0 on node1 and rack2a)") || !strings.Contains(got.out, "ceph osd metadata -f json") {
		t.Error(got.out)
	}
}
