package topology

import (
	"strings"
	"testing"
)

func TestNamedApart(t *testing.T) {
	s, _, err := Parse("t.yaml", []byte("servers: fs[1-2]\narrays:\n  - names: a\n    luns: 0-1\n    devices: sd[b-c]\n"))
	if err != nil {
		t.Fatal(err)
	}
	see := func(server, name, wwn string) Seen {
		return Seen{Kind: Attachment, Server: server, Device: Device{Name: name, WWN: wwn}}
	}
	const x, y = "5000000000000001", "5000000000000002"
	alike := []Seen{see("fs1", "sdb", x), see("fs1", "sdc", y), see("fs2", "sdb", x), see("fs2", "sdc", y)}
	if w := s.NamedApart(alike); len(w) > 0 {
		t.Errorf("servers agree, and yet: %v", w)
	}
	crossed := []Seen{see("fs1", "sdb", x), see("fs1", "sdc", y), see("fs2", "sdb", y), see("fs2", "sdc", x)}
	w := s.NamedApart(crossed)
	if len(w) != 2 || !strings.Contains(w[0].Text, "LUN a.0 on fs1 and LUN a.1 on fs2; in the topology file, write WWNs instead of device names for these LUNs") {
		t.Errorf("%v", w)
	}
}
