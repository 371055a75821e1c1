package sentence

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// pool is a server with six drives in a vdev of raidz2.
func pool(t *testing.T) *Writer {
	t.Helper()
	s, _, err := topology.Parse("nas.yaml", []byte("servers: nas1\ndrives:\n  - devices: sd[b-g]\n    slots: 1-6\n    kind: zfs\n    redundancy: raidz2\n"+
		"parts:\n  nas1/sd[b-g]: {pool: tank/raidz2-0, enclosure: c0/e252}\n  nas1/sdc: {serial: ZL2A9XYZ, firmware: SN03}\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := *utcVoice
	v.System = s
	return &v
}

func slowDrive(c int, name string) incident.Incident {
	return incident.Incident{
		ID: name, Class: finding.Slow, Kind: finding.SlowDrive, Phase: incident.Active, Place: blame.Place{Tier: blame.Drive, Name: name},
		Members: []finding.Member{{Component: c, Role: finding.IsSlow, Odd: true}}, Onset: finding.Onset{At: 1000}, Last: 5000,
	}
}

// TestCommandFollowsItsSentence: the sentence before a command that takes an OSD out is about this
// command, and the guard stands before it.
func TestCommandFollowsItsSentence(t *testing.T) {
	step := advice.Step{Purpose: advice.TakeOut, Command: "ceph osd out osd.7", Guard: advice.Guard{Allowed: true, Reason: advice.Tolerated, Name: "3 replicas", Group: "vm", Spares: 2}}
	said := stepOf(&topology.Component{Part: topology.Part{Storage: "ceph"}}, &step, &advice.Problem{})
	text := said.String()
	if !strings.HasPrefix(text, "vm (3 replicas) tolerates the loss of 2 parts. ") || !strings.HasSuffix(text, "permits it. The next command takes the OSD out, unless placement groups are degraded, data are moving, or Ceph needs the OSD: ceph osd out osd.7") {
		t.Error(text)
	}
	for storage, text := range takesOut {
		if !strings.HasSuffix(text, ":") {
			t.Errorf("the text of %s does not end before its command: %s", storage, text)
		}
	}
}

// TestNext: what to do about a slow drive of a pool, and that it is not taken out
// where two others limp already.
func TestNext(t *testing.T) {
	v := pool(t)
	in := slowDrive(1, "nas1/sdc")
	others := []incident.Incident{in}
	v.Open = func() *advice.Open { return NewOpen(v.System, others) }
	say := func() string {
		var lines []string
		for _, n := range v.Next(&in) {
			lines = append(lines, n.String())
		}
		return strings.Join(lines, "\n")
	}
	text := say()
	for _, want := range []string{
		"ssh nas1 'smartctl -x /dev/sdc'",
		"The component is nas1/sdc: server nas1, slot 2, enclosure c0/e252, pool tank/raidz2-0, serial number ZL2A9XYZ.",
		"ssh nas1 'storcli /c0/e252/s2 start locate'",
		"60 % of the slow periods of disks lasted less than an hour, 87 % less than 8 hours", "(Source: The Tail at Store, FAST 2016, Findings 4, 5 and 15.)",
		"ssh nas1 'zpool set sit_out=on tank sdc'",
		"tank/raidz2-0 (raidz2) tolerates the loss of 2 parts. 0 of its other parts are already slow or removed. To take the drive offline, run this command, and then replace the drive with zpool replace: ssh nas1 'zpool offline tank sdc'",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
	for c := 2; c <= 3; c++ {
		others = append(others, slowDrive(c, fmt.Sprintf("nas1/%d", c)))
	}
	if text = say(); strings.Contains(text, "zpool offline") || !strings.Contains(text, "Do not remove this component: tank/raidz2-0 (raidz2) tolerates the loss of 2 parts, and 2 of its other parts are already slow or removed.") {
		t.Errorf("two others limp:\n%s", text)
	}
	if v.Open = nil; strings.Contains(say(), "zpool offline") {
		t.Errorf("what else limps is not known:\n%s", say())
	}
	in.Phase = incident.Recovering
	if n := v.Next(&in); len(n) != 1 {
		t.Errorf("%d steps for what recovers", len(n))
	}
	in.Phase = incident.Cleared
	if n := v.Next(&in); len(n) != 0 {
		t.Errorf("%d steps for what is over", len(n))
	}
}

// TestCauseWords: an attribute is told with how wide it shows, and what it is not.
func TestCauseWords(t *testing.T) {
	s, _, err := topology.Parse("f.yaml", []byte("servers: h[1-4]\ndrives:\n  - devices: sd[a-b]\n    models: X\nparts:\n"+
		"  h[1-3]/sda: {firmware: \"1.03\"}\n  h4/sda: {firmware: \"1.02\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := *utcVoice
	v.System = s
	in := incident.Incident{
		Class: finding.Slow, Kind: finding.SharedSlowness, Phase: incident.Active, Judged: 3, Place: blame.Place{Tier: blame.Firmware, Name: "1.03 of X"},
		Alike: []blame.Place{{Tier: blame.Batch, Name: "ZL2A of X"}},
		Members: []finding.Member{
			{Component: 0, Role: finding.IsSlow, Worst: 2, Effect: finding.Effect{Times: 1.5}}, {Component: 2, Role: finding.IsSlow, Worst: 2, Effect: finding.Effect{Times: 1.5}},
		},
	}
	if got, want := v.Headline(&in), "2 of 3 drives of firmware 1.03 of X (not firmware 1.02) on 2 of 3 servers answer about 1.5 times slower than their peers"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got, want := v.Because(&in)[0], "2 of its 3 drives are slow together"; got != want { // there are no others
		t.Errorf("%q, want %q", got, want)
	}
	if lines := strings.Join(v.Because(&in), "\n"); !strings.Contains(lines, "the slow drives also have batch ZL2A of X in common, so the data do not show which common part is the cause") {
		t.Error(lines)
	}
}

// TestJoinedWords: joined places are told together, with the servers of all of them and with what
// their members share.
func TestJoinedWords(t *testing.T) {
	s, _, err := topology.Parse("f.yaml", []byte("servers: h[1-4]\ndrives:\n  - devices: disk[1-2]\n    models: X\n  - devices: disk[10-11]\n    models: Y\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := *utcVoice
	v.System = s
	at := func(name string) blame.Place { return blame.Place{Tier: blame.Position, Name: name} }
	in := incident.Incident{
		Class: finding.Slow, Kind: finding.SharedSlowness, Phase: incident.Active, Judged: 8, Place: at("disk2"), Joined: []blame.Place{at("disk1")},
	}
	for _, name := range []string{"h1/disk1", "h1/disk2", "h2/disk1", "h2/disk2"} {
		c, ok := s.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		in.Members = append(in.Members, finding.Member{Component: c, Role: finding.IsSlow, Worst: 2, Effect: finding.Effect{Times: 1.5}})
	}
	for got, want := range map[string]string{
		v.Headline(&in): "4 of 8 drives in positions disk1 and disk2 on 2 of 4 servers answer about 1.5 times slower than their peers",
		v.Title(&in):    "positions disk1 and disk2: shared slowness, since 1970-01-01 00:00Z",
		v.Action(&in):   "Check what these parts have in common: positions disk1 and disk2, model X.",
		PlaceNames(&in): "disk1 and disk2",
	} {
		if got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	if lines := strings.Join(v.Because(&in), "\n"); !strings.Contains(lines, "all slow parts have this in common: model X, which 8 of 16 drives have") {
		t.Error(lines)
	}
	in.Joined = append(in.Joined, at("disk11"), blame.Place{Tier: blame.Model, Name: "Y"})
	if got, want := Placed(&in), "positions disk[1-2,11] and model Y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestMoreThanCounted: what is slower than is counted is told as more, without an
// interval.
func TestMoreThanCounted(t *testing.T) {
	v := pool(t)
	in := slowDrive(1, "nas1/sdc")
	in.Members[0].Effect = finding.Effect{Times: 1000, Low: 1000, High: math.Inf(1)}
	if got, want := v.Headline(&in), "nas1/sdc answers more than 1000 times slower than its peers"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := v.Number(&in); !strings.HasPrefix(got, "more than 1000 times slower than ") {
		t.Error(got)
	}
}

// TestStepsAgree: the steps about a slow OSD and about a drive that only a table names are in an order
// that can be followed. No step demands what another step forbids.
func TestStepsAgree(t *testing.T) {
	w := osds(t)
	c := &w.System.Components[2]
	c.Server, c.Device = "", ""
	in := slowDrive(2, "osd.3")
	in.Last = in.Onset.At + 9*3600
	var lines []string
	for _, s := range w.Next(&in) {
		lines = append(lines, s.String())
	}
	wanted := []string{
		"Find the host and the device of osd.3 first (the data name neither): ceph osd find 3 && ceph device ls-by-daemon osd.3",
		"Read the SMART values and the error log of the drive that holds the data of osd.3. If the drive stays slow, and its data have another copy, replace the drive. ssh HOST 'smartctl -x /dev/DEVICE'",
		"Compare the load of osd.3 with the load of the other OSDs. If osd.3 has more load, it may be slow because of this load: ceph osd df; ceph tell osd.3 perf dump",
		"Do not expect that the drive recovers by itself: ",
		"To send reads of replicated pools to the other copies, ",
		"Do not remove this component until you know that its data have another copy: the redundancy of ceph is unknown.",
	}
	if len(lines) != len(wanted) {
		t.Fatalf("%d steps, want %d:\n%s", len(lines), len(wanted), strings.Join(lines, "\n"))
	}
	for i, want := range wanted {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("step %d:\n%s\nwant\n%s", i+1, lines[i], want)
		}
	}
	system := &topology.System{Components: []topology.Component{{Name: "host_22/disk11", Server: "host_22", Device: "disk11", DeviceLabel: true, Group: 1}}}
	v := *w
	v.System = system
	in = slowDrive(0, "host_22/disk11")
	if got, want := v.Next(&in)[0].String(), "Find the device of host_22/disk11 first. To list the devices of host_22, run this command (the data name the drive, but no device of the server): ssh host_22 'lsblk -o NAME,SIZE,MODEL,SERIAL'"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
