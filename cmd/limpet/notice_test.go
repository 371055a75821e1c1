package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/report/outcome"
)

// answer is what a command printed and how it ended.
type answer struct {
	out, err string
	code     outcome.Outcome
}

func tellOf(args ...string) answer {
	var out, errs bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return answer{out.String(), errs.String(), outcome.Outcome(code)}
}

// TestNotices asks for parts of the demonstration's files, and for parts of what
// there is to say of them.
func TestNotices(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	demo(t, dir)
	topo, files := filepath.Join(dir, "topology.yaml"), filepath.Join(dir, "activity")
	for name, test := range map[string]func(t *testing.T, topo, files string){
		"exit codes": testExitCodes, "quiet": testQuiet, "changes": testChanges, "without data": testWithoutData, "cut off": testCutOff, "zone": testZone,
	} {
		t.Run(name, func(t *testing.T) { test(t, topo, files) })
	}
	t.Run("outside", func(t *testing.T) { testOutsideIsNotOpened(t, topo, files) }) // adds files
}

// testExitCodes holds every code of help exit-codes against a command that ends
// with it; without --exit-code a diagnosis that was done ends with 0.
func testExitCodes(t *testing.T, topo, files string) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	describe := write("t.yaml", "files: \"*.csv\"\ntime: {column: ts, format: unix}\ncomponent: \"{disk}\"\ngroup: {text: all}\nmetrics:\n  latency: {unit: us, worse: higher}\n")
	empty := write("empty.csv", "ts,disk,latency\n")
	words := write("words.csv", "ts,disk,latency\n2022-07-18 00:00:00,a,5\n2022-07-18 00:00:00,b,5\n2022-07-18 00:00:00,c,5\n")
	other := write("other.yaml", strings.Replace(read(t, topo), "fs[1-8]", "other[1-8]", 1))
	part := copyWithout(t, files, "fs8")
	seen := map[outcome.Outcome]bool{}
	for _, tt := range []struct {
		want outcome.Outcome
		args string
	}{
		{outcome.Clean, "--topology " + topo + " --until 2026-03-01T02:00Z " + files},
		{outcome.Clean, "--topology " + topo + " --component 2.20 --until 2026-03-01T02:30Z " + files},
		{outcome.Failed, filepath.Join(dir, "nowhere")},
		{outcome.Misused, "--since soon " + files},
		{outcome.Incident, "--topology " + topo + " " + files},
		{outcome.Incident, "--topology " + topo + " --component ddn2a " + files},
		{outcome.Suspects, "--topology " + topo + " --until 2026-03-01T02:15Z " + files},
		{outcome.Partial, "--topology " + topo + " --until 2026-03-01T02:00Z " + part},
		{outcome.Clean, "--topology " + topo + " --component ddn1 --server fs[1-7] --until 2026-03-01T02:00Z " + part},
		{outcome.Suspects, "--topology " + topo + " --until 2026-03-01T02:15Z " + part},
		{outcome.Unjudged, "--tables " + describe + " " + empty},
		{outcome.Unjudged, "--tables " + describe + " " + words},
		{outcome.Unjudged, "--topology " + other + " " + files},
		{outcome.Unjudged, "--topology " + topo + " --until 2026-03-01T00:12Z " + files},
		{outcome.Unjudged, "--topology " + topo + " --since 1h " + files},
		{outcome.Unjudged, "--topology " + topo + " --until 2020-01-01 " + files},
	} {
		args := append([]string{"diagnose"}, strings.Fields(tt.args)...)
		got := tellOf(append(args, "--exit-code")...)
		if got.code != tt.want {
			t.Errorf("%s: exit %d, want %d (%s)\n%s%s", tt.args, got.code, tt.want, tt.want, got.out, got.err)
		}
		seen[got.code] = true
	}
	if plain := tellOf("diagnose", "--topology", topo, files); plain.code != 0 {
		t.Errorf("an incident without --exit-code: exit %d, which would break scripts", plain.code)
	}
	for _, o := range outcome.Outcomes() {
		if !seen[o] {
			t.Errorf("no command was tried that exits with %d: %s", o, o)
		}
	}
}

// copyWithout copies the files of all servers but one to a new directory.
func copyWithout(t *testing.T, files, server string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	list, err := os.ReadDir(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		if !strings.HasPrefix(file.Name(), server+"-") {
			if err := os.WriteFile(filepath.Join(dir, file.Name()), []byte(read(t, filepath.Join(files, file.Name()))), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// testWithoutData: a server of the topology has no file. Its components were not judged, and every
// form of the command tells this.
func testWithoutData(t *testing.T, topo, files string) {
	part, state := copyWithout(t, files, "fs8"), filepath.Join(t.TempDir(), "state")
	tell := func(more ...string) answer {
		return tellOf(append([]string{"diagnose", "--topology", topo, "--until", "2026-03-01T02:00Z", "--exit-code", part}, more...)...)
	}
	for _, tt := range []struct {
		flags string
		told  bool
	}{
		{"", true},
		{"--quiet", true},
		{"--quiet --format json", true},
		{"--quiet --format csv", true},
		{"--changes " + state, true},
		{"--changes " + state, false}, // the last run printed it
		{"--quiet --changes " + state, false},
	} {
		got := tell(strings.Fields(tt.flags)...)
		if told := strings.Contains(strings.ToLower(got.out+got.err), "there are no data of fs8"); told != tt.told || !told && got.out+got.err != "" || got.code != outcome.Partial {
			t.Errorf("%s: exit %d, told: %v\n%s%s", tt.flags, got.code, told, got.out, got.err)
		}
	}
	if got := tellOf("diagnose", "--quiet", "--topology", topo, part); !strings.Contains(got.out, "LUN 1.07") || !strings.Contains(got.out, "There are no data of fs8: add its files") {
		t.Errorf("with incidents: %s", got.out)
	}
}

// testCutOff: an incomplete copy looks like a server that has stopped sending data. The incident says
// so first, and counts the LUNs that have data.
func testCutOff(t *testing.T, topo, files string) {
	part := copyWithout(t, files, "none")
	if err := os.Truncate(filepath.Join(part, "fs1-20260301T000005Z.sa"), 9987200); err != nil {
		t.Fatal(err)
	}
	got := tellOf("diagnose", "--topology", topo, part).out
	_, about, _ := strings.Cut(got, "server fs1: silent server")
	for _, want := range []string{
		"ends inside a record, 948 bytes skipped; if the file is a copy, check whether the copy is complete\n    - fs1 sends no data",
		"Next: Check the files of fs1 first: the server may have no fault, because limpet cannot use all of its data.\n",
		"9 of the 18 compared LUNs of ddn1 answer",
		"9 of its 18 compared LUNs are slow together (it has 24 LUNs); ",
	} {
		if !strings.Contains(about, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Quiet: nothing at all where nothing is wrong; otherwise only what is.
func testQuiet(t *testing.T, topo, files string) {
	clean := []string{"diagnose", "--quiet", "--topology", topo, "--until", "2026-03-01T02:00Z", files}
	for _, format := range []string{"text", "json", "csv"} {
		if got := tellOf(append(clean, "--format", format)...); got.out+got.err != "" || got.code != 0 {
			t.Errorf("%s, nothing wrong: exit %d, printed %q", format, got.code, got.out+got.err)
		}
	}
	got := tellOf("diagnose", "-q", "--topology", topo, files)
	for text, want := range map[string]bool{"controller ddn2a": true, "LUN 1.07": true, "Harmless": false, "Not asked": false} {
		if strings.Contains(got.out, text) != want {
			t.Errorf("%q in what is wrong: %v\n%s", text, !want, got.out)
		}
	}
	if got := tellOf("diagnose", "-q", "--topology", topo, "--until", "2026-03-01T00:12Z", files); !strings.Contains(got.out, "The data are too short for a verdict") {
		t.Errorf("what could not be judged is not told: %q", got.out)
	}
	if got := tellOf("diagnose", "-q", "--list", files); got.code != outcome.Misused {
		t.Errorf("--quiet with --list: exit %d", got.code)
	}
}

// Changes: a run that finds nothing new prints nothing.
func testChanges(t *testing.T, topo, files string) {
	state := filepath.Join(t.TempDir(), "state")
	tell := func(more ...string) answer {
		return tellOf(append([]string{"diagnose", "--changes", state, "--topology", topo, files}, more...)...)
	}
	first := tell("--until", "2026-03-01T05:00Z")
	if !strings.Contains(first.out, "controller ddn2a:") || !strings.Contains(first.out, "LUN 1.07:") || strings.Contains(first.out, "array ddn1:") {
		t.Errorf("the first run: %s%s", first.out, first.err)
	}
	if again := tell("--until", "2026-03-01T05:00Z"); again.out+again.err != "" || again.code != 0 {
		t.Errorf("the same again: exit %d, %q", again.code, again.out+again.err)
	}
	later := tell()
	if !strings.HasPrefix(later.out, "New since the last run (the data of that run ended at 2026-03-01 05:00Z):\n") || !strings.Contains(later.out, "array ddn1: drawer error") ||
		strings.Contains(later.out, "controller ddn2a:") || strings.Contains(later.out, "LUN 1.07:") {
		t.Errorf("three hours later: %s%s", later.out, later.err)
	}
	if err := os.WriteFile(state, []byte(strings.Replace(read(t, state), "Now", "Nov", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	damaged := tell()
	if damaged.code != outcome.Failed || damaged.err != "limpet: "+state+" is damaged (its checksum is wrong): delete the file. The next run then reports everything as new\n" {
		t.Errorf("damaged: exit %d, %q", damaged.code, damaged.err)
	}
}

// testZone: --tz goes before TZ, and every table says which it is.
func testZone(t *testing.T, topo, files string) {
	args := []string{"diagnose", "--list", "--why", "--topology", topo, files}
	for _, tt := range []struct{ env, flag, zone, verdict string }{
		{"", "", "UTC", "At 2026-03-01 08:00Z: "},
		{"Asia/Tokyo", "", "Asia/Tokyo", "At 2026-03-01 17:00+09:00: "},
		{"Asia/Tokyo", "Europe/Berlin", "Europe/Berlin", "At 2026-03-01 09:00+01:00: "},
	} {
		t.Setenv("TZ", tt.env)
		got := tellOf(append(args, "--tz", tt.flag)...).out
		for _, want := range []string{"hour (" + tt.zone + "):", "since (" + tt.zone + ")", tt.verdict} {
			if !strings.Contains(got, want) {
				t.Errorf("TZ=%s --tz %s: no %q in\n%s", tt.env, tt.flag, want, got)
			}
		}
		if json := tellOf(append(args, "--tz", tt.flag, "--format", "json")...).out; !strings.Contains(json, `"to": "2026-03-01T08:00:00Z"`) || strings.Contains(json, "+09:00") {
			t.Errorf("TZ=%s --tz %s: JSON is not in UTC", tt.env, tt.flag)
		}
	}
	berlin := tellOf("diagnose", "--topology", topo, "--tz", "Europe/Berlin", "--until", "2026-03-01 06:00", files).out
	if !strings.HasPrefix(berlin, "At 2026-03-01 06:00+01:00: ") {
		t.Errorf("a time without a zone is not of --tz: %s", berlin)
	}
}

// testOutsideIsNotOpened watches the directory: files outside the period, and
// those that are named by another server, are not opened at all.
func testOutsideIsNotOpened(t *testing.T, topo, files string) {
	for name, written := range map[string]time.Time{
		"fs1-20260220T000005Z.sa": time.Now(),
		"fs1-20260310T000005Z.sa": time.Now(),
		"sa05":                    time.Date(2026, 2, 5, 23, 59, 0, 0, time.UTC),
	} {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte("no activity file"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	opened := watchOpens(t, files)
	got := tellOf("diagnose", "--topology", topo, "--since", "2026-03-01", "--until", "2026-03-01", "--server", "fs[1-4]", files)
	if got.code != 0 || strings.Contains(got.err, "warning") {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	want := map[string]bool{
		"fs1-20260301T000005Z.sa": true, "fs2-20260301T000005Z.sa.zst": true, "fs3-20260301T000005Z.sa": true, "fs4-20260301T000005Z.sa.zst": true,
	}
	for name := range opened() {
		if !want[name] {
			t.Errorf("%s lies outside and was opened", name)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not opened: %v", want)
	}
}
