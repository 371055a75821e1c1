package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
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
		"diganose":        `limpet has no command "diganose"; did you mean "diagnose"?`,
		"help stuyd":      `limpet has no command or help topic "stuyd"; did you mean "study"?; limpet help tour lists all pages of the documentation`,
		"help formts":     `limpet has no command or help topic "formts"; did you mean "formats"?; limpet help tour lists all pages of the documentation`,
		"topology improt": `limpet topology has no command "improt"; did you mean "import"?`,
		"incidents shwo":  `limpet incidents has no command "shwo"; did you mean "show"?`,
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
	if !strings.Contains(got.out, "4 OSDs are on several hosts (osd.0 on node1 and rack2a)") || !strings.Contains(strings.ReplaceAll(got.out, "\n#  ", ""), "ceph osd metadata -f json") {
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
	if got.code != 0 || got.err != "" || !strings.Contains(got.out, ": nothing limps. 4 of 4 components were judged") {
		t.Errorf("code %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestDraftOfADirectoryNamesATableInIt(t *testing.T) {
	dir := writeFiles(t, map[string]string{"export.csv": "time,disk,latency\n", "notes.txt": ""})
	got := tellOf("diagnose", "--tables", "draft", dir)
	if got.code != outcome.Failed || !strings.Contains(got.err, "this is a directory; limpet drafts a description file from one table: name a table in this directory, such as "+filepath.Join(dir, "export.csv")) {
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
	if got := tellOf(args...); !strings.Contains(got.err, "times without a time zone are read as UTC, but other times have a time zone, such as 2026-05-09 00:00:00+01:00") {
		t.Error(got.err)
	}
	if got := tellOf(append(args, "--data-tz", "+01:00")...); strings.Contains(got.err, "the times of servers may differ by hours. Give the time") {
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

// minutes are the numbers of minutes that the tutorial has in words.
var minutes = map[string]int{"two": 2, "three": 3, "seven": 7, "twelve": 12, "fourteen": 14, "twenty": 20}

// inMinutes are the numbers of minutes in a text that match a pattern.
func inMinutes(t *testing.T, text, pattern string) (list []int) {
	t.Helper()
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		if minutes[m[1]] == 0 {
			t.Errorf("%q is no known number", m[1])
		}
		list = append(list, minutes[m[1]])
	}
	return list
}

// TestTutorialTimesAddUp: the tutorial takes as long as its parts, and the reader waits for as long
// as its commands sleep. It promises nothing of suspects.
func TestTutorialTimesAddUp(t *testing.T) {
	text := read(t, "../../docs/tutorial.md")
	parts, sum := inMinutes(t, text, `(?m)^## .*\((\w+) minutes\)$`), 0
	for _, n := range parts {
		sum += n
	}
	if whole := inMinutes(t, text, `In (\w+) minutes you see`); len(parts) != 3 || len(whole) != 1 || sum > whole[0] || sum+2 < whole[0] {
		t.Errorf("the parts take %v minutes, the whole %v", parts, whole)
	}
	slept := 0
	for _, m := range regexp.MustCompile(`(?m)^\$ sleep (\d+)$`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		slept += n
	}
	if waits := inMinutes(t, text, `you wait (\w+) minutes`); len(waits) != 1 || 60*waits[0] != slept || waits[0] > parts[2] {
		t.Errorf("the commands sleep for %d s, the reader waits %v minutes", slept, waits)
	}
	if strings.Contains(text, "no suspect") {
		t.Error("the tutorial promises that there is no suspect: noise may make one")
	}
}

// TestWarningOfSilentServersIsPrintedOnce: the report names servers without data, and no warning
// beside it repeats that. JSON has the warning.
func TestWarningOfSilentServersIsPrintedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	demo(t, dir)
	topo, one := filepath.Join(dir, "topology.yaml"), filepath.Join(dir, "activity", "fs1-20260301T000005Z.sa")
	got := tellOf("diagnose", "-t", topo, one)
	if want := "\nThere are no data of fs[2-8]: add their files, or remove these servers from " + topo + ".\n"; strings.Count(got.out, want) != 1 {
		t.Errorf("%s\nwant once %s", got.out, want)
	}
	if got.err != "" {
		t.Errorf("the warning is printed again: %s", got.err)
	}
	got = tellOf("diagnose", "-t", topo, "-o", "json", one)
	if !strings.Contains(got.out, "there are no data of fs[2-8], which should have 168 components") {
		t.Error("JSON lacks the warning")
	}
}

// TestServeThatCannotListenLeavesNoState: the address is taken, or the topology is wrong.
func TestServeThatCannotListenLeavesNoState(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := writeFiles(t, map[string]string{"wrong.yaml": "servers: fs[1-2\n"})
	state := filepath.Join(dir, "state")
	for _, args := range [][]string{{"--listen", taken.Addr().String()}, {"--listen", "127.0.0.1:0", "-t", filepath.Join(dir, "wrong.yaml")}} {
		got := tellOf(append([]string{"serve", "--state", state, dir}, args...)...)
		if got.code != outcome.Failed || got.err == "" {
			t.Errorf("%v: code %d, %s", args, got.code, got.err)
		}
		if _, err := os.Stat(state); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: the state directory is there: %v", args, err)
		}
	}
}

// TestFullDiskIsOneLine: a command writes several files at once to a full disk. The error is one
// line with the name of the file, not of the temporary file, and with a cure.
func TestFullDiskIsOneLine(t *testing.T) {
	full := func(name string) error {
		return &fs.PathError{Op: "write", Path: "demo/.limpet-c307bc4b484ed096.tmp/" + name, Err: syscall.ENOSPC}
	}
	err := errors.Join(full("topology.yaml"), fmt.Errorf("truth: %w", full("truth.yaml")), full("activity/fs1.sa"), full("activity/fs2.sa"))
	if got, want := sayError(err, err.Error()), "demo/topology.yaml: no space left on device; free some space on this disk, or write to another disk"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestLiveDemonstrationIsNotSilent: it says when the first fault begins, and prints how things stand
// until then.
func TestLiveDemonstrationIsNotSilent(t *testing.T) {
	began := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	truth := &simulate.Truth{Faults: []simulate.Fault{{From: began.Add(3 * time.Hour)}, {From: began.Add(2 * time.Hour)}}}
	if got := firstFault(truth, &fastClock{zero: began, speed: 60}); !strings.Contains(got, "The first fault begins at 02:00 in simulated time, 2 min from now. Every 15 s, ") {
		t.Error(got)
	}
	var out strings.Builder
	b := &beat{out: &out, verdict: func() string { return "At 2026-03-01 00:28Z: nothing limps. 48 of 192 components were judged." }}
	b.at(began)
	if out.String() != "" {
		t.Errorf("at once: %s", out.String())
	}
	b.last = b.last.Add(-beatEvery)
	b.at(began.Add(30 * time.Minute))
	b.at(began.Add(31 * time.Minute))
	if got, want := out.String(), "00:30  At 2026-03-01 00:28Z: nothing limps.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWarningOfAFileThatCannotBeWrittenIsPrintedOnce: the error at the end does not repeat the
// warning at the beginning.
func TestWarningOfAFileThatCannotBeWrittenIsPrintedOnce(t *testing.T) {
	dir := writeFiles(t, map[string]string{"tables.yaml": diskTables, "export.csv": "time,disk,latency\n2026-05-09T00:00:00Z,sda,3\n2026-05-09T00:00:15Z,sda,3\n"})
	page := filepath.Join(dir, "nowhere", "page.html")
	got := tellOf("diagnose", "--tables", filepath.Join(dir, "tables.yaml"), "--html", page, filepath.Join(dir, "export.csv"))
	if got.code != outcome.Failed || strings.Count(got.err, "there is no directory") != 1 || !strings.Contains(got.err, "limpet: "+page+" was not written") {
		t.Errorf("code %d, %s", got.code, got.err)
	}
}

// TestPicturesInAPipeAreASCII: the text of a diagnosis has a bar of peers and a sparkline of each slow
// incident, at most 80 columns wide, in ASCII where it does not go to a terminal. JSON and CSV have
// none, and the same input gives the same bytes.
func TestPicturesInAPipeAreASCII(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	demo(t, dir)
	args := []string{"diagnose", "--topology", filepath.Join(dir, "topology.yaml"), filepath.Join(dir, "activity")}
	got := tellOf(args...)
	bars, sparks := 0, 0
	for line := range strings.Lines(got.out) {
		isBar, isSpark := strings.Contains(line, "90 % of the peers"), strings.Contains(line, " compared with its peers, last ")
		if !isBar && !isSpark {
			continue
		}
		if isBar {
			bars++
		} else {
			sparks++
		}
		if len(line) > 81 || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) || isBar && !strings.Contains(line, ".o") {
			t.Errorf("%d bytes: %s", len(line), line)
		}
	}
	if bars != 2 || sparks != 2 || tellOf(args...).out != got.out {
		t.Errorf("%d bars and %d sparklines of two slow incidents:\n%s", bars, sparks, got.out)
	}
	for _, format := range []string{"json", "csv"} {
		if got := tellOf(append(args, "-o", format)...); strings.Contains(got.out, "90 % of the peers") {
			t.Errorf("%s has a picture", format)
		}
	}
}
