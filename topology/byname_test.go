package topology

import "testing"

// TestPeersOnServers: in a comparison of servers without a topology file, the peers of a drive are the
// drives with its name on the other servers, also if it has no peer in its group.
func TestPeersOnServers(t *testing.T) {
	var list []Listed
	for _, server := range []string{"s1", "s2", "s3"} {
		for _, device := range []string{"sda", "sdb"} {
			list = append(list, Listed{Peers: server + " " + device, Component: Component{Name: server + "/" + device, Server: server, Device: device}})
		}
	}
	s, _, err := List("site", list)
	if err != nil {
		t.Fatal(err)
	}
	for c := range s.Components {
		s.File = ""
		if n := s.PeersOnServers(c); n != 2 || len(s.ByName().Groups[s.ByName().Components[c].Group-1].Members) != n+1 {
			t.Errorf("%s has %d peers", s.Components[c].Name, n)
		}
		if s.File = "site.yaml"; s.PeersOnServers(c) != 0 {
			t.Errorf("with a topology file, %s has %d peers", s.Components[c].Name, s.PeersOnServers(c))
		}
	}
	if s.PeersOnServers(-1) != 0 {
		t.Error("a component that does not exist has peers")
	}
}
