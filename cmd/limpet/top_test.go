package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

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

// slowLUN returns a directory with a simulated day that ends with topEvents. Tests share it, and only
// read it.
func slowLUN(t *testing.T) string {
	t.Helper()
	site, err := simulatedSlowLUN()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

var simulatedSlowLUN = sync.OnceValues(func() (string, error) {
	dir, err := sharedDir("slow-lun")
	if err != nil {
		return "", err
	}
	events, site := filepath.Join(dir, "events.yaml"), filepath.Join(dir, "site")
	if err := os.WriteFile(events, []byte(topEvents), 0o600); err != nil {
		return "", err
	}
	if got := tellOf("simulate", "intrepid", "--arrays", "2", "--servers", "8", "--luns", "24", "--events", events, "--dir", site); got.code != 0 {
		return "", fmt.Errorf("limpet simulate: %s", got.err)
	}
	return site, nil
})

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
	dir := slowLUN(t)
	site, files := filepath.Join(dir, "topology.yaml"), filepath.Join(dir, "activity")
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

// TestTopAgreesWithDiagnose: top of a directory has the incidents of limpet diagnose for the same
// files, with the same IDs, onsets and numbers of components, and its lines agree with them.
func TestTopAgreesWithDiagnose(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	demo(t, dir)
	files := filepath.Join(dir, "activity")
	for _, topology := range [][]string{nil, {"--topology", filepath.Join(dir, "topology.yaml")}} {
		var report struct {
			Incidents []struct {
				ID, Phase string
				Harmless  bool
				Onset     struct{ At time.Time }
				Members   []struct {
					Component   string
					TimesSlower float64 `json:"times_slower"`
				}
			}
		}
		text := limpetText(t, slices.Concat([]string{"diagnose", "-o", "json"}, topology, []string{files})...)
		if err := json.Unmarshal([]byte(text), &report); err != nil {
			t.Fatal(err)
		}
		var frame top.Frame
		text = limpetText(t, slices.Concat([]string{"top", "-o", "json"}, topology, []string{files})...)
		if err := json.Unmarshal([]byte(text), &frame); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, in := range report.Incidents {
			if in.Phase == "cleared" || in.Harmless {
				continue
			}
			want[in.ID] = in.Onset.At.UTC().Format(time.RFC3339)
			for _, m := range in.Members {
				at := slices.IndexFunc(frame.Lines, func(l top.Line) bool { return l.Name == m.Component })
				if l := &frame.Lines[at]; l.ID == in.ID && m.TimesSlower > 0 && math.Abs(float64(l.SinceTimes)-m.TimesSlower) > 0.01 {
					t.Errorf("%s is %g times slower than its peers in diagnose, and %g times in top", l.Name, m.TimesSlower, float64(l.SinceTimes))
				}
			}
		}
		got := map[string]string{}
		for _, s := range frame.Problems {
			if s.Level == top.Confirmed {
				got[s.ID] = time.Unix(s.Since, 0).UTC().Format(time.RFC3339)
			}
		}
		if len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%q: top has %v, diagnose %v", topology, got, want)
		}
		if frame.Incidents != len(want) || frame.Suspects+frame.Incidents != len(frame.Problems) {
			t.Errorf("%q: top counts %d incidents and %d suspects of %d problems", topology, frame.Incidents, frame.Suspects, len(frame.Problems))
		}
		for _, s := range frame.Problems {
			lines := 0
			for _, l := range frame.Lines {
				if l.ID == s.ID {
					lines++
					if l.Since != s.Since {
						t.Errorf("%s is odd since %d, its incident since %d", l.Name, l.Since, s.Since)
					}
				}
			}
			if lines == 0 || lines > s.Members {
				t.Errorf("incident %s of %d components has %d lines", s.ID, s.Members, lines)
			}
		}
	}
	text := limpetText(t, "top", "--once", "--tz", "UTC", files)
	head, _, _ := strings.Cut(text, "\n")
	if !strings.Contains(head, "2026-03-01 08:00:00") {
		t.Errorf("no date in %q", head)
	}
	if !strings.Contains(text, "now 0.") && !strings.Contains(text, "now 1.") {
		t.Errorf("no line says that it is like its peers now:\n%s", text)
	}
	if strings.Contains(text, "\nsuspect since ") != !strings.Contains(head, " 0 suspects") {
		t.Errorf("suspects are printed and not counted:\n%s", text)
	}
	text = limpetText(t, "top", "--once", "--tz", "UTC", "--since", "1h", files)
	if !strings.Contains(text, "limpet has read the data from 07:00:00 on. Problems before this time are not known") || !strings.Contains(text, "<=07:00") {
		t.Errorf("the bound of reading is not said:\n%s", text)
	}
}

// TestTopTravelsInFiles: the frame of an earlier time has the incidents of that time, and time goes
// back to the first record.
func TestTopTravelsInFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	demo(t, dir)
	files := []string{filepath.Join(dir, "activity")}
	cmd := newTop()
	cmd.SetContext(t.Context())
	f := topFlags{peers: "auto", limited: func() bool { return false }}
	o := top.DefaultOptions()
	o.Zone = time.UTC
	src, err := f.open(cmd, files, &o, true)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	model := top.New(o)
	feed := f.feed(cmd, files, model, o)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	news := make(chan struct{}, 1)
	go func() { _ = model.Follow(ctx, src, news) }()
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for model.Frame(0).End < day.Add(7*time.Hour+59*time.Minute).Unix() {
		<-news
	}
	problems := func(at time.Duration) (text string, frame *top.Frame) {
		frame = feed.Frame(day.Add(at).Unix())
		for _, s := range frame.Problems {
			text += s.Level.String() + " " + s.Text + "\n"
		}
		return text, frame
	}
	if text, frame := problems(time.Hour); text != "" || frame.End != day.Add(time.Hour).Unix() || !frame.Past {
		t.Errorf("at 01:00 nothing is wrong yet: %s (%d)", text, frame.End)
	}
	if text, _ := problems(3*time.Hour + 30*time.Minute); !strings.Contains(text, "incident LUN 60001ff00000000041e84ef1165b191f") || !strings.Contains(text, "lost 48 paths") || strings.Contains(text, "of 24 LUNs of shared-fs(1-4)") {
		t.Errorf("at 03:30 a LUN is slow, paths are lost, and no drawer has errors yet:\n%s", text)
	}
	if _, frame := problems(time.Minute); frame.End != day.Add(time.Minute).Unix() || len(frame.Lines) == 0 {
		t.Errorf("at 00:01 the frame of %d is shown", frame.End)
	}
}
