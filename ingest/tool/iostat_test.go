package tool

import (
	"strings"
	"testing"
)

// The first of four reports is of the time since the host was started.
func TestFixtures(t *testing.T) {
	for name, zone := range map[string]string{"iostat.txt": "", "iostat.json": "Z"} {
		got, err := readTable(t, "iostat", fixture(t, "tables/iostat/"+name))
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.Fields(got)[1:]
		if len(rows) != 3*4 {
			t.Errorf("%s: %d rows:\n%s", name, len(rows), got)
		}
		for _, row := range rows {
			if f := strings.Split(row, ","); len(f) != 12 || f[1] != "store-1" || !strings.HasPrefix(f[0], "2026-11-15T23:22:5") || strings.HasSuffix(f[0], "Z") != (zone != "") {
				t.Errorf("%s: row %s", name, row)
			}
		}
	}
}

// A row has the number of the line that it came from.
func TestLinesOfRows(t *testing.T) {
	text := fixture(t, "tables/iostat/iostat.txt")
	got, _ := readTable(t, "iostat", text)
	lines, rows := strings.Split(text, "\n"), strings.Split(got, "\n")
	for i, row := range rows[1:] {
		if f := strings.Split(row, ","); len(f) > 1 && !strings.HasPrefix(lines[i+1], f[2]) {
			t.Errorf("row %d is %s, the line %s", i+2, row, lines[i+1])
		}
	}
}

const since = "Linux 5.8.0 (a) \t12/02/21 \t_x86_64_\t(2 CPU)\n\n12/02/21 10:00:00\nDevice r/s r_await w/s w_await\nsda 9 9 9 9\n\n12/02/21 10:00:15\n"

func TestVersions(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"waits of reads, writes and discards": {
			"Device r/s rkB/s r_await w/s wkB/s w_await d/s d_await aqu-sz %util\nsda 1.00 8.00 10.00 3.00 4.00 2.00 0.00 0.00 0.02 1.50\n",
			"2021-12-02T10:00:15,a,sda,sd,4,4,10,2,8,4,0.02,1.5",
		},
		"one wait of all, sectors": {
			"Device: rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util\nnvme0n1 0 0 1.00 3.00 16 8 6 0.02 4.25 1 2\n",
			"2021-12-02T10:00:15,a,nvme0n1,nvme,4,4.25,,,8,4,0.02,2",
		},
		"megabytes, decimal commas": {
			"Device r/s rMB/s r_await w/s wMB/s w_await aqu-sz %util\nsdb 1,00 0,50 10,00 0,00 0,00 0,00 0,02 1,50\n",
			"2021-12-02T10:00:15,a,sdb,sd,1,10,10,0,512,0,0.02,1.5",
		},
		"no requests": {"Device r/s r_await w/s w_await\nsdb 0 0 0 0\n", "2021-12-02T10:00:15,a,sdb,sd,0,0,0,0,,,,"},
		"a line that is cut off": {
			"Device r/s r_await w/s w_await\nsda 1 10 1 20\nsdb 1 1", "2021-12-02T10:00:15,a,sda,sd,2,15,10,20,,,, 2021-12-02T10:00:15,a,sdb,sd,,,1,,,,,",
		},
		"no drives": {"Device r/s r_await w/s w_await\nsda 1 10 1 20\nloop3 1 1 1 1\nsda1 1 1 1 1\nmd0 1 1 1 1\n", "2021-12-02T10:00:15,a,sda,sd,2,15,10,20,,,,"},
	} {
		got, err := readTable(t, "iostat", since+c.text)
		if rows := strings.Join(strings.Fields(got)[1:], " "); err != nil || rows != c.want {
			t.Errorf("%s:\n%s, %v, want\n%s", name, rows, err, c.want)
		}
	}
}

func TestIostatRefused(t *testing.T) {
	const banner = "Linux 5.8.0 (a) \t12/02/21 \t_x86_64_\t(2 CPU)\n"
	for text, want := range map[string]string{
		banner + "Device r/s r_await w/s w_await\nsda 9 9 9 9\n":                                 "line 2: the output has no time: run iostat with -t",
		banner + "12/02/21 10:00:00\nDevice tps kB_read/s\nsda 9 9\n":                            "line 3: the output has no wait times: run iostat with -x",
		since[:strings.LastIndex(since, "\n\n")]:                                                 "give the output of iostat -x -t 15 over several intervals",
		`{"sysstat": {"hosts": [{"nodename": "a", "statistics": [{"disk": []}, {"disk": [{"d`:    "report 1: the text is incomplete: its end is missing",
		`{"sysstat": {"hosts": [{"statistics": [{}, {"disk": [{"disk_device": "sda", "r/s":1}]}`: "report 2: the output has no time",
	} {
		if _, err := readTable(t, "iostat", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
