package tool

import (
	"strings"
	"testing"
)

const top = "# Collectl: V4.3.1 Host: store-1\n# Date:       20261115-231220  Secs: 1794784340 TZ: -0400\n"

func TestFormats(t *testing.T) {
	columns := "Name Reads RMerge RKBytes WaitR Writes WMerge WKBytes WaitW Request QueLen Wait SvcTim Util"
	header := "#Date Time"
	for _, disk := range []string{"sda", "sdb"} {
		for _, c := range strings.Fields(columns) {
			header += " [DSK:" + disk + "]" + c
		}
	}
	plot := header + "\n20261115 23:12:30 sda 10 0 40 3 30 0 60 5 2 1 4.5 1 9 sdb 1 0 4 3 1 0 4 5 2 1 4 1 2\n"
	want := "2026-11-16T03:12:30Z,store-1,sda,sd,40,4.5,3,5,40,60,1,9 2026-11-16T03:12:30Z,store-1,sdb,sd,2,4,3,5,4,4,1,2"
	for name, c := range map[string]struct{ text, want string }{
		"plot":         {top + plot, want},
		"plot as CSV":  {top + strings.ReplaceAll(plot, " ", ","), want},
		"milliseconds": {top + strings.ReplaceAll(plot, "23:12:30", "23:12:30.285"), want},
		"a drive that is new": {
			top + plot + "20261115 23:12:40 sda 1 0 4 3 1 0 4 5 2 1 4 1 2 sdb 1 0 4 3 1 0 4 5 2 1 4 1 2 sdc 1 0 4 3 1 0 4 5 2 1 4 1 2\n",
			want + " 2026-11-16T03:12:40Z,store-1,sda,sd,2,4,3,5,4,4,1,2 2026-11-16T03:12:40Z,store-1,sdb,sd,2,4,3,5,4,4,1,2 2026-11-16T03:12:40Z,store-1,sdc,sd,2,4,3,5,4,4,1,2",
		},
		"detail": {
			"# DISK STATISTICS (/sec)\n#                    <---------reads--------------->\n" +
				"#Date    Time     Name       KBytes Merged  IOs Size  Wait  KBytes Merged  IOs Size  Wait  RWSize  QLen  Wait SvcTim Util\n" +
				"20261115 23:12:30 sda            40      0   10    4     3      60      0   30    2     5       2     1     4      1    9\n",
			"2026-11-15T23:12:30,,sda,sd,40,4,3,5,40,60,1,9",
		},
		"detail of old versions": {
			"#Date    Time     Name       KBytes Merged  IOs Size  KBytes Merged  IOs Size  RWSize  QLen  Wait SvcTim Util\n" +
				"20261115 23:12:30 sda            40      0   10    4      60      0   30    2       2     1     4      1    9\n",
			"2026-11-15T23:12:30,,sda,sd,40,4,,,40,60,1,9",
		},
	} {
		got, err := readTable(t, "collectl", c.text)
		rows := strings.Join(strings.Fields(got)[1:], " ")
		if err != nil || rows != c.want {
			t.Errorf("%s:\n%s, %v, want\n%s", name, rows, err, c.want)
		}
	}
	if _, err := readTable(t, "collectl", "#Name KBytes Merged IOs Size KBytes Merged IOs Size RWSize QLen Wait SvcTim Util\n"); err == nil || !strings.Contains(err.Error(), "line 1: the output has no date") {
		t.Errorf("without a date: %v", err)
	}
}
