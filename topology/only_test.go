package topology

import (
	"slices"
	"testing"
)

func TestOnly(t *testing.T) {
	whole, _, err := Parse("t.yaml", []byte("servers: fs[1-8]\narrays:\n  - names: ddn[1-2]\n    servers_per_array: 4\n    luns: 00-23\n    priority: rotate\n    devices: sd[a-x]\n"))
	if err != nil {
		t.Fatal(err)
	}
	part, was := whole.Only(func(server string) bool { return server == "fs5" || server == "fs6" })
	if got := len(part.Components); got != 48 || len(was) != got {
		t.Errorf("%d components of 2 servers", got)
	}
	if !slices.Equal(part.Servers, []string{"fs5", "fs6"}) || !slices.Equal(part.Arrays, []string{"ddn2"}) || len(part.LUNs) != 24 {
		t.Errorf("servers %q, arrays %q, %d LUNs", part.Servers, part.Arrays, len(part.LUNs))
	}
	members := 0
	for i, g := range part.Groups {
		members += len(g.Members)
		for _, m := range g.Members {
			if g.ID != i+1 || part.Components[m].Group != g.ID || whole.Groups[whole.Components[was[m]].Group-1].Name != g.Name {
				t.Errorf("%s is in group %d, %s", part.Components[m].Name, part.Components[m].Group, g.Name)
			}
		}
	}
	if members != len(part.Components) {
		t.Errorf("%d members of %d components", members, len(part.Components))
	}
	if at, ok := part.Find("fs5", Device{Name: "sda"}); !ok || part.Components[at].Name != whole.Components[was[at]].Name {
		t.Error("a device of a part is not found")
	}
	if _, ok := part.Find("fs1", Device{Name: "sda"}); ok {
		t.Error("a device of another server is found")
	}
}
