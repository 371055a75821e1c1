package tool

import (
	"os"
	"strings"
	"testing"
)

// What sar prints of a file, and sadf in its three ways, is one table.
func TestOneTable(t *testing.T) {
	var want string
	for _, name := range []string{"sar.txt", "sadf.json", "sadf.xml", "sadf-d.txt"} {
		b, err := os.ReadFile("testdata/tables/sar/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := readTable(t, "sar", string(b))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(strings.ReplaceAll(text, "Z,", ",")), "\n")
		if want == "" {
			want = got
		}
		if rows := strings.Count(got, "\n"); got != want || rows != 3*4 {
			t.Errorf("%s: %d rows\n%s\nwant\n%s", name, rows, got, want)
		}
	}
	if line := "2026-11-15T23:22:52,store-1,vda,vd,148,0.11,,,0,10778.5,0.02,1.2"; !strings.Contains(want, line) {
		t.Errorf("no line %s in\n%s", line, want)
	}
}

const banner = "Linux 2.6.32 (a) \t09/24/12 \t_x86_64_\t(2 CPU)\n\n"

func TestText(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"sectors, past midnight": {
			banner + "23:50:00 DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util\n23:59:59 dev8-0 2.00 16.00 8.00 12 0.01 3.50 1 0.2\n00:09:59 dev8-0 1.00 0.00 8.00 8 0.01 4.50 1 0.1\n",
			"2012-09-24T23:59:59,a,sda,sd,2,3.5,,,8,4,0.01,0.2 2012-09-25T00:09:59,a,sda,sd,1,4.5,,,0,4,0.01,0.1",
		},
		"twelve hours, name last": {
			banner + "10:00:00 PM tps rkB/s wkB/s await %util DEV\n10:10:00 PM 2.00 8.00 4.00 3.50 0.2 sda\n",
			"2012-09-24T22:10:00,a,sda,sd,2,3.5,,,8,4,,0.2",
		},
		"among other reports": {
			banner + "22:00:00 CPU %user\n22:10:00 all 3.00\nAverage: all 3.00\n\n22:00:00 DEV tps await\n22:10:00 sda 2.00 3.50\n22:10:00 loop0 2.00 3.50\nAverage: sda 2.00 3.50\n\n22:15:00 LINUX RESTART\n\n22:00:00 IFACE rxpck/s\n22:10:00 eth0 3\n",
			"2012-09-24T22:10:00,a,sda,sd,2,3.5,,,,,,",
		},
		"a comment is no line of a table": {
			banner + "22:00:00 DEV tps await\n22:05:00 COM DEV tps were high, see Device\n22:10:00 sda 2.00 3.50\n",
			"2012-09-24T22:10:00,a,sda,sd,2,3.5,,,,,,",
		},
		"days after each other": {
			banner + "22:00:00 DEV tps await\n22:10:00 sda 2.00 3.50\n" + strings.Replace(banner, "24", "26", 1) + "01:00:00 DEV tps await\n01:10:00 sda 1.00 2\n",
			"2012-09-24T22:10:00,a,sda,sd,2,3.5,,,,,, 2012-09-26T01:10:00,a,sda,sd,1,2,,,,,,",
		},
	} {
		got, err := readTable(t, "sar", c.text)
		if rows := strings.Join(strings.Fields(got)[1:], " "); err != nil || rows != c.want {
			t.Errorf("%s:\n%s, %v, want\n%s", name, rows, err, c.want)
		}
	}
}

func TestSarRefused(t *testing.T) {
	for text, want := range map[string]string{
		"22:00:00 DEV tps await\n22:10:00 sda 2.00 3.50\n":        "line 2: the output has no date: keep the first line",
		"Linux 2.6.32 (a) \t24.Sept.12 \t_x86_64_\n":              "line 1: limpet cannot read the date 24.Sept.12",
		banner + "22:00:00 CPU %user\n22:10:00 all 3.00\n":        "give the output of sar -d or sadf -j -- -d",
		`<sysstat><host nodename="a"><timestamp date="2026-1`:     "line 1: XML syntax error",
		`{"sysstat": {"hosts": [{"statistics": [{"disk": [{"disk`: "report 0: the text is incomplete: its end is missing",
	} {
		if _, err := readTable(t, "sar", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
