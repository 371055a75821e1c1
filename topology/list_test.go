package topology

import (
	"reflect"
	"strings"
	"testing"
)

func listed(peers, server, device string) Listed {
	return Listed{Peers: peers, Component: Component{Name: server + "/" + device, Server: server, Device: device}}
}

func TestListOrdersNaturally(t *testing.T) {
	in := []Listed{
		listed("host_10", "host_10", "disk2"), listed("host_2", "host_2", "disk10"), listed("host_2", "host_2", "disk9"),
		listed("host_10", "host_10", "disk1"), listed("host_2", "host_2", "disk1"), listed("host_10", "host_10", "disk3"),
	}
	want := []string{
		"1:host_2/disk1", "1:host_2/disk9", "1:host_2/disk10", "2:host_10/disk1", "2:host_10/disk2", "2:host_10/disk3",
	}
	for turn := range in {
		s, warnings, err := List("test", append(in[turn:len(in):len(in)], in[:turn]...))
		if err != nil || len(warnings) > 0 {
			t.Fatalf("List: %v, %v", warnings, err)
		}
		var got []string
		for i := range s.Components {
			got = append(got, s.Label(i))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("turned by %d: %v, want %v", turn, got, want)
		}
	}
}

func TestListFillsTheMaps(t *testing.T) {
	s, _, err := List("test", []Listed{listed("b", "fs1", "sdb"), listed("b", "fs1", "sda"), listed("a", "fs2", "sda")})
	if err != nil {
		t.Fatal(err)
	}
	if i, ok := s.Lookup("fs1/sdb"); !ok || i != 2 {
		t.Errorf("Lookup(fs1/sdb) = %d, %v, want 2", i, ok)
	}
	if i, ok := s.Find("fs1.example.org", Device{Name: "sda"}); !ok || i != 1 {
		t.Errorf("Find(fs1.example.org, sda) = %d, %v, want 1", i, ok)
	}
	want := []PeerGroup{{ID: 1, Name: "a", Members: []int{0}}, {ID: 2, Name: "b", Members: []int{1, 2}}}
	if !reflect.DeepEqual(s.Groups, want) {
		t.Errorf("groups %v, want %v", s.Groups, want)
	}
	if want := []string{"fs2", "fs1"}; !reflect.DeepEqual(s.Servers, want) {
		t.Errorf("servers %v, want %v", s.Servers, want)
	}
}

func TestListWarnsOfSmallGroups(t *testing.T) {
	_, warnings, err := List("test", []Listed{listed("a", "fs1", "sda"), listed("a", "fs1", "sdb")})
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "2 members, and a comparison needs at least 3") {
		t.Errorf("warnings %v, %v, want one of 2 members", warnings, err)
	}
}

func TestListRefusesTwins(t *testing.T) {
	tests := map[string]struct {
		twin Listed
		want string
	}{
		"name":   {listed("b", "fs1", "sda"), "fs1/sda is listed twice, in group a and in group b"},
		"device": {Listed{Peers: "a", Component: Component{Name: "x", Server: "fs1", Device: "sda"}}, "device sda of server fs1 is given for two components, fs1/sda and x"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := List("test", []Listed{listed("a", "fs1", "sda"), tt.twin})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestListOfNothing(t *testing.T) {
	s, _, err := List("test", nil)
	if err != nil || len(s.Components)+len(s.Groups) != 0 {
		t.Errorf("List of nothing: %v, %v", s, err)
	}
}
