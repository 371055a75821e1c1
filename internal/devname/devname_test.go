package devname

import "testing"

func TestOf(t *testing.T) {
	for _, c := range []struct {
		major, minor uint32
		want         string
	}{
		{8, 0, "sda"},
		{8, 1, "sda1"},
		{8, 17, "sdb1"},
		{8, 255, "sdp15"},
		{65, 0, "sdq"},
		{65, 160, "sdaa"},
		{71, 240, "sddx"},
		{128, 0, "sddy"},
		{135, 240, "sdiv"},
		{8, 256, "sdiw"},
		{65, 256, "sdjm"},
		{135, 511, "sdsr15"},
		{8, 512, "sdss"},
		{9, 127, "md127"},
		{7, 3, "loop3"},
		{1, 15, "ram15"},
		{11, 0, "sr0"},
		{94, 5, "dasdb1"},
		{202, 16, "xvdb"},
		{259, 3, "dev259-3"},
		{253, 1, "dev253-1"},
		{254, 0, "dev254-0"},
	} {
		if got := Of(c.major, c.minor); got != c.want {
			t.Errorf("%d:%d: %s, want %s", c.major, c.minor, got, c.want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string][2]uint32{
		"dev8-16": {8, 16}, "8:16": {8, 16}, "259-3": {259, 3},
	} {
		if major, minor, ok := ParseNumber(text); !ok || major != want[0] || minor != want[1] {
			t.Errorf("%s: %d:%d %v", text, major, minor, ok)
		}
	}
	for _, text := range []string{"", "sdb", "dev8", "8:", "dm-3", "99999999999:1", "dev8-16p1"} {
		if _, _, ok := ParseNumber(text); ok {
			t.Errorf("%q is taken for a number", text)
		}
	}
}

func TestVirtioMajor(t *testing.T) {
	for _, c := range []struct {
		name    string
		devices [][2]uint32
		want    uint32
	}{
		{"nothing", nil, 0},
		{"the only disk of a guest", [][2]uint32{{7, 0}, {254, 0}, {253, 0}, {253, 1}}, 254},
		{"no first device", [][2]uint32{{253, 1}, {7, 0}}, 0},
		{"device-mapper above a drive", [][2]uint32{{8, 0}, {253, 0}, {253, 1}}, 0},
		{"beside a drive, sixteen apart", [][2]uint32{{8, 0}, {253, 0}, {254, 0}, {254, 16}, {254, 17}, {254, 48}}, 254},
		{"many of device-mapper", dense(253, 40), 0},
	} {
		if got := VirtioMajor(c.devices); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// dense is so many devices of a major beside a drive.
func dense(major uint32, n uint32) [][2]uint32 {
	list := [][2]uint32{{8, 0}}
	for minor := range n {
		list = append(list, [2]uint32{major, minor})
	}
	return list
}

func TestClass(t *testing.T) {
	for name, want := range map[string]string{
		"sda": "sd", "sdaa12": "sd partition", "vdb": "vd", "xvda1": "xvd partition", "dasdb": "dasd", "hda": "hd",
		"nvme0n1": "nvme", "nvme0n1p2": "nvme partition", "dm-3": "dm", "md127": "md", "loop0p1": "loop partition",
		"mmcblk0": "mmcblk", "mmcblk0p1": "mmcblk partition", "sr0": "sr", "ram15": "ram", "zram0": "zram",
		"": "", "sd": "", "sd1": "", "nvme0": "", "nvme0c0n1": "", "mpatha": "", "ddn6_lun034": "", "loop": "", "dm-3x": "", "dev8-0": "",
	} {
		class, partition, ok := Class(name)
		if !ok {
			class = ""
		} else if partition {
			class += " partition"
		}
		if class != want {
			t.Errorf("%s: %q, want %q", name, class, want)
		}
	}
}

func TestWhole(t *testing.T) {
	for name, want := range map[string]string{
		"sda": "sda", "sda1": "sda", "sdaa12": "sdaa", "nvme0n1": "nvme0n1", "nvme0n1p2": "nvme0n1", "nvme10n11p12": "nvme10n11",
		"mmcblk0p1": "mmcblk0", "md127": "md127", "md127p1": "md127", "dm-3": "dm-3", "vdb3": "vdb", "vg-home": "vg-home", "": "",
	} {
		if got := Whole(name); got != want {
			t.Errorf("%s is on %s, want %s", name, got, want)
		}
	}
}
