package inetdiag

import (
	"net/netip"
	"testing"
)

func TestAccepted(t *testing.T) {
	tests := map[string]struct {
		listener string
		v6Only   bool
		accepted []string
		dialled  []string
	}{
		"IPv4":            {"10.0.0.1:40000", false, []string{"10.0.0.1:40000"}, []string{"10.0.0.2:40000", "10.0.0.1:40001", "[::ffff:10.0.0.1]:40000"}},
		"any IPv4":        {"0.0.0.0:988", false, []string{"10.0.0.1:988", "127.0.0.1:988"}, []string{"10.0.0.1:989", "[2001:db8::1]:988", "[::ffff:10.0.0.1]:988"}},
		"IPv6":            {"[2001:db8::1]:445", false, []string{"[2001:db8::1]:445"}, []string{"[2001:db8::2]:445", "10.0.0.1:445"}},
		"any":             {"[::]:2049", false, []string{"[2001:db8::1]:2049", "[::ffff:10.0.0.1]:2049"}, []string{"10.0.0.1:2049", "[2001:db8::1]:900"}},
		"any IPv6":        {"[::]:2049", true, []string{"[2001:db8::1]:2049"}, []string{"[::ffff:10.0.0.1]:2049", "10.0.0.1:2049"}},
		"mapped":          {"[::ffff:10.0.0.1]:80", false, []string{"[::ffff:10.0.0.1]:80"}, []string{"[::ffff:10.0.0.2]:80", "[2001:db8::1]:80"}},
		"any IPv4 mapped": {"[::ffff:0.0.0.0]:80", false, []string{"[::ffff:10.0.0.1]:80"}, []string{"[2001:db8::1]:80"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ls := listeners{netip.MustParseAddrPort("10.0.0.9:9"): true}
			ls.set([]socket{{local: netip.MustParseAddrPort(tt.listener), v6Only: tt.v6Only}})
			for want, list := range map[bool][]string{true: tt.accepted, false: append(tt.dialled, "10.0.0.9:9")} {
				for _, local := range list {
					if got := ls.accepted(netip.MustParseAddrPort(local)); got != want {
						t.Errorf("%s: accepted %v, want %v", local, got, want)
					}
				}
			}
		})
	}
}
