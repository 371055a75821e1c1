package evaluate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// small is an array of eight LUNs, each attached to four servers.
func small(t testing.TB) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("small.yaml", []byte(`
name: small
servers: fs[1-4]
arrays:
  - names: ddn[1]
    servers_per_array: 4
    luns: 00-07
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    models: m
    devices: sd[b-i]
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func names(s *topology.System, components []int) string {
	var all []string
	for _, c := range components {
		all = append(all, s.Components[c].Name)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestShowsOn(t *testing.T) {
	s := small(t)
	tests := []struct {
		name              string
		fault             simulate.Fault
		expected, allowed string
	}{
		{"a slow LUN: its primary, the others may", simulate.Fault{Kind: simulate.SingleLUN, Component: "1.01"}, "1.01.2", "1.01.1 1.01.3 1.01.4"},
		{"a slow idle path: itself", simulate.Fault{Kind: simulate.SingleLUN, Component: "1.01.3"}, "1.01.3", ""},
		{"a silent server: its primaries; heirs may", simulate.Fault{Kind: simulate.SilentServer, Component: "fs2", Attachments: []string{"1.01.2", "1.05.2"}}, "1.01.2 1.05.2", "1.01.3 1.05.3"},
		{"two lost paths of a LUN: the third inherits", simulate.Fault{Kind: simulate.LostAttachment, Component: "ddn1", Attachments: []string{"1.00.1", "1.00.2"}}, "1.00.1", "1.00.2 1.00.3"},
	}
	for _, tt := range tests {
		got, err := showsOn(s, &tt.fault)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if e, a := names(s, got.Expected), names(s, got.Allowed); e != tt.expected || a != tt.allowed {
			t.Errorf("%s: expected on %q and allowed on %q, want %q and %q", tt.name, e, a, tt.expected, tt.allowed)
		}
	}
	_, err := showsOn(s, &simulate.Fault{Component: "fs9"})
	if err == nil || !strings.Contains(err.Error(), "component fs9, but the data do not have this component") {
		t.Errorf("a stranger in the truth: error %v", err)
	}
}

func TestState(t *testing.T) {
	s := small(t)
	at := func(n int64) time.Time { return time.Unix(n, 0) }
	truth := &simulate.Truth{
		Faults:   []simulate.Fault{{Kind: simulate.SingleLUN, Component: "1.01", From: at(1000), To: at(2000)}},
		Harmless: []simulate.Fault{{Kind: simulate.ServerIssued, Component: "fs4", From: at(500), To: at(600)}},
	}
	k, _, err := newKnowledge(s, truth, 100)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		component string
		window    span
		want      state
	}{
		{"1.01.2", span{900, 1000}, healthy},
		{"1.01.2", span{950, 1050}, between},
		{"1.01.2", span{1000, 1100}, mustShow},
		{"1.01.2", span{1900, 2000}, mustShow},
		{"1.01.2", span{1950, 2050}, between},
		{"1.01.2", span{2050, 2150}, between},
		{"1.01.2", span{2100, 2200}, healthy},
		{"1.01.3", span{1000, 1100}, mayShow},
		{"1.02.3", span{1000, 1100}, healthy},
	}
	for _, tt := range tests {
		c, _ := s.Lookup(tt.component)
		if got := k.state(c, tt.window); got != tt.want {
			t.Errorf("%s in %v: state %d, want %d", tt.component, tt.window, got, tt.want)
		}
	}
	for w, want := range map[span]bool{{400, 500}: false, {450, 550}: true, {650, 750}: true, {700, 800}: false} {
		c, _ := s.Lookup("1.02.4")
		if k.isHarmless(c, w) != want {
			t.Errorf("%v is harmless: %v", w, !want)
		}
	}
}
