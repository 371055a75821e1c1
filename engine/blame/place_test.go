package blame_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/topology"
)

// mixed has an array with four paths to each of four LUNs, and servers with drives of two
// models in four bays.
const mixed = `
servers: "fs[1-4],h[1-3]"
arrays:
  - names: ddn1
    servers: fs[1-4]
    luns: 0-3
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-e]
drives:
  - servers: h[1-3]
    devices: sd[a-d]
    models: {X100: sda, Y200: "sd[b-d]"}
    slots: bay[1-4]
    peers: server
`

func draw(t *testing.T, yaml string) *blame.Map {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return blame.NewMap(s)
}

// names returns the names of components.
func names(m *blame.Map, list []int) []string {
	var out []string
	for _, c := range list {
		out = append(out, m.Component(c).Name)
	}
	return out
}

func find(t *testing.T, m *blame.Map, name string) int {
	t.Helper()
	c, ok := m.System.Lookup(name)
	if !ok {
		t.Fatalf("%s is not there", name)
	}
	return c
}

func TestPlaces(t *testing.T) {
	m := draw(t, mixed)
	for _, tt := range []struct {
		component string
		on        []blame.Place
		alone     blame.Place
		itself    blame.Place
		standby   bool
	}{
		{
			"1.1.2", // the first path to 1.1
			[]blame.Place{{Tier: blame.LUN, Name: "1.1"}, {Tier: blame.Server, Name: "fs2"}, {Tier: blame.Controller, Name: "ddn1a"}, {Tier: blame.Array, Name: "ddn1"}},
			blame.Place{Tier: blame.LUN, Name: "1.1"},
			blame.Place{Tier: blame.Attachment, Name: "1.1.2"},
			false,
		},
		{
			"1.1.4",
			[]blame.Place{{Tier: blame.LUN, Name: "1.1"}, {Tier: blame.Server, Name: "fs4"}, {Tier: blame.Controller, Name: "ddn1b"}, {Tier: blame.Array, Name: "ddn1"}},
			blame.Place{Tier: blame.Attachment, Name: "1.1.4"},
			blame.Place{Tier: blame.Attachment, Name: "1.1.4"},
			true,
		},
		{
			"h2/sda",
			[]blame.Place{{Tier: blame.Position, Name: "sda"}, {Tier: blame.Model, Name: "X100"}, {Tier: blame.Slot, Name: "bay1"}, {Tier: blame.Server, Name: "h2"}},
			blame.Place{Tier: blame.Drive, Name: "h2/sda"},
			blame.Place{Tier: blame.Drive, Name: "h2/sda"},
			false,
		},
	} {
		c := find(t, m, tt.component)
		var on []blame.Place
		for _, p := range m.PlacesOf[c] {
			on = append(on, m.Places[p])
			if !slices.Contains(m.Dependents[p], c) || !m.DependsOn(c, m.Places[p]) {
				t.Errorf("%s hangs on %v, and that has %v", tt.component, m.Places[p], names(m, m.Dependents[p]))
			}
		}
		if !slices.Equal(on, tt.on) || m.PlaceIfAlone(c) != tt.alone || m.OwnPlace(c) != tt.itself || m.IsStandby(c) != tt.standby {
			t.Errorf("%s hangs on %v, alone it is %v, itself %v, standby %t", tt.component, on, m.PlaceIfAlone(c), m.OwnPlace(c), m.IsStandby(c))
		}
		if m.DependsOn(c, blame.Place{Tier: blame.Array, Name: "fs4"}) {
			t.Errorf("%s hangs on an array that there is not", tt.component)
		}
	}
	lun := m.LUNOf[find(t, m, "1.2.1")]
	if got := names(m, m.Paths[lun]); !slices.Equal(got, []string{"1.2.3", "1.2.4", "1.2.1", "1.2.2"}) || m.FirstPath(lun) != find(t, m, "1.2.3") {
		t.Errorf("the paths to 1.2 are %v", got)
	}
	if m.LUNOf[find(t, m, "h1/sda")] != -1 || m.ServerOf[find(t, m, "h1/sda")] != slices.Index(m.System.Servers, "h1") {
		t.Error("a drive has a LUN, or another server")
	}
	if g := m.GroupOf(find(t, m, "h1/sda")); !slices.Contains(m.System.Groups[g].Members, find(t, m, "h1/sdb")) {
		t.Errorf("group %d does not have the peers of h1/sda", g)
	}
}

// TestCommonModel: a model or slot that most components have explains nothing. A server
// or an array that has most components does.
func TestCommonModel(t *testing.T) {
	for _, tt := range []struct {
		name, models string
		want         []blame.Place
	}{
		{"half each", `{X: "sd[a-b]", Y: "sd[c-d]"}`, []blame.Place{{Tier: blame.Model, Name: "X"}, {Tier: blame.Model, Name: "Y"}}},
		{"one of four", `{X: sda, Y: "sd[b-d]"}`, []blame.Place{{Tier: blame.Model, Name: "X"}}},
		{"all", `{X: "sd[a-d]"}`, nil},
	} {
		m := draw(t, "servers: h[1-3]\ndrives:\n  - devices: sd[a-d]\n    models: "+tt.models+"\n    peers: server\n")
		var got []blame.Place
		for _, p := range m.Places {
			if p.Tier == blame.Model || p.Tier == blame.Slot {
				got = append(got, p)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	m := draw(t, "servers: h[1-3]\ndrives:\n  - devices: sda\n    slots: bay1\n    peers: all\n")
	if len(m.Places) != 3 || m.Places[0].Tier != blame.Server {
		t.Errorf("a slot that all have: %v", m.Places)
	}
	m = draw(t, "servers: h1\ndrives:\n  - devices: sd[a-d]\n    peers: server\n")
	if !slices.Equal(m.Places, []blame.Place{{Tier: blame.Server, Name: "h1"}}) {
		t.Errorf("one server: %v", m.Places)
	}
}

func TestWide(t *testing.T) {
	for tier, want := range map[blame.Tier]bool{
		blame.Attachment: false, blame.Drive: false, blame.LUN: false, blame.Server: true, blame.Controller: true, blame.Array: true,
		blame.Drawer: true, blame.Slot: true, blame.Model: true, blame.System: true, blame.Enclosure: true, blame.Firmware: true,
	} {
		if got := (blame.Place{Tier: tier}).CanBeShared(); got != want {
			t.Errorf("%s is wide: %t", tier, got)
		}
	}
}

// TestWatched: interfaces and hosts depend on no place.
func TestWatched(t *testing.T) {
	m := blame.NewMap(&topology.System{Servers: []string{"fs1"}, Components: []topology.Component{
		{Name: "fs1/eth0", Server: "fs1", Kind: topology.Interface}, {Name: "fs1/sda", Server: "fs1"}, {Name: "fs1", Server: "fs1", Kind: topology.Host},
	}})
	if !slices.Equal(m.Attachments, []int{1}) || len(m.PlacesOf[0]) > 0 || len(m.PlacesOf[2]) > 0 || len(m.PlacesOf[1]) != 1 {
		t.Errorf("watched %v, in %v", m.Attachments, m.PlacesOf)
	}
}

// TestAttributes: attributes of parts, from the topology or from names.
func TestAttributes(t *testing.T) {
	m := draw(t, `
servers: "r1n[1-2],r2n[1-2]"
drives:
  - devices: sd[a-d]
    peers: all
parts:
  r[1-2]n[1-2]/sd[a-d]: {model: X}
  r1n1/sda: {firmware: "1.03", serial: ZL2A9XYZ, made: 2021-03, link: 6.0 Gbit, enclosure: c0/e252, slot: c0/e252/3, expander: 500605b0000272bf}
  r2n2/sda: {firmware: "1.03", serial: ZL2AQQQQ, made: 2021-11, link: 6.0 Gbit, enclosure: c0/e252, slot: "3", expander: 500605b0000272bf, model: X}
  r1n1: {kernel: 5.14}
  r2n1: {kernel: 5.14, rack: r1}
`)
	var got []string
	for p, place := range m.Places {
		got = append(got, string(place.Tier)+" "+place.Name+": "+strings.Join(names(m, m.Dependents[p]), " "))
	}
	for _, want := range []string{
		"position sda: r1n1/sda r1n2/sda r2n1/sda r2n2/sda",
		"rack r2: r2n2/sda r2n2/sdb r2n2/sdc r2n2/sdd",
		"age 2021: r1n1/sda r2n2/sda",
		"batch ZL2A of X: r1n1/sda r2n2/sda",
		"kernel 5.14: r1n1/sda r1n1/sdb r1n1/sdc r1n1/sdd r2n1/sda r2n1/sdb r2n1/sdc r2n1/sdd",
		"link 6.0 Gbit: r1n1/sda r2n2/sda",
		"firmware 1.03 of X: r1n1/sda r2n2/sda",
		"slot 3: r1n1/sda r2n2/sda",
		"expander 500605b0000272bf: r1n1/sda r2n2/sda",
		"enclosure r1n1/c0/e252: r1n1/sda",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if slices.ContainsFunc(m.Places, func(p blame.Place) bool { return p.Tier == blame.Model }) {
		t.Error("a model that all have explains nothing")
	}
	if m.HolderOf[0] == m.HolderOf[4] || m.HolderOf[0] != m.HolderOf[1] {
		t.Errorf("holders %v: each server is one", m.HolderOf)
	}
}
