package topology

import (
	"strings"
	"testing"
)

const boxes = `
servers: box[1-4]
kind: zfs
drives:
  - servers: box[1-2]
    devices: sd[b-d]
    redundancy: raidz2
  - servers: box[3-4]
    devices: sd[b-d]
    kind: md
    redundancy: raid6
arrays:
  - names: ddn1
    luns: 0-1
    devices: sd[x-y]
    kind: gpfs
redundancy: none
parts:
  box[1-4]/sd[b-d]: {firmware: SN03, link: 12.0 Gbit}
  box1/sdb: {serial: ZL2A9XYZ, firmware: SN04, enclosure: c0/e252, slot: "3", made: 2021-03, pool: tank/raidz2-0}
  box2: {kernel: 5.14.0, rack: r12}
  "1.0": {volume: nsd07}
`

// TestParts: what comes nearer counts, and what comes later.
func TestParts(t *testing.T) {
	s, _, err := Parse("boxes.yaml", []byte(boxes))
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) *Component {
		c, ok := s.Lookup(name)
		if !ok {
			t.Fatalf("%s is not there", name)
		}
		return &s.Components[c]
	}
	for name, want := range map[string]Component{
		"box1/sdb": {Slot: "3", Part: Part{
			Serial: "ZL2A9XYZ", Firmware: "SN04", Link: "12.0 Gbit", Enclosure: "c0/e252", Made: "2021-03", Pool: "tank/raidz2-0", Storage: "zfs", Redundancy: "raidz2",
		}},
		"box2/sdc": {Part: Part{Firmware: "SN03", Link: "12.0 Gbit", Kernel: "5.14.0", Rack: "r12", Storage: "zfs", Redundancy: "raidz2"}},
		"box4/sdd": {Part: Part{Firmware: "SN03", Link: "12.0 Gbit", Storage: "md", Redundancy: "raid6"}},
		"1.0.3":    {Part: Part{Volume: "nsd07", Storage: "gpfs", Redundancy: "none"}},
		"1.1.2":    {Part: Part{Kernel: "5.14.0", Rack: "r12", Storage: "gpfs", Redundancy: "none"}},
	} {
		if got := of(name); got.Part != want.Part || got.Slot != want.Slot {
			t.Errorf("%s is %+v in slot %q, want %+v in %q", name, got.Part, got.Slot, want.Part, want.Slot)
		}
	}
	data, err := s.Keep()
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := Kept(data); err != nil || kept.Components[0].Part != s.Components[0].Part {
		t.Errorf("kept as %+v: %v", kept.Components[0].Part, err)
	}
}

// TestPartMistakes: every mistake is named with what to write.
func TestPartMistakes(t *testing.T) {
	const base = "servers: h1\ndrives:\n  - devices: sd[a-c]\n"
	for text, want := range map[string]string{
		base + "kind: btrfs\n":                      `the kind of storage "btrfs" is unknown; write one of gpfs, lustre`,
		base + "redundancy: plenty\n":               `the redundancy "plenty" is unknown; write one of raid6`,
		base + "parts:\n  h2/sda: {serial: X}\n":    "h2/sda is not a component, server, LUN or array of this file",
		base + "parts:\n  h1/sda: {colour: blue}\n": `the setting "colour" is unknown in a part`,
		base + "parts:\n  h1/sda: {made: lately}\n": `"lately" is not a date of manufacture; write 2021`,
		base + "parts:\n  h1/sda: {kind: floppy}\n": `the kind of storage "floppy" is unknown`,
		base + "parts: [h1/sda]\n":                  "parts must have lines of the form \"key: value\"",
	} {
		if _, _, err := Parse("f.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %q", text, err, want)
		}
	}
}

func TestParseRedundancy(t *testing.T) {
	for text, want := range map[string]Redundancy{
		"raid6": {Spares: 2}, "RAIDZ2": {Spares: 2}, "mirror": {Spares: 1, Copies: true}, "8+2": {Spares: 2, Width: 10}, "8+3": {Spares: 3, Width: 11},
		"3 replicas": {Spares: 2, Width: 3, Copies: true}, "1 replica": {Width: 1, Copies: true}, "none": {},
	} {
		want.Name = text
		if got, err := ParseRedundancy(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "8+", "8+2 ", "-1+2", "0 replicas", "3 replicass", "3 replicas of all", "raid7"} {
		if got, err := ParseRedundancy(text); err == nil && text != "8+2 " {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}

// TestDiscoverKeepsParts: without a file, parts are what the inventory says.
func TestDiscoverKeepsParts(t *testing.T) {
	var seen []Seen
	for _, name := range []string{"sda", "sdb", "sdc"} {
		seen = append(seen, Seen{Server: "h1", Device: Device{Name: name}, Slot: "7", Part: Part{Serial: "S" + name, Firmware: "F1", Kernel: "5.14", Link: "6.0 Gbit"}})
	}
	s, _ := Discover(seen, PeersServer)
	for i := range s.Components {
		if c := &s.Components[i]; c.Serial != "S"+c.Device || c.Firmware != "F1" || c.Kernel != "5.14" || c.Slot != "7" || c.Link != "6.0 Gbit" {
			t.Errorf("%s is %+v", c.Name, c.Part)
		}
	}
}
