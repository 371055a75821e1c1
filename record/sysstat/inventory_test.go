package sysstat

import (
	"fmt"
	"strings"
	"testing"
)

func TestDeviceComments(t *testing.T) {
	for _, c := range []struct {
		device Device
		want   []string
	}{
		{Device{Major: 8, Name: "sda"}, []string{"dev 8:0=sda"}},
		{
			Device{
				Major: 8, Minor: 16, Name: "sdb", WWN: "0x5000c500a1b2c3d4", Model: "ST16000NM001G-2KK103",
				Serial: "ZL2A9XYZ", Size: 16000900661248, Parents: []string{"dm-3", "dm-4"}, MD: "md0", Pool: "tank/raidz2-0",
			},
			[]string{
				"dev 8:16=sdb wwn=0x5000c500a1b2c3d4 model=ST16000NM001G-2KK103",
				"dev 8:16 serial=ZL2A9XYZ md=md0 pool=tank/raidz2-0",
				"dev 8:16 size=16000900661248 parent=dm-3 parent=dm-4",
			},
		},
		{
			Device{Major: ServiceMajor, Minor: 5, Name: "osd.5", Class: "hdd", Host: "ceph2", On: "sdb,nvme0n1"},
			[]string{"dev 4097:5=osd.5 class=hdd host=ceph2 on=sdb,nvme0n1"},
		},
		{
			Device{Major: 259, Minor: 12, Name: "nvme11n1", Model: "SAMSUNG MZWLJ3T8HBLS-00007 ÄÖ with a long name %"},
			[]string{
				"dev 259:12=nvme11n1",
				"dev 259:12 model=SAMSUNG%20MZWLJ3T8HBLS-00007%20%c3%84%c3%96%20",
				"dev 259:12 model+=with%20a%20long%20name%20%25",
			},
		},
	} {
		var inv Inventory
		got := c.device.Comments()
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		for _, line := range got {
			if !inv.Add(line) {
				t.Errorf("%q was not taken", line)
			}
		}
		if back, _ := inv.Device(c.device.Major, c.device.Minor); fmt.Sprint(back) != fmt.Sprint(c.device) {
			t.Errorf("got %v, want %v", back, c.device)
		}
	}
}

func TestInventoryAdd(t *testing.T) {
	for _, c := range []struct {
		comments []string
		want     string // of Devices
	}{
		{[]string{"hello", "dev", "dev ", "dev 8=sda", "dev x:1=sda", "dev 8:-1=sda", "device 8:0=sda"}, "[]"},
		{[]string{"dev 8:0=sda wwn=0x1", "dev 8:0 model=A"}, "[{8 0 sda 0x1 A  0 []            }]"},
		// A name begins anew: another disk took the number.
		{[]string{"dev 8:0=sda wwn=0x1 model=A", "dev 8:0=sda wwn=0x2"}, "[{8 0 sda 0x2   0 []            }]"},
		{[]string{"dev 9:1 model=B colour=blue size=x", "dev 8:0=sda size=512"}, "[{8 0 sda    512 []            } {9 1   B  0 []            }]"},
		{[]string{"dev 8:0=s%64a serial=50%", "dev 8:0 serial+=%zz"}, "[{8 0 sda   50%%zz 0 []            }]"},
		{[]string{"dev 8:0=sda parent+=x parent=a", "dev 8:0 parent+=b parent=c"}, "[{8 0 sda    0 [ab c]            }]"},
	} {
		var inv Inventory
		for _, line := range c.comments {
			inv.Add(line)
		}
		if got := fmt.Sprint(inv.Devices()); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.comments, got, c.want)
		}
	}
}

// What Devices returned does not change when more is added.
func TestInventoryCopies(t *testing.T) {
	var inv Inventory
	inv.Add("dev 8:0=sda parent=a")
	before := inv.Devices()
	inv.Add("dev 8:0 parent+=b parent=c model=M")
	if fmt.Sprint(before) != "[{8 0 sda    0 [a]            }]" {
		t.Error(before)
	}
}

func FuzzInventory(f *testing.F) {
	f.Add("dev 8:0=sda wwn=0x5000c500a1b2c3d4", "model", "a b%c\x00")
	f.Add("dev 8:0 parent=x parent+=y", "", strings.Repeat("é", 99))
	f.Fuzz(func(t *testing.T, comment, name, value string) {
		var inv Inventory
		inv.Add(comment)
		inv.Add(comment)
		for _, d := range inv.Devices() {
			sameAfterComments(t, d)
		}
		value = value[:min(len(value), maxValue)]
		name = name[:min(len(name), maxValue)]
		sameAfterComments(t, Device{
			Major: 1<<32 - 1, Minor: 1<<32 - 1, Name: name, WWN: value, Model: value, Serial: name,
			Size: 1<<64 - 1, Parents: []string{value, name}, MD: name, Pool: value,
		})
	})
}

// sameAfterComments: a device survives being written and read.
func sameAfterComments(t *testing.T, d Device) {
	t.Helper()
	var inv Inventory
	for _, line := range d.Comments() {
		if len(line) > maxComment || text([]byte(line)) != line || !inv.Add(line) {
			t.Fatalf("%q is no comment", line)
		}
	}
	if back, _ := inv.Device(d.Major, d.Minor); fmt.Sprintf("%#v", back) != fmt.Sprintf("%#v", d) {
		t.Fatalf("got %#v, want %#v", back, d)
	}
}
