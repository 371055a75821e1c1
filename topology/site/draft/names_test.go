package draft

import "testing"

// TestSplitName: what a LUN is called is cut between words, never within one.
func TestSplitName(t *testing.T) {
	for _, tt := range []struct{ name, prefix, kind, number string }{
		{"ddn6_lun034", "ddn6", "lun", "034"},
		{"d1_vol01", "d1", "vol", "01"},
		{"fastpool12", "fastpool", "", "12"},
		{"sfa7_d3", "sfa7", "d", "3"},
		{"sfa7d3", "sfa7", "d", "3"},
		{"60001ff000000000d73b9d0ba1d87590", "", "", ""}, // a WWN
		{"naa.5000c500a1b2c3d4", "", "", ""},
		{"5000c500a1b20012", "", "", ""},
	} {
		if prefix, kind, number := splitName(tt.name); prefix != tt.prefix || kind != tt.kind || number != tt.number {
			t.Errorf("%s: %q, %q, %q", tt.name, prefix, kind, number)
		}
	}
}

// TestProtection: the name of a pool tells md from ZFS.
func TestProtection(t *testing.T) {
	for _, tt := range []struct{ pool, kind, redundancy string }{
		{"md0", "md", ""},
		{"md/0", "md", ""},
		{"md-aaa:bbb", "md", ""},
		{"mdata/raidz2-0", "zfs", "raidz2"},
		{"mdata", "", ""},
		{"tank/draid2:8d:11c:1s-0", "zfs", "raidz2"},
		{"drive group 3", "raid", ""},
	} {
		if kind, redundancy := protection(tt.pool); kind != tt.kind || redundancy != tt.redundancy {
			t.Errorf("%s: %q, %q", tt.pool, kind, redundancy)
		}
	}
}
