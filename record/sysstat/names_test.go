package sysstat

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
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
		var inv Inventory
		inv.Add("dev 259:0=nvme0n1")
		inv.Add("dev 8:0=")
		var disks []Disk
		for _, n := range c.numbers {
			disks = append(disks, Disk{Major: n[0], Minor: n[1]})
		}
		if got := inv.Names(disks, nil); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.numbers, got, c.want)
		}
	}
}

// A device keeps its name when another one is first used.
func TestNamesStay(t *testing.T) {
	var inv Inventory
	guest := []Disk{{Major: 254, Minor: 0}}
	inv.Names(nil, nil)
	inv.Names(guest, nil)
	got := inv.Names(append(guest, Disk{Major: 8, Minor: 0}), nil)
	if want := []string{"vda", "sda"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
