package upkeep

import (
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
)

// serveControl serves the control socket of an array until the test ends.
func serveControl(t *testing.T, a *raid.Array, k *Keeper) *Client {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "control")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: &Handler{a, k}, ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return NewClient(socket)
}

// TestMaskOrders masks members over the socket, by any of their names, and ends masks.
func TestMaskOrders(t *testing.T) {
	a, dir, _ := newArray(t)
	var heard said
	k, err := New(a, Options{Report: heard.add})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	c := serveControl(t, a, k)

	began := time.Now().Add(-time.Second)
	s, err := c.Mask(t.Context(), MaskOrder{Member: filepath.Join(dir, "2"), How: "sit-out", Incident: "ec082432", Why: "12 times slower", By: "ops"})
	if err != nil {
		t.Fatal(err)
	}
	m := s.Members[2].Mask
	if m == nil || m.How != "sit-out" || m.Incident != "ec082432" || m.Why != "12 times slower" || m.By != "ops" || m.Stay || m.Recovered || m.Ratio != nil || m.Since.Before(began) || m.Since.After(time.Now()) {
		t.Fatalf("%+v", m)
	}
	for i, other := range s.Members {
		if i != 2 && other.Mask != nil {
			t.Errorf("member %s is masked too: %+v", other.Role, other.Mask)
		}
	}
	event := s.Event
	s, err = c.Mask(t.Context(), MaskOrder{Member: "2", How: "sit-out", Incident: "ec082432", By: "another"})
	if err != nil || s.Event != event || s.Members[2].Mask.By != "ops" {
		t.Errorf("the same mask again: %+v, %v", s.Members[2].Mask, err)
	}
	if s, err = c.Mask(t.Context(), MaskOrder{Member: "Q", How: "last", Stay: true}); err != nil || s.Members[5].Mask == nil || !s.Members[5].Mask.Stay {
		t.Errorf("%+v, %v", s.Members, err)
	}
	for _, test := range []struct {
		order MaskOrder
		want  string
	}{
		{MaskOrder{Member: "1", How: "sit-out"}, "member 1 cannot be masked: too few members would be left for reads"},
		{MaskOrder{Member: "9", How: "sit-out"}, `the array has no member "9": give a number from 0 to 3, P, Q, or the name of a member`},
		{MaskOrder{Member: "1", How: "away"}, `the kind of mask "away" is unknown`},
	} {
		if _, err := c.Mask(t.Context(), test.order); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.order, err, test.want)
		}
	}
	if _, err := c.Unmask(t.Context(), "2", "other"); err == nil || !strings.Contains(err.Error(), "belongs to another incident (incident: ec082432)") {
		t.Errorf("the mask of another incident: %v", err)
	}
	for range 2 { // the second changes nothing
		if s, err = c.Unmask(t.Context(), "2", "ec082432"); err != nil || s.Members[2].Mask != nil || s.Members[5].Mask == nil {
			t.Errorf("%+v, %v", s.Members, err)
		}
	}
	want := "member 2 is masked (sit-out), incident ec082432, by ops: 12 times slower\nmember Q is masked (last)\nthe mask of member 2 has ended: limpet reads this member as usual"
	if heard.String() != want {
		t.Errorf("said is %q, want %q", heard.String(), want)
	}
	data, err := json.Marshal(s.Members[5])
	if err != nil || !strings.Contains(string(data), `"mask":{"how":"last","since":"`) || strings.Contains(string(data), "ratio") {
		t.Errorf("%s, %v", data, err)
	}
}

// TestPlaceOf: a name that several members have is refused.
func TestPlaceOf(t *testing.T) {
	s := raid.Status{Geometry: raid.Geometry{Data: 2}, Members: []raid.MemberStatus{
		{Role: "0", Name: "/a/sdb"}, {Role: "1", Name: "/b/sdb"}, {Role: "P", Name: "/a/1"}, {Role: "Q", Name: "Q7"},
	}}
	for name, want := range map[string]int{"0": 0, "1": 1, "P": 2, "/a/1": 2, "/b/sdb": 1, "Q": 3, "Q7": 3} {
		if got, err := placeOf(s, name); got != want || err != nil {
			t.Errorf("%s: %d, %v, want %d", name, got, err, want)
		}
	}
	for name, want := range map[string]string{"sdb": "several members have the name", "": "the array has no member", "p": "the array has no member"} {
		if _, err := placeOf(s, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
