//go:build linux

package gluster

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
	"github.com/limpet-storage/limpet/topology"
)

// TestTopology: what stands beside a recording is a topology in which all servers are peers.
func TestTopology(t *testing.T) {
	run := testbed.GlusterFS.Draw(1, 0)
	c := &service{&bench.Cluster{Top: t.TempDir(), Run: &run, Layout: System{}.Layout(&run)}}
	for i, d := range c.Layout.Disks {
		if err := os.MkdirAll(filepath.Join(c.Top, d.Server), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.Top, d.Server, d.Name+".B"), fmt.Appendf(nil, "/dev/loop%d\n", 10+i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := c.Topology()
	if err != nil {
		t.Fatal(err)
	}
	system, warnings, err := topology.Parse("topology.yaml", text)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %v:\n%s", err, warnings, text)
	}
	if _, ok := system.Lookup("s2/loop11"); !ok || len(system.Servers) != testbed.Servers {
		t.Errorf("servers %v, components %v", system.Servers, system.Components)
	}
}
