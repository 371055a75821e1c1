package topology

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func names(s *System) string {
	var names []string
	for _, c := range s.Components {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

// sightings reads "server device [wwn]" lines.
func sightings(text string) []Seen {
	var seen []Seen
	for line := range strings.Lines(text) {
		f := append(strings.Fields(line), "", "")
		if f[0] == "" {
			continue
		}
		s := Seen{Server: f[0], Device: Device{WWN: f[2]}}
		if _, err := fmt.Sscanf(f[1], "%d:%d", &s.Device.Major, &s.Device.Minor); err != nil {
			s.Device.Name = f[1]
		}
		seen = append(seen, s)
	}
	return seen
}

func TestDiscover(t *testing.T) {
	tests := []struct {
		name, seen string
		peers      Peers
		names      string
		groups     string
		warnings   string
	}{
		{
			name: "drives of each server", seen: "b sda\nb sdb\nb sdc\na10 sda\na2 sdaa\na2 sdz\na2 nvme0n1\n",
			names:  "a2/nvme0n1 a2/sdz a2/sdaa a10/sda b/sda b/sdb b/sdc",
			groups: "a2 nvme 1, a2 sd 2, a10 sd 1, b sd 3",
			warnings: "peer group 1 (a2 nvme) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add files of servers with more of these devices, or a topology file that names the peers\n" +
				"peer group 2 (a2 sd) has 2 members, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add files of servers with more of these devices, or a topology file that names the peers\n" +
				"peer group 3 (a10 sd) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add files of servers with more of these devices, or a topology file that names the peers",
		},
		{
			name: "one drive of many servers", seen: "a sdb\nb sdb\nc sdb\n", peers: PeersAll,
			names: "a/sdb b/sdb c/sdb", groups: "sd 3",
		},
		{
			name: "drives by name", seen: "a sda\na sdb\nb sda\nb sdb\nc sda\nc sdb\n", peers: PeersName,
			names: "a/sda a/sdb b/sda b/sdb c/sda c/sdb", groups: "sda 3, sdb 3",
		},
		{
			name: "what is no drive", seen: "a sda\na sda1\na sda2\na sdb\na sdc\na loop0\na loop1\na zram0\na sr0\na md127\na dm-0\na 8:1\n",
			names: "a/sda a/sdb a/sdc", groups: "a sd 3",
			warnings: "these devices are left out: loop devices (2), partitions (2), dm devices on top of drives (1), md devices (1), sr devices (1), zram devices (1); " +
				"to judge these devices too, name the devices in a topology file",
		},
		{
			name: "device mapper only", seen: "a dm-0\na dm-2\na dm-10\n",
			names: "a/dm-0 a/dm-2 a/dm-10", groups: "a dm 3",
		},
		{
			name: "numbers only", seen: "a 8:16\na 65:0\na 8:32\na 259:3\na 259:0\na 259:1\n",
			names: "a/dev259-0 a/dev259-1 a/dev259-3 a/sdb a/sdc a/sdq", groups: "a nvme 3, a sd 3",
		},
		{
			name:  "shared LUNs",
			seen:  "a sdb 5000000000000002\nb sdc 5000000000000002\na sdc 5000000000000001\nb sdb 5000000000000001\na sda 500000000000000a\n",
			peers: PeersAll,
			names: "5000000000000001.a 5000000000000001.b 5000000000000002.a 5000000000000002.b a/sda", groups: "all sd* paths 4, sd 1",
			warnings: "peer group 2 (sd) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add files of servers with more of these devices, or a topology file that names the peers",
		},
		{
			name: "multipath",
			seen: "a wide2 5000000000000001\nb wide2 5000000000000001\na sdb 5000000000000001\na sdc 5000000000000001\nb sdb 5000000000000001\n" +
				"a wide10 5000000000000000\nb wide10 5000000000000000\n",
			names: "wide2.a wide2.b wide10.a wide10.b", groups: "all dm* paths 4",
			warnings: "these devices are left out: other names of drives that are already listed (3); to judge these devices too, name the devices in a topology file",
		},
		{
			name: "one name, by chance", seen: "a sdb 5000000000000001\nb sdb 5000000000000001\nc sdb 5000000000000001\n",
			names: "5000000000000001.a 5000000000000001.b 5000000000000001.c", groups: "all sd* paths 3",
		},
		{
			name: "renamed between files", seen: "a sdb 5000000000000001\na sdc 5000000000000002\na sdb 5000000000000002\na sdc 5000000000000001\na sdd 5000000000000003\n",
			names: "a/sdb a/wwn-0x5000000000000001 a/sdd", groups: "a sd 3",
			warnings: "these devices are left out: other names of drives that are already listed (2); to judge these devices too, name the devices in a topology file",
		},
		{
			name: "older files without WWN", seen: "a sdb\na sdb 5000000000000001\na sdc\na sdd\n",
			names: "a/sdb a/sdc a/sdd", groups: "a sd 3",
		},
		{name: "nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			system, warnings := Discover(sightings(tt.seen), tt.peers)
			checkSystem(t, system)
			if got := names(system); got != tt.names {
				t.Errorf("components\n%s\nwant\n%s", got, tt.names)
			}
			if got := printGroups(system); got != tt.groups {
				t.Errorf("groups %s, want %s", got, tt.groups)
			}
			if got := printWarnings(warnings); got != tt.warnings {
				t.Errorf("warnings\n%s\nwant\n%s", got, tt.warnings)
			}
			for i, c := range system.Components {
				if j, ok := system.Find(c.Server, Device{Name: c.Device, WWN: c.WWN}); !ok || j != i {
					t.Errorf("%s is not found by its own device %s, %s", c.Name, c.Device, c.WWN)
				}
			}
		})
	}
}

// Names move between boots, drives do not.
func TestDiscoverThenRename(t *testing.T) {
	system, _ := Discover(sightings("a sdb 5000000000000001\na sdc 5000000000000002\na sdd\n"), PeersServer)
	tests := []struct{ device, wwn, want string }{
		{"sdb", "5000000000000001", "a/sdb"},
		{"sdc", "5000000000000001", "a/sdb"},
		{"sdb", "", "a/sdb"},
		{"sdb", "5000000000000009", ""},
		{"sdd", "5000000000000009", "a/sdd"},
	}
	for _, tt := range tests {
		i, ok := system.Find("a", Device{Name: tt.device, WWN: tt.wwn})
		if ok != (tt.want != "") || ok && system.Components[i].Name != tt.want {
			t.Errorf("%s with WWN %q is %d, %v; want %q", tt.device, tt.wwn, i, ok, tt.want)
		}
	}
}

// TestDiscoverArrays: LUNs that the same servers have are of one array.
func TestDiscoverArrays(t *testing.T) {
	var seen []Seen
	for lun, servers := range [][]string{{"fs1", "fs2"}, {"fs1", "fs2"}, {"fs3", "mds"}} {
		for _, server := range servers {
			seen = append(seen, Seen{Server: server, Device: Device{Name: fmt.Sprintf("sd%c", 'a'+lun), WWN: fmt.Sprintf("60000000%08d", lun+1)}})
		}
	}
	system, _ := Discover(seen, PeersServer)
	if want := []string{"shared-fs(1-2)", "shared-fs3-mds"}; !slices.Equal(system.Arrays, want) {
		t.Errorf("arrays %v, want %v", system.Arrays, want)
	}
	if found := system.Match(system.Arrays[0]); len(found) != 4 {
		t.Errorf("%d attachments are found by the name of their array, want 4", len(found))
	}
}

func TestDiscoverMixed(t *testing.T) {
	seen := sightings("a sda\na sdb\na sdc\n")
	seen[0].Model, seen[1].Model, seen[2].Model = "ST4000", "ST4000", "ST8000"
	seen[0].SizeBytes, seen[1].SizeBytes, seen[2].SizeBytes = 4000787030016, 4000225165312, 8001563222016
	_, warnings := Discover(seen, PeersAll)
	want := "peer group 1 (sd) contains drives of different models: ST4000 (2), ST8000 (1); put each model into a set of its own (setting \"sets\"), or write \"peers: model\"\n" +
		"peer group 1 (sd) contains drives of different sizes: 4 TB (2), 8 TB (1); put each size into a set of its own (setting \"sets\")"
	if got := printWarnings(warnings); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestDiscoverNetwork(t *testing.T) {
	var seen []Seen
	for _, server := range []string{"fs10", "fs2", "fs1"} {
		for _, name := range []string{"eth0", "lo", "veth12ab", "eth1"} {
			seen = append(seen, Seen{Kind: Interface, Server: server, Device: Device{Name: name}})
		}
		seen = append(seen, Seen{Kind: Host, Server: server})
	}
	system, warnings := Discover(seen, PeersServer)
	checkSystem(t, system)
	if got, want := names(system), "fs1/eth0 fs1/eth1 fs2/eth0 fs2/eth1 fs10/eth0 fs10/eth1 fs1 fs2 fs10"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := printGroups(system), "eth0 3, eth1 3, hosts 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := printWarnings(warnings), "these devices are left out: virtual interfaces (6); to judge these devices too, name the devices in a topology file"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Who has no drive where others have some is a client; a loop device is none.
func TestDiscoverClients(t *testing.T) {
	var seen []Seen
	for _, server := range []string{"fs1", "fs2", "fs3", "c1", "c2"} {
		for _, name := range []string{"eth0", "lo"} {
			seen = append(seen, Seen{Kind: Interface, Server: server, Device: Device{Name: name}})
		}
		seen = append(seen, Seen{Kind: Host, Server: server})
	}
	system, warnings := Discover(append(seen, sightings("fs1 sda\nfs2 sda\nfs3 sda\nc2 loop0\n")...), PeersAll)
	checkSystem(t, system)
	if got, want := names(system), "fs1/sda fs2/sda fs3/sda fs1/eth0 fs2/eth0 fs3/eth0 fs1 fs2 fs3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := printWarnings(warnings), "these devices are left out: virtual interfaces (3), loop devices (1); to judge these devices too, name the devices in a topology file"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The order in which files are read changes nothing.
func TestDiscoverAnyOrder(t *testing.T) {
	seen := sightings("a sda\na sdb 5000000000000001\nb sdb 5000000000000001\na sdc 5000000000000001\nb sdc 5000000000000002\n" +
		"a sdd 5000000000000002\na dm-1 5000000000000002\nb loop0\nb sda1\nb nvme0n1\nb nvme0n1 5000000000000003\nc sdb\nc sdb 5000000000000004\nc sdb 5000000000000005\nc sdc\nc sdc\nd sdc\nd sdc\n")
	for i := range seen {
		seen[i].Model = fmt.Sprint("model", i%2)
	}
	want, wantWarnings := Discover(seen, PeersServer)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		rng.Shuffle(len(seen), func(i, j int) { seen[i], seen[j] = seen[j], seen[i] })
		got, warnings := Discover(seen, PeersServer)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(warnings, wantWarnings) {
			t.Fatalf("order matters:\n%+v\n%+v", got.Components, want.Components)
		}
	}
}

// Whatever is seen, the system is sound, and what was kept is found again.
func TestDiscoverAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pick := func(list string) string {
		words := strings.Fields(list)
		return words[rng.IntN(len(words))]
	}
	for range 500 {
		var text strings.Builder
		for range rng.IntN(30) {
			fmt.Fprintf(&text, "%s %s", pick("a b a.b fs1 fs10"), pick("sda sdb sdb1 nvme0n1 dm-0 dm-1 mpatha x 8:0 8:16 8:17 253:1 259:0 loop0"))
			if rng.IntN(2) == 0 {
				fmt.Fprintf(&text, " 500000000000000%d", rng.IntN(4))
			}
			text.WriteString("\n")
		}
		system, _ := Discover(sightings(text.String()), Peers(rng.IntN(2)))
		checkSystem(t, system)
		for i, c := range system.Components {
			if j, ok := system.Find(c.Server, parseSeen(c)); !ok || j != i {
				t.Errorf("%s is not found by its own device %s, %s in\n%s", c.Name, c.Device, c.WWN, text.String())
			}
		}
		if t.Failed() {
			return
		}
	}
}

func parseSeen(c Component) Device {
	d := parseDevice(c.Device)
	d.WWN = c.WWN
	return d
}

func TestDiscoverShows(t *testing.T) {
	system, _ := Discover(sightings("fs1 sda\nfs1 sdb\nfs1 sdc\nfs2 sda\nfs2 sdb\nfs2 sdc\n"), PeersServer)
	var out bytes.Buffer
	if err := Show(&out, system); err != nil {
		t.Fatal(err)
	}
	golden(t, "discover.show.golden", out.Bytes())
}

func TestParsePeers(t *testing.T) {
	for _, p := range []Peers{PeersServer, PeersAll, PeersName} {
		if got, err := ParsePeers(p.String()); got != p || err != nil {
			t.Errorf("%s reads as %v, %v", p, got, err)
		}
	}
	if _, err := ParsePeers("set"); err == nil {
		t.Error("set is read")
	}
}
