package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
)

// TestAdviceGoesToTheCause: the first line of advice is about the component that the incident
// names, with its tier. What it takes along, such as the paths of a controller, comes second.
func TestAdviceGoesToTheCause(t *testing.T) {
	w := siteWriter(t)
	for _, tt := range []struct {
		kind  finding.Kind
		place blame.Place
		first string
		then  string // text and command of the second step; empty: any
	}{
		{finding.LostAttachment, at(blame.Controller, "ddn1a"), "Is controller ddn1a up?", "If the answer is yes, check the paths: cables, ports, zoning, and multipath on the servers. ssh fs1 'multipath -ll'"},
		{finding.LostAttachment, at(blame.Array, "ddn1"), "Is array ddn1 up?", "If the answer is yes, check the paths: cables, ports, zoning, and multipath on the servers. ssh fs1 'multipath -ll'"},
		{finding.LostAttachment, at(blame.LUN, "1.0"), "Is LUN 1.0 online?", "If the answer is yes, check the paths: cables, ports, zoning, and multipath on the servers. ssh fs1 'multipath -ll'"},
		{finding.LostAttachment, at(blame.Server, "fs1"), "Check the adapters of server fs1: ", ""},
		{finding.LostAttachment, at(blame.Attachment, "1.0.1"), "Check path 1.0.1: ", ""},
		{finding.SilentServer, at(blame.Server, "fs1"), "Does server fs1 answer?", ""},
		{finding.DrawerError, at(blame.Array, "ddn1"), "Check the drawers of array ddn1 on its controllers: ", ""},
		{finding.DrawerError, at(blame.Drawer, "d1"), "Check drawer d1 on its controllers: ", ""},
		{finding.SingleLUN, at(blame.LUN, "1.0"), "Check the drives of LUN 1.0 on its controller for ", ""},
		{finding.SingleLUN, at(blame.Attachment, "1.0.1"), "Check the LUN of path 1.0.1 on its controller for ", ""},
		{finding.SlowDrive, at(blame.Drive, "fs1/sdb"), "Read the SMART values and the error log of drive fs1/sdb. ", ""},
		{finding.SlowTail, at(blame.Drive, "fs1/sdb"), "Read the SMART values and the error log of drive fs1/sdb: ", ""},
		{finding.StalledRequests, at(blame.Controller, "ddn1a"), "Check the logs of controller ddn1a, ", ""},
		{finding.SharedSlowness, at(blame.Server, "fs1"), "Check what these parts have in common: server fs1", ""},
		{finding.DiskHog, at(blame.Server, "fs1"), "Find out which programs other than clients use the drives of server fs1 ", ""},
		{finding.DiskBusy, at(blame.Server, "fs1"), "Read the SMART values and the error logs of the drives of server fs1, ", ""},
		{finding.NetworkHog, at(blame.Server, "fs1"), "Find out which programs other than clients use the network of server fs1 ", ""},
		{finding.PacketLoss, at(blame.Server, "fs1"), "Check the network interface of server fs1: ", ""},
	} {
		in := incident.Incident{Kind: tt.kind, Place: tt.place, Phase: incident.Active, Members: w.members(t, finding.Gone, "1.0.1")}
		steps := w.Next(&in)
		if !strings.HasPrefix(steps[0].Text, tt.first) || strings.Contains(steps[0].String(), "%") {
			t.Errorf("%s of %v: %s, want %s", tt.kind, tt.place, &steps[0], tt.first)
		}
		if tt.then != "" && (len(steps) < 2 || steps[1].String() != tt.then || steps[0].Command != "") {
			t.Errorf("%s of %v: %+v, want the second step %s", tt.kind, tt.place, steps, tt.then)
		}
	}
}
