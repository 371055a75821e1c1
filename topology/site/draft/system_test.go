package draft_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

// sighted makes sightings of lines: server, device, WWN. A line of a server and a word with
// a colon is an interface.
func sighted(text string) []topology.Seen {
	var seen []topology.Seen
	for line := range strings.Lines(text) {
		f := append(strings.Fields(line), "")
		s := topology.Seen{Server: f[0], Device: topology.Device{Name: f[1], WWN: f[2]}, Model: "M" + f[2]}
		if name, ok := strings.CutSuffix(f[1], ":"); ok {
			s.Kind, s.Device, s.Model = topology.Interface, topology.Device{Name: name}, ""
		}
		seen = append(seen, s)
	}
	return seen
}

// described prints what a diagnosis depends on, one line for each component.
func described(s *topology.System) string {
	var lines []string
	for i := range s.Components {
		c := s.Components[i]
		if c.Kind == topology.Host {
			continue
		}
		var peers []string
		for _, m := range s.Groups[c.Group-1].Members {
			peers = append(peers, s.Components[m].Name)
		}
		slices.Sort(peers)
		lines = append(lines, fmt.Sprintf("%s %s server=%s device=%s wwn=%s lun=%s array=%s model=%s slot=%s pool=%s serial=%s group=%s peers=%v",
			c.Kind, c.Name, c.Server, c.Device, c.WWN, c.LUN, c.Array, c.Model, c.Slot, c.Pool, c.Serial, s.Groups[c.Group-1].Name, peers))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestSystem: the draft of a discovered system is read as the same system.
func TestSystem(t *testing.T) {
	const wwn = "60001ff00000000041e84ef1165b19"
	shared := ""
	for lun := range 6 { // fs1 and fs2 share four LUNs, fs3 and fs4 two
		servers := []string{"fs1", "fs2"}
		if lun > 3 {
			servers = []string{"fs3", "fs4"}
		}
		for k, server := range servers {
			shared += fmt.Sprintf("%s sd%c %s%02x\n", server, 'b'+lun+k, wwn, lun*40)
		}
	}
	own := "box1 sda\nbox1 sdb 5000000000000001\nbox1 sdc 5000000000000002\nbox1 nvme0n1\nbox1 nvme1n1\nbox1 nvme2n1\nbox2 sda\n"
	for name, text := range map[string]string{
		"WWNs":          shared,
		"interfaces":    shared + "fs1 eth0:\nfs2 eth0:\nfs3 eth0:\nfs4 ib0:\n",
		"drives":        own,
		"both":          shared + own,
		"one drive":     "a sda\nb sda\nc sda\n",
		"aliases":       "a ddn_lun1 " + wwn + "00\nb ddn_lun1 " + wwn + "00\na ddn_lun2 " + wwn + "01\nb ddn_lun2 " + wwn + "01\n",
		"two classes":   "a sda " + wwn + "00\nb dm-1 " + wwn + "00\na sdb " + wwn + "01\nb dm-2 " + wwn + "01\n",
		"a drive moved": "a sda 5000000000000001\na sdb 5000000000000001\na sdb 5000000000000002\na sdc\na sdd\n",
	} {
		t.Run(name, func(t *testing.T) {
			seen := sighted(text)
			seen[0].Serial, seen[0].Pool, seen[0].Slot = "ZL2A", "tank/raidz2-0", "7"
			want, _ := topology.Discover(seen, topology.PeersAuto)
			written, err := draft.System(want, draft.Options{Name: "site"})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := topology.Parse("draft.yaml", written)
			if err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
			if described(got) != described(want) {
				t.Errorf("read\n%s\nwant\n%s\n%s", described(got), described(want), written)
			}
			if !got.DrivesByName {
				t.Error("the check of servers compares other drives")
			}
		})
	}
}
