package sysstat

import (
	"slices"
	"testing"
)

func TestDeviceName(t *testing.T) {
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
		if got := DeviceName(c.major, c.minor); got != c.want {
			t.Errorf("%d:%d: %s, want %s", c.major, c.minor, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	var inv Inventory
	inv.Add("dev 259:0=nvme0n1")
	inv.Add("dev 8:0=")
	for _, c := range []struct {
		numbers [][2]uint32
		want    []string
	}{
		{[][2]uint32{{8, 0}, {259, 0}, {259, 1}}, []string{"sda", "nvme0n1", "dev259-1"}},
		// A host without a disk of a fixed number is a guest.
		{[][2]uint32{{7, 0}, {254, 0}, {254, 1}, {254, 16}, {253, 1}}, []string{"loop0", "vda", "vda1", "vdb", "dev253-1"}},
		{[][2]uint32{{252, 0}, {253, 0}}, []string{"dev252-0", "vda"}},
		{[][2]uint32{{253, 1}, {7, 0}}, []string{"dev253-1", "loop0"}},
		// Else these may be device-mapper's.
		{[][2]uint32{{8, 16}, {254, 0}, {253, 0}}, []string{"sdb", "dev254-0", "dev253-0"}},
		{[][2]uint32{{254, 0}, {202, 0}}, []string{"dev254-0", "xvda"}},
	} {
		var disks []Disk
		for _, n := range c.numbers {
			disks = append(disks, Disk{Major: n[0], Minor: n[1]})
		}
		if got := inv.Names(disks, nil); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.numbers, got, c.want)
		}
	}
}
