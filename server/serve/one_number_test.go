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
	"time"

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
	var status api.Status
	if r.ask("GET", "/api/v1/status", nil, &status); status.NothingLimps {
		t.Error("nothing limps, although a LUN does")
	}
	var past api.PastList
	r.ask("GET", "/api/v1/incidents/past", nil, &past)
	if len(past.Incidents) == 0 || !slices.Contains(api.Sections(), past.Incidents[0].Section) {
		t.Errorf("incidents of the ledger: %.300v; sections are %v", past.Incidents, api.Sections())
	}
	reports := map[string]string{}
	for _, format := range []string{"text", "why", "csv", "json"} {
		reports[format] = reported(t, dir, format, engine.DefaultOptions(), math.MaxInt64)
	}
	reports["GET /diagnosis"] = diagnosis
	for kind, members := range map[finding.Kind]int{finding.SingleLUN: 1, finding.DrawerError: 12} {
		t.Run(string(kind), func(t *testing.T) {
			at := slices.IndexFunc(list.Incidents, func(k api.Record) bool { return k.Incident.Kind == kind })
			if at < 0 || len(list.Incidents[at].Incident.Members) != members {
				t.Fatalf("no such incident with %d members: %+v", members, list)
			}
			oneNumber(t, r, h, reports, &list, &list.Incidents[at].Incident)
		})
	}
}

// oneNumber compares what all outputs have about one incident, and about each of its members.
func oneNumber(t *testing.T, r *running, h *hook, reports map[string]string, list *api.IncidentList, in *document.Incident) {
	t.Helper()
	number := float64(in.TimesSlower)
	if !(number > 1) || !(float64(in.Low) < number) || !(float64(in.High) > number) {
		t.Fatalf("%v times slower, %v to %v", in.TimesSlower, in.Low, in.High)
	}
	if math.Abs(float64(in.Peak)-number) < 0.1 {
		t.Fatalf("the peak is %v too: nothing can be told apart", in.Peak)
	}
	printed := english.Times(number)

	var kept api.Kept
	r.ask("GET", "/api/v1/incidents/"+in.ID, nil, &kept)
	// Programs read these instead of sentences.
	if kept.Section != "now" || !(float64(kept.Incident.ChanceYears) > 1) {
		t.Errorf("section %q, chance does as much once in %v years", kept.Section, kept.Incident.ChanceYears)
	}
	var table, show bytes.Buffer
	if err := client.Table(&table, list); err != nil {
		t.Fatal(err)
	}
	client.Show(&show, &kept, picture.Style{})
	var metrics string
	r.ask("GET", "/metrics", nil, &metrics)
	texts := map[string]string{
		"the headline": in.Headline, "limpet incidents": lineWith(table.String(), in.ID), "limpet incidents show": show.String(),
		"limpet diagnose": reports["text"], "limpet diagnose --why": reports["why"],
	}
	for name, text := range texts {
		if !strings.Contains(text, printed) {
			t.Errorf("%s does not have %q: %.600s", name, printed, text)
		}
	}
	numbers := map[string]float64{
		"GET /incidents/ID": float64(kept.Incident.TimesSlower), "metrics": ofMetrics(t, metrics, in.ID),
		"CSV":            ofCSV(t, reports["csv"], in.ID, "", "times_slower"),
		"JSON":           float64(ofJSON(t, reports["json"], in.ID).TimesSlower),
		"GET /diagnosis": float64(ofJSON(t, reports["GET /diagnosis"], in.ID).TimesSlower),
		"the median":     medianOf(in.Members),
	}
	for name, got := range numbers {
		if math.Abs(got-number) > 1e-9*number {
			t.Errorf("%s has %v, want %v", name, got, number)
		}
	}
	oneWorst(t, reports, in, &kept.Incident)
	for i := range in.Members {
		oneMember(t, reports, in, &in.Members[i])
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
		if printed := english.Times(float64(then.TimesSlower)); !strings.Contains(n.Headline, printed) || !strings.Contains(n.Number, printed) {
			t.Errorf("a notification has %q and %q, want %q in both", n.Headline, n.Number, printed)
		}
	}
}

// oneWorst compares what all outputs have about the worst member of an incident. It is the first
// member, the facts and the advice name it, and the effect of no other member is larger.
func oneWorst(t *testing.T, reports map[string]string, in, kept *document.Incident) {
	t.Helper()
	worst := &in.Members[0]
	for i := range in.Members {
		if in.Members[i].Times > worst.Times {
			t.Errorf("%s is %v times slower, and the first member, %s, %v times", in.Members[i].Component, in.Members[i].Times, worst.Component, worst.Times)
		}
	}
	json, diagnosis := ofJSON(t, reports["json"], in.ID), ofJSON(t, reports["GET /diagnosis"], in.ID)
	for name, got := range map[string]float64{
		"the API": float64(in.Worst), "GET /incidents/ID": float64(kept.Worst), "JSON": float64(json.Worst), "GET /diagnosis": float64(diagnosis.Worst),
		"CSV": ofCSV(t, reports["csv"], in.ID, "", "worst_times_slower"),
	} {
		if math.Abs(got-float64(worst.Times)) > 1e-9*got {
			t.Errorf("%s: the worst is %v, and its worst member %v times slower", name, got, worst.Times)
		}
	}
	lun := worst.Component[:strings.LastIndexByte(worst.Component, '.')]
	fact := fmt.Sprintf("await of LUN %s through %s was %s", lun, worst.Server, english.Quantity(float64(worst.Own), worst.Unit))
	if len(in.Members) > 1 {
		fact = fmt.Sprintf("the worst of these LUNs is %s slower than its peers: since 2026-03-01 %s, %s", english.Times(float64(worst.Times)),
			time.Unix(int64(in.Onset.At), 0).UTC().Format("15:04Z"), fact)
		if want := fmt.Sprintf("(from %s to %s times)", english.Digits(float64(in.Low)), english.Digits(float64(worst.Times))); !strings.Contains(in.Headline, want) {
			t.Errorf("the headline %q does not have %q", in.Headline, want)
		}
		if want := fmt.Sprintf("The worst component is %s: ", lun); !strings.Contains(reports["why"], want) {
			t.Errorf("the advice does not have %q", want)
		}
	}
	if !slices.ContainsFunc(in.Because, func(text string) bool { return strings.Contains(text, fact) }) {
		t.Errorf("no fact has %q: %q", fact, in.Because)
	}
}

// oneMember compares what all outputs have about one member of an incident.
func oneMember(t *testing.T, reports map[string]string, in *document.Incident, m *document.Member) {
	t.Helper()
	of := func(all []document.Member) *document.Member {
		return &all[slices.IndexFunc(all, func(o document.Member) bool { return o.Component == m.Component })]
	}
	json, diagnosis := ofJSON(t, reports["json"], in.ID), ofJSON(t, reports["GET /diagnosis"], in.ID)
	for name, got := range map[string]float64{
		"own latency divided by its peers'": float64(m.Own / m.Peers),
		"JSON":                              float64(of(json.Members).Times), "GET /diagnosis": float64(of(diagnosis.Members).Times),
		"CSV": ofCSV(t, reports["csv"], in.ID, m.Component, "times_slower"),
	} {
		if math.Abs(got-float64(m.Times)) > 1e-9*got {
			t.Errorf("%s: %s is %v times slower, want %v", m.Component, name, got, m.Times)
		}
	}
	// The line of --why ends with since when, how many times slower, and its peak.
	line := strings.Fields(memberLine(reports["why"], in.ID, m.Component))
	want := []string{time.Unix(int64(m.Since), 0).UTC().Format("15:04"), english.Digits(float64(m.Times)), english.Digits(float64(m.Peak))}
	if len(line) < len(want) || !slices.Equal(line[len(line)-len(want):], want) {
		t.Errorf("--why has %q, want %q at its end", line, want)
	}
	if m.Since != in.Onset.At {
		t.Errorf("%s: since %v, and the incident since %v", m.Component, m.Since, in.Onset.At)
	}
	if m.Peak > in.Peak {
		t.Errorf("%s: a peak of %v, and the incident %v", m.Component, m.Peak, in.Peak)
	}
}

// memberLine returns the line of a component in the table of an incident.
func memberLine(text, id, component string) string {
	_, text, _ = strings.Cut(text, "["+id+"]")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), component+" ") {
			return line
		}
	}
	return ""
}

// medianOf returns the median of the effects of members.
func medianOf(members []document.Member) float64 {
	var all []float64
	for i := range members {
		all = append(all, float64(members[i].Times))
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
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

// ofCSV returns a number of an incident, or of one of its members.
func ofCSV(t *testing.T, text, id, member, number string) float64 {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(lines[0], name) }
	for _, line := range lines {
		is := line[column("record")] == "incident"
		if member != "" {
			is = line[column("record")] == "member" && line[column("component")] == member
		}
		if is && line[column("incident")] == id {
			value, err := strconv.ParseFloat(line[column(number)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	return 0
}

func ofJSON(t *testing.T, text, id string) document.Incident {
	t.Helper()
	var d struct{ Incidents []document.Incident }
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for i := range d.Incidents {
		if d.Incidents[i].ID == id {
			return d.Incidents[i]
		}
	}
	t.Fatalf("no incident %s", id)
	return document.Incident{}
}

// TestConfigurationHasTheWindowsInUse shows that the configuration and the diagnosis have the same
// window of the check of servers. Its default is 64 s, which is no whole number of steps of 15 s.
func TestConfigurationHasTheWindowsInUse(t *testing.T) {
	dir := t.TempDir()
	s := arrays.Demo(1)
	s.Compressed = nil
	if _, err := s.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	c := settings(dir, t.TempDir(), newHook(t))
	r := start(t, c, func() (config.Config, error) { return c, nil })
	defer r.end()
	type windows struct {
		Symptom struct {
			Window int64 `json:"win_seconds"`
		} `json:"symptom"`
	}
	var diagnosis struct {
		Options windows `json:"options"`
	}
	until(t, "the window in use is fitted to the data", func() bool {
		r.ask("GET", "/api/v1/diagnosis", nil, &diagnosis)
		return diagnosis.Options.Symptom.Window == 60
	})
	var shown struct {
		Configuration struct {
			Diagnosis windows `json:"diagnosis"`
		} `json:"configuration"`
	}
	if r.ask("GET", "/api/v1/configuration", nil, &shown); shown.Configuration.Diagnosis != diagnosis.Options {
		t.Errorf("the configuration has the window %+v, and the diagnosis has %+v", shown.Configuration.Diagnosis, diagnosis.Options)
	}
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
