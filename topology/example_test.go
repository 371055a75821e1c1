package topology_test

import (
	"fmt"

	"github.com/limpet-storage/limpet/topology"
)

// A site with two arrays. Each array has four LUNs, and two servers see each LUN: one
// as its primary server, one as its secondary server.
func ExampleParse() {
	site, warnings, err := topology.Parse("site.yaml", []byte(`
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-3
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-e]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range warnings {
		fmt.Println("warning:", w.Text)
	}
	for _, group := range site.Groups {
		fmt.Printf("%s: %d peers\n", group.Name, len(group.Members))
	}
	c := site.Components[site.Groups[0].Members[0]]
	fmt.Printf("%s is %s of %s, behind %s\n", c.Name, c.Device, c.Server, c.Controller)
	// Output:
	// primary: 8 peers
	// secondary: 8 peers
	// 1.0.1 is sdb of fs1, behind ddn1a
}
