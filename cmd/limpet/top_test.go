package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/live/top"
)

// topEvents is a LUN that is three times slower than its peers, for the last hours of a day.
const topEvents = `events:
  - at: 20h
    for: 4h
    mechanism: slow lun
    components: "7.04"
    factor: 3
`

func limpetText(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("limpet %q ends with %d: %s", args, code, errs.String())
	}
	return out.String()
}

// TestTopVerdict: what top shows of recorded files is the verdict of limpet diagnose on the same
// files, with the same ID.
func TestTopVerdict(t *testing.T) {
	dir := t.TempDir()
	events := filepath.Join(dir, "events.yaml")
	if err := os.WriteFile(events, []byte(topEvents), 0o600); err != nil {
		t.Fatal(err)
	}
	limpetText(t, "simulate", "intrepid", "--arrays", "2", "--servers", "8", "--luns", "24", "--events", events, "--dir", filepath.Join(dir, "site"))
	site, files := filepath.Join(dir, "site/topology.yaml"), filepath.Join(dir, "site/activity")
	var frame top.Frame
	text := limpetText(t, "top", "--topology", site, "--since", "12h", "-o", "json", files)
	if err := json.Unmarshal([]byte(text), &frame); err != nil {
		t.Fatal(err)
	}
	var report struct {
		Incidents []struct {
			ID string `json:"id"`
		} `json:"incidents"`
	}
	if err := json.Unmarshal([]byte(limpetText(t, "diagnose", "--topology", site, "-o", "json", files)), &report); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(frame.Lines, func(l top.Line) bool { return strings.HasPrefix(l.Name, "7.04.") && l.Level == top.Confirmed })
	if at < 0 {
		t.Fatalf("the slow LUN is no incident of top: %+v", frame.Messages)
	}
	id := frame.Lines[at].ID
	if !slices.ContainsFunc(report.Incidents, func(in struct {
		ID string `json:"id"`
	},
	) bool {
		return in.ID == id
	}) {
		t.Errorf("top has incident %s, diagnose %+v", id, report.Incidents)
	}
	if !slices.ContainsFunc(frame.Messages, func(m top.Message) bool { return m.ID == id && strings.Contains(m.Text, id) }) {
		t.Errorf("no message names %s: %+v", id, frame.Messages)
	}
	for _, args := range [][]string{{"--once"}, {"--plain"}, {}} { // without a terminal, top prints once
		text := limpetText(t, slices.Concat([]string{"top", "--topology", site, "--since", "12h"}, args, []string{files})...)
		if !strings.Contains(text, "7.04.") || !strings.Contains(text, "incident "+id) || strings.Contains(text, "\x1b") {
			t.Errorf("limpet top %q prints\n%s", args, text)
		}
	}
}
