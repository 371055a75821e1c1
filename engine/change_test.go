package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// diary records each event as "6.5h opened slow drive h3/sdc".
type diary struct{ events []string }

func (d *diary) Window(*persistence.Window) {}
func (d *diary) List(*engine.List)          {}

func (d *diary) Event(v *incident.Event) {
	in := v.Incident
	line := fmt.Sprintf("%.1fh %s %s %s", float64(v.Time-start)/3600, v.Change, in.Kind, in.Place.Name)
	if in.Ending != "" {
		line += " (" + string(in.Ending) + ")"
	}
	if in.Muted {
		line += ", muted"
	}
	d.events = append(d.events, line)
}

func (d *diary) String() string { return strings.Join(d.events, ", ") }

// rack is a topology file of twelve servers with four drives each.
func rack(servers, devices, peers string) string {
	return fmt.Sprintf("servers: %q\ndrives:\n  - devices: %q\n    peers: %s\n", servers, devices, peers)
}

// TestChangedTopology: a state is restored by name into a changed topology. Components
// that are still there continue, new ones start without a history, and incidents of
// removed ones end.
func TestChangedTopology(t *testing.T) {
	const was, went = "h[1-12]", "sd[a-d]"
	const slow, busy = "slow drive h3/sdc", "slow drive h7/sdb"
	tests := []struct {
		name        string
		yaml        string
		wwn         string   // of h3/sdc, now
		does        string   // what is slow from the restart on, too
		events      []string // from the restart on
		kept, ended []string // incidents that stay what they are, and that ended
		suspects    string   // after two hours
	}{
		{name: "nothing has changed", yaml: rack(was, went, "server"), kept: []string{slow, busy}},
		{name: "servers in another order", yaml: rack("h[7-12,1-6]", went, "server"), kept: []string{slow, busy}},
		{name: "a drive for each server", yaml: rack(was, "sd[a-e]", "server"), kept: []string{slow, busy}},
		{name: "a new drive that is slow", yaml: rack(was, "sd[a-e]", "server"), does: "h5/sde", kept: []string{slow, busy}, suspects: "h5/sde"},
		{name: "a server more", yaml: rack("h[1-13]", went, "server"), kept: []string{slow, busy}},
		{name: "a new server with a slow drive", yaml: rack("h[1-13]", went, "server"), does: "h13/sda", kept: []string{slow, busy}, suspects: "h13/sda"},
		{
			name: "drives are gone", yaml: rack(was, "sd[a-b,d]", "server"), kept: []string{busy}, ended: []string{slow},
			events: []string{"8.0h cleared slow drive h3/sdc (removed)"},
		},
		{
			name: "a server is gone", yaml: rack("h[1-2,4-12]", went, "server"), kept: []string{busy}, ended: []string{slow},
			events: []string{"8.0h cleared slow drive h3/sdc (removed)"},
		},
		{
			name: "a drive was replaced", yaml: rack(was, went, "server"), wwn: "5000c500a1b2c3d5", kept: []string{busy}, ended: []string{slow},
			events: []string{"8.0h cleared slow drive h3/sdc (replaced)"}, suspects: "h3/sdc",
		},
		{name: "the same drive, without a WWN", yaml: rack(was, went, "server"), wwn: "none", kept: []string{slow, busy}},
		{name: "all drives are peers", yaml: rack(was, went, "all"), kept: []string{slow, busy}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, state := troubled(t, rack(was, went, "server"))
			after := newWorld(t, test.yaml, 32)
			label(after.system, test.wwn)
			trouble(after)
			if test.does != "" {
				after.slow[test.does] = 4
			}
			d := &diary{}
			e, err := engine.Restore(state, engine.DefaultOptions(), after.system, after.schema, nil, d)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(d.events, test.events) {
				t.Errorf("events at the restart: %s, want %s", d, test.events)
			}
			after.drive(e, 8*hour, 8*hour+hour/3, nil)
			if !slices.Equal(d.events, test.events) {
				t.Errorf("events: %s, want %s", d, test.events)
			}
			s := e.Summary(incident.Combined)
			sameLives(t, before.system, after.system, saved(t, before, state), s.Incidents, test.kept, test.ended)
			var names []string
			for _, x := range s.Suspects {
				names = append(names, x.Place.Name)
				if x.Onset.Early < start+6*3600 && x.Onset.At < start+8*3600 {
					t.Errorf("%s begins anew, and its onset is %+v", x.Place.Name, x.Onset)
				}
			}
			if got := strings.Join(names, ", "); got != test.suspects {
				t.Errorf("suspects: %q, want %q", got, test.suspects)
			}
		})
	}
}

// label gives a drive a WWN, or removes it.
func label(s *topology.System, wwn string) {
	at, ok := s.Lookup("h3/sdc")
	switch {
	case !ok || wwn == "none":
		return
	case wwn == "":
		wwn = "5000c500a1b2c3d4"
	}
	s.Components[at].WWN = wwn
}

// trouble makes two drives slow.
func trouble(w *world) { w.slow["h3/sdc"], w.slow["h7/sdb"] = 4, 5 }

// troubled is a world in which two drives became slow, with its state after eight hours.
func troubled(t *testing.T, yaml string) (*world, []byte) {
	t.Helper()
	w := newWorld(t, yaml, 31)
	label(w.system, "")
	e := w.runWith(t, 8, engine.NoListener{}, nil, act{1 * hour, trouble})
	state, err := e.Save()
	if err != nil {
		t.Fatal(err)
	}
	if got := tell(incidents(e)); got != "slow drive h3/sdc active; slow drive h7/sdb active" {
		t.Fatalf("before: %s", got)
	}
	return w, state
}

// saved returns the incidents of a state in the topology in which it was saved.
func saved(t *testing.T, w *world, state []byte) []incident.Incident {
	t.Helper()
	e, err := engine.Restore(state, engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	return incidents(e)
}

// sameLives fails unless incidents have the same IDs, onsets and spans, at components of
// the same names, and all others ended.
func sameLives(t *testing.T, was, now *topology.System, before, after []incident.Incident, kept, ended []string) {
	t.Helper()
	if len(after) != len(kept)+len(ended) {
		t.Errorf("%s: want %s and, over, %s", tell(after), kept, ended)
	}
	find := func(list []incident.Incident, name string) *incident.Incident {
		for i := range list {
			if in := &list[i]; string(in.Kind)+" "+in.Place.Name == name {
				return in
			}
		}
		t.Fatalf("%s is not among %s", name, tell(list))
		return nil
	}
	for _, name := range kept {
		old, in := find(before, name), find(after, name)
		if in.Phase != incident.Active || in.ID != old.ID || in.Onset != old.Onset || in.Confirmed != old.Confirmed || !slices.Equal(in.Spans, old.Spans) || in.Amount <= old.Amount {
			t.Errorf("%s is not what it was: %+v, was %+v", name, in, old)
		}
		if len(in.Members) != 1 || now.Components[in.Members[0].Component].Name != was.Components[old.Members[0].Component].Name {
			t.Errorf("%s shows on %+v", name, in.Members)
		}
	}
	for _, name := range ended {
		old, in := find(before, name), find(after, name)
		if in.Phase != incident.Cleared || in.Ending != incident.Removed && in.Ending != incident.Replaced || in.ID != old.ID || len(in.Spans) != 1 || in.Spans[0].To == 0 {
			t.Errorf("%s is not over: %+v", name, in)
		}
	}
}

// TestReplacedDriveIsAnother: a new drive that is as slow as the replaced one is another
// problem with another ID.
func TestReplacedDriveIsAnother(t *testing.T) {
	_, state := troubled(t, rack("h[1-12]", "sd[a-d]", "server"))
	w := newWorld(t, rack("h[1-12]", "sd[a-d]", "server"), 32)
	label(w.system, "5000c500a1b2c3d5")
	trouble(w)
	d := &diary{}
	e, err := engine.Restore(state, engine.DefaultOptions(), w.system, w.schema, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	w.drive(e, 8*hour, 14*hour, nil)
	if want := "8.0h cleared slow drive h3/sdc (replaced), 8.5h opened slow drive h3/sdc"; d.String() != want {
		t.Errorf("%s, want %s", d, want)
	}
	ids := map[string]bool{}
	for _, in := range incidents(e) {
		if ids[in.ID] {
			t.Errorf("two incidents have the ID %s: %s", in.ID, tell(incidents(e)))
		}
		ids[in.ID] = true
	}
}

// TestNamedAgain: a slow drive that the topology leaves out for a while keeps its
// incident when the topology names it again.
func TestNamedAgain(t *testing.T) {
	_, state := troubled(t, rack("h[1-12]", "sd[a-d]", "server"))
	less := newWorld(t, rack("h[1-2,4-12]", "sd[a-d]", "server"), 32)
	trouble(less)
	e, err := engine.Restore(state, engine.DefaultOptions(), less.system, less.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	less.drive(e, 8*hour, 9*hour, nil)
	left := e.Summary(incident.Combined).Incidents
	if state, err = e.Save(); err != nil {
		t.Fatal(err)
	}
	whole, d := newWorld(t, rack("h[1-12]", "sd[a-d]", "server"), 31), &diary{}
	label(whole.system, "")
	trouble(whole)
	if e, err = engine.Restore(state, engine.DefaultOptions(), whole.system, whole.schema, nil, d); err != nil {
		t.Fatal(err)
	}
	whole.drive(e, 9*hour, 12*hour, nil)
	if want := "reopened slow drive h3/sdc"; len(d.events) != 1 || !strings.HasSuffix(d.events[0], want) {
		t.Fatalf("%s, want one event: %s", d, want)
	}
	for _, was := range left {
		i := slices.IndexFunc(incidents(e), func(in incident.Incident) bool { return in.ID == was.ID })
		if i < 0 {
			t.Fatalf("%s is lost", was.Place.Name)
		}
		if now := incidents(e)[i]; was.Ending == incident.Removed && (now.Phase != incident.Active || now.Onset != was.Onset || len(now.Spans) != 2) {
			t.Errorf("%s is not what it was: %+v, was %+v", was.Place.Name, now, was)
		}
	}
}

// TestLostArray: incidents of an array end with the array, and others continue.
func TestLostArray(t *testing.T) {
	const smaller = `
servers: fs[1-12]
arrays:
  - names: ddn[1-3]
    servers_per_array: 4
    luns: 0-15
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-q]
`
	w := newWorld(t, site, 33)
	e := w.runWith(t, 8, engine.NoListener{}, nil, act{2 * hour, func(w *world) {
		w.gone["ddn4a"], w.silent["fs15"], w.gone["ddn2a"] = true, true, true
		drawer(w, "3", 3)
	}})
	if got, want := tell(incidents(e)), "drawer error ddn3 active; lost attachment ddn2a active; lost attachment ddn4a active; silent server fs15 active"; got != want {
		t.Fatalf("before: %s, want %s", got, want)
	}
	state, err := e.Save()
	if err != nil {
		t.Fatal(err)
	}
	after := newWorld(t, smaller, 34)
	after.gone["ddn2a"] = true
	drawer(after, "3", 3)
	d := &diary{}
	if e, err = engine.Restore(state, engine.DefaultOptions(), after.system, after.schema, nil, d); err != nil {
		t.Fatal(err)
	}
	after.drive(e, 8*hour, 8*hour+hour/3, nil)
	slices.Sort(d.events)
	if want := "8.0h cleared lost attachment ddn4a (removed), 8.0h cleared silent server fs15 (removed)"; d.String() != want {
		t.Errorf("%s, want %s", d, want)
	}
	if got, want := tell(incidents(e)), "drawer error ddn3 active; lost attachment ddn2a active; lost attachment ddn4a cleared; silent server fs15 cleared"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}

// TestServerWithoutDrives: an incident of a server without drives has no members. It ends
// with the server, and not with the drives of others.
func TestServerWithoutDrives(t *testing.T) {
	system := func(servers int, drives string) *world {
		w := newWorld(t, rack(fmt.Sprintf("h[1-%d]", servers), drives, "server"), 35)
		for i := range w.system.Components {
			if c := &w.system.Components[i]; c.Server == "h5" {
				c.Kind = topology.Interface
			}
		}
		return w
	}
	w := system(6, "sd[a-d]")
	e := w.runWith(t, 2, engine.NoListener{}, nil, act{1 * hour, func(w *world) { w.silent["h5"] = true }})
	if got := tell(incidents(e)); got != "silent server h5 active" || len(incidents(e)[0].Members) > 0 {
		t.Fatalf("before: %s with %d members", got, len(incidents(e)[0].Members))
	}
	state, err := e.Save()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		servers int
		want    string
	}{{6, "silent server h5 active"}, {7, "silent server h5 active"}, {4, "silent server h5 cleared"}} {
		after := system(tt.servers, "sd[a-d]")
		e, err := engine.Restore(state, engine.DefaultOptions(), after.system, after.schema, nil, engine.NoListener{})
		if err != nil {
			t.Fatal(err)
		}
		if got := tell(incidents(e)); got != tt.want {
			t.Errorf("with %d servers: %s, want %s", tt.servers, got, tt.want)
		}
	}
}

// TestTopologyFileComesLater: a state that was saved without a topology file is restored
// with one.
func TestTopologyFileComesLater(t *testing.T) {
	r := record(t, experiment(pvfs, testbench.DDR, testbench.DiskBusy, 3), lasts)
	bare, filed := *r.system, *r.system
	bare.File, filed.File = "", "pfs.yaml"
	for _, was := range []bool{false, true} {
		from, to := &bare, &filed
		if was {
			from, to = to, from
		}
		e, err := engine.New(engine.DefaultOptions(), from, r.schema, nil, engine.NoListener{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.rows {
			e.Push(row)
		}
		data, err := e.Save()
		if err != nil {
			t.Fatal(err)
		}
		now, err := engine.Restore(data, engine.DefaultOptions(), to, r.schema, nil, engine.NoListener{})
		if err != nil {
			t.Fatal(err)
		}
		if got := tell(now.Summary(incident.Combined).Incidents); got != "disk-busy ios4 active" {
			t.Errorf("restored: %s", got)
		}
	}
}
