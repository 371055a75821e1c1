package sysstat

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
)

func TestAddressComment(t *testing.T) {
	long := "2001:0db8:1111:2222:3333:4444:5555:6666"
	for _, c := range []struct {
		addr, nic string
		want      string
	}{
		{"10.0.0.3", "eth0", "addr 10.0.0.3 eth0"},
		{"10.0.0.3", "", "addr 10.0.0.3"},
		{"2001:db8::3", "ib0", "addr 2001:db8::3 ib0"},
		{"::ffff:10.0.0.3", "eth0", "addr 10.0.0.3 eth0"},
		{"fe80::1%eth0", "eth0", "addr fe80::1 eth0"},
		{"10.0.0.3", "my nic", "addr 10.0.0.3 my%20nic"},
		{long, "enp130s0f0np0v1", "addr 2001:db8:1111:2222:3333:4444:5555:6666 enp130s0f0np0v1"},
		{long, strings.Repeat("é", 7), "addr 2001:db8:1111:2222:3333:4444:5555:6666"},
	} {
		got := Address{netip.MustParseAddr(c.addr), c.nic}.Comment()
		if got != c.want || len(got) > maxComment {
			t.Errorf("%s of %s: got %q, want %q", c.addr, c.nic, got, c.want)
		}
	}
}

func TestInventoryAddresses(t *testing.T) {
	for _, c := range []struct {
		comments []string
		want     string
	}{
		{[]string{"addr", "addr ", "addr eth0", "addr 10.0.0", "addr 10.0.0.3/24", "address 10.0.0.3"}, "[]"},
		{[]string{"addr 10.0.0.3 eth0", "dev 8:0=sda"}, "[{10.0.0.3 eth0}]"},
		{[]string{"addr 10.0.0.10 eth1 mtu=9000", "addr 2001:db8::3", "addr 10.0.0.9 my%20nic"}, "[{10.0.0.9 my nic} {10.0.0.10 eth1} {2001:db8::3 }]"},
		// One address, however it is written; the last line counts.
		{[]string{"addr ::ffff:10.0.0.3 eth0", "addr 10.0.0.3 bond0", "addr fe80::1%eth0", "addr fe80::1%eth1 x"}, "[{10.0.0.3 bond0} {fe80::1 x}]"},
	} {
		var inv Inventory
		for _, line := range c.comments {
			inv.Add(line)
		}
		if got := fmt.Sprint(inv.Addresses()); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.comments, got, c.want)
		}
	}
}

// TestAddressesAreBounded: comments cannot make an inventory grow for ever,
// and those that it has can still be changed.
func TestAddressesAreBounded(t *testing.T) {
	var inv Inventory
	taken := 0
	for i := range maxAddresses + 10 {
		if inv.Add(fmt.Sprintf("addr 10.0.%d.%d eth0", i/256, i%256)) {
			taken++
		}
	}
	if taken != maxAddresses || len(inv.Addresses()) != maxAddresses {
		t.Errorf("%d taken, %d known, want %d", taken, len(inv.Addresses()), maxAddresses)
	}
	if !inv.Add("addr 10.0.0.0 eth1") || inv.Addresses()[0].Interface != "eth1" {
		t.Error("a known address was not changed")
	}
}

// FuzzAddress: what a comment told of survives being written and read.
func FuzzAddress(f *testing.F) {
	f.Add("addr 10.0.0.3 eth0")
	f.Add("addr fe80::1%eth0 a%20b%")
	f.Add("addr 2001:db8:1111:2222:3333:4444:5555:6666 aaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, comment string) {
		var inv, back Inventory
		inv.Add(comment)
		for _, a := range inv.Addresses() {
			line := a.Comment()
			if len(line) > maxComment || text([]byte(line)) != line || !back.Add(line) {
				t.Fatalf("%q is no comment", line)
			}
			got := back.Addresses()[0]
			if got.Addr != a.Addr || got.Interface != a.Interface && len(line)+1+len(strings.Join(escape(a.Interface), "")) <= maxComment {
				t.Fatalf("%q: got %v, want %v", comment, got, a)
			}
		}
	})
}
