package outcome

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/topology"
)

func system(t *testing.T) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("t.yaml", []byte("servers: fs[1-2]\narrays:\n  - names: ddn1\n    servers: fs[1-2]\n    luns: 00-05\n    priority: rotate\n    devices: sd[a-f]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func slowLUN(phase incident.Phase) incident.Incident {
	return incident.Incident{
		ID: "ec082432", Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: "1.03"},
		Phase: phase, Members: []finding.Member{{Component: 6, Role: finding.IsSlow}},
	}
}

func suspect() engine.Suspect {
	in := slowLUN(incident.Pending)
	in.ID = ""
	return engine.Suspect{Incident: in}
}

func set(t *testing.T, patterns ...string) topology.Set {
	t.Helper()
	s, err := topology.ParseNames(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOutcome(t *testing.T) {
	o := engine.DefaultOptions()
	day := engine.Summary{From: 1, To: 86401}
	muted, harmless := slowLUN(incident.Active), slowLUN(incident.Active)
	muted.Muted, harmless.Kind = true, finding.ServerIssued
	for name, tt := range map[string]struct {
		incidents []incident.Incident
		suspects  []engine.Suspect
		judged    bool
		to        int64
		about     string
		want      Outcome
	}{
		"clean":             {judged: true, want: Clean},
		"nothing judged":    {want: Unjudged},
		"too short":         {judged: true, to: 700, want: Unjudged},
		"incident":          {incidents: []incident.Incident{slowLUN(incident.Active)}, judged: true, want: Incident},
		"recovering":        {incidents: []incident.Incident{slowLUN(incident.Recovering)}, judged: true, want: Incident},
		"over":              {incidents: []incident.Incident{slowLUN(incident.Cleared)}, judged: true, want: Clean},
		"muted":             {incidents: []incident.Incident{muted}, judged: true, want: Clean},
		"harmless":          {incidents: []incident.Incident{harmless}, judged: true, want: Clean},
		"suspect":           {suspects: []engine.Suspect{suspect()}, judged: true, want: Suspects},
		"both":              {incidents: []incident.Incident{slowLUN(incident.Active)}, suspects: []engine.Suspect{suspect()}, judged: true, want: Incident},
		"elsewhere":         {incidents: []incident.Incident{slowLUN(incident.Active)}, judged: true, about: "1.05", want: Clean},
		"here":              {incidents: []incident.Incident{slowLUN(incident.Active)}, judged: true, about: "1.03", want: Incident},
		"on a member":       {incidents: []incident.Incident{slowLUN(incident.Active)}, judged: true, about: "1.03.*", want: Incident},
		"on what it has":    {suspects: []engine.Suspect{suspect()}, judged: true, about: "ddn1", want: Suspects},
		"suspect elsewhere": {suspects: []engine.Suspect{suspect()}, judged: true, about: "1.05", want: Clean},
	} {
		var about topology.Set
		if tt.about != "" {
			about = set(t, tt.about)
		}
		s, sys := day, system(t)
		s.Incidents, s.Suspects = tt.incidents, tt.suspects
		if tt.to > 0 {
			s.To = tt.to
		}
		w := NewObserver(sys, about)
		if tt.judged {
			w.Window(&persistence.Window{Verdicts: allJudged(sys)})
		}
		if got := w.Outcome(&o, &s); got != tt.want {
			t.Errorf("%s: %d (%s), want %d (%s)", name, got, got, tt.want, tt.want)
		}
	}
}

func allJudged(s *topology.System) []persistence.Verdict {
	list := make([]persistence.Verdict, len(s.Components))
	for i := range list {
		list[i] = persistence.Verdict{Component: i, State: persistence.Normal}
	}
	return list
}

// run tells incidents to a choice that remembers in a file, and returns which
// sections were shown.
func run(t *testing.T, path string, quiet bool, o Outcome, incidents ...incident.Incident) (shown string, gone []string) {
	t.Helper()
	m, err := ReadMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	c := Choice{System: system(t), Since: m, Quiet: quiet}
	for i := range incidents {
		if c.Shows(&incidents[i]) {
			shown += string(incidents[i].Phase) + " "
		}
	}
	gone = m.Gone(o)
	if nothing := c.HasNothing(o); nothing != (shown == "" && len(gone) == 0) && o != Unjudged {
		t.Errorf("nothing to tell: %v, though %q and %q", nothing, shown, gone)
	}
	if err := m.Write(t.Context(), path, &engine.Summary{To: 86400}, o); err != nil {
		t.Fatal(err)
	}
	return shown, gone
}

// TestChanges follows one LUN from suspicion to its end: each state is told once.
func TestChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	sus := suspect().Incident
	for i, tt := range []struct {
		incidents []incident.Incident
		outcome   Outcome
		shown     string
		gone      int
	}{
		{[]incident.Incident{sus}, Suspects, "pending ", 0},
		{[]incident.Incident{sus}, Suspects, "", 0},
		{[]incident.Incident{slowLUN(incident.Active)}, Incident, "active ", 0},
		{[]incident.Incident{slowLUN(incident.Active)}, Incident, "", 0},
		{nil, Unjudged, "", 0}, // no data: nothing is said to be gone
		{[]incident.Incident{slowLUN(incident.Active)}, Incident, "", 0},
		{[]incident.Incident{slowLUN(incident.Recovering)}, Incident, "recovering ", 0},
		{[]incident.Incident{slowLUN(incident.Cleared)}, Clean, "cleared ", 0},
		{[]incident.Incident{slowLUN(incident.Cleared)}, Clean, "", 0},
		{[]incident.Incident{slowLUN(incident.Active)}, Incident, "active ", 0}, // back
		{nil, Clean, "", 1}, // its end is before the data begin
		{nil, Clean, "", 0},
	} {
		shown, gone := run(t, path, true, tt.outcome, tt.incidents...)
		if shown != tt.shown || len(gone) != tt.gone {
			t.Errorf("run %d: shown %q, gone %q, want %q and %d", i, shown, gone, tt.shown, tt.gone)
		}
	}
}

// TestComesAndGoesBetweenRuns: what began and ended since the last run is told, and what
// was over before is told as having come again, though its ID and its section are the same.
func TestComesAndGoesBetweenRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	over := func(from, to int64) incident.Incident {
		in := slowLUN(incident.Cleared)
		in.Cleared, in.Spans = to, []incident.Span{{From: from, To: to}}
		return in
	}
	const day = 86400 // where the data of every run end, but for the last
	for i, tt := range []struct {
		incidents []incident.Incident
		shown     string
		again     int
	}{
		{nil, "", 0},
		{[]incident.Incident{over(day+100, day+9000)}, "cleared ", 0},
		{[]incident.Incident{over(day+100, day+9000)}, "", 0},
		{nil, "", 0},
		{[]incident.Incident{over(day+20_000, day+30_000)}, "cleared ", 1},
		{[]incident.Incident{over(day+20_000, day+30_000)}, "", 0},
	} {
		m, err := ReadMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		shown, gone := run(t, path, true, Clean, tt.incidents...)
		c := Choice{System: system(t), Since: m, Quiet: true}
		for i := range tt.incidents {
			c.Shows(&tt.incidents[i])
		}
		if again := m.Again(time.UTC); shown != tt.shown || len(gone) > 0 || len(again) != tt.again {
			t.Errorf("run %d: shown %q, gone %q, again %q", i, shown, gone, again)
		} else if tt.again > 0 && again[0] != "The problem is back: LUN 1.03: single LUN [ec082432]. The earlier incident had ended at 1970-01-02 02:30Z." {
			t.Error(again[0])
		}
	}
}

func TestUnjudgedIsToldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for i, want := range []bool{false, true, true} {
		m, err := ReadMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		c := Choice{System: system(t), Since: m}
		if got := c.HasNothing(Unjudged); got != want {
			t.Errorf("run %d: nothing to tell: %v", i, got)
		}
		if err := m.Write(t.Context(), path, &engine.Summary{}, Unjudged); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamagedMemory: whatever byte is wrong, one line says so.
func TestDamagedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	run(t, path, false, Incident, slowLUN(incident.Active))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		if _, err := parseMemory(bad); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("byte %d of %q is wrong: %v", i, good, err)
		}
		if _, err := parseMemory(good[:i]); err == nil {
			t.Errorf("cut at byte %d: it is taken", i)
		}
	}
	for _, other := range []string{" 0 ", " 3 "} {
		text := strings.Replace(string(good), magic+" 2 ", magic+other, 1)
		if _, err := parseMemory([]byte(text)); err == nil || !strings.Contains(err.Error(), "another version of limpet (file format"+strings.TrimRight(other, " ")+", this version reads 1 to 2)") || strings.Contains(err.Error(), "\n") {
			t.Errorf("version%s: %v", other, err)
		}
	}
}

// TestMemoryOfVersion1: a file that version 1 wrote is read, and written as version 2. What it
// reported is not new.
func TestMemoryOfVersion1(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	run(t, path, false, Incident, slowLUN(incident.Active))
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("testdata/version1.changes")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := ReadMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if in := slowLUN(incident.Active); len(m.shown) != 1 {
		t.Errorf("the file has %+v", m.shown)
	} else if isNew, _ := m.isNew(&in); isNew {
		t.Errorf("the incident of the file is new: %+v", m.shown)
	}
	run(t, path, true, Incident, slowLUN(incident.Active))
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, now) || !bytes.HasPrefix(again, []byte(magic+" 2 ")) {
		t.Errorf("%v: the file is\n%swant\n%s", err, again, now)
	}
}

func TestCheck(t *testing.T) {
	s := system(t)
	for _, good := range []string{"1.03.1", "1.03", "sd*", "fs2", "ddn1"} {
		if err := Check(set(t, good), s); err != nil {
			t.Error(err)
		}
	}
	if err := Check(set(t, "1.99"), s); err == nil || !strings.Contains(err.Error(), "there is no component with this name") {
		t.Error(err)
	}
}

// TestBeginningOfID: the first four characters of an ID choose its incident, and a text without any
// incident is named.
func TestBeginningOfID(t *testing.T) {
	s := system(t)
	in := &incident.Incident{ID: "c6e2f012"}
	for name, want := range map[string]bool{"c6e2f012": true, "c6e2": true, "c6e2f": true, "c6": false, "e2f0": false} {
		if got := IsAbout(set(t, name), s, in); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
		if err := Check(set(t, name), s); (err == nil) != (len(name) >= 4) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := Choice{System: s, About: set(t, "abcd")}
	if got, want := c.Nothing(2), "There is no incident whose ID is abcd or begins with it, and no component with this name. 2 other incidents or suspects are not shown."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestUnchanged: a verdict about changes names how many incidents have not changed.
func TestUnchanged(t *testing.T) {
	c := Choice{Since: &Memory{}}
	for hidden, want := range map[int]string{0: "", 1: " 1 other incident or suspect is not shown.", 2: " 2 other incidents or suspects are not shown."} {
		if got := c.Unchanged(hidden); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	c.Since = nil
	if got := c.Unchanged(2); got != "" {
		t.Errorf("the user chose a component: %q", got)
	}
}

// TestCheckNamesParts: the error for an unknown name has the name that was probably meant, or the names
// of all kinds of parts.
func TestCheckNamesParts(t *testing.T) {
	s := system(t)
	for name, want := range map[string]string{"LUN1.03": "; did you mean 1.03?", "FS2": "; did you mean fs2?", "array-ddn1": "; did you mean ddn1?"} {
		if err := Check(set(t, name), s); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	err := Check(set(t, "nobody"), s)
	for _, want := range []string{"The names are: servers fs", "arrays ddn", "LUNs 1.", "components 1.0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestOwnWorkIsNotAboutALUN: --component 1.03 does not show that a server reads from all of its LUNs.
func TestOwnWorkIsNotAboutALUN(t *testing.T) {
	sys, in := system(t), slowLUN(incident.Active)
	in.Class, in.Kind, in.Place = finding.OwnWork, finding.ServerIssued, blame.Place{Tier: blame.Server, Name: "fs1"}
	for name, want := range map[string]bool{"1.03": false, "ddn1": false, "fs1": true, sys.Components[6].Name: true, in.ID: true} {
		if got := IsAbout(set(t, name), sys, &in); got != want {
			t.Errorf("the work of fs1 is about %s: %v, want %v", name, got, want)
		}
	}
}
