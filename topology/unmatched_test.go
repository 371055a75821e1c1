package topology

import "testing"

// seenAt is every device of Intrepid but those that skip wants left out.
func seenAt(s *System, skip func(*Component) bool) []Seen {
	var seen []Seen
	for i := range s.Components {
		if c := &s.Components[i]; !skip(c) {
			seen = append(seen, Seen{Kind: c.Kind, Server: c.Server, Device: Device{Name: c.Device}})
		}
	}
	return seen
}

func TestUnmatched(t *testing.T) {
	s := intrepid(t)
	tests := []struct {
		name string
		skip func(*Component) bool
		more string
		want string
	}{
		{"all there", func(*Component) bool { return false }, "", ""},
		{
			"silent servers", func(c *Component) bool { return c.Server == "fs9" || c.Server == "fs10" || c.Server == "fs77" }, "",
			"intrepid.yaml:16: there are no data of fs[9-10,77], which should have 216 components; add the files of these servers, or remove the servers from the topology file",
		},
		{
			"some devices", func(c *Component) bool { return c.Server == "fs9" && c.Set == "new" }, "",
			"intrepid.yaml:16: there are no data of 24 components on fs9, although all other drives of this server have data; record the missing drives, or remove the drives from the topology file",
		},
		{
			"one device", func(c *Component) bool { return c.Name == "21.34.124" }, "",
			"intrepid.yaml:16: there are no data of 21.34.124 on fs124, although all other drives of this server have data; record the missing drive, or remove the drive from the topology file",
		},
		{
			"another name", func(c *Component) bool { return c.Name == "21.34.124" }, "fs124 7:1\nfs124 sdzz\nfs123 sdzz\n",
			"intrepid.yaml:16: there are no data of 21.34.124 on fs124; this server has devices that the topology file does not name: loop1, sdzz. Check the names of the devices in the topology file\n" +
				"intrepid.yaml: the topology file does not name sdzz of fs[123-124]; add these devices to the file if they belong to the storage system",
		},
		{
			"strange devices", func(*Component) bool { return false },
			"fs1 sda\nfs2 sda\nfs2.example.org sda\nfs3 sda\nfs7 nvme0n1\nfs7 nvme1n1\nfs7 sda1\nfs7 loop0\nfs200 8:16\n",
			"intrepid.yaml: the topology file does not name sda of fs[1-3]; add these devices to the file if they belong to the storage system\n" +
				"intrepid.yaml: the topology file does not name 2 devices (nvme0n1, nvme1n1) of fs7; add these devices to the file if they belong to the storage system\n" +
				"intrepid.yaml: the topology file does not name sdb of fs200; add these devices to the file if they belong to the storage system",
		},
	}
	// Names that are shifted by one: the first device has none, the last has no data.
	shifted, first := "", map[string]bool{}
	for i := range s.Components {
		if c := &s.Components[i]; !first[c.Server] {
			first[c.Server], shifted = true, shifted+c.Server+" sdzz\n"
		}
	}
	last := map[string]string{}
	for i := range s.Components {
		last[s.Components[i].Server] = s.Components[i].Name
	}
	seen := append(seenAt(s, func(c *Component) bool { return last[c.Server] == c.Name }), sightings(shifted)...)
	want := "intrepid.yaml:16: the names of drives in the topology file do not fit the data: there are no data of 128 components on fs[1-128], and these servers have drives that the file does not name (such as sdzz of fs1). " +
		"If the names are wrong, limpet names the wrong drive: correct the names before you use a verdict"
	if got := s.Unmatched(seen)[0]; got.String() != want || !got.Grave {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := append(seenAt(s, tt.skip), sightings(tt.more)...)
			if got := printWarnings(s.Unmatched(seen)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Interfaces and hosts are missed only where the data has some.
func TestUnmatchedNetwork(t *testing.T) {
	s := mustParse(t, "t.yaml", []byte("servers: fs[1-3]\ninterfaces:\n  - names: eth0\nhosts: fs[1-3]\n"))
	if got := s.Unmatched(nil); got != nil {
		t.Errorf("got %v, want nothing", got)
	}
	seen := []Seen{{Kind: Interface, Server: "fs1", Device: Device{Name: "eth0"}}, {Kind: Interface, Server: "fs2", Device: Device{Name: "ib0"}}}
	want := "t.yaml:3: there are no data of fs2/eth0 on fs2; this server has devices that the topology file does not name: ib0. Check the names of the devices in the topology file\n" +
		"t.yaml:3: there are no data of fs3, which should have 1 component; add the files of this server, or remove the server from the topology file\n" +
		"t.yaml: the topology file does not name ib0 of fs2; add these devices to the file if they belong to the storage system"
	if got := printWarnings(s.Unmatched(seen)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
