package action

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
	"github.com/limpet-storage/limpet/topology"
)

const noon = 1_800_014_400 // 2027-01-15 12:00 UTC

// cluster returns OSDs on servers, four on each, with three copies of all data. It leaves out some.
func cluster(osds int, without ...int) *topology.System {
	var list []topology.Listed
	for i := range osds {
		server, device := fmt.Sprintf("osd%d", i/4), fmt.Sprintf("sd%c", 'b'+i%4)
		if !slices.Contains(without, i) {
			list = append(list, topology.Listed{Peers: "osd", Component: topology.Component{
				Name: server + "/" + device, Server: server, Device: device,
				Part: topology.Part{Storage: "ceph", Redundancy: "3 replicas", Volume: fmt.Sprint(i)},
			}})
		}
	}
	s, _, err := topology.List("site", list)
	if err != nil {
		panic(err)
	}
	return s
}

// slow returns an incident about one drive that was confirmed an hour before a time.
func slow(s *topology.System, c int, at int64) incident.Incident {
	began := at - 7200
	return incident.Incident{
		ID: fmt.Sprintf("id%04d", c), Class: finding.Slow, Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive, Name: s.Components[c].Name}, Phase: incident.Active,
		Onset: finding.Onset{At: began, Early: began, Late: began}, Confirmed: at - 3600 + int64(c),
		Members: []finding.Member{{Component: c, Role: finding.IsSlow, Ratio: 3, Worst: 4, Effect: finding.Effect{Times: 3, Low: 2.5, High: 3.5}}},
	}
}

func policyOf(t testing.TB, text string) *plan.Policy {
	t.Helper()
	p, err := plan.ParsePolicy("p.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// world is an executor with everything around it. Its clock stands still unless a test moves it.
type world struct {
	t      testing.TB
	path   string
	l      *ledger.Ledger
	x      *Executor
	mem    *memory
	o      Options
	clock  time.Time
	policy *plan.Policy
	now    Now
	// after is what a request takes on average after an action, in seconds; 0: unknown.
	after   float64
	reports []string
}

func newWorld(t testing.TB, policy string) *world {
	w := &world{t: t, path: filepath.Join(t.TempDir(), "ledger.sqlite"), mem: newMemory(), clock: time.Unix(noon, 0), policy: policyOf(t, policy), after: 0.010}
	system := cluster(8)
	w.now = Now{System: system, Open: []incident.Incident{slow(system, 0, noon)}, Headline: func(in *incident.Incident) string { return in.Place.Name + " is slow" }}
	w.o = DefaultOptions()
	w.o.Policy, w.o.Now, w.o.Clock, w.o.Runner = func() *plan.Policy { return w.policy }, func() Now { return w.now }, func() time.Time { return w.clock }, w.mem
	w.o.Report = func(s string) { w.reports = append(w.reports, s) }
	w.o.Latency = func(_ context.Context, component string, from, to int64) (plan.Latencies, error) {
		return w.latencies(from, to), nil
	}
	w.open()
	t.Cleanup(func() { w.l.Close() })
	return w
}

// latencies returns a step every 15 s: 20 ms before the part was masked, 10 ms without the slow
// part, and w.after since.
func (w *world) latencies(from, to int64) plan.Latencies {
	out := plan.Latencies{StepSeconds: 15, Unit: "s"}
	masked := int64(1 << 60)
	for _, a := range w.x.Actions() {
		if a.Masked > 0 && !a.State.IsFinal() {
			masked = a.Masked
		}
	}
	for end := (from/15 + 1) * 15; end <= to; end += 15 {
		s := plan.Sample{End: end, Group: 0.020, Others: 0.010}
		if end > masked {
			if w.after <= 0 {
				continue
			}
			s.Group = w.after
		}
		out.Samples = append(out.Samples, s)
	}
	return out
}

// open opens the ledger and the executor, as a new process does.
func (w *world) open() {
	w.t.Helper()
	var err error
	if w.l, err = ledger.Open(w.t.Context(), w.path); err != nil {
		w.t.Fatal(err)
	}
	w.o.Ledger = w.l
	if w.x, err = Open(w.t.Context(), w.o); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) reopen() {
	w.t.Helper()
	if err := w.l.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
}

// pass moves the clock in small steps, and looks after each.
func (w *world) pass(d time.Duration) {
	for end := w.clock.Add(d); w.clock.Before(end); {
		w.clock = w.clock.Add(5 * time.Second)
		w.x.Look(w.t.Context())
	}
}

func (w *world) look() { w.x.Look(w.t.Context()) }

// last returns the last action.
func (w *world) last() Action {
	w.t.Helper()
	list := w.x.Actions()
	if len(list) == 0 {
		w.t.Fatal("there is no action")
	}
	return list[len(list)-1]
}

func (w *world) wants(what string, s State) Action {
	w.t.Helper()
	a := w.last()
	if a.State != s {
		w.t.Fatalf("%s: action %s is %s (%s %s), want %s\n%s", what, a.ID, a.State, a.Reason, a.Trouble, s, w.records(a.ID))
	}
	return a
}

func (w *world) calls(want ...string) {
	w.t.Helper()
	if got := w.mem.changed(); !slices.Equal(got, want) {
		w.t.Fatalf("the storage got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// records returns the records of an action, a line each.
func (w *world) records(id string) string {
	w.t.Helper()
	list, err := w.l.ActionRecords(w.t.Context(), id, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	var out strings.Builder
	for _, one := range list {
		r, err := DecodeRecord(one)
		if err != nil {
			w.t.Fatal(err)
		}
		if r.Seq != one.Seq || r.Action != id || r.Time != one.Time {
			w.t.Errorf("%+v is stored as %+v", r, one)
		}
		starts := ""
		if r.Starts {
			starts = " starts"
		}
		failed := ""
		if r.Failed {
			failed = " FAILED"
		}
		fmt.Fprintf(&out, "%s %s%s%s: %s | %s\n", r.Who, r.Event, starts, failed, r.Command, r.Text)
	}
	return out.String()
}

const (
	relieve = "ceph osd primary-affinity osd.0 0"
	restore = "ceph osd primary-affinity osd.0 1"
)

// An action that helps: checks, command, query, latencies; and then it stays.
func TestDo(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.look()
	a := w.wants("after a look", Watching)
	w.calls(relieve)
	if a.Incident != "id0000" || a.Component != "osd0/sdb" || a.Server != "osd0" || a.Began != noon || a.Masked != noon || a.Due != noon+600 || a.Mode != plan.Do || a.Why != "osd0/sdb is slow" {
		t.Errorf("%+v", a)
	}
	w.pass(115 * time.Second)
	w.wants("with too few latencies", Watching)
	w.pass(time.Minute)
	a = w.wants("after three minutes", Helped)
	if v := a.Verdict; v == nil || v.Before != 0.020 || v.Others != 0.010 || v.After != 0.010 || !v.Helped {
		t.Errorf("%+v", v)
	}
	w.pass(3 * time.Hour)
	w.wants("three hours later", Helped)
	w.calls(relieve)
	got := w.records(a.ID)
	var events []string
	for line := range strings.Lines(got) {
		events = append(events, strings.SplitN(line, ":", 2)[0])
	}
	want := []string{"limpet created", "limpet check", "limpet check", "limpet check", "limpet check", "limpet do starts", "limpet do", "limpet check", "limpet check", "limpet latency"}
	if !slices.Equal(events[:len(want)], want) {
		t.Errorf("records:\n%s\nwant %q", got, want)
	}
	w.reopen()
	w.wants("after a restart", Helped)
}

// While an action is under way, no further one begins, on the same part or another one.
func TestOneAtOnce(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.now.Open = append(w.now.Open, slow(w.now.System, 1, noon))
	w.pass(30 * time.Minute)
	w.calls(relieve)
	if n := len(w.x.Actions()); n != 1 || w.x.Note() != "" {
		t.Errorf("%d actions, note %q", n, w.x.Note())
	}
	w.policy = policyOf(t, "mode: do\nmost_at_once: 2")
	w.look()
	w.calls(relieve, "ceph osd primary-affinity osd.1 0")
}

// An action that does not help is reversed, nothing begins within the pause, and the same incident
// is not acted on again.
func TestUseless(t *testing.T) {
	for name, after := range map[string]float64{"not better": 0.019, "worse": 0.050, "no data": 0} {
		w := newWorld(t, "mode: do")
		w.after = after
		w.pass(9 * time.Minute)
		w.wants(name, Watching)
		w.pass(2 * time.Minute)
		a := w.wants(name, Undone)
		w.calls(relieve, restore)
		if !a.Useless || a.Ended == 0 || a.Reason == "" {
			t.Errorf("%s: %+v", name, a)
		}
		w.now.Open = append(w.now.Open, slow(w.now.System, 1, noon))
		ended := a.Ended
		w.pass(55 * time.Minute)
		w.calls(relieve, restore)
		w.after = 0.010
		w.pass(15 * time.Minute)
		b := w.last()
		if b.Incident != "id0001" || b.Began < ended+3600 {
			t.Errorf("%s: the next action is %+v", name, b)
		}
		w.pass(3 * time.Hour)
		w.calls(relieve, restore, "ceph osd primary-affinity osd.1 0")
	}
}

// A check that fails keeps the command from running. It is tried again, less and less often.
func TestGuardRefuses(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.mem.s.PGs = "active+undersized+degraded"
	w.look()
	a := w.wants("degraded PGs", Blocked)
	if !strings.Contains(a.Reason, "33 of 33 PGs have the state active+undersized+degraded") || a.Began != 0 {
		t.Errorf("%+v", a)
	}
	w.pass(6 * time.Hour)
	if n := len(w.x.Actions()); n < 4 || n > 6 { // after 15, 30, 60, 120 and 240 minutes
		t.Errorf("%d attempts in six hours", n)
	}
	w.calls()
	w.mem.s.PGs = ""
	w.pass(7 * time.Hour)
	w.calls(relieve)
}

// A part that is not as it should be is left alone: the undo would not restore it.
func TestNotNormal(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.mem.s.Relieved["osd.0"] = true
	w.look()
	w.wants("already relieved", Blocked)
	w.calls()
}

// A command that fails is never repeated. The storage decides whether it had an effect.
func TestCommandFails(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.mem.fail = func(line string) (before, after error) {
		if line == relieve {
			return errors.New("exit status 1"), nil
		}
		return nil, nil
	}
	w.look()
	w.wants("at first", Doing) // a part of the command may still work
	w.pass(85 * time.Second)
	w.wants("within a minute and a half", Doing)
	w.pass(10 * time.Second)
	a := w.wants("later", Failed)
	if !a.Useless {
		t.Error("a command without effect does not count for the pause")
	}
	w.pass(5 * time.Hour)
	w.calls(relieve)

	w = newWorld(t, "mode: do")
	w.mem.fail = func(line string) (before, after error) {
		if line == relieve {
			return nil, errors.New("the command was ended, because it took too long")
		}
		return nil, nil
	}
	w.look()
	w.wants("with an effect", Watching)
	w.calls(relieve)
}

// If the storage does not answer, the action waits and nothing is repeated. It goes on when the storage
// answers again.
func TestStorageDoesNotAnswer(t *testing.T) {
	for _, masked := range []bool{true, false} {
		w := newWorld(t, "mode: do")
		silent := false
		w.mem.fail = func(line string) (before, after error) {
			if silent {
				return errors.New("timed out"), nil
			}
			if line == relieve {
				silent = true
				if !masked {
					return errors.New("timed out"), nil
				}
			}
			return nil, nil
		}
		w.look()
		w.pass(30 * time.Minute)
		a := w.wants("silent", Doing)
		if !strings.Contains(a.Trouble, "unknown whether the command had an effect") {
			t.Errorf("trouble %q", a.Trouble)
		}
		if n := len(strings.Split(w.records(a.ID), "\n")); n > 70 {
			t.Errorf("%d records in half an hour", n)
		}
		silent = false
		w.pass(5 * time.Minute)
		if masked {
			w.wants("masked", Helped)
		} else {
			w.wants("not masked", Failed)
		}
		w.calls(relieve)
	}
}

// An undo that fails is repeated at growing intervals, and is never given up.
func TestUndoFails(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.after = 0.030
	broken := true
	w.mem.fail = func(line string) (before, after error) {
		if broken && line == restore {
			return errors.New("exit status 5"), nil
		}
		return nil, nil
	}
	w.pass(41 * time.Minute)
	a := w.wants("broken", Undoing)
	if n := len(w.mem.changed()); n < 4 || n > 8 {
		t.Errorf("%d commands in half an hour", n)
	}
	if !strings.Contains(a.Trouble, "exit status 5") {
		t.Errorf("trouble %q", a.Trouble)
	}
	w.reopen()
	broken = false
	w.pass(11 * time.Minute)
	w.wants("repaired", Undone)
	if w.mem.s.Relieved["osd.0"] {
		t.Error("the part is still masked")
	}
}

// The switch stops all actions, and survives a restart.
func TestStop(t *testing.T) {
	w := newWorld(t, "mode: do")
	if _, err := w.x.Stop(t.Context(), "ann", "maintenance"); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Minute)
	w.calls()
	w.reopen()
	if s := w.x.Switch(); !s.Stopped || s.Who != "ann" || s.Text != "maintenance" || s.Time != noon {
		t.Errorf("after a restart: %+v", s)
	}
	w.pass(time.Minute)
	if len(w.x.Actions()) != 0 || !strings.Contains(w.x.Note(), "ann has stopped all actions") {
		t.Errorf("%v, note %q", w.x.Actions(), w.x.Note())
	}
	if _, err := w.x.Resume(t.Context(), "bob", ""); err != nil {
		t.Fatal(err)
	}
	// Somebody stops everything while the checks run.
	w.mem.do = func(line string) {
		if strings.Contains(line, "health") {
			w.x.Stop(t.Context(), "cat", "")
		}
	}
	w.look()
	w.calls()
	w.wants("stopped between the checks", Blocked)
	if text := w.records(""); strings.Count(text, "switch") != 3 || !strings.Contains(text, "ann switch: ") {
		t.Errorf("records of the switch:\n%s", text)
	}
}

// While everything is stopped, limpet does not reverse an action by itself. An operator can.
func TestUndoWhileStopped(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.after = 0.030
	w.look()
	w.x.Stop(t.Context(), "ann", "")
	w.pass(20 * time.Minute)
	a := w.wants("stopped", Undoing)
	w.calls(relieve)
	if !strings.Contains(a.Trouble, "ann has stopped all actions") {
		t.Errorf("trouble %q", a.Trouble)
	}
	if _, err := w.x.Undo(t.Context(), a.ID, "bob", ""); err != nil {
		t.Fatal(err)
	}
	w.look()
	w.wants("undone by bob", Undone)
	w.calls(relieve, restore)
	if !strings.Contains(w.records(a.ID), "bob undo starts") {
		t.Error(w.records(a.ID))
	}
}

func TestAsk(t *testing.T) {
	w := newWorld(t, "mode: ask\nask_minutes: 30")
	w.pass(10 * time.Minute)
	a := w.wants("nobody answered", Asked)
	w.calls()
	if _, err := w.x.Undo(t.Context(), a.ID, "ann", ""); err == nil || !strings.Contains(err.Error(), "changed nothing yet") {
		t.Error(err)
	}
	if _, err := w.x.Approve(t.Context(), "99", "ann", ""); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	w.reopen()
	if _, err := w.x.Approve(t.Context(), a.ID, "ann", "go ahead"); err != nil {
		t.Fatal(err)
	}
	w.reopen()
	w.look()
	a = w.wants("approved", Watching)
	w.calls(relieve)
	if a.ApprovedBy != "ann" || !strings.Contains(w.records(a.ID), "ann do starts: "+relieve) {
		t.Errorf("%+v\n%s", a, w.records(a.ID))
	}
	if _, err := w.x.Approve(t.Context(), a.ID, "ann", ""); err == nil || !strings.Contains(err.Error(), "the state of the action is watching") {
		t.Error(err)
	}
	w.pass(5 * time.Minute)
	if _, err := w.x.Undo(t.Context(), a.ID, "ann", "repaired"); err != nil {
		t.Fatal(err)
	}
	w.look()
	a = w.wants("undone", Undone)
	w.calls(relieve, restore)
	if a.Useless || a.UndoBy != "ann" {
		t.Errorf("%+v", a)
	}
	w.pass(5 * time.Hour)
	if n := len(w.x.Actions()); n != 1 {
		t.Errorf("%d actions on an incident that an operator decided about", n)
	}
}

// TestStatements: receivers of alerts learn what limpet would do, asks for, does and did.
func TestStatements(t *testing.T) {
	const what = "let other OSDs answer the reads of osd.0; command: " + relieve
	says := func(w *world, want string) {
		t.Helper()
		list, known := w.x.Statements()
		if !known || len(list) != 1 || list[0].Incident.ID != "id0000" || list[0].Text != want {
			t.Errorf("got %+v, want %q", list, want)
		}
	}
	w := newWorld(t, "mode: propose")
	if _, known := w.x.Statements(); known {
		t.Error("statements before the first look")
	}
	w.look()
	says(w, "Proposed action: "+what+". limpet does not run this command.")
	w = newWorld(t, "mode: ask\nask_minutes: 30")
	w.look()
	says(w, "limpet waits until 2027-01-15 12:30Z for an operator's approval of this action: "+what+". To approve it: limpet act approve 1. To refuse it: limpet act refuse 1.")
	w.pass(31 * time.Minute)
	says(w, "limpet did not take this action, because no operator approved it in time: "+what+".")
	w = newWorld(t, "mode: do")
	w.look()
	says(w, "limpet takes this action: "+what+". limpet then checks whether users wait less.")
	w.pass(3 * time.Minute)
	w.wants("after three minutes", Helped)
	says(w, "limpet has taken this action, and users wait less: "+what+".")
	if _, err := w.x.Undo(t.Context(), w.last().ID, "ann", "repaired"); err != nil {
		t.Fatal(err)
	}
	w.look()
	says(w, "limpet reverses this action: "+what+". Reason: ann asked limpet to undo the action.")
}

// A refusal holds for the incident; a question that nobody answers ends, and is put again after the
// pause.
func TestRefusedAndExpired(t *testing.T) {
	w := newWorld(t, "mode: ask\nask_minutes: 30")
	w.look()
	if _, err := w.x.Refuse(t.Context(), w.last().ID, "ann", "I replace it today"); err != nil {
		t.Fatal(err)
	}
	w.pass(3 * time.Hour)
	a := w.wants("refused", Refused)
	if n := len(w.x.Actions()); n != 1 || !strings.Contains(a.Reason, "ann refused the action: I replace it today") {
		t.Errorf("%d actions, %q", n, a.Reason)
	}

	w = newWorld(t, "mode: ask\nask_minutes: 30")
	w.pass(31 * time.Minute)
	a = w.wants("nobody answered", Expired)
	if _, err := w.x.Approve(t.Context(), a.ID, "ann", ""); err == nil {
		t.Error("an expired action was approved")
	}
	w.pass(55 * time.Minute)
	w.wants("within the pause", Expired)
	w.pass(10 * time.Minute)
	w.wants("after the pause", Asked)
	w.now.Open = nil
	w.look()
	w.wants("the incident is over", Blocked)
	w.calls()
}

// TestNoteOfProposals: with a policy that only proposes, the note states this and names the command
// that shows the proposals. With a policy that is off, nothing is proposed.
func TestNoteOfProposals(t *testing.T) {
	for mode, want := range map[string]bool{"propose": true, "off": false} {
		w := newWorld(t, "mode: "+mode)
		note := w.x.obstacle(w.policy, &w.now, nil)
		if got := strings.Contains(note, "proposes actions and runs none. limpet incidents show ID shows"); got != want {
			t.Errorf("mode %s: %q", mode, note)
		}
	}
}

// Everything is checked again when the command is about to start.
func TestCheckedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*world)
		want   string
	}{
		"two more are slow": {func(w *world) {
			w.now.Open = append(w.now.Open, slow(w.now.System, 4, noon), slow(w.now.System, 5, noon))
		}, "reason: redundancy"},
		"a rebuild": {func(w *world) {
			in := slow(w.now.System, 6, noon)
			in.Members[0].Role = finding.Rebuilds
			w.now.Open = append(w.now.Open, in)
		}, "reason: rebuild"},
		"a silent server":           {func(w *world) { w.now.Silent = []string{"osd1"} }, "reason: redundancy"},
		"the incident is over":      {func(w *world) { w.now.Open = nil }, "the incident is over"},
		"the policy only proposes":  {func(w *world) { w.policy = policyOf(w.t, "mode: propose") }, "the policy file allows no action"},
		"the policy is off":         {func(w *world) { w.policy = policyOf(w.t, "mode: off") }, "the policy file allows no action"},
		"no policy":                 {func(w *world) { w.policy = nil }, "the server has no policy"},
		"the policy stops":          {func(w *world) { w.policy = policyOf(w.t, "mode: ask\nstop: true") }, "stop: true"},
		"the policy wants take out": {func(w *world) { w.policy = policyOf(w.t, "mode: ask\nrules: [{effects: [take out]}]") }, "ceph osd out osd.0"},
		"another OSD has the name": {func(w *world) {
			system := cluster(8)
			system.Components[0].Volume = "3"
			w.now.System = system
		}, "ceph osd primary-affinity osd.3 0"},
	} {
		for _, when := range []string{"before the checks", "during the checks"} {
			w := newWorld(t, "mode: ask")
			w.look()
			a := w.wants(name, Asked)
			if when == "before the checks" {
				tt.change(w)
			} else {
				w.mem.do = func(line string) {
					if strings.Contains(line, "health") {
						tt.change(w)
					}
				}
			}
			if _, err := w.x.Approve(t.Context(), a.ID, "ann", ""); err != nil {
				t.Fatal(err)
			}
			w.look()
			if a = w.last(); a.State != Blocked || !strings.Contains(a.Reason, tt.want) || len(w.mem.changed()) > 0 {
				t.Errorf("%s, %s: %s, %q, %q; want %q", name, when, a.State, a.Reason, w.mem.changed(), tt.want)
			}
		}
	}
}

// While the data are too old, an approved action waits, for a limited time.
func TestOldData(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		w := newWorld(t, "mode: ask")
		w.look()
		a := w.wants("asked", Asked)
		w.now.Stale = "the last data are 20 minutes old"
		if _, err := w.x.Approve(t.Context(), a.ID, "ann", ""); err != nil {
			t.Fatal(err)
		}
		w.pass(10 * time.Minute)
		w.wants("old data", Approved)
		if w.mem.all != 0 {
			t.Errorf("%d commands with old data", w.mem.all)
		}
		if fresh {
			w.now.Stale = ""
			w.look()
			w.wants("fresh data", Watching)
			continue
		}
		w.pass(6 * time.Minute)
		if a = w.wants("later", Blocked); a.Reason != "the last data are 20 minutes old" {
			t.Errorf("reason %q", a.Reason)
		}
	}
}

// If somebody reverses an action by hand, it is over, and is not repeated.
func TestReversed(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.pass(5 * time.Minute)
	w.wants("helped", Helped)
	delete(w.mem.s.Relieved, "osd.0")
	w.pass(11 * time.Minute)
	w.wants("reversed", Reversed)
	w.pass(2 * time.Hour)
	w.calls(relieve)
}

// An action that helped and was reversed when the part was well again may be taken again after the
// pause, if the part becomes slow again. An action that was reversed while the part was slow is not
// repeated.
func TestSlowAgain(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.pass(5 * time.Minute)
	a := w.wants("helped", Helped)
	if _, err := w.x.Undo(t.Context(), a.ID, "ann", "a new drive"); err != nil {
		t.Fatal(err)
	}
	w.look()
	w.wants("undone", Undone)
	w.pass(2 * time.Hour)
	w.calls(relieve, restore)

	w.now.Open = nil
	w.pass(10 * time.Minute)
	again := slow(w.now.System, 0, w.clock.Unix()+7200)
	again.Spell = again.Onset
	w.now.Open = []incident.Incident{again}
	w.pass(30 * time.Minute)
	w.calls(relieve, restore, relieve)

	w = newWorld(t, "mode: do\npause: 6h")
	w.pass(5 * time.Minute)
	w.x.Undo(t.Context(), w.wants("helped", Helped).ID, "ann", "")
	w.look()
	again = slow(w.now.System, 0, w.clock.Unix()+7200+60)
	again.Spell = again.Onset
	w.now.Open = []incident.Incident{again}
	w.pass(5 * time.Hour)
	w.calls(relieve, restore)
	w.pass(2 * time.Hour)
	w.calls(relieve, restore, relieve)
}

// A part that left the topology while it is masked keeps further actions from beginning, and can be
// undone.
func TestPartLeavesTopology(t *testing.T) {
	w := newWorld(t, "mode: do\nmost_at_once: 4")
	w.pass(5 * time.Minute)
	a := w.wants("helped", Helped)
	system := cluster(8, 0)
	w.now = Now{System: system, Open: []incident.Incident{slow(system, 1, noon)}, Headline: w.now.Headline}
	w.pass(2 * time.Hour)
	w.calls(relieve)
	if !strings.Contains(w.x.Note(), "the topology file does not name osd0/sdb") {
		t.Errorf("note %q", w.x.Note())
	}
	w.x.Undo(t.Context(), a.ID, "ann", "")
	w.look()
	if w.calls(relieve, restore, "ceph osd primary-affinity osd.2 0"); w.x.Actions()[0].State != Undone {
		t.Errorf("%+v", w.x.Actions()[0])
	}
}

// What cannot be recorded is not done.
func TestNotRecorded(t *testing.T) {
	for _, point := range []string{"before record created", "before record check", "before record do"} {
		w := newWorld(t, "mode: do")
		w.o.betweenSteps = func(at string) {
			if at != point {
				return
			}
			w.o.betweenSteps = nil
			err := w.l.Step(t.Context(), func(tx *ledger.Tx) error {
				last, err := tx.LastActionRecord()
				if err != nil {
					return err
				}
				return tx.AppendAction(&ledger.ActionChange{Record: &ledger.ActionRecord{Seq: last + 1, Action: "other", Document: []byte("{}")}})
			})
			if err != nil {
				t.Error(err)
			}
		}
		w.x.o.betweenSteps = func(at string) {
			if w.o.betweenSteps != nil {
				w.o.betweenSteps(at)
			}
		}
		w.pass(time.Minute)
		if got := w.mem.changed(); len(got) > 0 {
			t.Errorf("%s: %q", point, got)
		}
		if len(w.reports) != 1 {
			t.Errorf("%s: reports %q", point, w.reports)
		}
	}
}

// lent is a turn that a test gives and takes away.
type lent struct {
	singleProcess
	ctx    context.Context
	orders chan PassedOrder
}

func (l *lent) Context() context.Context { return l.ctx }

func (l *lent) Orders() <-chan PassedOrder { return l.orders }

func (l *lent) Write(ctx context.Context, c *ledger.ActionChange) error {
	if l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	return l.singleProcess.Write(ctx, c)
}

// lender gives turns. The other node of its cluster executes no orders.
type lender struct {
	turns  chan Turn
	orders []Order
	node   string

	mu     sync.Mutex
	policy string
}

func (l *lender) Take(ctx context.Context, policy string) (Turn, error) {
	select {
	case t := <-l.turns:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.policy = policy
		return t, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *lender) Order(_ context.Context, o Order) (Outcome, error) {
	l.orders = append(l.orders, o)
	return Outcome{Refused: "the other node refuses"}, nil
}

func (l *lender) Holder() (node, policy string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.node, l.policy
}

// A node that has not the turn runs nothing, and passes commands of operators on. A node that loses
// its turn during the checks does not run the command.
func TestOtherNodeActs(t *testing.T) {
	w := newWorld(t, "mode: do")
	other := &lender{turns: make(chan Turn, 1), node: "n2"}
	w.o.Turns = other
	w.reopen()
	w.pass(time.Minute)
	if w.mem.all != 0 || len(w.x.Actions()) != 0 {
		t.Errorf("%d commands", w.mem.all)
	}
	if _, err := w.x.Stop(t.Context(), "kim", "repair"); err == nil || err.Error() != "the other node refuses" || !slices.Equal(other.orders, []Order{{Stop, "", "kim", "repair"}}) {
		t.Errorf("orders %+v: %v", other.orders, err)
	}
	w.x.noteHolder()
	if note := w.x.Note(); !strings.Contains(note, "node n2") || !strings.Contains(note, "differs") {
		t.Error(note)
	}
	ctx, lose := context.WithCancel(t.Context())
	if err := w.x.beginTurn(&lent{singleProcess: singleProcess{w.l}, ctx: ctx}); err != nil {
		t.Fatal(err)
	}
	w.mem.do = func(line string) {
		if strings.Contains(line, "health") {
			lose()
		}
	}
	w.look()
	w.calls()
}

// An executor runs while it has the turn, and again when it gets the turn again. It knows what the
// other node has done meanwhile.
func TestTurns(t *testing.T) {
	w := newWorld(t, "mode: ask")
	turns := &lender{turns: make(chan Turn)}
	w.o.Turns, w.o.Every = turns, time.Millisecond
	w.reopen()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.x.Run(ctx) })
	defer running.Wait()
	defer stop()
	give := func() (orders chan PassedOrder, lose func()) {
		over, lose := context.WithCancel(t.Context())
		turn := &lent{singleProcess: singleProcess{w.l}, ctx: over, orders: make(chan PassedOrder)}
		turns.turns <- turn
		return turn.orders, lose
	}
	await := func(what string, is func(Action) bool) {
		t.Helper()
		for range 5000 {
			if list := w.x.Actions(); len(list) > 0 && is(list[len(list)-1]) {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("%s: %+v", what, w.x.Actions())
	}
	orders, lose := give()
	await("the question", func(a Action) bool { return a.State == Asked })
	if _, policy := turns.Holder(); policy != digest(w.policy) {
		t.Errorf("digest %q", policy)
	}
	answers := make(chan Outcome, 1)
	pass := func(o Order) Outcome {
		t.Helper()
		select {
		case orders <- PassedOrder{o, func(_ context.Context, out Outcome) error { answers <- out; return nil }}:
			return <-answers
		case <-time.After(10 * time.Second):
			t.Fatal("nobody executes the command")
			return Outcome{}
		}
	}
	if out := pass(Order{Verb: Approve, Action: "77", Who: "kim"}); !out.Unknown {
		t.Errorf("%+v", out)
	}
	if out := pass(Order{Verb: Undo, Action: "1", Who: "kim"}); !strings.Contains(out.Refused, "nothing yet") {
		t.Errorf("%+v", out)
	}
	if out := pass(Order{Verb: "dance", Who: "kim"}); !strings.Contains(out.Refused, "does not know") {
		t.Errorf("%+v", out)
	}
	if out := pass(Order{Verb: Stop, Who: "kim"}); !out.Switch.Stopped {
		t.Errorf("%+v", out)
	}
	lose()
	// Another node executes a refusal.
	other, err := Open(t.Context(), func() Options { o := w.o; o.Turns = nil; return o }())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Refuse(t.Context(), "1", "lee", ""); err != nil {
		t.Fatal(err)
	}
	await("what the other node did", func(a Action) bool { return a.State == Refused })
	_, lose = give()
	defer lose()
	for range 5000 {
		if w.x.acts() {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if _, err := w.x.Resume(t.Context(), "kim", ""); err != nil {
		t.Errorf("after the second turn: %v", err)
	}
}

// A command that could not start soon after its record does not start: another node may have taken
// over.
func TestStoodStill(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.x.o.betweenSteps = func(at string) {
		if at == "after record do" {
			w.clock = w.clock.Add(time.Minute)
		}
	}
	w.look()
	w.calls()
	w.pass(3 * time.Minute)
	if a := w.wants("failed", Failed); !a.Useless {
		t.Errorf("%+v", a)
	}
}

// An action of a driver that this version does not have waits for an operator.
func TestDriverIsGone(t *testing.T) {
	w := newWorld(t, "mode: do")
	w.pass(5 * time.Minute)
	a := w.wants("helped", Helped)
	if _, err := w.x.append(t.Context(), Record{Action: a.ID, Who: "test", Event: Checks}, func(to *Action) error { to.Storage = "floppy"; return nil }); err != nil {
		t.Fatal(err)
	}
	w.pass(time.Hour)
	if a = w.wants("no driver", Helped); !strings.Contains(a.Trouble, "run this command by hand, and then end the action with limpet act undo: "+restore) {
		t.Errorf("trouble %q", a.Trouble)
	}
	w.x.Undo(t.Context(), a.ID, "ann", "")
	w.pass(time.Minute)
	w.wants("ended by ann", Reversed)
	w.calls(relieve)
}

// crash is what between panics with.
type crash struct{}

// TestCrashAtEveryStep ends the executor between any two steps, and begins a new one on the same
// ledger. The command is run at most once, the part is never masked without an action that knows
// it, and the action comes to its end.
func TestCrashAtEveryStep(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 2
	}
	for _, after := range []float64{0.010, 0.030} { // it helps, and an operator ends it; it does not help
		points := 0
		for n := 1; ; n += every {
			w := newWorld(t, "mode: do")
			w.after = after
			count, crashed := 0, ""
			w.x.o.betweenSteps = func(at string) {
				if count++; count == n {
					crashed = at
					panic(crash{})
				}
			}
			life := func(do func()) {
				defer func() {
					if v := recover(); v != nil {
						if _, ok := v.(crash); !ok {
							panic(v)
						}
						w.l.Close()
						w.open()
					}
				}()
				do()
			}
			for range 800 {
				life(func() { w.pass(5 * time.Second) })
				list := w.x.Actions()
				if len(list) > 0 && list[0].State.IsFinal() {
					break
				}
				if w.mem.s.Relieved["osd.0"] && (len(list) == 0 || !list[len(list)-1].State.Masks()) {
					t.Fatalf("after a crash at %q (step %d) the part is masked, and the actions are %+v", crashed, n, list)
				}
				if len(list) > 0 && list[0].State == Helped && list[0].UndoBy == "" {
					life(func() { w.x.Undo(t.Context(), list[0].ID, "ann", "") })
				}
			}
			w.pass(time.Minute)
			do := 0
			for _, line := range w.mem.changed() {
				if line == relieve {
					do++
				}
			}
			list := w.x.Actions()
			if len(list) != 1 || !list[0].State.IsFinal() || do > 1 || list[0].State == Undone != (do == 1) || w.mem.s.Relieved["osd.0"] {
				t.Fatalf("after a crash at %q (step %d): %d times done, %+v\n%s", crashed, n, do, list, w.records("1"))
			}
			if crashed == "" {
				break
			}
			points++
		}
		t.Logf("%d points between steps", points)
		if points*every < 30 {
			t.Errorf("only %d points", points)
		}
	}
}
