package topology

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// The sample that documents the format is read by the code below it.
func TestSampleParses(t *testing.T) {
	source, err := os.ReadFile("format.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "Expand reads them.\n//\n")
	sample, _, ok := strings.Cut(rest, "// Devices are")
	if !ok {
		t.Fatal("format.go does not open with a sample")
	}
	var lines []string
	for line := range strings.Lines(sample) {
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "//"), "\t"))
	}
	s := mustParse(t, "sample.yaml", []byte(strings.Join(lines, "")))
	if got, want := len(s.Components), 9216+4*12+128*2+128; got != want {
		t.Errorf("%d components, want %d", got, want)
	}
	if i, ok := s.Find("fs9", Device{Name: "sdc"}); !ok || s.Components[i].Name != "7.00.9" {
		t.Errorf("sdc of fs9 is component %d, %v; want 7.00.9", i, ok)
	}
}

// Two arrays on four servers, of which each array has two, and what they make:
// name, priority, set, controller, device or WWN.
func TestAttachments(t *testing.T) {
	const wwn = "60001ff0700000000000000000000034"
	tests := []struct{ name, in, want string }{
		{
			"rotate by number", "luns: 3-5\n    priority: rotate",
			"1.3.2 1, 1.3.1 2, 1.4.1 1, 1.4.2 2, 1.5.2 1, 1.5.1 2, 2.3.4 1, 2.3.3 2, 2.4.3 1, 2.4.4 2, 2.5.4 1, 2.5.3 2",
		},
		{
			"rotate by place", "luns: x[3-4]\n    priority: rotate",
			"1.x3.1 1, 1.x3.2 2, 1.x4.2 1, 1.x4.1 2, 2.x3.3 1, 2.x3.4 2, 2.x4.4 1, 2.x4.3 2",
		},
		{"no priority", "luns: 0", "1.0.1, 1.0.2, 2.0.3, 2.0.4"},
		{"one order", "luns: 0\n    priority: [2, 1]", "1.0.2 1, 1.0.1 2, 2.0.4 1, 2.0.3 2"},
		{"primaries only", "luns: 0-1\n    priority: 2", "1.0.2 1, 1.1.2 1, 2.0.4 1, 2.1.4 1"},
		{"order by LUN", "luns: 0-1\n    priority: {0: [1, 2], 1: 2}", "1.0.1 1, 1.0.2 2, 1.1.2 1, 2.0.3 1, 2.0.4 2, 2.1.4 1"},
		{"sets, padded or not", "luns: 08-09\n    priority: 1\n    sets: {new: 9, old: 8}", "1.08.1 1 old, 1.09.1 1 new, 2.08.3 1 old, 2.09.3 1 new"},
		{"controllers by server", "luns: 0\n    controllers: {a: 1, ctl2: 2}", "1.0.1 d1a, 1.0.2 d1/ctl2, 2.0.3 d2a, 2.0.4 d2/ctl2"},
		{"controllers by LUN", "luns: 0-1\n    priority: 1\n    controllers: {a: {luns: 0}, b: {luns: 1}}", "1.0.1 1 d1a, 1.1.1 1 d1b, 2.0.3 1 d2a, 2.1.3 1 d2b"},
		{
			"pattern", "luns: 07\n    controllers: {a: 1-2}\n    devices: \"{array:3}_{array}{controller}-{lun}.{lun:1}@{server:2}\"",
			"1.07.1 d1a 001_d1a-07.7@01, 1.07.2 d1a 001_d1a-07.7@02, 2.07.3 d2a 002_d2a-07.7@03, 2.07.4 d2a 002_d2a-07.7@04",
		},
		{"list", "luns: 0-1\n    priority: 1\n    devices: sd[z-aa]", "1.0.1 1 sdz, 1.1.1 1 sdaa, 2.0.3 1 sdz, 2.1.3 1 sdaa"},
		{"major:minor", "luns: 0-1\n    priority: 1\n    devices: 8:[0-16/16]", "1.0.1 1 sda, 1.1.1 1 sdb, 2.0.3 1 sda, 2.1.3 1 sdb"},
		{"table", "luns: 0-1\n    priority: 1\n    devices: {0: 0x" + wwn + ", 1: dev8-16}", "1.0.1 1 " + wwn + ", 1.1.1 1 sdb, 2.0.3 1 " + wwn + ", 2.1.3 1 sdb"},
		{
			"except", "luns: 0-1\n    priority: 1\n    devices: sd[b-c]\n    except:\n      - {servers: s1, devices: [x, y]}\n      - {arrays: d2, luns: 1, devices: z}\n      - {servers: s4, devices: [never, never2]}",
			"1.0.1 1 x, 1.1.1 1 y, 2.0.3 1 sdb, 2.1.3 1 z",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, err := Parse("t.yaml", []byte("arrays:\n  - names: d[1-2]\n    servers: s[1-4]\n    servers_per_array: 2\n    "+tt.in+"\n"))
			if err != nil {
				t.Fatal(yamlfile.Explain(err))
			}
			checkSystem(t, s)
			var got []string
			for _, c := range s.Components {
				words := []string{c.Name, strings.TrimPrefix(fmt.Sprint(c.Priority), "0"), c.Set, c.Controller, c.Device, c.WWN}
				got = append(got, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestAttachmentNames(t *testing.T) {
	tests := []struct{ arrays, servers, want string }{
		{"ddn21", "fs124", "21.3.124"},
		{"ddn09", "fs001", "09.3.001"},
		{"netapp", "fs1", "netapp.3.fs1"},
		{"ddn1", "gateway", "ddn1.3.gateway"},
		{"ddn1, sfa2", "fs1", "ddn1.3.fs1"},
		{"ddn1", "fs1, nsd2", "ddn1.3.fs1"},
	}
	for _, tt := range tests {
		s, _, err := Parse("t.yaml", []byte("arrays:\n  - names: "+tt.arrays+"\n    servers: "+tt.servers+"\n    luns: 3\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Components[0].Name; got != tt.want {
			t.Errorf("%s on %s: %s, want %s", tt.arrays, tt.servers, got, tt.want)
		}
	}
}

// Groups in their order, each with its size.
func TestGroups(t *testing.T) {
	const two = "arrays:\n  - names: d[1-2]\n    servers: s[1-2]\n    luns: 0-3\n    "
	const drives = "drives:\n  - servers: s[1-2]\n    devices: [sda, sdb, nvme0n1]\n    "
	tests := []struct{ name, in, want string }{
		{"no priority", two, "paths 16"},
		{"priority", two + "priority: rotate", "primary 8, secondary 8"},
		{"sets in the order of the file", two + "priority: rotate\n    sets: {new: 3, old: 0-2}", "primary new 2, primary old 6, secondary new 2, secondary old 6"},
		{"array", two + "priority: 1\n    peers: array", "d1 primary 4, d2 primary 4"},
		{"server", two + "peers: server", "s1 8, s2 8"},
		{"model", two + "models: {A: 0, B: 1-3}\n    peers: model", "A 4, B 12"},
		{"without priority last", two + "priority: rotate\n  - {names: d3, servers: s3, luns: 0-2, sets: fast}", "primary 8, secondary 8, fast 3"},
		{"drives of a server", drives, "s1 sd 2, s1 nvme 1, s2 sd 2, s2 nvme 1"},
		{"drives of all", drives + "peers: all", "sd 4, nvme 2"},
		{"drives by set", drives + "sets: {x: sda, y: [sdb, nvme0n1]}\n    peers: set", "x sd 2, y sd 2, y nvme 2"},
		{"drives by server and model", drives + "models: {x: sda, y: [sdb, nvme0n1]}\n    peers: [server, model]", "s1 x sd 1, s1 y sd 1, s1 y nvme 1, s2 x sd 1, s2 y sd 1, s2 y nvme 1"},
		{"two entries are peers", drives + "peers: all\n  - {servers: s3, devices: sdc, peers: all}", "sd 5, nvme 2"},
		{"drives by WWN", "drives:\n  - {servers: a, devices: naa.5000c500a1b2c3d4, peers: all}", "drives 1"},
		{"interfaces", "servers: s[1-2]\ninterfaces:\n  - names: eth[0-1]\n", "eth0 2, eth1 2"},
		{"interfaces of a server", "servers: s[1-2]\ninterfaces:\n  - names: eth[0-1]\n    peers: server\n", "s1 2, s2 2"},
		{"interfaces of all", "servers: s[1-2]\ninterfaces:\n  - names: eth[0-1]\n    peers: all\n", "interfaces 4"},
		{"hosts come last", "hosts: s[1-2]\n" + drives + "peers: all", "sd 4, nvme 2, hosts 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, err := Parse("t.yaml", []byte(tt.in))
			if err != nil {
				t.Fatal(yamlfile.Explain(err))
			}
			checkSystem(t, s)
			if got := printGroups(s); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func printGroups(s *System) string {
	var groups []string
	for _, g := range s.Groups {
		groups = append(groups, fmt.Sprintf("%s %d", g.Name, len(g.Members)))
	}
	return strings.Join(groups, ", ")
}

func TestDriveTraits(t *testing.T) {
	s := mustParse(t, "jbod.yaml", example(t, "jbod"))
	i, _ := s.Lookup("jbod2/sdax")
	want := Component{
		Name: "jbod2/sdax", Server: "jbod2", Device: "sdax", Drawer: "jbod2/right", Slot: "48",
		Model: "ST18000NM000J", Group: 4, Line: 8,
	}
	if got := s.Components[i]; got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestOrdinal(t *testing.T) {
	for priority, want := range map[int]string{0: "", 1: "primary", 3: "tertiary", 4: "4th", 11: "11th", 21: "21st", 22: "22nd", 23: "23rd", 112: "112th"} {
		if got := ordinal(priority); got != want {
			t.Errorf("priority %d is %q, want %q", priority, got, want)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		in   string
		want uint64
	}{{"8TB", 8e12}, {"7.68TB", 7.68e12}, {"16 TiB", 16 << 40}, {"500GB", 5e11}, {"8", 0}, {"8tb", 0}, {"TB", 0}, {"99999999999PB", 0}}
	for _, tt := range tests {
		got, ok := parseSize(tt.in)
		if ok != (tt.want > 0) || ok && got != tt.want {
			t.Errorf("%s is %d, %v; want %d", tt.in, got, ok, tt.want)
		}
	}
}
