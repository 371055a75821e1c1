package site

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/topology"
)

func at(line int) At { return At{File: "f", Line: line} }

// TestSeveralSources joins a LUN from four of them: the file system, multipath,
// lsblk and the enclosure.
func TestSeveralSources(t *testing.T) {
	const wwn = "5000c500a1b2c3d7"
	s := Join(Inventory{
		Devices: []Device{
			{At: at(1), Host: "io1.example.org", Name: "nsd0", Aliases: []string{"dm-4"}, Kind: Multipath, WWN: "3" + wwn, Of: []string{"sdb"}},
			{At: at(2), Host: "io1", Name: "sdb", Number: "8:16", Kind: Drive, Model: "ST16", Serial: "zl2a"},
			{At: at(3), Host: "io1", Number: "8:16", Firmware: "SN03"},
			{At: at(4), Host: "io1", Kind: Drive, Serial: "ZL2A", Enclosure: "e1", Slot: "7"},
			{At: at(5), Host: "io1", Kind: Drive, Port: "5000c500a1b2c3d5", Enclosure: "e1", Expander: "x"},
			{At: at(6), Host: "io1", Kind: Drive, WWN: "5000000000000000", Enclosure: "e9"},
		},
		Volumes: []Volume{
			{At: at(7), System: "gpfs", Name: "nsd0", Host: "io1", Device: "dm-4", Servers: []string{"io1"}},
			{At: at(8), System: "gpfs", Name: "nsd0", Host: "io2", Device: "dm-9", Servers: []string{"io2"}},
			{At: at(9), System: "gpfs", Name: "nsd0", Servers: []string{"io2.example.org", "io1.example.org"}, Ranked: true},
		},
	})
	if len(s.Devices) != 3 || s.Hidden != 1 || len(s.Notes) != 0 {
		t.Fatalf("%d devices, %d hidden, %v", len(s.Devices), s.Hidden, s.Notes)
	}
	mapped, path := s.Devices[0], s.Devices[1]
	if mapped.Name != "nsd0" || mapped.WWN != wwn || !mapped.IsStorage() || mapped.Expander != "x" {
		t.Errorf("map %+v", mapped)
	}
	if path.PathOf != "nsd0" || path.IsStorage() || path.Slot != "7" || path.Firmware != "SN03" {
		t.Errorf("path %+v", path)
	}
	v := s.Volumes[0]
	if len(s.Volumes) != 1 || strings.Join(v.Servers, ",") != "io2,io1" || s.Devices[v.Devices["io1"]].Name != "nsd0" || s.Devices[v.Devices["io2"]].Name != "dm-9" {
		t.Errorf("%+v", v)
	}
	if strings.Join(s.Hosts, ",") != "io1,io2" {
		t.Errorf("servers %v", s.Hosts)
	}
}

func TestContradictions(t *testing.T) {
	s := Join(Inventory{
		Devices: []Device{
			{At: at(1), Host: "a", Name: "sdb", WWN: "5000000000000001"},
			{At: at(2), Host: "a", Name: "sdb", WWN: "5000000000000002"},
			{At: at(3), Host: "a", Name: "sdc", Serial: "X"},
			{At: at(4), Host: "a", Name: "sdc", Serial: "Y"},
		},
		Volumes: []Volume{
			{At: at(5), System: "gpfs", Name: "n", ID: "1", Servers: []string{"a", "b"}, Ranked: true},
			{At: at(6), System: "gpfs", Name: "n", ID: "2"},
			{At: at(7), System: "gpfs", Name: "n", Servers: []string{"b", "a"}, Ranked: true},
		},
	})
	if len(s.Notes) != 4 || s.Devices[0].WWN != "5000000000000001" || s.Volumes[0].Servers[0] != "a" {
		t.Errorf("%v\n%+v", s.Notes, s.Devices)
	}
	for _, n := range s.Notes {
		if !strings.Contains(n.Text, "run both tools again") || n.Line%2 == 1 && n.Line != 7 {
			t.Errorf("%s", n)
		}
	}
}

// TestDomains keeps two servers apart that differ in their domain only.
func TestDomains(t *testing.T) {
	s := Join(Inventory{Devices: []Device{
		{Host: "n1.east", Name: "sda"}, {Host: "n1.west", Name: "sda"}, {Host: "n2.east", Name: "sda"}, {Host: "10.0.0.1", Name: "sda"}, {Name: "sdq"},
	}})
	if got := strings.Join(s.Hosts, " "); got != "10.0.0.1 n1.east n1.west n2 unknown-server" {
		t.Error(got)
	}
}

// TestSeenAsNamed: a device is found by its name and by its number, whichever a
// topology has, and one that is no storage where the topology names it.
func TestSeenAsNamed(t *testing.T) {
	s := Join(Inventory{Devices: []Device{
		{At: at(1), Host: "box", Name: "loop0", Number: "7:0", Kind: Media},
		{At: at(2), Host: "box", Name: "loop1", Number: "7:1", Kind: Media},
		{At: at(3), Host: "box", Name: "vda", Number: "254:0", Kind: Drive},
	}})
	for devices, want := range map[string]string{
		"loop[0-1]":    "the topology file does not name vda of box; add these devices to the file if they belong to the storage system",
		"7:[0-1]":      "the topology file does not name vda of box; add these devices to the file if they belong to the storage system",
		"dev7-1, vda":  "",
		"dev254-0":     "",
		"loop9, vda":   "there are no data of box/loop9 on box, although all other drives of this server have data; record the missing drive, or remove the drive from the topology file",
		"vda, loop[1]": "",
	} {
		system, _, err := topology.Parse("t.yaml", []byte("servers: box\ndrives:\n  - devices: "+devices+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range system.Unmatched(s.Seen(system)) {
			got = append(got, w.Text)
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", devices, got, want)
		}
	}
}
