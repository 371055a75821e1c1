package topology

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// Each mistake stands with its line; all of a file come together, in order.
func TestParseErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", "1: the file is empty"},
		{"comment only", "# nothing\n", "1: the file is empty"},
		{"no mapping", "fs1\n", "1: a topology file must have lines of the form \"key: value\""},
		{"no component", "servers: fs1\n", "1: the file describes no component"},
		{"syntax, indentation", "name: x\narrays:\n  - names: a\n   luns: 1\n", "4: a line of a list has no -; begin the line with -"},
		{"syntax, flow", "name: x\ndrives:\n  - devices: {a: sd[b-c]}\n    peers: all\n", "3: a value begins with { and has no } at its end"},
		{"syntax, after a list of two lines", "name: x\ndrives:\n  - devices: [sda,\n      sdb]\n  hosts: a\n", "5: a line of a list has no -; begin the line with -"},
		{"two documents", "hosts: a\n---\nhosts: b\n", "2: a second YAML document begins here"},
		{"alias", "name: &n x\nhosts: *n\n", "2: alias *n is not supported"},
		{"unknown keys", "hots: a\nxyzzy: 1\nhosts: a\n", "1: the setting \"hots\" is unknown in a topology file; did you mean hosts?\n2: the setting \"xyzzy\" is unknown in a topology file; the known settings are name, servers"},
		{"LUN names", "servers: fs[1-2]\narrays:\n  - names: a\n    luns: 1\n    lun_names: short\n", "5: the value \"short\" for the setting \"lun_names\" is unknown; write array"},
		{"one LUN of two arrays", "servers: fs[1-4]\narrays:\n  - names: [a, b]\n    servers_per_array: 2\n    luns: 1\n    lun_names: whole\n", "3: LUN 1 belongs to the arrays a and b; remove \"lun_names: whole\""},
		{"peers of servers", "hosts: a\nserver_peers: all\n", "2: the value \"all\" for the setting \"server_peers\" is unknown; write group"},
		{"WWN of a part", "servers: a\ndrives:\n  - devices: sdb\nparts:\n  a/sdb: {wwn: sdb}\n", "5: \"sdb\" is not a WWN; write 16 or 32 hexadecimal digits"},
		{"duplicate key", "hosts: a\nname: x\nhosts: b\n", "3: the key \"hosts\" is listed twice, first in line 1"},
		{"no value", "servers:\nhosts: a\n", "1: the setting \"servers\" has no value"},
		{"key that is a list", "[a]: b\nhosts: a\n", "1: a key of a topology file is not a plain word"},
		{"section that is no list", "drives:\n  devices: sda\n", "2: drives must be a list; begin each entry with a dash"},
		{"entry that is no mapping", "drives:\n  - sda\n", "2: an entry of drives must have lines of the form \"key: value\"\n2: the setting \"devices\" is missing"},
		{"required", "servers: a\narrays:\n  - servers: a\n", "3: the setting \"luns\" is missing\n3: the setting \"names\" is missing"},
		{"no servers", "drives:\n  - devices: sda\n", "2: no servers are named"},
		{"strange server", "servers: fs[1-2]\nhosts: fs[1-4]\n", "2: servers fs[3-4] are not in the list of servers at the top of the file"},
		{"bad range", "hosts: fs[4-1]\n", "1: \"fs[4-1]\": the range 4-1 is in the wrong order"},
		{"twice in a list", "hosts: [a, b, a]\n", "1: a is listed twice"},
		{"list in a list", "hosts: [a, [b]]\n", "1: a name is needed here"},
		{"empty list", "hosts: []\n", "1: the list is empty"},
		{"braces for a name", "hosts: {a}\n", "1: a name or a list of names is needed here; if"},
		{"list for a name", "name: [a]\nhosts: a\n", "1: a single value is needed here"},
		{
			"servers do not come out even", array("servers_per_array: 3"),
			"1: the entry names 4 servers, but 2 arrays with 3 servers each need 6 servers",
		},
		{"no number", array("servers_per_array: two"), "5: \"two\" is not a number"},
		{"priority of a strange server", array("priority: [fs1, fs9]"), "5: fs9 is not one of the servers fs[1-4]"},
		{"priority by name", array("servers_per_array: 2\n    priority: [fs1, fs2]"), "6: server fs1 does not belong to every array of this entry; instead of names, write the numbers of the servers within an array, such as 1-2"},
		{"place too high", array("priority: 1-5"), "5: server number 5 does not exist"},
		{"priority of some", array("priority: {0-1: [1, 2]}"), "5: the priority of the servers of LUN 2 is missing"},
		{"set that overlaps", array("sets: {old: 0-1, new: 1-3}"), "5: LUN 1 is in more than one of the sets"},
		{"sets that do not cover", array("sets: {old: 0-1}"), "5: LUNs 2-3 are in none of the sets"},
		{"set of strange LUNs", array("sets: {old: 0-4}"), "5: LUN 4 is not one of 0-3"},
		{"zeros", "arrays:\n  - {names: d, servers: s, luns: [1, 01, 2]}\n", "2: the names of some LUNs differ only in leading zeros"},
		{"size", array("sizes: big"), "5: \"big\" is not a size"},
		{"controller for no server", array("controllers: {a: 1-3}"), "5: LUN 0 has no controller for server number 4"},
		{"controllers that overlap", array("controllers: {a: 1-4, b: {luns: 2}}"), "5: for server number 1 of the array, LUN 2 belongs to two controllers, a and b"},
		{"controller key", array("controllers: {a: {lun: 2}}"), "5: the setting \"lun\" is unknown in a controller; did you mean luns?"},
		{"too few devices", array("devices: sd[b-d]"), "5: the setting \"devices\" names 3 devices for 4 LUNs"},
		{"placeholder", array("devices: \"{lum}\""), "5: \"{lum}\" has an unknown placeholder"},
		{"placeholder without number", array("controllers: {a: 1-4}\n    devices: \"{lun}{array}{controller:2}\""), "6: the placeholder {controller:2} needs a number at the end of each name, but the name a does not end with a number; write {controller}"},
		{"table that does not cover", array("devices: {0: \"{array}_a\", 1-2: \"{array}_{lun}\"}"), "4: LUN 3 is without a device on at least one server"},
		{"one device twice", array("devices: sd[b-e]"), "5: device sdb of server fs1 is given for two components, 1.0.1 and 2.0.1 (the same mistake: 15 more components)"},
		{"except without devices", array("except: [{servers: fs1}]"), "5: the setting \"devices\" is missing"},
		{"except of a strange array", array("devices: \"{array}_{lun}\"\n    except:\n      - arrays: d3\n        devices: \"{lun}\""), "7: array d3 is not one of d[1-2]"},
		{"peers", array("peers: group"), "5: the value \"group\" for the setting \"peers\""},
		{"peers by model without models", array("peers: model"), "5: \"peers: model\" needs the setting \"models\""},
		{"described twice", "drives:\n  - {servers: a, devices: sda}\n  - {servers: a, devices: [sda, sdb]}\n", "3: a/sda is described twice, first in line 2"},
		{"one name for two tiers", "arrays:\n  - {names: x, servers: x, luns: 0-3}\n", "2: x is the name of both a server and an array"},
		{"slots", "drives:\n  - {servers: a, devices: [sda, sdb], slots: 1-3}\n", "2: the setting \"slots\" names 3 slots for 2 devices"},
		{"placeholder of a drive", "drives:\n  - {servers: a, devices: \"sd{lun}\"}\n", "2: placeholders can be used only for the devices of arrays"},
		{"too many", "servers: a[1-2000]\ndrives:\n  - devices: sd[1-2000]\n", "3: the file describes more than 1048576 components"},
		{
			"all at once", "nam: x\nservers: fs[1-4]\narrays:\n  - names: d1\n    luns: 3-1\n  - names: d2\n    luns: 0-3\n    set: old\n    devices: sda\nhosts: fs9\n",
			"1: the setting \"nam\" is unknown in a topology file\n5: \"3-1\": the range 3-1 is in the wrong order\n8: the setting \"set\" is unknown in an entry of arrays\n9: the setting \"devices\" names 1 device for 4 LUNs\n10: server fs9 is not in the list of servers at the top of the file",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			system, warnings, err := Parse("t.yaml", []byte(tt.in))
			if err == nil {
				t.Fatalf("no error; %d components, warnings %v", len(system.Components), warnings)
			}
			compareErrors(t, err, strings.Split(tt.want, "\n"))
		})
	}
}

// array is two arrays on four servers, with more to say on line 5.
func array(more string) string {
	return "servers: fs[1-4]\narrays:\n  # alike\n  - names: d[1-2]\n    " + more + "\n    luns: 0-3\n"
}

// compareErrors wants these lines and beginnings of texts, no more and no
// fewer, each on one line with a hint.
func compareErrors(t *testing.T, err error, want []string) {
	t.Helper()
	got := err.(interface{ Unwrap() []error }).Unwrap()
	if len(got) != len(want) {
		t.Fatalf("%d errors, want %d:\n%v", len(got), len(want), err)
	}
	for i, e := range got {
		line, ok := errors.AsType[*yamlfile.LineError](e)
		text := strings.TrimPrefix(e.Error(), "t.yaml:")
		if !ok || !strings.HasPrefix(text, want[i]) {
			t.Errorf("error %q, want %q", text, want[i])
		}
		if strings.Contains(text, "\n") || !strings.Contains(text, "; ") {
			t.Errorf("error %q is not one line of what; what to do", text)
		}
		if line.Line < 1 || line.Column < 1 {
			t.Errorf("error %q at %d:%d", text, line.Line, line.Column)
		}
	}
}

func TestExplain(t *testing.T) {
	_, _, err := Parse("site.yaml", []byte("name: site\nservers: fs[1-4]\n\narrays:\n  - names: ddn1\n    luns: 00-71\n    prioriti: rotate\n    devices: sd[b-bt]\n\nhosts: [fs1, fs9]\n"))
	golden(t, "explain.golden", []byte(yamlfile.Explain(err)+"\n"))
	if got := yamlfile.Explain(fmt.Errorf("open site.yaml: %w", errors.ErrUnsupported)); got != "open site.yaml: unsupported operation" {
		t.Errorf("another error prints as %q", got)
	}
}

func TestParseWarnings(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"small group", "arrays:\n  - {names: d1, servers: \"a[1-2]\", luns: 0-1, priority: rotate}\n",
			"t.yaml:2: peer group 1 (primary) has 2 members, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers\n" +
				"t.yaml:2: peer group 2 (secondary) has 2 members, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers",
		},
		{
			"many small groups", "drives:\n  - {servers: \"a[1-9]\", devices: sda}\n",
			"t.yaml:2: peer group 1 (a1 sd) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers\n" +
				"t.yaml:2: peer group 2 (a2 sd) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers\n" +
				"t.yaml:2: peer group 3 (a3 sd) has 1 member, and a comparison needs at least 3; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers\n" +
				"t.yaml:2: 6 more peer groups have too few members; limpet compares each member only with its own past: to compare members with each other, add members to the set, or choose other peers",
		},
		{
			"mixed models", "drives:\n  - servers: a\n    devices: sd[b-e]\n    models:\n      HDD: sd[b-d]\n      SSD: sde\n",
			"t.yaml:3: peer group 1 (a sd) contains drives of different models: HDD (3), SSD (1); put each model into a set of its own (setting \"sets\"), or write \"peers: model\"",
		},
		{
			"mixed sizes", "arrays:\n  - {names: d1, servers: a, luns: 0-9, sizes: {8TB: 0-3, 7.68TB: 4-9}}\n",
			"t.yaml:2: peer group 1 (paths) contains drives of different sizes: 7.68 TB (6), 8 TB (4); put each size into a set of its own (setting \"sets\")",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			system, warnings, err := Parse("t.yaml", []byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			checkSystem(t, system)
			if got := printWarnings(warnings); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func printWarnings(warnings []Warning) string {
	lines := make([]string, len(warnings))
	for i, w := range warnings {
		lines[i] = w.String()
	}
	return strings.Join(lines, "\n")
}

// FuzzParse: any input is refused with lines, or makes a sound system.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"lustre", "jbod"} {
		f.Add(example(f, name))
	}
	f.Add([]byte(array("priority: {0-1: [1, 2], 2-3: [2]}\n    devices: {0: naa.5000c500a1b2c3d4, 1-3: \"{lun}_{array:2}\"}")))
	f.Add([]byte(boxes))
	f.Add([]byte(array("controllers: {a: 1-2, b: 3-4}\n    except: [{luns: 1, devices: 8:16}]")))
	f.Fuzz(func(t *testing.T, data []byte) {
		system, _, err := Parse("t.yaml", data)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "t.yaml:") {
					t.Fatalf("error without a line: %q", line)
				}
			}
			_ = yamlfile.Explain(err)
			return
		}
		checkSystem(t, system)
	})
}
