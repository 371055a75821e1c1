package tool

import (
	"strings"
	"testing"
)

const header = `              capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait    asyncq_wait  scrub   trim
pool        alloc   free   read  write   read  write   read  write   read  write   read  write   read  write   wait   wait
----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
`

const body = `tank        1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms    1us    1us    4us    3ms   52ms      -
  raidz1-0  1.34T   947G      0    239  2.84K  39.9M   30ms    7ms   30ms    3ms    1us    1us    4us    3ms   52ms      -
    sda1        -      -     10     30    512     1K   40ms    8ms   20ms    4ms    1us    2us    1us    2ms   28ms      -
    sdb1        -      -      0      0      0      0      -      -      -      -      -      -      -      -      -      -
logs            -      -      -      -      -      -      -      -      -      -      -      -      -      -      -      -
  nvme0n1       -      -      0     1K      0     1M      -  585us      -  100us      -      -      -      -      -      -
----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
`

func TestReports(t *testing.T) {
	got, err := readTable(t, "zpool", "1794784343\n"+header+body+"1794784358\n"+header+body)
	want := "1794784343,tank,data,raidz1-0,sda1,40,8,16,1536 " +
		"1794784343,tank,data,raidz1-0,sdb1,0,0,0,0 " +
		"1794784343,tank,logs,,nvme0n1,1024,0.1,0.585,1.048576e+06"
	want += " " + strings.ReplaceAll(want, "1794784343", "1794784358")
	if rows := strings.Join(strings.Fields(got)[1:], " "); err != nil || rows != want {
		t.Errorf("got\n%s, %v, want\n%s", rows, err, want)
	}
	if lines := strings.Split(got, "\n"); !strings.Contains(lines[6], "sda1") {
		t.Errorf("line 7 of the table is %q", lines[6])
	}
}

// With -p numbers are exact, waits in nanoseconds.
func TestExact(t *testing.T) {
	text := "Sun Nov 15 23:12:20 UTC 2026\n" + header + "tank 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n  sda 1 2 1 3 4096 8192 9000000 8000000 6000000 2000000 - - - - - -\n"
	got, err := readTable(t, "zpool", text)
	if want := "2026-11-15T23:12:20Z,tank,data,,sda,4,3,8.25,12288"; err != nil || strings.Fields(got)[1] != want {
		t.Errorf("%s %v, want %s", got, err, want)
	}
}

func TestZpoolRefused(t *testing.T) {
	short := "capacity     operations     bandwidth\npool        alloc   free   read  write   read  write\n"
	for text, want := range map[string]string{
		header + body: "line 2: the output has no time: run zpool iostat with -T u",
		"1794784343\n" + short + "tank 1 2 3 4 5 6\n":                        "line 3: the output has no wait times: run zpool iostat with -l",
		"1794784343\n" + strings.Replace(header, "wait\n", "wait size\n", 1): "line 3: some columns are unknown",
		"1794784343\n": "give the output of zpool iostat -vly -T u 15",
	} {
		if _, err := readTable(t, "zpool", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
