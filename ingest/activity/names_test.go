package activity

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// guest records three virtio disks and two loop devices, as sadc does: by
// number alone.
func guest(t *testing.T, dir string) {
	t.Helper()
	r := record(t, dir, "sa01", "vm", midnight, 0)
	for _, n := range [][2]uint32{{7, 0}, {7, 1}, {254, 0}, {254, 16}, {254, 32}} {
		r.disks = append(r.disks, sysstat.Disk{Major: n[0], Minor: n[1], IOs: 1000})
	}
	r.run(120, 5, 20, 7)
}

func TestGuestsDisksHaveTheNamesThatSarPrints(t *testing.T) {
	dir := t.TempDir()
	guest(t, dir)
	got, a := activityRows(t, dir, Options{})
	for _, name := range []string{"vm/vda", "vm/vdb", "vm/vdc"} {
		if len(got[name]) == 0 {
			t.Errorf("no rows of %s", name)
		}
	}
	if groups := a.System().Groups; len(groups) != 1 || groups[0].Name != "vm vd" {
		t.Errorf("groups %+v", groups)
	}
}

// A topology may use any name of a device.
func TestTopologyNamesDevicesInAnyWay(t *testing.T) {
	dir := t.TempDir()
	guest(t, dir)
	system, _, err := topology.Parse("t.yaml", []byte("drives:\n  - {servers: vm, devices: [loop0, dev7-1, \"254:0\", vdb, vdx], peers: all}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, a := activityRows(t, dir, Options{System: system})
	for _, name := range []string{"vm/loop0", "vm/loop1", "vm/dev254-0", "vm/vdb"} {
		if len(got[name]) == 0 {
			t.Errorf("no rows of %s", name)
		}
	}
	if want := "t.yaml:2: there are no data of vm/vdx on vm; this server has devices that the topology file does not name: vdc"; !activityWarned(a, want) {
		t.Errorf("warnings %v, want %s", a.Warnings(), want)
	}
}

// One directory has files of sadc and of a finer recorder of the same host, and
// only the latter has names. The finer files give the steps that they cover,
// the coarser ones all others. The names apply to both.
func TestActivityMergesRecorders(t *testing.T) {
	dir := t.TempDir()
	sadc := record(t, dir, "sa01", "fs1", midnight, 0)
	numbers := []uint32{1, 2, 3}
	for _, minor := range numbers {
		sadc.disks = append(sadc.disks, sysstat.Disk{Major: 259, Minor: minor, IOs: 1000})
	}
	sadc.run(60, 5, 20, 7)
	fine := record(t, dir, "fine.sa", "fs1", sadc.now, 0)
	for i := range numbers {
		d := sysstat.Device{Major: 259, Minor: uint32(i + 1), Name: []string{"nvme0n1", "nvme1n1", "nvme2n1"}[i]}
		for _, line := range d.Comments() {
			if err := fine.w.WriteComment(sadc.now, line); err != nil {
				t.Fatal(err)
			}
		}
	}
	fine.disks, fine.uptime = slices.Clone(sadc.disks), sadc.uptime
	for range 12 { // both record for a minute, the finer every second
		fine.run(5, 1, 20, 7)
		sadc.run(5, 5, 20, 7)
	}
	sadc.run(60, 5, 20, 7)
	if _, thin := activityRows(t, dir, Options{StepSeconds: 3}); !activityWarned(thin, "the interval between some records of fs1 is up to 5 s, longer than the time step of 3 s: limpet cannot judge periods that have only such records; to judge these periods too, use --step 5") {
		t.Errorf("warnings %v", thin.Warnings())
	}
	got, a := activityRows(t, dir, Options{StepSeconds: 5})
	want := []int64{}
	for end := int64(10); end <= 180; end += 5 {
		want = append(want, end)
	}
	for _, name := range []string{"fs1/nvme0n1", "fs1/nvme1n1", "fs1/nvme2n1"} {
		if !slices.Equal(ends(got[name]), want) {
			t.Errorf("%s has steps %v, want %v", name, ends(got[name]), want)
		}
		for end, await := range got[name] {
			if await != 7 {
				t.Errorf("%s at %d: await %v", name, end, await)
			}
		}
	}
	if n := len(a.System().Components); n != 3 {
		t.Errorf("%d components: %+v", n, a.System().Components)
	}
	if !activityWarned(a, "12 records have the same times as records of") || !activityWarned(a, "fine.sa, because the records of that file are 1 s apart, and the records of this file are 5 s apart") {
		t.Errorf("warnings %v", a.Warnings())
	}
}

// Without a topology, the shared parts come from the recorder's inventory, and
// the kernel from the header.
func TestActivityKnowsParts(t *testing.T) {
	dir := t.TempDir()
	fs1 := record(t, dir, "a.sa", "fs1", midnight, 0)
	for i := range uint32(3) {
		d := sysstat.Device{
			Major: 8, Minor: 16 * i, Name: "sd" + string(rune('a'+i)), Model: "X", Serial: "ZL2A000" + string(rune('0'+i)), Firmware: "SN03",
			Slot: string(rune('1' + i)), Enclosure: "0x500605b000027200", Expander: "0x500605b0000272bf", Link: "12.0 Gbit", MD: "md0",
		}
		for _, line := range d.Comments() {
			if err := fs1.w.WriteComment(fs1.now, line); err != nil {
				t.Fatal(err)
			}
		}
		fs1.disks = append(fs1.disks, sysstat.Disk{Major: 8, Minor: 16 * i, IOs: 1000})
	}
	fs1.run(60, 5, 20, 7)
	_, a := activityRows(t, dir, Options{StepSeconds: 5})
	for i, c := range a.System().Components {
		want := topology.Part{
			Serial: "ZL2A000" + string(rune('0'+i)), Firmware: "SN03", Enclosure: "0x500605b000027200", Expander: "0x500605b0000272bf",
			Link: "12.0 Gbit", Kernel: c.Kernel, Pool: "md0",
		}
		if c.Part != want || c.Slot != string(rune('1'+i)) || c.Kernel == "" {
			t.Errorf("%s is %+v in slot %s, want %+v", c.Name, c.Part, c.Slot, want)
		}
	}
}
