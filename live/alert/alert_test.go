package alert

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/ledger/ledgertest"
	"github.com/limpet-storage/limpet/report/sentence"
)

var began = ledgertest.Began

// tape is a made-up diagnosis: a list of events and rows.
type tape struct {
	t *testing.T
	l *ledger.Ledger
	v *sentence.Writer
	a *Alerter

	seq   int64
	steps []func(*tape) error // steps that were played, to be played again
}

func newTape(t *testing.T, change func(*Options)) *tape {
	t.Helper()
	o := DefaultOptions()
	o.Receivers = []Receiver{{Name: "hook"}, {Name: "manager", Groups: true}, {Name: "pager", Least: Critical}}
	o.Link = func(id string) string { return "https://limpet.example/#/incident/" + id }
	if change != nil {
		change(&o)
	}
	p := &tape{t: t, l: ledgertest.Open(t), v: ledgertest.SentenceWriter()}
	a, err := New(o, p.v)
	if err != nil {
		t.Fatal(err)
	}
	p.a = a
	return p
}

// play plays a step, and keeps it.
func (p *tape) play(step func(*tape) error) {
	p.t.Helper()
	p.steps = append(p.steps, step)
	if err := step(p); err != nil {
		p.t.Fatal(err)
	}
}

// event plays a change of an incident, at the given seconds after the beginning.
func (p *tape) event(after int64, change incident.Change, in incident.Incident) {
	p.t.Helper()
	p.seq++
	seq, e := p.seq, ledgertest.Event(began+after, change, in)
	p.play(func(p *tape) error {
		return p.l.Step(p.t.Context(), func(tx *ledger.Tx) error {
			isNew, err := tx.Event(seq, e, p.v)
			if err != nil || !isNew {
				return err
			}
			return p.a.Event(tx, seq, e)
		})
	})
}

func (p *tape) slow(lun int) incident.Incident { return ledgertest.Slow(p.v, lun, began) }

// row plays a row with suspects.
func (p *tape) row(after int64, suspects ...int) {
	p.t.Helper()
	p.play(func(p *tape) error {
		var list []engine.Suspect
		for _, n := range suspects {
			list = append(list, ledgertest.Suspect(p.v, n, began))
		}
		return p.l.Step(p.t.Context(), func(tx *ledger.Tx) error { return p.a.Tick(tx, began+after, list) })
	})
}

// rows plays a row every 15 s.
func (p *tape) rows(from, to int64) {
	p.t.Helper()
	for at := from; at <= to; at += 15 {
		p.row(at)
	}
}

func (p *tape) outbox(receiver string) (list []Notification) {
	p.t.Helper()
	queue, err := p.l.Queue(p.t.Context(), receiver, 1000)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, d := range queue {
		var n Notification
		if err := json.Unmarshal(d.Payload, &n); err != nil {
			p.t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// told returns the notifications for a receiver: "60 firing began ec080001".
func (p *tape) told(receiver string) string {
	p.t.Helper()
	var lines []string
	for _, n := range p.outbox(receiver) {
		name := n.Incident
		if name == "" {
			name, _, _ = strings.Cut(n.Alert, ".")
		}
		lines = append(lines, fmt.Sprintf("%d %s %s %s", n.Time.Unix()-began, n.State, n.Reason, name))
	}
	return strings.Join(lines, ", ")
}

func (p *tape) want(receiver, want string) {
	p.t.Helper()
	if got := p.told(receiver); got != want {
		p.t.Errorf("%s is told\n%s\nwant\n%s", receiver, got, want)
	}
}

func TestAnIncidentIsToldAndItsEnd(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.rows(0, 45)
	p.want("hook", "")
	p.rows(60, 90)
	p.want("hook", "60 firing began ec080001")
	p.event(1000, incident.Recovers, p.slow(1))
	p.rows(1015, 1290)
	p.want("hook", "60 firing began ec080001")
	p.rows(1305, 1500)
	p.event(2000, incident.Clears, p.slow(1))
	p.rows(2010, 2400)
	for _, receiver := range []string{"hook", "manager", "pager"} {
		p.want(receiver, "60 firing began ec080001, 1305 resolved recovered ec080001")
	}
}

func TestANotificationSaysAll(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.row(60)
	n := p.outbox("hook")[0]
	if !strings.HasPrefix(n.Key, p.l.Identity()+".ec080001.1.1.") || n.Alert != "ec080001.1" {
		t.Errorf("key %q of alert %q", n.Key, n.Alert)
	}
	for name, pair := range map[string][2]string{
		"headline": {n.Headline, "LUN 1.1 answers 2.49 times slower than its peers (between 2.2 and 2.8 times)"},
		"number":   {n.Number, "2.49 times slower than 15 peers, since 2011-03-13 09:15Z"},
		"action":   {n.Action, "Check the drives of LUN 1.1 on its controller for media errors, a running rebuild, or a drive that must be replaced."},
		"link":     {n.Link, "https://limpet.example/#/incident/ec080001"},
		"labels":   {fmt.Sprint(n.Labels), "map[alertname:LimpetIncident class:slow component:1.1 group:primary incident:ec080001 kind:single LUN server:fs2 severity:critical system:north tier:LUN]"},
		"document": {string(n.Document[:40]), `{"id":"ec080001","class":"slow","kind":"`},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
}

// TestActionsAreTold: the first notification has what limpet proposes, and each change is told once. A
// proposal that is missing for a moment is not told again.
func TestActionsAreTold(t *testing.T) {
	var now []Statement
	known := false
	p := newTape(t, func(o *Options) { o.Statements = func() ([]Statement, bool) { return now, known } })
	in := p.slow(1)
	say := func(text string) { now, known = []Statement{{&in, text}}, true }
	p.event(0, incident.Opened, in)
	say("limpet would do this")
	p.rows(0, 75)
	p.want("hook", "60 firing began ec080001")
	now = nil
	p.row(90)
	say("limpet would do this")
	p.row(105)
	p.want("hook", "60 firing began ec080001")
	say("limpet does this")
	p.rows(120, 150)
	known = false // after a restart
	p.row(165)
	known = true
	p.row(180)
	for _, receiver := range []string{"hook", "manager", "pager"} {
		p.want(receiver, "60 firing began ec080001, 120 firing action ec080001")
	}
	list := p.outbox("hook")
	if list[0].LimpetAction != "limpet would do this" || list[1].LimpetAction != "limpet does this" || list[0].Key == list[1].Key || list[1].Alert != list[0].Alert {
		t.Errorf("%+v", list)
	}
	p.event(1000, incident.Recovers, in)
	say("limpet has done this")
	p.rows(1015, 1320)
	p.want("hook", "60 firing began ec080001, 120 firing action ec080001, 1300 resolved recovered ec080001")
	if n := p.outbox("hook")[2]; n.LimpetAction != "limpet has done this" {
		t.Errorf("%+v", n)
	}
	p.rows(1335, 1400)
	p.want("hook", "60 firing began ec080001, 120 firing action ec080001, 1300 resolved recovered ec080001")
}

// An incident that clears and comes back within ResolveSeconds is one alert.
func TestFlapping(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.row(60)
	for at := int64(100); at < 5000; at += 400 {
		p.event(at, incident.Clears, p.slow(1))
		p.rows(at, at+180)
		p.event(at+200, incident.Reopened, p.slow(1))
		p.rows(at+210, at+390)
	}
	p.want("hook", "60 firing began ec080001")
	p.event(6000, incident.Clears, p.slow(1))
	p.rows(6000, 6300)
	p.want("hook", "60 firing began ec080001, 6300 resolved recovered ec080001")
	p.event(9000, incident.Reopened, p.slow(1))
	p.row(9060)
	p.want("hook", "60 firing began ec080001, 6300 resolved recovered ec080001, 9060 firing began ec080001")
	if all := p.outbox("hook"); all[0].Alert == all[2].Alert {
		t.Errorf("two alerts have one name: %s", all[0].Alert)
	}
}

func TestWhatDoesNotLastIsNotTold(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.event(30, incident.Clears, p.slow(1))
	p.rows(30, 900)
	p.want("hook", "")
}

func TestEndingsThatSomebodyDecides(t *testing.T) {
	for name, tt := range map[string]struct {
		change incident.Change
		set    func(*incident.Incident)
		want   string
	}{
		"muted":   {incident.Mutes, func(*incident.Incident) {}, "muted"},
		"removed": {incident.Changed, func(in *incident.Incident) { in.Phase, in.Ending = incident.Cleared, incident.Removed }, "removed"},
		"merged": {incident.Changed, func(in *incident.Incident) {
			in.Phase, in.Ending, in.Into = incident.Cleared, incident.Merged, "ec080002"
		}, "merged"},
		"resolved": {incident.Changed, func(in *incident.Incident) { in.Phase, in.Ending = incident.Cleared, incident.Resolved }, "resolved"},
	} {
		p := newTape(t, nil)
		p.event(0, incident.Opened, p.slow(1))
		p.row(60)
		in := p.slow(1)
		tt.set(&in)
		p.event(90, tt.change, in)
		p.rows(105, 900)
		p.want("hook", "60 firing began ec080001, 90 resolved "+tt.want+" ec080001")
		if n := p.outbox("hook")[1]; name == "merged" && (n.Into != "ec080002" || !strings.HasPrefix(n.Headline, "Now part of another incident: LUN 1.1 ")) {
			t.Errorf("merged: into %q, %q", n.Into, n.Headline)
		}
	}
}

// An alert that has not fired, and whose incident becomes part of another, never fires.
func TestWhatExplainsOthersSuppressesTheirs(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.event(15, incident.Opened, p.slow(2))
	part := p.slow(1)
	part.Phase, part.Ending, part.Into = incident.Cleared, incident.Merged, ledgertest.ID(2)
	p.event(30, incident.Changed, part)
	p.rows(30, 300)
	p.want("hook", "75 firing began ec080002")
}

func TestMutedAndHarmlessAreNotTold(t *testing.T) {
	p := newTape(t, nil)
	muted := p.slow(1)
	muted.Muted = true
	p.event(0, incident.Opened, muted)
	harmless := p.slow(2)
	harmless.Kind = finding.ServerIssued
	p.event(0, incident.Opened, harmless)
	p.rows(0, 300)
	p.want("hook", "")
	p.event(300, incident.Unmutes, p.slow(1))
	p.rows(300, 400)
	p.want("hook", "360 firing began ec080001")

	asked := newTape(t, func(o *Options) { o.Harmless = true })
	asked.event(0, incident.Opened, harmless)
	asked.row(60)
	asked.want("hook", "60 firing began ec080002")
	asked.want("pager", "")
}

// A comment on a closed incident neither fires its alert again nor delays its end.
func TestCommentsChangeNothing(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.row(60)
	p.event(100, incident.Clears, p.slow(1))
	over := ledgertest.Event(began+100, incident.Clears, p.slow(1)).Incident
	p.event(390, incident.Commented, *over)
	p.rows(390, 420)
	p.event(500, incident.Commented, *over)
	p.rows(500, 900)
	p.want("hook", "60 firing began ec080001, 405 resolved recovered ec080001")
}

// An alert whose kind changes fires with new labels, and the old labels end.
func TestAnIncidentThatBecomesAnother(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.row(60)
	wide := p.slow(1)
	wide.Members = append(wide.Members, p.slow(2).Members...)
	p.event(90, incident.Changed, wide) // more members alone send nothing
	wide.Kind = finding.DrawerError
	p.event(120, incident.Changed, wide)
	p.want("hook", "60 firing began ec080001, 120 firing changed ec080001")
	n := p.outbox("manager")[1]
	if n.Labels["kind"] != "drawer error" || n.Previous["kind"] != "single LUN" || n.Labels["server"] != "" {
		t.Errorf("labels %v, before %v", n.Labels, n.Previous)
	}
}

// A receiver that got a critical alert also gets its end. A receiver of critical alerts only gets
// an alert as soon as it becomes critical.
func TestUrgencyOnlyGrows(t *testing.T) {
	all := func(o *Options) { o.Harmless = true }
	for name, tt := range map[string]struct {
		first, then finding.Kind
		want        string
	}{
		"turns out harmless": {finding.SingleLUN, finding.ServerIssued, "60 firing began ec080001, 90 firing changed ec080001, 405 resolved recovered ec080001"},
		"becomes urgent":     {finding.ServerIssued, finding.SingleLUN, "90 firing changed ec080001, 405 resolved recovered ec080001"},
	} {
		p := newTape(t, all)
		in := p.slow(1)
		in.Kind = tt.first
		p.event(0, incident.Opened, in)
		p.row(60)
		in.Kind = tt.then
		p.event(90, incident.Changed, in)
		p.event(100, incident.Clears, in)
		p.rows(105, 450)
		if got := p.told("pager"); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A slow LUN that may be rebuilding a drive is a warning until the rebuild is ruled out, even if its
// alert was in a summary before.
func TestWhatMayBeHarmlessIsAWarning(t *testing.T) {
	for _, before := range []int{0, 57} {
		p := newTape(t, nil)
		for n := range before {
			in := p.slow(10 + n)
			in.MayBe = finding.ArrayUpkeep
			p.event(0, incident.Opened, in)
		}
		in := p.slow(1)
		in.MayBe = finding.ArrayUpkeep
		p.event(1, incident.Opened, in)
		p.rows(0, 700)
		p.want("pager", "")
		if n := p.outbox("manager")[before]; n.Severity != Warning || n.Labels["alertname"] != "LimpetIncident" || n.Labels["severity"] != "warning" {
			t.Errorf("%s, %v", n.Severity, n.Labels)
		}
		in.MayBe = ""
		p.event(720, incident.Changed, in)
		p.want("pager", "720 firing changed ec080001")
		hook := p.outbox("hook")
		n := slices.IndexFunc(hook, func(n Notification) bool { return n.Reason == Changed })
		if n < 0 || hook[n].Incident != "ec080001" || hook[n].Severity != Critical || hook[n].Labels["severity"] != "critical" || hook[n].Previous["severity"] != "warning" {
			t.Errorf("%d before: %d, %+v", before, n, hook)
		}
	}
}

// The notification of a common cause has all of its places.
func TestJoinedPlacesAreTold(t *testing.T) {
	p := newTape(t, nil)
	in := p.slow(1)
	in.Kind, in.Place = finding.SharedSlowness, blame.Place{Tier: blame.Position, Name: "1"}
	in.Joined = []blame.Place{{Tier: blame.Position, Name: "3"}}
	p.event(1, incident.Opened, in)
	p.rows(0, 700)
	for _, n := range p.outbox("hook") {
		if !slices.Equal(n.Joined, []Place{{blame.Position, "3"}}) || n.Place.Name != "1" || !strings.Contains(n.Headline, "in positions 1 and 3") {
			t.Errorf("%+v, %s", n.Joined, n.Headline)
		}
	}
	if len(p.outbox("hook")) == 0 {
		t.Error("nothing is told")
	}
}

// A summary ends when the last of its alerts has become critical.
func TestTheLastOfASummaryBecomesUrgent(t *testing.T) {
	p := newTape(t, func(o *Options) { o.MostPerPeriod = 1 })
	var in incident.Incident
	for n := range 2 {
		in = p.slow(n)
		in.MayBe = finding.ArrayUpkeep
		p.event(0, incident.Opened, in)
	}
	p.rows(0, 700)
	in.MayBe = ""
	p.event(720, incident.Changed, in)
	hook := p.outbox("hook")
	ends := slices.IndexFunc(hook, func(n Notification) bool { return n.State == Resolved && n.More > 0 })
	if ends < 0 {
		t.Errorf("the summary goes on: %s", p.told("hook"))
	}
}

func TestSuspectsAsWarnings(t *testing.T) {
	p := newTape(t, func(o *Options) { o.Suspects = true })
	p.row(0, 1, 2)
	p.row(30, 1)
	p.row(60, 1)
	p.row(75, 1)
	p.want("hook", "60 firing began suspect-901fc5c1")
	p.want("pager", "")
	p.row(90) // not listed for a moment
	p.row(105, 1)
	p.event(120, incident.Opened, p.slow(1))
	p.rows(120, 600)
	p.want("hook", "60 firing began suspect-901fc5c1, 120 resolved became an incident suspect-901fc5c1, 180 firing began ec080001")
	if n := p.outbox("hook")[0]; n.Severity != Warning || n.Labels["alertname"] != "LimpetSuspect" {
		t.Errorf("a suspect is %s, %v", n.Severity, n.Labels)
	}

	passing := newTape(t, func(o *Options) { o.Suspects = true })
	for at := int64(0); at <= 90; at += 15 {
		passing.row(at, 1)
	}
	passing.rows(105, 900)
	passing.want("hook", "60 firing began suspect-901fc5c1, 405 resolved recovered suspect-901fc5c1")

	off := newTape(t, nil)
	off.row(0, 1)
	off.row(300, 1)
	off.want("hook", "")
}

// Rows that are pushed again after a crash make the same notifications, after any crash and from any
// row on.
func TestReplayTellsNothingTwice(t *testing.T) {
	options := func(o *Options) { o.Suspects, o.MostPerPeriod = true, 2 }
	p := newTape(t, options)
	p.row(0, 1, 2, 3)
	p.row(60, 1, 2)
	for n := range 5 {
		p.event(75+int64(n), incident.Opened, p.slow(n+1))
	}
	p.rows(75, 400)
	for n := range 5 {
		p.event(410+int64(n), incident.Clears, p.slow(n+1))
	}
	p.rows(420, 1000)
	want, alerts := p.told("hook"), p.standing()
	if strings.Count(want, "firing") != 4 || strings.Count(want, "resolved") != 5 || !strings.HasSuffix(want, "735 resolved many more-critical") {
		t.Errorf("two suspects, two of five incidents and a summary of those that passed are told: %s", want)
	}
	for crash := 3; crash < len(p.steps); crash += 5 {
		again := newTape(t, options)
		from := crash * (crash % 7) / 7
		for _, step := range slices.Concat(p.steps[:crash], p.steps[from:]) {
			if err := step(again); err != nil {
				t.Fatal(err)
			}
		}
		if got := again.told("hook"); got != want {
			t.Fatalf("killed after step %d, and again from %d on\n%s\nwant\n%s", crash, from, got, want)
		}
		if got := again.standing(); got != alerts {
			t.Fatalf("killed after step %d, and again from %d on: alerts are\n%s\nwant\n%s", crash, from, got, alerts)
		}
	}
}

func (p *tape) standing() string {
	rows, err := p.l.Alerts(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, fmt.Sprint(r.ID, " ", r.Due, " ", string(r.State[:min(40, len(r.State))])))
	}
	return strings.Join(ids, "\n")
}

// The number of alerts in a period is bounded. The others become one summary, which ends with the
// last of its alerts. Alertmanager groups alerts itself and gets each.
func TestAndThirtySevenMore(t *testing.T) {
	p := newTape(t, nil)
	for n := range 57 {
		p.event(0, incident.Opened, p.slow(n))
	}
	p.rows(0, 645)
	if n := len(p.outbox("hook")); n != 20 {
		t.Errorf("%d alerts are told one by one, want 20", n)
	}
	p.rows(660, 700)
	all := p.outbox("hook")
	n := all[len(all)-1]
	if len(all) != 21 || n.More != 37 || n.Headline != "and 37 more alerts" || n.Reason != Many || len(n.Titles) != 10 || n.Labels["alertname"] != "LimpetMore" {
		t.Errorf("%d notifications, the last is %+v", len(all), n)
	}
	if n := len(p.outbox("manager")); n != 57 {
		t.Errorf("Alertmanager is told %d alerts, want 57", n)
	}
	for n := range 57 {
		p.event(1000+int64(n), incident.Clears, p.slow(n))
	}
	p.rows(1300, 1500)
	all = p.outbox("hook")
	n = all[len(all)-1]
	ends := slices.IndexFunc(all, func(n Notification) bool { return n.State == Resolved && n.More > 0 })
	if len(all) != 21+20+1 || ends < 0 || all[ends].Alert != all[20].Alert {
		t.Errorf("%d notifications at the end, the last is %s %s", len(all), n.State, n.Headline)
	}
	if standing, err := ListFiring(t.Context(), p.l); err != nil || len(standing) != 0 {
		t.Errorf("still standing: %v, %v", standing, err)
	}
}

// An incident that was over before limpet was installed does not fire. One that still lasts does.
func TestQuietBefore(t *testing.T) {
	p := newTape(t, func(o *Options) { o.QuietBefore = began + 5000 })
	p.event(0, incident.Opened, p.slow(1))
	p.event(0, incident.Opened, p.slow(2))
	p.rows(0, 900)
	p.event(1000, incident.Clears, p.slow(1))
	p.event(1000, incident.Clears, p.slow(2))
	p.event(1100, incident.Reopened, p.slow(2))
	p.rows(1000, 5100)
	p.want("hook", "5005 firing began ec080002")
}

// TestHeldBack: the incidents of which nobody was notified because of QuietBefore are listed, until
// receivers are notified. An alert that only waits for its time is not listed.
func TestHeldBack(t *testing.T) {
	p := newTape(t, func(o *Options) { o.QuietBefore = began + 5000 })
	held := func(isQuiet bool, want ...string) {
		t.Helper()
		if got, err := ListHeldBack(t.Context(), p.l, isQuiet); err != nil || !slices.Equal(got, want) {
			t.Errorf("quiet %t: %v, %v, want %v", isQuiet, got, err, want)
		}
	}
	p.event(0, incident.Opened, p.slow(1))
	held(false)
	held(true, "ec080001")
	p.rows(0, 900)
	p.event(910, incident.Opened, p.slow(2))
	held(false, "ec080001")
	held(true, "ec080001", "ec080002")
	p.rows(5010, 5100)
	held(false)
	held(true)
}

// TestStartsWhenDue: an alert starts when it is due, also if the next row comes much later.
func TestStartsWhenDue(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.row(600)
	if all := p.outbox("hook"); len(all) != 1 || all[0].Starts.Unix() != began+60 || all[0].Time.Unix() != began+600 {
		t.Errorf("%+v", all)
	}
}

// No alert outlives the incidents of the diagnosis.
func TestReconcile(t *testing.T) {
	p := newTape(t, nil)
	p.event(0, incident.Opened, p.slow(1))
	p.event(0, incident.Opened, p.slow(2))
	p.row(60)
	p.event(70, incident.Opened, p.slow(3))
	err := p.l.Step(t.Context(), func(tx *ledger.Tx) error {
		return p.a.Reconcile(tx, began+90, []string{ledgertest.ID(2)})
	})
	if err != nil {
		t.Fatal(err)
	}
	p.rows(105, 300)
	p.want("hook", "60 firing began ec080001, 60 firing began ec080002, 90 resolved lost sight of ec080001")
}

// After a damaged ledger was begun anew, the alerts of open incidents fire again, once.
func TestAnOpenIncidentInANewLedger(t *testing.T) {
	p := newTape(t, nil)
	muted := p.slow(2)
	muted.Muted = true
	for at := int64(0); at <= 90; at += 15 {
		p.play(func(p *tape) error {
			return p.l.Step(p.t.Context(), func(tx *ledger.Tx) error {
				for _, in := range []incident.Incident{p.slow(1), muted} {
					if err := p.a.WriteOpenIncident(tx, began+at, &in); err != nil {
						return err
					}
				}
				return nil
			})
		})
		p.row(at)
	}
	p.want("hook", "60 firing began ec080001")
	p.seq = 70 // the diagnosis continues its numbers
	p.event(100, incident.Clears, p.slow(1))
	p.rows(100, 415)
	p.want("hook", "60 firing began ec080001, 400 resolved recovered ec080001")
	if r, err := p.l.Incident(t.Context(), ledgertest.ID(1)); err != nil || r.Number != -1 || r.Phase != incident.Cleared || len(r.Events) != 1 {
		t.Errorf("in the ledger it is %d, %s, %v", r.Number, r.Phase, err)
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	o := Options{FireSeconds: -1, ResolveSeconds: -1, Receivers: []Receiver{{}, {Name: "a", Least: "loud"}, {Name: "a"}}}
	_, err := New(o, ledgertest.SentenceWriter())
	if err == nil || strings.Count(err.Error(), "\n") != 6 {
		t.Errorf("seven mistakes: %v", err)
	}
}

// The default options are those in docs/alerts.md.
func TestDefaultsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(checkout.Path(t, "docs/alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultOptions()
	for _, line := range []string{
		fmt.Sprintf("| `fire_after` | %d s |", o.FireSeconds), fmt.Sprintf("| `resolve_after` | %d s |", o.ResolveSeconds),
		fmt.Sprintf("| `suspects` | %v |", o.Suspects), fmt.Sprintf("| `harmless` | %v |", o.Harmless),
		fmt.Sprintf("| `most` | %d |", o.MostPerPeriod), fmt.Sprintf("| `period` | %d s |", o.PeriodSeconds),
	} {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/alerts.md has no line %s", line)
		}
	}
}

// Most rows change nothing: a backlog of a day has 5,760 of them.
func BenchmarkARowThatChangesNothing(b *testing.B) {
	l := ledgertest.Open(b)
	a, err := New(DefaultOptions(), ledgertest.SentenceWriter())
	if err != nil {
		b.Fatal(err)
	}
	for row := began; b.Loop(); row += 15 {
		if err := l.Step(b.Context(), func(tx *ledger.Tx) error { return a.Tick(tx, row, nil) }); err != nil {
			b.Fatal(err)
		}
	}
}
