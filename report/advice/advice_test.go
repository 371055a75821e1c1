package advice_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

var update = flag.Bool("update", false, "write what is advised as what ought to be")

// parts are a drive of each kind of storage that may be taken out.
func parts() []topology.Component {
	drive := func(server, device string, p topology.Part) topology.Component {
		return topology.Component{Name: server + "/" + device, Server: server, Device: device, Slot: "3", Part: p}
	}
	return []topology.Component{
		drive("fs1", "sdb", topology.Part{Storage: "gpfs", Redundancy: "2 replicas", Volume: "nsd07"}),
		drive("oss1", "sdb", topology.Part{Storage: "lustre", Redundancy: "2 replicas", Volume: "work-OST0007"}),
		drive("osd1", "nvme0n1", topology.Part{Storage: "ceph", Redundancy: "3 replicas", Volume: "7"}),
		drive("nas1", "sdb", topology.Part{Storage: "zfs", Redundancy: "raidz2", Pool: "tank/raidz2-0"}),
		drive("nas2", "sdb", topology.Part{Storage: "zfs", Redundancy: "mirror", Pool: "tank/mirror-0"}),
		drive("md1", "sdb", topology.Part{Storage: "md", Redundancy: "raid6", Pool: "md0"}),
		drive("md2", "sdb", topology.Part{Storage: "md", Redundancy: "raid1", Pool: "md0"}),
		drive("mp1", "sdb", topology.Part{Storage: "multipath", Redundancy: "2 replicas"}),
		drive("hw1", "sdb", topology.Part{Storage: "raid", Redundancy: "raid6", Pool: "drive group 0", Enclosure: "c0/e252"}),
		drive("hw2", "sdb", topology.Part{Storage: "raid", Redundancy: "raid5", Pool: "array A", Enclosure: "slot 0/1I:1"}),
		drive("hba1", "sdb", topology.Part{Storage: "zfs", Redundancy: "raidz2", Pool: "tank/raidz2-0", Enclosure: "sas3ircu 0/2"}),
		drive("lo1", "loop1", topology.Part{Storage: "md", Redundancy: "none", Pool: "md0"}),
		drive("la1", "sdb", topology.Part{Storage: "limpet", Redundancy: "8+2", Pool: "/run/a.control"}),
		drive("gl1", "sdb", topology.Part{Storage: "gluster", Redundancy: "3 replicas", Volume: "gl1:/bricks/b1"}),
		drive("bee1", "sdb", topology.Part{Storage: "beegfs", Redundancy: "2 replicas", Volume: "101"}),
		drive("dn1", "sdb", topology.Part{Storage: "hdfs", Redundancy: "3 replicas"}),
		{Name: "6.00.1", LUN: "6.00", Server: "fs1", Device: "ddn6_lun00", Array: "ddn6", Part: topology.Part{Storage: "gpfs", Redundancy: "8+2"}},
		{Name: "x1/wwn-0x5000c500a1b2c3d4", Server: "x 1;reboot", WWN: "5000c500a1b2c3d4", Part: topology.Part{Enclosure: "0x500605b000027200"}},
	}
}

// TestNameOfATable: no command has a path that limpet made of a name in a table without servers.
func TestNameOfATable(t *testing.T) {
	for c, want := range map[topology.Component]string{
		{Device: "nas1-sde"}:                 "",
		{Device: "sde"}:                      "/dev/sde",
		{Device: "nas1-sde", Server: "nas1"}: "/dev/mapper/nas1-sde",
	} {
		if got := advice.Path(&c); got != want {
			t.Errorf("%s of server %q: %q, want %q", c.Device, c.Server, got, want)
		}
	}
}

// TestLabelOfATable: no command names a device that only a table names. The first step finds the
// device, and the check has a placeholder.
func TestLabelOfATable(t *testing.T) {
	for name, tt := range map[string]struct {
		part topology.Component
		want []string
	}{
		"a label":         {topology.Component{Name: "host_22/disk11", Server: "host_22", Device: "disk11", DeviceLabel: true}, []string{"ssh host_22 'lsblk -o NAME,SIZE,MODEL,SERIAL'", "ssh host_22 'smartctl -x /dev/DEVICE'"}},
		"a kernel's name": {topology.Component{Name: "h/sdb", Server: "h", Device: "sdb", DeviceLabel: true}, []string{"ssh h 'smartctl -x /dev/sdb'"}},
		"a number":        {topology.Component{Name: "h/dev8-16", Server: "h", Device: "dev8-16", DeviceLabel: true}, []string{"ssh h 'smartctl -x /dev/block/8:16'"}},
		"no number":       {topology.Component{Name: "h/device-3", Server: "h", Device: "device-3", DeviceLabel: true}, []string{"ssh h 'lsblk -o NAME,SIZE,MODEL,SERIAL'", "ssh h 'smartctl -x /dev/DEVICE'"}},
		"no server":       {topology.Component{Name: "disk11", Device: "disk11", DeviceLabel: true}, []string{""}},
		"an OSD": {
			topology.Component{Name: "osd.3", Part: topology.Part{Storage: "ceph", Volume: "osd.3"}},
			[]string{"ceph osd find 3 && ceph device ls-by-daemon osd.3", "ssh HOST 'smartctl -x /dev/DEVICE'", "ceph osd df; ceph tell osd.3 perf dump"},
		},
		"an OSD on a host": {
			topology.Component{Name: "osd.3", Server: "s1", Device: "sda", Part: topology.Part{Storage: "ceph", Volume: "osd.3"}},
			[]string{"ssh s1 'smartctl -x /dev/sda'", "ceph osd df; ceph tell osd.3 perf dump"},
		},
	} {
		system := &topology.System{Components: []topology.Component{tt.part}}
		p := &advice.Problem{Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive}, Members: []int{0}, NoLoad: true}
		steps := advice.For(system, p, nil)
		for i, want := range tt.want {
			if got := steps[i].Command; got != want {
				t.Errorf("%s, step %d: %q, want %q", name, i+1, got, want)
			}
		}
		for _, s := range steps {
			if strings.Contains(s.Command, "mapper") || strings.Contains(s.Command, "disk11") {
				t.Errorf("%s: %s", name, s.Command)
			}
		}
		p.Kind = finding.Overheated
		if s := advice.For(system, p, nil)[0]; strings.HasSuffix(strings.TrimRight(s.Command, "' "), "smart-log") {
			t.Errorf("%s: %q has no device", name, s.Command)
		}
	}
}

// TestEveryKind: what is advised for each kind of incident and of storage stands in
// testdata/advice.txt, to be looked at by who knows the tools.
func TestEveryKind(t *testing.T) {
	var out strings.Builder
	system := &topology.System{Components: parts()}
	for _, kind := range finding.Kinds() {
		for c := range system.Components {
			if c > 0 && kind != finding.SlowDrive && kind != finding.SingleLUN {
				continue // checks are alike for all kinds of storage
			}
			p := &advice.Problem{Kind: kind, Place: placeOf(kind, system.Components[c].Name), Members: []int{c}, Stood: table.ByProcess, Open: advice.NewOpen(system, nil)}
			part := &system.Components[c]
			fmt.Fprintf(&out, "%s, %s:\n", kind, strings.TrimSpace(part.Storage+" "+part.Redundancy+" "+part.Enclosure))
			for _, s := range advice.For(system, p, advice.Published(c == 2)) {
				fmt.Fprintf(&out, "  %-8s %s\n", purposes[s.Purpose]+":", said(&s))
			}
		}
	}
	const file = "testdata/advice.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the advice differs from report/advice/testdata/advice.txt: go test ./report/advice -update writes it; read the difference with git diff")
	}
}

// purposes and refusals are words for the file that reviewers read.
var (
	purposes = [...]string{"find", "check", "load", "paths", "locate", "wait", "relieve", "take out"}
	refusals = [...]string{"", "exhausted", "no redundancy", "redundancy not said", "kind not said", "others not known", "redundancy is beneath it"}
)

func said(s *advice.Step) string {
	switch {
	case s.Purpose == advice.TakeOut && !s.Guard.Allowed:
		return "not allowed: " + refusals[s.Guard.Reason]
	case s.Outlook != nil:
		return s.Outlook.Source + ", " + s.Outlook.Drives
	}
	return cmp.Or(s.Command, "(no command)")
}

// placeOf is where a kind of incident is.
func placeOf(k finding.Kind, drive string) blame.Place {
	switch k {
	case finding.SlowDrive, finding.SlowTail, finding.SingleLUN, finding.StalledRequests:
		return blame.Place{Tier: blame.Drive, Name: drive}
	case finding.DrawerError:
		return blame.Place{Tier: blame.Array, Name: "ddn6"}
	case finding.SharedSlowness:
		return blame.Place{Tier: blame.Slot, Name: "3"}
	}
	return blame.Place{Tier: blame.Server, Name: "fs1"}
}

// TestPasted: names of others cannot do anything in the shell of who pastes.
func TestPasted(t *testing.T) {
	for _, name := range []string{"x;reboot", "$(reboot)", "-oProxyCommand=reboot", "a'b", "`reboot`", "a b"} {
		c := topology.Component{Name: name, Server: name, Device: name, Slot: name, Part: topology.Part{
			Storage: "zfs", Redundancy: "raidz2", Pool: name + "/raidz2-0", Enclosure: "slot 0/" + name, Volume: name,
		}}
		for _, kind := range topology.StorageKinds() {
			c.Storage = kind
			system := &topology.System{Components: []topology.Component{c}}
			for _, s := range advice.For(system, &advice.Problem{Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive}, Members: []int{0}, Open: advice.NewOpen(system, nil)}, nil) {
				if s.Command == "" {
					continue
				}
				out, err := exec.Command("sh", "-c", "ssh() { shift; for last; do :; done; eval \"$last\"; }; reboot() { echo DONE; }\n"+
					"mmchdisk() { :; }; lctl() { :; }; ceph() { :; }; zpool() { :; }; mdadm() { :; }; multipathd() { :; }; storcli() { :; }; ssacli() { :; }\n"+
					"gluster() { :; }; beegfs-ctl() { :; }; hdfs() { :; }; limpet() { :; }; ledctl() { :; }; sas3ircu() { :; }; smartctl() { :; }; losetup() { :; }; lsblk() { :; }\n"+s.Command+" 2>/dev/null").CombinedOutput()
				if strings.Contains(string(out), "DONE") {
					t.Errorf("%s, %s: %s (%v) runs the name", name, kind, s.Command, err)
				}
			}
		}
	}
}

// TestGuard: as many as parity or replicas bear may be out, slow ones among them,
// and not one more.
func TestGuard(t *testing.T) {
	for _, base := range parts() {
		r, err := topology.ParseRedundancy(base.Redundancy)
		if err != nil || base.LUN != "" || base.Storage == "beegfs" || base.Storage == "limpet" { // of BeeGFS no target is taken out alone, of limpet raid no member
			continue
		}
		system := &topology.System{}
		for i := range 6 {
			c := base
			c.Device = "sd" + string(rune('b'+i))
			c.Name = c.Server + "/" + c.Device
			system.Components = append(system.Components, c)
		}
		other := base // of another pool, or of other storage
		other.Name, other.Pool = "other", "another"
		if base.Pool == "" {
			other.Storage = "other"
		}
		system.Components = append(system.Components, other)
		for lost := range 5 {
			p := &advice.Problem{Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive}, Members: []int{0}}
			open := []advice.Shown{{Place: p.Place, Components: []int{0}}, {ID: "other", Components: []int{6}}}
			for i := range lost {
				open = append(open, advice.Shown{ID: "more", Components: []int{1 + i, 1 + i}}) // named twice, counted once
			}
			p.Open = advice.NewOpen(system, open)
			steps := advice.For(system, p, nil)
			last := steps[len(steps)-1]
			want := lost < r.Spares
			if last.Purpose != advice.TakeOut || last.Guard.Allowed != want || (last.Command != "") != want {
				t.Errorf("%s %s, %d others slow or out: allowed %t, want %t, command %q", base.Storage, base.Redundancy, lost, last.Guard.Allowed, want, last.Command)
			}
		}
	}
}

// TestNotAllowed: what is not known is not allowed.
func TestNotAllowed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		part  topology.Component
		known bool
		want  advice.Reason
	}{
		{"no kind", topology.Component{Name: "a"}, true, advice.NoKind},
		{"no redundancy said", topology.Component{Name: "a", Part: topology.Part{Storage: "zfs"}}, true, advice.NotSaid},
		{"no redundancy", topology.Component{Name: "a", Part: topology.Part{Storage: "zfs", Redundancy: "none"}}, true, advice.NoneLeft},
		{"others not known", topology.Component{Name: "a", Part: topology.Part{Storage: "zfs", Redundancy: "raidz2"}}, false, advice.NotKnown},
		{"parity within a LUN", topology.Component{Name: "a", LUN: "6.00", Part: topology.Part{Storage: "gpfs", Redundancy: "8+2"}}, true, advice.Beneath},
		{"an OST on RAID 6", topology.Component{Name: "a", Part: topology.Part{Storage: "lustre", Redundancy: "raid6"}}, true, advice.Beneath},
		{"replicas of LUNs", topology.Component{Name: "a", LUN: "6.00", Part: topology.Part{Storage: "gpfs", Redundancy: "2 replicas"}}, true, advice.Tolerated},
	} {
		system := &topology.System{Components: []topology.Component{tt.part}}
		p := &advice.Problem{Kind: finding.SlowDrive, Place: blame.Place{Tier: blame.Drive}, Members: []int{0}}
		if tt.known {
			p.Open = advice.NewOpen(system, nil)
		}
		steps := advice.For(system, p, nil)
		if got := steps[len(steps)-1].Guard; got.Reason != tt.want || got.Allowed != (tt.want == advice.Tolerated) {
			t.Errorf("%s: %+v, want reason %d", tt.name, got, tt.want)
		}
	}
}
