package topology

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

func TestFind(t *testing.T) {
	s, _, err := Parse("t.yaml", []byte(`
drives:
  - {servers: a, devices: [sdb, "8:32", dm-7, naa.5000c500a1b2c3d4, dev7-1, "254:0", vdb], peers: all}
  - {servers: "a[1-3].example.org", devices: [sdb, sdc, sdd]}
  - {servers: c, devices: ["sdb", "sdc", "sdd"]}
arrays:
  - names: d[1-2]
    servers: b[1-2]
    luns: 0-9
    devices: "{array}_lun{lun:3}"
interfaces:
  - {servers: [a, b1, c], names: eth0}
hosts: [a, b1, c]
`))
	if err != nil {
		t.Fatal(yamlfile.Explain(err))
	}
	tests := []struct {
		server string
		device Device
		want   string
	}{
		{"a", Device{Name: "sdb"}, "a/sdb"},
		{"a", Device{Major: 8, Minor: 16}, "a/sdb"},
		{"a", Device{Name: "sdb", WWN: "5000000000000001"}, "a/sdb"},
		{"a", Device{Major: 8, Minor: 32}, "a/sdc"},
		{"a", Device{Name: "sdc", Major: 8, Minor: 32}, "a/sdc"},
		{"a", Device{Name: "sdc"}, "a/sdc"},
		{"a", Device{Name: "loop1"}, "a/loop1"},
		{"a", Device{Major: 7, Minor: 1}, "a/loop1"},
		{"a", Device{Name: "loop1", Major: 7, Minor: 1}, "a/loop1"},
		{"a", Device{Name: "vda", Major: 254}, "a/dev254-0"},
		{"a", Device{Name: "dev254-0", Major: 254}, "a/dev254-0"},
		{"a", Device{Name: "vdb", Major: 254, Minor: 16}, "a/vdb"},
		{"a", Device{Major: 254, Minor: 16}, ""},
		{"a", Device{Major: 8, Minor: 17}, ""},
		{"a", Device{Name: "dm-7", Major: 253, Minor: 7}, "a/dm-7"},
		{"a", Device{Name: "sdx", WWN: "0x5000C500A1B2C3D4"}, "a/wwn-0x5000c500a1b2c3d4"},
		{"a", Device{Name: "sdb", WWN: "0x5000C500A1B2C3D4"}, "a/wwn-0x5000c500a1b2c3d4"},
		{"a", Device{Name: "sdx1", WWN: "5000c500a1b2c3d4"}, ""},
		{"a", Device{WWN: "5000c500a1b2c3d4", Major: 259, Partition: 1}, ""},
		{"a", Device{WWN: "0000000000000000"}, ""},
		{"a.example.org", Device{Name: "sdb"}, "a/sdb"},
		{"a1.example.org", Device{Name: "sdb"}, "a1.example.org/sdb"},
		{"a1", Device{Name: "sdb"}, ""},
		{"b2", Device{Name: "d2_lun009"}, "2.9.2"},
		{"b2", Device{Name: "d3_lun009"}, ""},
		{"nobody", Device{Name: "sdb"}, ""},
	}
	for _, tt := range tests {
		i, ok := s.Find(tt.server, tt.device)
		if ok != (tt.want != "") || ok && s.Components[i].Name != tt.want {
			t.Errorf("Find(%s, %+v) = %d, %v; want %q", tt.server, tt.device, i, ok, tt.want)
		}
	}
	if i, ok := s.FindInterface("a", "eth0"); !ok || s.Components[i].Name != "a/eth0" {
		t.Errorf("interface eth0 of a: %d, %v", i, ok)
	}
	if _, ok := s.FindInterface("a", "sdb"); ok {
		t.Error("a drive is found as an interface")
	}
	if i, ok := s.FindHost("a.example.org"); !ok || s.Components[i].Name != "a" {
		t.Errorf("host a: %d, %v", i, ok)
	}
	if _, ok := s.FindHost("b2"); ok {
		t.Error("b2 is found as a host")
	}
}

// Every attachment of Intrepid is found by what an activity file of its server
// holds, and by nothing else.
func TestFindIntrepid(t *testing.T) {
	s := intrepid(t)
	found := make(map[int]bool)
	for _, server := range s.Servers {
		for _, major := range []uint32{8, 65, 66, 67, 68, 69} {
			for minor := uint32(0); minor < 256; minor++ {
				if i, ok := s.Find(server, Device{Major: major, Minor: minor}); ok {
					if found[i] || s.Components[i].Server != server {
						t.Fatalf("%s %d:%d is %s, which was found before or is another server's", server, major, minor, s.Components[i].Name)
					}
					found[i] = true
				}
			}
		}
	}
	if len(found) != 9216 {
		t.Errorf("%d attachments found, want 9,216", len(found))
	}
}

func TestMatch(t *testing.T) {
	intrepid := intrepid(t)
	jbod := mustParse(t, "jbod.yaml", example(t, "jbod"))
	tests := []struct {
		system  *System
		pattern string
		want    string // count, first, last
	}{
		{intrepid, "21.34.124", "1 21.34.124 21.34.124"},
		{intrepid, "fs124/sdaj", "1 21.34.124 21.34.124"},
		{intrepid, "3:21.34.124", "1 21.34.124 21.34.124"},
		{intrepid, "1:21.34.124", "0"},
		{intrepid, "99:21.34.124", "0"},
		{intrepid, "21.34", "8 21.34.123 21.34.122"},
		{intrepid, "fs124", "72 21.00.124 21.71.124"},
		{intrepid, "1:fs124", "6 21.03.124 21.43.124"},
		{intrepid, "ddn21", "576 21.00.121 21.71.127"},
		{intrepid, "ddn21b", "288 21.00.125 21.71.127"},
		{intrepid, "ddn[6-7]", "1152 6.00.1 7.71.15"},
		{intrepid, "fs1, fs3", "144 6.00.1 6.71.3"},
		{intrepid, "*.124", "72 21.00.124 21.71.124"},
		{intrepid, "ddn2?a", "576 20.00.113 21.71.124"},
		{intrepid, "*", "9216 6.00.1 21.71.127"},
		{intrepid, "2:*", "384 6.48.1 21.71.128"},
		{intrepid, "fs12", "72 7.00.12 7.71.12"},
		{intrepid, "fs129", "0"},
		{intrepid, "", "0"},
		{intrepid, "[", "0"},
		{intrepid, "2:", "0"},
		{jbod, "jbod1/sdb", "1 jbod1/sdb jbod1/sdb"},
		{jbod, "*sdb", "3 jbod1/sdb jbod3/sdb"},
		{jbod, "jbod1/*", "64 jbod1/sdb jbod1/eth1"},
		{jbod, "jbod2", "64 jbod2/sdb jbod2/eth1"},
	}
	for _, tt := range tests {
		found := tt.system.Match(tt.pattern)
		got := fmt.Sprint(len(found))
		if len(found) > 0 {
			got += " " + tt.system.Components[found[0]].Name + " " + tt.system.Components[found[len(found)-1]].Name
		}
		if got != tt.want {
			t.Errorf("Match(%q) = %s, want %s", tt.pattern, got, tt.want)
		}
	}
}

func TestGlob(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"a*b*c", "aXbYc", true},
		{"a*b*c", "abbc", true},
		{"a*b", "aXbY", false},
		{"?", "", false},
		{"**", "", true},
		{"a?", "a", false},
		{strings.Repeat("*a", 30), strings.Repeat("a", 60) + "b", false},
	}
	for _, tt := range tests {
		if got := glob(tt.pattern, tt.name); got != tt.want {
			t.Errorf("glob(%s, %s) = %v", tt.pattern, tt.name, got)
		}
	}
}
