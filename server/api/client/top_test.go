package client_test

import (
	"cmp"
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/server/api/client"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// TestTop: the screen of a server has its components, suspects and incidents, and times of its
// history.
func TestTop(t *testing.T) {
	site := sitetest.Small(1_700_000_010)
	s := httptest.NewServer(sitetest.NewHandler(t, site, "", nil))
	defer s.Close()
	c, err := client.New(options(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	o := top.DefaultOptions()
	o.Zone, o.Source, o.Now = time.UTC, s.URL, time.Now
	view := client.NewTop(c, o)
	if f := view.Frame(0); f.Waiting == "" || len(f.Lines) != 0 {
		t.Errorf("before the first answer: %+v", f)
	}
	if err := view.Ask(context.Background()); err != nil {
		t.Fatal(err)
	}
	now := site.Result()
	f := view.Frame(0)
	if len(f.Lines) != len(now.Subject.System.Components) || f.End != now.To || f.StepSeconds != now.Subject.Schema.StepSeconds {
		t.Fatalf("%d components at %d in steps of %d s, want %d at %d in steps of %d s", len(f.Lines), f.End, f.StepSeconds, len(now.Subject.System.Components), now.To, now.Subject.Schema.StepSeconds)
	}
	list, _, err := c.Incidents(context.Background(), client.Query{})
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for i := range f.Lines {
		if l := &f.Lines[i]; l.P50 > 0 && l.P50 <= l.P99 && l.P99 <= l.Slowest {
			with++
		}
	}
	if with < len(f.Lines)/2 || !f.Histograms {
		t.Errorf("%d of %d lines have percentiles, columns %t", with, len(f.Lines), f.Histograms)
	}
	events, err := site.Events(context.Background(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		told := slices.ContainsFunc(f.Messages, func(m top.Message) bool { return m.ID == e.ID && m.Time == int64(e.Time) })
		if worth := e.Change == incident.Opened || e.Change == incident.Reopened || e.Change == incident.Clears; worth && !told && len(events) <= 200 {
			t.Errorf("no message about event %d: %s", e.Number, e.Text)
		}
	}
	if !slices.IsSortedFunc(f.Messages, func(a, b top.Message) int { return cmp.Compare(a.Time, b.Time) }) {
		t.Errorf("messages are not in the order of time: %+v", f.Messages)
	}
	// A line has the ID of its incident once, and the title of old data has the date.
	var text strings.Builder
	if err := top.Text(&text, f, top.TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	if want := "limpet top " + time.Unix(f.End, 0).UTC().Format(time.DateTime) + "  "; !strings.HasPrefix(text.String(), want) {
		t.Errorf("the title does not begin with %q: %.100q", want, text.String())
	}
	for i := range f.Problems {
		if s := &f.Problems[i]; s.ID != "" && !strings.Contains(text.String(), "incident "+s.ID+" since ") || strings.Contains(s.Text, s.ID) && s.ID != "" {
			t.Errorf("the ID of %s is missing or stands in its sentence: %q", s.ID, s.Text)
		}
	}
	marked := 0
	for _, record := range list.Incidents {
		in := &record.Incident
		if in.Harmless || in.Muted {
			continue
		}
		marked++
		if !slices.ContainsFunc(f.Messages, func(m top.Message) bool { return m.ID == in.ID }) {
			t.Errorf("no message about %s", in.ID)
		}
		at := slices.IndexFunc(f.Lines, func(l top.Line) bool { return l.Name == in.Members[0].Component })
		if at < 0 || f.Lines[at].Level != top.Confirmed {
			t.Errorf("%s of incident %s is not marked: %+v", in.Members[0].Component, in.ID, f.Lines[max(at, 0)])
		}
	}
	if marked == 0 || f.Incidents != marked {
		t.Errorf("%d incidents, want %d", f.Incidents, marked)
	}
	if !slices.ContainsFunc(f.Lines, func(l top.Line) bool { return l.Latency > 0 && l.Times > 0 }) {
		t.Error("nothing is compared")
	}
	past := view.Frame(f.End - 3600)
	if !past.Past || past.End > f.End-3600 || past.End < f.End-3600-f.StepSeconds || len(past.Lines) != len(f.Lines) {
		t.Errorf("an hour ago: past %t, %d s before", past.Past, f.End-past.End)
	}
	e := view.Evidence(f.Lines[0].Name, 0, 60)
	if !e.Known || len(e.Sentences) == 0 || len(e.Own) == 0 || len(e.Own) != len(e.High) || len(e.Ends) != len(e.Own) {
		t.Errorf("evidence %+v", e)
	}
	s.Close()
	if err := view.Ask(context.Background()); err == nil {
		t.Error("a server that is gone is no error")
	}
	if gone := view.Frame(f.End - 7200); len(gone.Warnings) == 0 {
		t.Errorf("a history that cannot be read has no warning")
	}
}
