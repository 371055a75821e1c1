package table

import (
	"fmt"
	"reflect"
	"testing"
)

// TestClientTraffic: the largest clients are named, and the others are one entry.
func TestClientTraffic(t *testing.T) {
	all := map[string]float64{}
	for i := range 20 {
		all[fmt.Sprintf("c%02d", i)] = float64(i + 1)
	}
	list := NewClientTraffic(all)
	if len(list) != MaxClients+1 || list[0] != (ClientTraffic{"", 36}) || list[1] != (ClientTraffic{"c08", 9}) || list[MaxClients] != (ClientTraffic{"c19", 20}) {
		t.Errorf("%v", list)
	}
	if few := NewClientTraffic(map[string]float64{"b": 1, "a": 1}); !reflect.DeepEqual(few, []ClientTraffic{{"a", 1}, {"b", 1}}) {
		t.Errorf("%v", few)
	}
}

// TestClientForm: traffic by client is read back as it was logged, and cut bytes are refused.
func TestClientForm(t *testing.T) {
	want := Row{Gauges: []ServerGauges{{}, {Clients: []ClientTraffic{{"", 3}, {"10.0.0.7", 2.5e6}}}, {Clients: []ClientTraffic{{"c1", 0}}}}}
	if !want.HasClients() || (&Row{Gauges: make([]ServerGauges, 2)}).HasClients() {
		t.Error("HasClients is wrong")
	}
	b := append(want.AppendClients(nil), 'x')
	if len(b)-1 > MaxClientBytes(3) {
		t.Errorf("%d bytes", len(b)-1)
	}
	got := Row{Gauges: make([]ServerGauges, 3)}
	if rest, ok := got.TakeClients(b); !ok || string(rest) != "x" || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %q, %v", got.Gauges, rest, ok)
	}
	for n := range len(b) - 1 {
		if _, ok := got.TakeClients(b[:n]); ok {
			t.Errorf("%d of %d bytes are taken", n, len(b)-1)
		}
	}
	two := Row{Gauges: make([]ServerGauges, 2)}
	if _, ok := two.TakeClients(b); ok {
		t.Error("a server that the system does not have is taken")
	}
}
