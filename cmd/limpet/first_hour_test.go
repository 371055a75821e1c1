package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// fourDisks is a table of an hour of four disks, with the given line for a disk and a number.
func fourDisks(header string, line func(disk, step int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for step := range 240 {
		for disk := range 4 {
			b.WriteString(line(disk, step) + "\n")
		}
	}
	return b.String()
}

// clockTime is the time of a step of 15 s on 9 May 2026.
func clockTime(step int) string {
	return time.Unix(1778284800+15*int64(step), 0).UTC().Format("2006-01-02 15:04:05")
}

func TestDraftOfSemicolonsAndDecimalCommasReadsItsTable(t *testing.T) {
	dir := writeFiles(t, map[string]string{"export.csv": fourDisks("time;disk;latency", func(disk, step int) string {
		return fmt.Sprintf("%s;sd%c;3,%d", clockTime(step), 'a'+disk, 1+(disk+step)%5)
	})})
	table, description := filepath.Join(dir, "export.csv"), filepath.Join(dir, "tables.yaml")
	draft := tellOf("diagnose", "--tables", "draft", table)
	if draft.code != 0 || !strings.Contains(draft.out, "decimal: \",\"\n") {
		t.Fatalf("code %d\n%s%s", draft.code, draft.out, draft.err)
	}
	if err := os.WriteFile(description, []byte(draft.out), 0o644); err != nil {
		t.Fatal(err)
	}
	got := tellOf("diagnose", "--tables", description, table)
	if got.code != 0 || got.err != "" || !strings.Contains(got.out, "Nothing limps: 4 of 4 components were judged") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestDraftOfADirectoryNamesATableInIt(t *testing.T) {
	dir := writeFiles(t, map[string]string{"export.csv": "time,disk,latency\n", "notes.txt": ""})
	got := tellOf("diagnose", "--tables", "draft", dir)
	if got.code != outcome.Failed || !strings.Contains(got.err, "it is a directory; a draft is made from one table: name a table in it, such as "+filepath.Join(dir, "export.csv")) {
		t.Errorf("code %d, %s", got.code, got.err)
	}
}

const diskTables = "time: {column: time}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: ms, worse: higher}\n"

func TestOneHostWithAZoneAndOthersWithoutIsWarned(t *testing.T) {
	dir := writeFiles(t, map[string]string{"tables.yaml": diskTables, "export.csv": fourDisks("time,disk,latency", func(disk, step int) string {
		zone := ""
		if disk == 0 {
			zone = "+01:00"
		}
		return fmt.Sprintf("%s%s,sd%c,3.%d", clockTime(step), zone, 'a'+disk, 1+(disk+step)%5)
	})})
	args := []string{"diagnose", "--tables", filepath.Join(dir, "tables.yaml"), filepath.Join(dir, "export.csv")}
	if got := tellOf(args...); !strings.Contains(got.err, "some times name no zone and are taken for UTC, but others name one, such as 2026-05-09 00:00:00+01:00") {
		t.Error(got.err)
	}
	if got := tellOf(append(args, "--data-tz", "+01:00")...); strings.Contains(got.err, "others name one") {
		t.Error(got.err)
	}
}

func TestTableDescriptionOfAnEarlierVersionIsReadWithAHint(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"tables.yaml": strings.Replace(diskTables, "{text: all}", `"all"`, 1),
		"export.csv": fourDisks("time,disk,latency", func(disk, step int) string {
			return fmt.Sprintf("%sZ,sd%c,3.%d", clockTime(step), 'a'+disk, 1+(disk+step)%5)
		}),
	})
	got := tellOf("diagnose", "--tables", filepath.Join(dir, "tables.yaml"), filepath.Join(dir, "export.csv"))
	if got.code != 0 || !strings.Contains(got.out, "4 of 4 components were judged") || !strings.Contains(got.err, "write group: {text: all}") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}
