package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// TestOneNumber: every output has the same number for an incident, in reports, in lists, in
// the API, in metrics and in notifications.
func TestOneNumber(t *testing.T) {
	dir, h := t.TempDir(), newHook(t)
	s := arrays.Demo(1)
	s.Compressed = nil
	if _, err := s.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	c := settings(dir, t.TempDir(), h)
	r := start(t, c, func() (config.Config, error) { return c, nil })
	defer r.end()
	var diagnosis string
	until(t, "all is read", func() bool {
		r.ask("GET", "/api/v1/diagnosis", nil, &diagnosis)
		return strings.Contains(diagnosis, `"to": "2026-03-01T08:00:00Z"`) && r.Ready()
	})
	var list api.IncidentList
	r.ask("GET", "/api/v1/incidents", nil, &list)
	at := slices.IndexFunc(list.Incidents, func(k api.Record) bool { return k.Incident.Kind == finding.SingleLUN })
	if at < 0 {
		t.Fatalf("no LUN is slow: %+v", list)
	}
	in := &list.Incidents[at].Incident
	number := float64(in.TimesSlower)
	if !(number > 1) || !(float64(in.Low) < number) || !(float64(in.High) > number) {
		t.Fatalf("%v times slower, %v to %v", in.TimesSlower, in.Low, in.High)
	}
	if math.Abs(float64(in.Worst)-number) < 0.1 {
		t.Fatalf("the worst ratio is %v too: nothing can be told apart", in.Worst)
	}
	printed := english.Times(number)

	var kept api.Kept
	r.ask("GET", "/api/v1/incidents/"+in.ID, nil, &kept)
	// Programs read these instead of sentences.
	if kept.Section != "now" || !(float64(kept.Incident.ChanceYears) > 1) {
		t.Errorf("section %q, chance does as much once in %v years", kept.Section, kept.Incident.ChanceYears)
	}
	var past api.PastList
	r.ask("GET", "/api/v1/incidents/past", nil, &past)
	if len(past.Incidents) == 0 || !slices.Contains(api.Sections(), past.Incidents[0].Section) {
		t.Errorf("incidents of the ledger: %.300v; sections are %v", past.Incidents, api.Sections())
	}
	var status api.Status
	if r.ask("GET", "/api/v1/status", nil, &status); status.NothingLimps {
		t.Error("nothing limps, although a LUN does")
	}
	var table, show bytes.Buffer
	if err := client.Table(&table, &list); err != nil {
		t.Fatal(err)
	}
	client.Show(&show, &kept, picture.Style{})
	var metrics string
	r.ask("GET", "/metrics", nil, &metrics)
	texts := map[string]string{
		"the headline": in.Headline, "limpet incidents": lineWith(table.String(), in.ID), "limpet incidents show": show.String(),
		"limpet diagnose": reported(t, dir, "text", engine.DefaultOptions(), math.MaxInt64),
	}
	for name, text := range texts {
		if !strings.Contains(text, printed) {
			t.Errorf("%s does not have %q: %.600s", name, printed, text)
		}
	}
	numbers := map[string]float64{
		"GET /incidents/ID": float64(kept.Incident.TimesSlower), "metrics": ofMetrics(t, metrics, in.ID),
		"CSV":            ofCSV(t, reported(t, dir, "csv", engine.DefaultOptions(), math.MaxInt64), in.ID),
		"JSON":           ofJSON(t, reported(t, dir, "json", engine.DefaultOptions(), math.MaxInt64), in.ID),
		"GET /diagnosis": ofJSON(t, diagnosis, in.ID), "its member": float64(in.Members[0].Times),
	}
	for name, got := range numbers {
		if math.Abs(got-number) > 1e-9*number {
			t.Errorf("%s has %v, want %v", name, got, number)
		}
	}
	until(t, "it is sent", func() bool {
		return slices.ContainsFunc(h.heard(), func(n alert.Notification) bool { return n.Incident == in.ID })
	})
	for _, n := range h.heard() {
		var then document.Incident
		if n.Incident != in.ID {
			continue
		}
		if err := json.Unmarshal(n.Document, &then); err != nil {
			t.Fatal(err)
		}
		// A notification has the number of its own time.
		if printed := english.Times(float64(then.TimesSlower)); !strings.Contains(n.Headline, printed) || !strings.HasPrefix(n.Number, printed) {
			t.Errorf("a notification has %q and %q, want %q in both", n.Headline, n.Number, printed)
		}
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

func ofMetrics(t *testing.T, metrics, id string) float64 {
	t.Helper()
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "limpet_incident_times_slower{") && strings.Contains(line, fmt.Sprintf("incident=%q", id)) {
			value, err := strconv.ParseFloat(strings.Fields(line)[len(strings.Fields(line))-1], 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	return 0
}

func ofCSV(t *testing.T, text, id string) float64 {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(lines[0], name) }
	for _, line := range lines {
		if line[column("record")] == "incident" && line[column("incident")] == id {
			value, err := strconv.ParseFloat(line[column("times_slower")], 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	return 0
}

func ofJSON(t *testing.T, text, id string) float64 {
	t.Helper()
	var d struct{ Incidents []document.Incident }
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for i := range d.Incidents {
		if d.Incidents[i].ID == id {
			return float64(d.Incidents[i].TimesSlower)
		}
	}
	return 0
}

// TestSectionOfThePast: an incident that only the ledger has is in a section of the API.
func TestSectionOfThePast(t *testing.T) {
	for want, in := range map[string]ledger.Incident{
		"over": {Class: finding.Slow, Kind: finding.SingleLUN, Phase: incident.Cleared}, "muted": {Class: finding.Slow, Phase: incident.Active, Muted: true},
	} {
		if got := sectionOf(&in); got != want {
			t.Errorf("section %q, want %q", got, want)
		}
	}
}
