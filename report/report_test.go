package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden holds a text against a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s changed; see it with go test ./report -update and git diff\n%s", name, got)
	}
}

func TestGolden(t *testing.T) {
	all := newWorld(t, site, false).run()
	golden(t, "report.txt", all["text"])
	golden(t, "report.json", regexp.MustCompile(`"options": .*`).ReplaceAllString(all["json"], `"options": {…},`))
	golden(t, "report.csv", all["csv"])
	w := newWorld(t, site, true)
	w.s.Why, w.s.Columns = true, 30
	golden(t, "why.txt", w.run()["text"])
}

// TestJoinedCauses: text, JSON and CSV have all places of joined causes, and what their members share.
func TestJoinedCauses(t *testing.T) {
	w := newWorld(t, site, false)
	w.joined, w.s.Why, w.s.Columns = true, true, 30
	all := w.run()
	golden(t, "joined.txt", all["text"])
	type place struct{ Tier, Name string }
	type told struct {
		Place  place
		Joined []place
	}
	var doc struct{ Incidents []told }
	if err := json.Unmarshal([]byte(all["json"]), &doc); err != nil {
		t.Fatal(err)
	}
	want := told{place{"position", "1"}, []place{{"position", "0"}}}
	if !slices.ContainsFunc(doc.Incidents, func(in told) bool { return reflect.DeepEqual(in, want) }) {
		t.Errorf("%+v, want %+v", doc.Incidents, want)
	}
	if !strings.Contains(all["csv"], ",position 0,") {
		t.Errorf("no joined places:\n%s", all["csv"])
	}
}

// Every table with times says which zone they are of, that of evidence as well.
func TestZoneOfTables(t *testing.T) {
	w := newWorld(t, site, true)
	w.s.Why, w.s.Zone = true, time.FixedZone("Asia/Tokyo", 9*3600)
	got := w.run()["text"]
	for _, want := range []string{"since (Asia/Tokyo)", "seen (Asia/Tokyo)", "2026-03-01 11:00+09:00 to 2026-03-01 11:05+09:00  decides"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "(UTC)") {
		t.Errorf("a table is in UTC:\n%s", got)
	}
}

// A diagnosis that is cut anywhere, saved, and continued by other writers is the
// same report, byte for byte.
func TestCutAnywhere(t *testing.T) {
	for _, lists := range []bool{false, true} {
		w := newWorld(t, site, lists)
		want := w.run()
		m := blame.NewMap(w.s.System)
		rng := rand.New(rand.NewPCG(7, 8))
		cuts := 12
		if testing.Short() {
			cuts = 4
		}
		for range cuts {
			at := rng.IntN(len(w.steps) + 1)
			before, after := w.family(), w.family()
			before.hear(w.steps[:at])
			data, err := state.Encode(1, func(c *state.Codec) { before.state(c, m) })
			if err != nil {
				t.Fatal(err)
			}
			again, err := state.Encode(1, func(c *state.Codec) { before.state(c, m) })
			if err != nil || !bytes.Equal(data, again) {
				t.Fatalf("cut at %d: the same memory gave other bytes, or %v", at, err)
			}
			if err := state.Decode(data, 1, func(c *state.Codec) { after.state(c, m) }); err != nil {
				t.Fatal(err)
			}
			after.hear(w.steps[at:])
			got := after.finish(w.summary())
			for i, format := range Formats() {
				got[format] = before.out[i].String() + got[format]
			}
			for name := range want {
				if got[name] != want[name] {
					t.Fatalf("lists %t, cut at %d of %d: %s differs", lists, at, len(w.steps), name)
				}
			}
		}
	}
}

// A page goes on where a drive was added and another removed: the others keep
// their series.
func TestPageOfAChangedTopology(t *testing.T) {
	w := newWorld(t, site, false)
	changed := newWorld(t, strings.ReplaceAll(strings.ReplaceAll(site, "luns: 0-7", "luns: 0-5"), "sd[b-i]", "sd[b-g]"), false)
	before, after := w.family(), changed.family()
	before.hear(w.steps)
	data, err := state.Encode(1, func(c *state.Codec) { before.state(c, blame.NewMap(w.s.System)) })
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Decode(data, 1, func(c *state.Codec) { after.state(c, blame.NewMap(changed.s.System)) }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.0.1", "2.5.8", "fs3/eth0", "fs8"} {
		for _, m := range before.evidence.plots.Metrics() {
			if got, want := after.evidence.plots.Values(m, changed.at(name)), before.evidence.plots.Values(m, w.at(name)); !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%s has other values in metric %d", name, m)
			}
		}
	}
	after.finish(changed.summary())
}

// One ID is one incident, whatever the engine has forgotten; what became a part of
// another is told there.
func TestOneIDIsOneIncident(t *testing.T) {
	all := newWorld(t, site, false).run()
	var doc struct {
		Incidents []struct {
			ID    string
			Phase incident.Phase
			Spans []struct{ From, To string }
			Onset struct{ At string }
		}
	}
	if err := json.Unmarshal([]byte(all["json"]), &doc); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range doc.Incidents {
		got = append(got, in.ID+" "+string(in.Phase))
		if in.ID == "path-ddn2a" && (len(in.Spans) != 2 || in.Onset.At != "2026-03-01T00:15:00Z") {
			t.Errorf("%s has spans %v and began %s, want two from 00:15", in.ID, in.Spans, in.Onset.At)
		}
	}
	want := []string{"path-ddn2a active", "slow-1.0 active", "resource-fs3 active", "slow-1.3 recovering", "silent-fs8 cleared", "own-fs1 active"}
	if !slices.Equal(got, want) {
		t.Errorf("incidents %q, want %q", got, want)
	}
}

// Hours are written only where lists are asked for: they are most of the bytes.
func TestListsAddHours(t *testing.T) {
	with, without := newWorld(t, site, true).run(), newWorld(t, site, false).run()
	var doc struct {
		Hours []struct {
			Windows []struct{ Components []struct{ Name string } }
			List    []struct{ Component string }
		}
	}
	if err := json.Unmarshal([]byte(with["json"]), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Hours) != hours || len(doc.Hours[0].Windows) != 2*8 || len(doc.Hours[0].Windows[0].Components) != 16 || doc.Hours[0].List[0].Component != "1.0.1" {
		t.Errorf("hours are not complete: %d", len(doc.Hours))
	}
	if strings.Contains(without["json"], `"hours"`) || strings.Contains(without["csv"], "\nwindow,") || strings.Contains(without["csv"], "\nlist,") {
		t.Error("hours are written without lists")
	}
	lines, err := csv.NewReader(strings.NewReader(with["csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	records := map[string]int{}
	for _, l := range lines[1:] {
		records[l[0]]++
	}
	if records["window"] != 16*2*8*hours || records["list"] != 2*hours || records["incident"] != 6 || records["evidence"] != 2 || records["suspect"] != 1 {
		t.Errorf("records %v", records)
	}
}

// An hour that the data end in is closed, so that the document can be read.
func TestJSONOfADiagnosisThatStops(t *testing.T) {
	w := newWorld(t, site, true)
	f := w.family()
	at := len(w.steps) - 200
	f.hear(w.steps[:at])
	if text := f.finish(w.summary())["json"]; !json.Valid([]byte(text)) {
		t.Error("the document cannot be read")
	}
}

// Where nothing was found, all formats say the same of why.
func TestNothing(t *testing.T) {
	w := newWorld(t, site, false)
	f := w.family()
	s := Summary{Summary: engine.Summary{From: start, To: start + 720, Heard: 1}}
	all := f.finish(s)
	const want = "The data are too short for a verdict: the data span only 12 min (2026-03-01 00:00:00Z to 00:12:00Z). A complete verdict needs 22 min 30 s of data, so it is possible from this time on: 2026-03-01 00:23Z. For a component that is many times slower than its peers, limpet needs less data. Only 1 of 8 servers has data."
	if all["text"] != want+"\n" {
		t.Errorf("text says %q", all["text"])
	}
	if !strings.Contains(all["json"], `"verdict": "`+want+`"`) || !strings.Contains(all["page"], "<p>"+want+"</p>") {
		t.Errorf("JSON or page say otherwise: %s", all["json"])
	}
	if strings.Count(all["csv"], "\n") != 1 {
		t.Errorf("the table has lines: %s", all["csv"])
	}
}

// TestDoubts: what makes a verdict doubtful stands right below it, and nowhere twice.
func TestDoubts(t *testing.T) {
	s := Summary{Summary: engine.Summary{From: start, To: start + 720, Heard: 8}}
	s.AddWarnings([]topology.Warning{{Text: "a warning"}, {File: "t.yaml", Line: 3, Text: "names do not fit", Grave: true}})
	all := newWorld(t, site, false).family().finish(s)
	lines := strings.Split(all["text"], "\n")
	if want := "Uncertain: t.yaml:3: names do not fit."; len(lines) < 2 || lines[1] != want {
		t.Errorf("text says %q", all["text"])
	}
	if !strings.Contains(all["json"], `"warnings": ["t.yaml:3: names do not fit","a warning"]`) {
		t.Errorf("JSON says %s", all["json"])
	}
	if doubt, limits := strings.Index(all["page"], "names do not fit"), strings.LastIndex(all["page"], "What limits this diagnosis"); doubt < 0 || doubt > limits || strings.Count(all["page"], "names do not fit") != 1 {
		t.Errorf("the page has it at %d, and what limits the diagnosis at %d", doubt, limits)
	}
}

// TestDoubtIsTheReason: if nothing could be judged, the headline has the grave warning, and no other
// line repeats it.
func TestDoubtIsTheReason(t *testing.T) {
	s := Summary{Summary: engine.Summary{From: start, To: start + 7200, Heard: 8, Lacks: []engine.Lack{{Question: engine.Servers, Whole: true}}}}
	s.AddWarnings([]topology.Warning{{File: "t.yaml", Line: 3, Text: "names do not fit", Grave: true}})
	all := newWorld(t, site, false).family().finish(s)
	if want := "Nothing could be judged: t.yaml:3: names do not fit.\n"; !strings.HasPrefix(all["text"], want) || strings.Contains(all["text"], "Uncertain") {
		t.Errorf("text says %q", all["text"])
	}
	if n := strings.Count(all["page"], "names do not fit"); n != 1 {
		t.Errorf("the page has the reason %d times", n)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	a, b := newWorld(t, site, true).run(), newWorld(t, site, true).run()
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := New("xml", nil, Subject{}); err == nil {
		t.Error("xml is taken for a format")
	}
}

// TestReasonStandsBesideItsStep: on a page, the reason against a step is in the cell of the step.
func TestReasonStandsBesideItsStep(t *testing.T) {
	table := nextTable([]sentence.Step{
		{Text: "Do not remove this component:", Guard: "tank has no redundancy; copy its data first."},
		{Text: "To take the drive offline, run this command:", Command: "zpool offline tank sdc", Guard: "tank tolerates the loss of 1 part."},
	})
	for i, want := range [][]string{
		{"Do not remove this component: tank has no redundancy; copy its data first.", "", "no"},
		{"To take the drive offline, run this command:", "zpool offline tank sdc", "tank tolerates the loss of 1 part."},
	} {
		for j, cell := range table.Rows[i] {
			if cell.Text != want[j] {
				t.Errorf("row %d: %q, want %q", i+1, cell.Text, want[j])
			}
		}
	}
}
