package topology

import (
	"strings"
	"testing"
)

// osdSeen are four OSDs of three hosts. The databases of osd.2 and osd.3 are on one drive.
func osdSeen() []Seen {
	of := func(name, class, host, on string) Seen {
		return Seen{Kind: Attachment, Server: "ceph", Device: Device{Name: name, Major: 4097}, Service: true, Class: class, Host: host, On: on}
	}
	return []Seen{
		of("osd.0", "hdd", "h1", "sdb"), of("osd.1", "hdd", "h2.example.org", "sdb"),
		of("osd.2", "hdd", "h3", "nvme0n1,sdb"), of("osd.3", "ssd", "h3", "nvme0n1,sdc"),
	}
}

func driveSeen() (list []Seen) {
	for _, d := range []string{"h1/sda", "h1/sdb", "h2/sda", "h2/sdb", "h3/sda", "h3/sdb", "h3/sdc", "h3/nvme0n1"} {
		server, device, _ := strings.Cut(d, "/")
		list = append(list, Seen{Kind: Attachment, Server: server, Device: Device{Name: device}})
	}
	return list
}

// TestDiscoverServices: OSDs of one class are peers, never of drives, and know their drives.
func TestDiscoverServices(t *testing.T) {
	s, _ := Discover(append(osdSeen(), driveSeen()...), PeersAuto)
	find := func(name string) *Component {
		t.Helper()
		i, ok := s.Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return &s.Components[i]
	}
	for name, want := range map[string]string{"osd.0": "OSDs hdd", "osd.1": "OSDs hdd", "osd.2": "OSDs hdd", "osd.3": "OSDs ssd"} {
		c := find(name)
		if g := s.Groups[c.Group-1]; g.Name != want || !c.Service || c.Server != "ceph" {
			t.Errorf("%s is in group %q: %+v", name, g.Name, c)
		}
		for _, m := range s.Groups[c.Group-1].Members {
			if !s.Components[m].Service {
				t.Errorf("%s is a peer of %s", name, s.Components[m].Name)
			}
		}
	}
	for osd, drive := range map[string]string{"osd.0": "h1/sdb", "osd.1": "h2/sdb", "osd.2": "h3/sdb", "osd.3": "h3/sdc"} {
		host, device := find(osd).RunsOn()
		if host+"/"+device != drive || find(drive).Volume != osd || find(drive).Storage != "ceph" {
			t.Errorf("%s runs on %s/%s, and %s holds %q", osd, host, device, drive, find(drive).Volume)
		}
	}
	if v := find("h3/nvme0n1").Volume + find("h1/sda").Volume; v != "" {
		t.Errorf("a drive of databases, or of the system, holds %q", v)
	}
	if i, ok := s.Find("ceph", Device{Name: "osd.3", Major: 4097}); !ok || s.Components[i].Name != "osd.3" || !s.IsCluster("ceph") || s.IsCluster("h1") {
		t.Errorf("osd.3 is not found in the cluster: %d", i)
	}
}

// TestWithServices: with a topology file, OSDs find their drives by the volumes of the file, and the
// differences are named.
func TestWithServices(t *testing.T) {
	file, _, err := Parse("t.yaml", []byte("name: t\nservers: h[1-3]\nkind: ceph\nredundancy: 3 replicas\ndrives:\n  - {servers: \"h[1-3]\", devices: \"sd[b-c]\", peers: all}\nparts:\n  h1/sdb: {volume: osd.0, rack: r1}\n  h2/sdc: {volume: osd.1}\n  h3/sdb: {volume: osd.2}\n  h1/sdc: {volume: osd.7}\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen := osdSeen()
	seen[3].Host, seen[3].On = "h9", "sda"
	s, warnings := file.WithServices(seen)
	i, _ := s.Lookup("osd.1")
	if host, device := s.Components[i].RunsOn(); host != "h2" || device != "sdc" || s.Components[i].Redundancy != "3 replicas" {
		t.Errorf("osd.1 runs on %s/%s with %q: the file says h2/sdc", host, device, s.Components[i].Redundancy)
	}
	var text strings.Builder
	for _, w := range warnings {
		text.WriteString(w.Text + "\n")
	}
	for _, want := range []string{"reports values of osd.3, but the topology file has no drive of this OSD", "has drives of osd.7, but the manager of Ceph reports no values of this OSD"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no warning %q in:\n%s", want, text.String())
		}
	}
	if same, _ := file.WithServices(driveSeen()); same != file {
		t.Error("a system without services has changed")
	}
	if _, ok := file.Lookup("osd.0"); ok {
		t.Error("the system of the file has changed")
	}
}
