package topology

import (
	"fmt"
	"testing"
)

func TestParseWWN(t *testing.T) {
	const naa6 = "60001ff0700000000000000000000034"
	tests := []struct{ in, want string }{
		{"5000c500a1b2c3d4", "5000c500a1b2c3d4"},
		{"0x5000C500A1B2C3D4", "5000c500a1b2c3d4"},
		{"wwn-0x5000c500a1b2c3d4", "5000c500a1b2c3d4"},
		{"naa." + naa6, naa6},
		{"eui.0025385b71b0a1c2", "0025385b71b0a1c2"},
		{"3" + naa6, naa6},
		{"scsi-3" + naa6, naa6},
		{"35000c500a1b2c3d4", "5000c500a1b2c3d4"},
		{"0000000000000000", ""},
		{"0x0", ""},
		{"5000c500a1b2c3d", ""},
		{"5000c500a1b2c3dg", ""},
		{"sdb", ""},
		{"", ""},
	}
	for _, tt := range tests {
		got, ok := ParseWWN(tt.in)
		if ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("ParseWWN(%s) = %s, %v, want %q", tt.in, got, ok, tt.want)
		}
	}
}

func TestParseDevice(t *testing.T) {
	tests := []struct {
		in   string
		want Device
	}{
		{"sdb", Device{Name: "sdb"}},
		{"/dev/sdb", Device{Name: "sdb"}},
		{"/dev/mapper/ddn6_lun034", Device{Name: "ddn6_lun034"}},
		{"8:16", Device{Major: 8, Minor: 16}},
		{"dev253-7", Device{Major: 253, Minor: 7}},
		{"/dev/disk/by-id/wwn-0x5000c500a1b2c3d4", Device{WWN: "5000c500a1b2c3d4"}},
		{"99999999999:1", Device{Name: "99999999999:1"}},
	}
	for _, tt := range tests {
		if got := parseDevice(tt.in); got != tt.want {
			t.Errorf("parseDevice(%s) = %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

func TestDeviceClass(t *testing.T) {
	tests := []struct {
		in   Device
		want string
	}{
		{Device{Name: "sdaa"}, "sd false"},
		{Device{Name: "sdaa12"}, "sd true"},
		{Device{Name: "nvme0n1"}, "nvme false"},
		{Device{Name: "nvme0n1p2"}, "nvme true"},
		{Device{Name: "mmcblk0p1"}, "mmcblk true"},
		{Device{Name: "dm-3"}, "dm false"},
		{Device{Name: "md127"}, "md false"},
		{Device{Name: "ddn6_lun034"}, "dm false"},
		{Device{Name: "sdb", Partition: 1}, "sd true"},
		{Device{Major: 65, Minor: 1}, "sd true"},
		{Device{Major: 253, Minor: 1}, "dm false"},
		{Device{Major: 259, Minor: 1}, "nvme false"},
		{Device{Major: 240, Minor: 1}, "dev240 false"},
		{Device{WWN: "5000c500a1b2c3d4"}, " false"},
	}
	for _, tt := range tests {
		class, partition := tt.in.class()
		if got := fmt.Sprint(class, " ", partition); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.in, got, tt.want)
		}
	}
}
