package kernel

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0 true", "007": "7 true", "18446744073709551615": "18446744073709551615 true",
		"18446744073709551616": "0 false", "99999999999999999999": "0 false",
		"": "0 false", "-1": "0 false", "1x": "0 false", "1/": "0 false",
	} {
		n, ok := number([]byte(text))
		if got := fmt.Sprint(n, ok); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestParseUptime(t *testing.T) {
	for text, want := range map[string]string{
		"25766.58 15275.66\n": "2576658 true", "0.00 0.00\n": "0 true", "8640000.07": "864000007 true",
		"": "false", "12": "false", "12.5 3": "false", ".58": "false", "9999999999999.00": "false",
	} {
		n, ok := parseUptime([]byte(text))
		if got := strings.TrimSpace(fmt.Sprint(n, " ", ok)); ok && got != want || !ok && want != "false" {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestIdentifications(t *testing.T) {
	for _, c := range []struct {
		of        func(string) string
		text, got string
	}{
		{parseWWID, "naa.5000c500a1b2c3d4", "0x5000c500a1b2c3d4"},
		{parseWWID, "eui.0025385b71b0d3e9", "eui.0025385b71b0d3e9"},
		{parseWWID, "t10.ATA     ST16000NM001G  ZL2A9XYZ", ""},
		{parseWWID, "nvme.144d-5334-53-00000001", ""},
		{parseWWID, "", ""},
		{parseMapID, "35000c500a1b2c3d4", "0x5000c500a1b2c3d4"},
		{parseMapID, "3600605b00a2bdf00242b28c10dcb1999", "0x600605b00a2bdf00242b28c10dcb1999"},
		{parseMapID, "eui.0025385b71b0d3e9", "eui.0025385b71b0d3e9"},
		{parseMapID, "36001405abc", "36001405abc"},
		{parseMapID, "35000c500a1b2c3d4-part1", "35000c500a1b2c3d4-part1"},
		{serialPage, "\x00\x80\x00\x04ABCD", "ABCD"},
		{serialPage, "\x00\x80\x00\x08  ABCD\x00\x00and more", "ABCD"},
		{serialPage, "\x00\x80\x00\x10ABCD", "ABCD"},
		{serialPage, "\x00\x83\x00\x04ABCD", ""},
		{serialPage, "\x00\x80", ""},
	} {
		if got := c.of(c.text); got != c.got {
			t.Errorf("%q: got %q, want %q", c.text, got, c.got)
		}
	}
}

func serialPage(s string) string { return parseSerialPage([]byte(s)) }

func TestParseLink(t *testing.T) {
	for name, want := range map[string]string{
		"wwn-0x5000c500a1b2c3d4":                          "0x5000c500a1b2c3d4 0 true",
		"wwn-0x5000c500a1b2c3d4-part12":                   "0x5000c500a1b2c3d4 12 true",
		"wwn-0x600605b00a2bdf00242b28c10dcb1999-part2":    "0x600605b00a2bdf00242b28c10dcb1999 2 true",
		"wwn-0x5438850077615869953x":                      " 0 false",
		"wwn-0x5000c500a1b2c3d4-part":                     "0x5000c500a1b2c3d4 0 false",
		"wwn-0x5000c500a1b2c3dz":                          "0x0 0 false",
		"scsi-35000c500a1b2c3d4":                          " 0 false",
		"wwn-0x00000000000000010000000000000000":          "0x0000000000000001 0 true",
		"wwn-0x0000000000000000":                          " 0 true",
		"wwn-0x5000c500a1b2c3d4-part99999999999999999999": "0x5000c500a1b2c3d4 4294967295 false",
	} {
		id, ok := parseLink(name)
		if got := fmt.Sprint(id, " ", id.partition, " ", ok); ok && got != want || strings.HasSuffix(want, "true") != ok {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	var list []sysstat.Address
	for _, c := range []struct{ prefix, nic string }{
		{"10.0.0.3/24", "eth1"},
		{"127.0.0.1/8", "lo"},
		{"::1/128", "lo"},
		{"2001:db8::3/64", "eth0"},
		{"10.0.0.3/24", "bond0"},
		{"fe80::1/64", "eth0"},
		{"10.0.0.2/32", "eth1"},
	} {
		ip, ipNet, err := net.ParseCIDR(c.prefix)
		if err != nil {
			t.Fatal(err)
		}
		ipNet.IP = ip
		list = appendAddress(list, ipNet, c.nic)
	}
	const want = "[{10.0.0.2 eth1} {10.0.0.3 bond0} {2001:db8::3 eth0} {fe80::1 eth0}]"
	if got := fmt.Sprint(sortAddresses(list)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// loopMajor is the major number of loop devices. Tests of other packages make and remove loop
// devices at any time.
const loopMajor = 7

// withoutLoops is an inventory without its loop devices.
func withoutLoops(inventory []string) []string {
	loop := fmt.Sprintf("dev %d:", loopMajor)
	return slices.DeleteFunc(slices.Clone(inventory), func(line string) bool { return strings.HasPrefix(line, loop) })
}

// TestThisMachine: the recorder can read the inventory of this machine, and a second reading is the
// same.
func TestThisMachine(t *testing.T) {
	k := open(t, DefaultOptions())
	first, err := k.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	var inv sysstat.Inventory
	for _, c := range first {
		if !inv.Add(c) {
			t.Errorf("%q is not taken", c)
		}
	}
	for _, d := range sample(t, k).Disks {
		if d.Major == loopMajor {
			continue
		}
		if known, ok := inv.Device(d.Major, d.Minor); !ok || known.Name == "" {
			t.Errorf("%d:%d has no name", d.Major, d.Minor)
		}
	}
	again, err := k.Inventory()
	if err != nil {
		t.Fatal(err)
	}
	if first, again := withoutLoops(first), withoutLoops(again); !slices.Equal(first, again) {
		t.Errorf("got\n%s\nthen\n%s", strings.Join(first, "\n"), strings.Join(again, "\n"))
	}
}
