package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
)

// TestEvents: the events of incidents, in order, with the hour.
func TestEvents(t *testing.T) {
	slow := func(w *world) { w.slow["2.5"] = 3 }
	at := func(h float64) int64 { return start + int64(h*3600) }
	tests := []struct {
		name     string
		hours    int
		acts     []act
		commands func(*world) []command.Command
		want     []string
	}{
		{"nothing", 6, nil, nil, nil},
		{"what is too short", 6, []act{{2 * hour, slow}, {7 * hour / 3, (*world).calm}}, nil, nil},
		{
			"a life", 30,
			[]act{{2 * hour, slow}, {8 * hour, (*world).calm}, {20 * hour, slow}, {26 * hour, (*world).calm}},
			nil,
			[]string{
				"2.5h opened single LUN 2.5",
				"8.4h recovering single LUN 2.5",
				"10.0h cleared single LUN 2.5 (recovered)",
				"20.2h reopened single LUN 2.5",
				"26.4h recovering single LUN 2.5",
				"28.0h cleared single LUN 2.5 (recovered)",
			},
		},
		{
			"it comes back while it recovers", 12, []act{{2 * hour, slow}, {8 * hour, (*world).calm}, {9 * hour, slow}}, nil, []string{
				"2.5h opened single LUN 2.5",
				"8.4h recovering single LUN 2.5",
				"9.0h changed single LUN 2.5", // by its first path
				"9.1h changed single LUN 2.5", // by both
			},
		},
		{
			"a server falls silent for an hour", 8, []act{{2 * hour, func(w *world) { w.silent["fs6"] = true }}, {3 * hour, (*world).calm}}, nil, []string{
				"2.1h opened silent server fs6",
				"2.1h changed silent server fs6",
				"3.4h recovering silent server fs6",
				"5.0h cleared silent server fs6 (recovered)",
			},
		},
		{
			"a server loses its devices, then a second one of its array", 6,
			[]act{{2 * hour, func(w *world) { w.gone["fs6"] = true }}, {2*hour + 200, func(w *world) { w.gone["fs8"] = true }}},
			nil,
			[]string{
				"2.5h opened lost attachment fs6",
				"3.4h changed lost attachment ddn2",
			},
		},
		{
			"two servers have lost their devices to one controller", 9,
			[]act{
				{2 * hour, func(w *world) { w.gone["fs6"] = true }},
				{2*hour + 150, func(w *world) { w.silent["fs5"] = true }},
				{4 * hour, func(w *world) { delete(w.silent, "fs5"); w.gone["fs5"] = true }},
			},
			nil,
			[]string{
				"2.5h opened lost attachment fs6",
				"2.7h opened silent server fs5",
				"2.8h changed silent server fs5",
				"2.8h changed lost attachment fs6",
				"4.4h recovering silent server fs5",
				"4.5h cleared silent server fs5 (merged)",
				"4.5h changed lost attachment ddn2a",
			},
		},
		{
			"a stall", 6, []act{{2 * hour, func(w *world) { w.stall["ddn2"] = 60_000 }}, {2*hour + 8, (*world).calm}}, nil, []string{
				"2.1h opened stalled requests ddn2",
				"2.5h recovering stalled requests ddn2",
				"4.1h cleared stalled requests ddn2 (recovered)",
			},
		},
		{
			"what operators say", 18,
			[]act{{1 * hour, slow}, {8 * hour, (*world).calm}, {13 * hour, slow}},
			func(w *world) []command.Command {
				return []command.Command{
					*order(w.system, at(2), command.Mute, "2.5"),
					*order(w.system, at(6.1), command.Unmute, "2.5"),
					*order(w.system, at(6.2), command.Comment, "2.5"),
					*order(w.system, at(6.3), command.Mute, "ddn2"),
					*order(w.system, at(6.4), command.Mute, "2.5"),
					*order(w.system, at(7), command.Resolve, "ddn2"),
					*order(w.system, at(7.5), command.Comment, "2.5"),
				}
			},
			[]string{
				"1.5h opened single LUN 2.5",
				"2.0h muted single LUN 2.5, muted",
				"6.1h unmuted single LUN 2.5",
				"6.2h commented single LUN 2.5",
				"6.3h muted single LUN 2.5, muted",
				"7.0h cleared single LUN 2.5 (resolved), muted",
				"7.5h reopened single LUN 2.5",
				"7.5h commented single LUN 2.5",
				"8.4h recovering single LUN 2.5",
				"10.0h cleared single LUN 2.5 (recovered)",
				"13.3h reopened single LUN 2.5",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, site, 3)
			d := &diary{}
			e, err := engine.New(engine.DefaultOptions(), w.system, w.schema, nil, d)
			if err != nil {
				t.Fatal(err)
			}
			if test.commands != nil {
				e.Plan(test.commands(w))
			}
			w.drive(e, 0, test.hours*hour, nil, test.acts...)
			if !slices.Equal(d.events, test.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(d.events, "\n\t"), strings.Join(test.want, "\n\t"))
			}
		})
	}
}

// TestMergedIncident: an incident that becomes a part of another has the ID of that
// incident in Into, and is no longer listed.
func TestMergedIncident(t *testing.T) {
	w := newWorld(t, site, 3)
	ends := &endings{}
	e := w.runWith(t, 6, ends, nil,
		act{2 * hour, func(w *world) { w.gone["fs6"] = true }},
		act{2*hour + 150, func(w *world) { w.silent["fs5"] = true }},
		act{4 * hour, func(w *world) { delete(w.silent, "fs5"); w.gone["fs5"] = true }},
	)
	list := incidents(e)
	if tell(list) != "lost attachment ddn2a active" || len(ends.list) != 1 {
		t.Fatalf("%s, %d endings", tell(list), len(ends.list))
	}
	if part := ends.list[0]; part.Into != list[0].ID || part.ID == list[0].ID || part.Phase != incident.Cleared || part.Cleared == 0 {
		t.Errorf("merged: %+v, into %s", part, list[0].ID)
	}
	if list[0].Onset.At < start+2*3600-step || list[0].Onset.At > start+2*3600 || list[0].Confirmed > start+3*3600 {
		t.Errorf("the whole has the onset and age of its oldest part: %+v, confirmed %d", list[0].Onset, list[0].Confirmed-start)
	}
}

// endings keeps incidents as they were when they ended.
type endings struct {
	engine.NoListener
	list []incident.Incident
}

func (e *endings) Event(v *incident.Event) {
	if v.Change == incident.Clears {
		e.list = append(e.list, *v.Incident)
	}
}

// names keeps the ID of every reported problem, by kind and place.
type names struct {
	engine.NoListener
	t   *testing.T
	ids map[string]string
}

func (n *names) Event(v *incident.Event) {
	key := string(v.Incident.Kind) + " " + v.Incident.Place.Name
	if v.Incident.ID == "" || v.Incident.Phase == incident.Pending {
		n.t.Errorf("an event of %s without an ID: %+v", key, v)
	}
	for other, id := range n.ids {
		if id == v.Incident.ID && other != key {
			n.t.Errorf("%s and %s have the ID %s", key, other, id)
		}
	}
	if id, ok := n.ids[key]; ok && id != v.Incident.ID {
		n.t.Errorf("%s is %s and %s", key, id, v.Incident.ID)
	}
	n.ids[key] = v.Incident.ID
}

// TestStableIDs: a problem has the same ID whichever other problems, servers and days
// there are, and no two problems have the same ID.
func TestStableIDs(t *testing.T) {
	const oneArray = `
servers: fs[5-8]
arrays:
  - names: ddn2
    servers_per_array: 4
    luns: 0-15
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-q]
`
	problems := func(w *world) { w.slow["2.5"], w.slow["2.9"], w.gone["2.7.8"] = 5, 5, true }
	beside := func(w *world) {
		w.slow["1.5"], w.slow["2.12"], w.silent["fs14"], w.gone["ddn3b"], w.work["fs2"] = 5, 5, true, true, true
		drawer(w, "4", 4)
	}
	told := func(yaml string, hours int, acts ...act) map[string]string {
		n := &names{t: t, ids: map[string]string{}}
		newWorld(t, yaml, 51).runWith(t, hours, n, nil, acts...)
		return n.ids
	}
	alone := told(site, 8, act{1 * hour, problems})
	want := []string{"lost attachment 2.7.8", "single LUN 2.5", "single LUN 2.9"}
	for _, tt := range []struct {
		name  string
		ids   map[string]string
		least int
	}{
		{"alone", alone, 3},
		{"beside others", told(site, 8, act{1 * hour, problems}, act{0, beside}), 9},
		{"after others", told(site, 16, act{9 * hour, problems}, act{0, beside}, act{7 * hour, (*world).calm}), 9},
		{"of one array", told(oneArray, 8, act{1 * hour, problems}), 3},
	} {
		if len(tt.ids) < tt.least {
			t.Errorf("%s: only %v", tt.name, tt.ids)
		}
		for _, problem := range want {
			if id := tt.ids[problem]; id == "" || id != alone[problem] {
				t.Errorf("%s: %s has the ID %q, alone it has %q", tt.name, problem, id, alone[problem])
			}
		}
	}
}

// TestApplyIsPlan: a command that is applied between two rows has the same effect as the
// same command in a plan.
func TestApplyIsPlan(t *testing.T) {
	w := newWorld(t, site, 52)
	tape := &tape{recording: w.tape(16,
		act{1 * hour, func(w *world) { w.slow["2.5"], w.slow["3.2"], w.slow["3.7"] = 4, 3, 5 }},
		act{9 * hour, func(w *world) { w.calm(); w.slow["2.5"] = 4 }},
	), opts: engine.DefaultOptions()}
	var commands []command.Command
	for i, verb := range []command.Verb{command.Mute, command.Comment, command.Resolve, command.Comment, command.Unmute, command.Mute, command.Resolve} {
		for j, name := range []string{"2.5", "ddn3", "3.2", "fs7"} {
			f := order(w.system, start+int64(i)*5413+int64(j)*1231+3600, verb, name)
			f.Text = fmt.Sprintf("%s %s", verb, name)
			commands = append(commands, *f)
		}
	}
	slices.SortFunc(commands, func(a, b command.Command) int { return int(a.Time - b.Time) })
	planned := *tape
	planned.commands = commands
	want := planned.begin(t)
	want.playTo(len(tape.rows))
	got := tape.begin(t)
	for i := range tape.rows {
		for len(commands) > 0 && commands[0].Time < tape.rows[i].End {
			got.engine.Apply(&commands[0])
			commands = commands[1:]
		}
		got.playTo(i + 1)
	}
	if len(commands) > 0 {
		t.Fatalf("%d commands are left", len(commands))
	}
	for i := range max(len(want.ear.lines), len(got.ear.lines)) {
		if g, w := line(got.ear.lines, i), line(want.ear.lines, i); g != w {
			t.Fatal(differ(g, w))
		}
	}
	if got.stand() != want.stand() {
		t.Error(differ(got.stand(), want.stand()))
	}
	if n := strings.Count(strings.Join(want.ear.lines, "\n"), `Change:"`); n < 12 {
		t.Errorf("%d events: the commands do nothing", n)
	}
}

// TestLateCommand: a command that comes after its time is applied now, with the time of
// the last row. A command with a time in the future is applied at once.
func TestLateCommand(t *testing.T) {
	for _, tt := range []struct {
		name  string
		at    int64
		event string
	}{
		{"late", start + 3600, "8.0h muted single LUN 2.5, muted"},
		{"now", start + 8*3600, "8.0h muted single LUN 2.5, muted"},
		{"early", start + 9*3600, "9.0h muted single LUN 2.5, muted"},
	} {
		w := newWorld(t, site, 3)
		d := &diary{}
		e := w.runWith(t, 8, d, nil, act{2 * hour, func(w *world) { w.slow["2.5"] = 3 }})
		d.events = nil
		e.Apply(order(w.system, tt.at, command.Mute, "2.5"))
		if d.String() != tt.event {
			t.Errorf("%s: %s, want %s", tt.name, d, tt.event)
		}
	}
}
