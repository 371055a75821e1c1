package exporter

import (
	"testing"
)

func TestParseWWN(t *testing.T) {
	for text, want := range map[string][2]uint64{
		"0x5000c500a1b2c3d4":                   {0x5000c500a1b2c3d4, 0},
		"0x600605b00a2bdf00242b28c10dcb1999":   {0x600605b00a2bdf00, 0x242b28c10dcb1999},
		"eui.36344630525000000025384500000001": {},
		"":                                     {},
		"0x5000":                               {},
		"0xzzzzzzzzzzzzzzzz":                   {},
		"0x5000c500a1b2c3d4zzzzzzzzzzzzzzzz":   {},
		"0x600605b00a2bdf00242b28c10dcb1999000000": {},
	} {
		if got := parseWWN(text); got != want {
			t.Errorf("%s: %x", text, got)
		}
	}
}

func TestPartition(t *testing.T) {
	for name, want := range map[string]uint32{"sda": 0, "sda1": 1, "nvme0n1": 0, "nvme0n1p12": 12, "dm-3": 0, "md127": 0, "weird7": 0} {
		if got := partitionNumber(name); got != want {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// TestTicks: seconds become milliseconds modulo 2³², as the kernel counts them,
// whatever their binary fraction.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    uint32
	}{{0, 0}, {310.412, 310412}, {4294967.295, 4294967295}, {4294967.296, 0}, {4294968.297, 1001}} {
		if got := ticks(c.seconds); got != c.want {
			t.Errorf("%v: %d", c.seconds, got)
		}
	}
}

// TestUptime: the uptime follows the server's own clock where it is exported.
func TestUptime(t *testing.T) {
	const ms = 1_750_000_000_500
	for _, c := range []struct {
		name       string
		boot, time float64
		want       uint64
	}{
		{"nothing is told", 0, 0, 175_000_000_050},
		{"when it was started", 1_749_999_000, 0, 100_050},
		{"its clock too", 1_749_999_000, 1_750_000_100.25, 110_025},
		{"started in the future", 1_750_000_600, 0, 175_000_000_050},
	} {
		var v cells
		for f, x := range map[int]float64{hostBoot: c.boot, hostTime: c.time} {
			if x > 0 {
				v.values[f] = x
				v.filled |= 1 << f
			}
		}
		if got := uptime(&v, ms); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
}
