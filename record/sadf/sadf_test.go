package sadf

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

var debian = sysstat.Version{Major: 12, Patch: 6, Sub: 1}

// reported is a report with the arguments that ask sadf for it, and the
// suffix of files that hold what it prints.
type reported struct {
	suffix string
	report Report
	args   []string
}

var reports = []reported{
	{"disk", Disks, []string{"-d"}},
	{"dev", Interfaces, []string{"-n", "DEV"}},
	{"edev", InterfaceErrors, []string{"-n", "EDEV"}},
	{"tcp", TCP, []string{"-n", "TCP"}},
	{"etcp", TCPErrors, []string{"-n", "ETCP"}},
	{"cpu", CPUs, []string{"-u", "ALL", "-P", "ALL"}},
}

// dump is what Dump prints of a file, or its error.
func dump(t testing.TB, path string, opts Options) string {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	if err := Dump(&out, r, opts); err != nil {
		return err.Error()
	}
	return out.String()
}

// diff points at the first line that differs.
func diff(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			t.Errorf("line %d of %d:\ngot  %q\nwant %q", i+1, len(w), append(g, "")[min(i, len(g))], w[i])
			return
		}
	}
	t.Errorf("%d lines, want %d", len(g), len(w))
}

func TestFixtures(t *testing.T) {
	for _, file := range []string{"sa-disk", "sa-restart", "sa-all"} {
		for _, r := range reports {
			path := filepath.Join("..", "sysstat", "testdata", file)
			want, err := os.ReadFile(path + "." + r.suffix)
			if os.IsNotExist(err) && file == "sa-restart" {
				continue // recorded without TCP
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Run(file+"."+r.suffix, func(t *testing.T) {
				diff(t, dump(t, path, Options{Report: r.report}), string(want))
			})
		}
	}
}

func TestAbsent(t *testing.T) {
	got := dump(t, "../sysstat/testdata/sa-restart", Options{Report: TCP})
	if !strings.HasPrefix(got, "../sysstat/testdata/sa-restart: the file holds no TCP counters") {
		t.Error(got)
	}
	if err := (Options{Report: CPUs + 1}).Validate(); err == nil {
		t.Error("a report beyond the last is valid")
	}
}

// source hands out a file written by the test.
func source(t testing.TB, write func(w *sysstat.Writer, at func(s int) time.Time) error) *sysstat.Reader {
	t.Helper()
	var buf bytes.Buffer
	opts := sysstat.DefaultWriterOptions()
	opts.Hostname = "h"
	opts.Created = time.Date(2024, 2, 29, 23, 59, 58, 0, time.UTC)
	w, err := sysstat.NewWriter(&buf, opts)
	if err == nil {
		err = write(w, func(s int) time.Time { return opts.Created.Add(time.Duration(s) * time.Second) })
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := sysstat.NewReader(&buf, "test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pairOf are two samples of a disk and what is counted beside it.
func pairOf() (a, b *sysstat.Sample) {
	a = &sysstat.Sample{
		Disks: []sysstat.Disk{{
			Major: 8, Minor: 16, IOs: 100, ReadSectors: 1000, WriteSectors: 500, DiscardSectors: 8,
			ReadTicks: 10, WriteTicks: 20, DiscardTicks: 1, BusyTicks: 1<<32 - 50, QueueTicks: 7,
		}},
		Interfaces: []sysstat.Interface{{Name: "e0", RxBytes: 1000, SpeedMbit: 1, Duplex: sysstat.FullDuplex}},
		TCPErrors:  sysstat.TCPErrors{RetransSegs: 3},
	}
	b = &sysstat.Sample{
		Disks: []sysstat.Disk{{
			Major: 8, Minor: 16, IOs: 103, ReadSectors: 1024, WriteSectors: 548, DiscardSectors: 16,
			ReadTicks: 13, WriteTicks: 27, DiscardTicks: 2, BusyTicks: 50, QueueTicks: 27,
		}},
		Interfaces: []sysstat.Interface{{Name: "e0", RxBytes: 11240, TxBytes: 1024, SpeedMbit: 1, Duplex: sysstat.FullDuplex}},
		TCPErrors:  sysstat.TCPErrors{RetransSegs: 5},
	}
	return a, b
}

// Each version prints in its own way.
func TestStyles(t *testing.T) {
	const row = "h;2;2024-03-01 00:00:00 UTC"
	for _, c := range []struct {
		version string
		report  Report
		columns string
		row     string
	}{
		{"11.5.6", Disks, "rd_sec/s;wr_sec/s;avgrq-sz;avgqu-sz;await;svctm;%util", ";dev8-16;1.50;12.00;24.00;26.67;0.01;3.67;33.33;5.00"},
		{"11.5.7", Disks, "rkB/s;wkB/s;areq-sz;aqu-sz;await;svctm;%util", ";dev8-16;1.50;6.00;12.00;13.33;0.01;3.67;33.33;5.00"},
		{"12.1.1", Disks, "rkB/s;wkB/s;areq-sz;aqu-sz;await;svctm;%util", ";dev8-16;1.50;6.00;12.00;13.33;0.01;3.67;33.33;5.00"},
		{"12.1.2", Disks, "rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util", ";dev8-16;1.50;6.00;12.00;2.00;13.33;0.01;3.67;5.00"},
		{"12.4.0", Disks, "rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util", ";sdb;1.50;6.00;12.00;2.00;13.33;0.01;3.67;5.00"},
		{"12.7.2", Disks, "rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util", ";sdb;1.50;6.00;12.00;2.00;13.33;0.01;3.67;5.00"},
		{"12.7.3", Disks, "rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util", ";sdb;1.50;6.00;12.00;2.00;13.33;0.01;3.67;0.00"},
		{"10.1.6", Interfaces, "rxcmp/s;txcmp/s;rxmcst/s", ";e0;0.00;0.00;5.00;0.50;0.00;0.00;0.00"},
		{"10.1.7", Interfaces, "rxcmp/s;txcmp/s;rxmcst/s;%ifutil", ";e0;0.00;0.00;5.00;0.50;0.00;0.00;0.00;4.10"},
		{"12.7.5", TCPErrors, "retrans/s;isegerr/s;orsts/s", ";0.00;0.00;1.00;0.00;0.00"},
		{"12.7.6", TCPErrors, "retrseg/s;isegerr/s;orsts/s", ";0.00;0.00;1.00;0.00;0.00"},
	} {
		t.Run(c.version, func(t *testing.T) {
			a, b := pairOf()
			src := source(t, func(w *sysstat.Writer, at func(int) time.Time) error {
				if err := w.WriteStats(at(0), 1000, a); err != nil {
					return err
				}
				return w.WriteStats(at(2), 1200, b)
			})
			var out bytes.Buffer
			if err := Dump(&out, src, Options{Report: c.report, As: parseVersion(c.version)}); err != nil {
				t.Fatal(err)
			}
			columns, rows, _ := strings.Cut(out.String(), "\n")
			if !strings.HasSuffix(columns, ";"+c.columns) || rows != row+c.row+"\n" {
				t.Errorf("got\n%s\nwant\n…;%s\n%s", out.String(), c.columns, row+c.row)
			}
		})
	}
}

func parseVersion(s string) sysstat.Version {
	var v sysstat.Version
	fmt.Sscanf(s, "%d.%d.%d", &v.Major, &v.Patch, &v.Sub)
	return v
}

// Restarts, short intervals, devices that come and go.
func TestRecords(t *testing.T) {
	disk := func(minor uint32, ios uint64) sysstat.Disk {
		return sysstat.Disk{Major: 8, Minor: minor, IOs: ios, ReadSectors: ios}
	}
	src := func(t *testing.T) *sysstat.Reader {
		return source(t, func(w *sysstat.Writer, at func(int) time.Time) error {
			write := func(s int, uptime uint64, disks ...sysstat.Disk) error {
				return w.WriteStats(at(s), uptime, &sysstat.Sample{Disks: disks})
			}
			for _, err := range []error{
				w.WriteRestart(at(0), 4),
				w.WriteComment(at(0), "dev 8:0=boot"),
				write(1, 100, disk(0, 10)),
				write(2, 149, disk(0, 20)),                  // too soon for some
				write(2, 200, disk(16, 4), disk(0, 30)),     // one came
				write(3, 300, disk(16, 6)),                  // one went
				write(4, 400, disk(16, 1)),                  // replaced
				write(5, 400, disk(16, 2)),                  // no time passed
				w.WriteRestart(at(6), 2),                    //
				w.WriteRestart(at(7), 3),                    //
				write(8, 50, disk(0, 5)),                    // reference only
				w.WriteComment(at(9), "dev 8:0=boot2"),      //
				write(10, 260, disk(0, 5)),                  //
				write(11, 310, disk(0, 1<<50), disk(16, 3)), //
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	const newStyle = `h;-1;2024-02-29 23:59:58 UTC;LINUX-RESTART	(4 CPU)
# …
h;0;2024-03-01 00:00:00 UTC;boot;20.41;10.20
h;1;2024-03-01 00:00:00 UTC;sdb;7.84;3.92
h;1;2024-03-01 00:00:00 UTC;boot;19.61;9.80
h;1;2024-03-01 00:00:01 UTC;sdb;2.00;1.00
h;1;2024-03-01 00:00:02 UTC;sdb;1.00;0.50
h;0;2024-03-01 00:00:03 UTC;sdb;100.00;50.00
h;-1;2024-03-01 00:00:04 UTC;LINUX-RESTART	(2 CPU)
h;-1;2024-03-01 00:00:05 UTC;LINUX-RESTART	(3 CPU)
# …
h;2;2024-03-01 00:00:08 UTC;boot2;0.00;0.00
h;1;2024-03-01 00:00:09 UTC;boot2;2251799813685238.00;1125899906842619.00
h;1;2024-03-01 00:00:09 UTC;sdb;6.00;3.00
`
	const oldStyle = `h;-1;2024-02-29 23:59:58 UTC;LINUX-RESTART	(4 CPU)
# …
h;1;2024-03-01 00:00:00 UTC;dev8-16;4.00;2.00
h;1;2024-03-01 00:00:00 UTC;dev8-0;20.00;10.00
h;1;2024-03-01 00:00:01 UTC;dev8-16;2.00;1.00
h;1;2024-03-01 00:00:02 UTC;dev8-16;1.00;0.50
h;-1;2024-03-01 00:00:04 UTC;LINUX-RESTART	(2 CPU)
h;-1;2024-03-01 00:00:05 UTC;LINUX-RESTART	(3 CPU)
# …
h;2;2024-03-01 00:00:08 UTC;dev8-0;0.00;0.00
h;1;2024-03-01 00:00:09 UTC;dev8-0;2251799813685238.00;1125899906842619.00
h;1;2024-03-01 00:00:09 UTC;dev8-16;6.00;3.00
`
	for _, c := range []struct{ version, want string }{
		{"12.6.1", newStyle},
		{"12.3.2", oldStyle},
		{"12.1.7", oldStyle},
		{"10.2.1", strings.NewReplacer("\t(4 CPU)", "", "\t(2 CPU)", "", "\t(3 CPU)", "").Replace(oldStyle)},
	} {
		t.Run(c.version, func(t *testing.T) {
			var out bytes.Buffer
			if err := Dump(&out, src(t), Options{As: parseVersion(c.version)}); err != nil {
				t.Fatal(err)
			}
			got := firstColumns(out.String())
			if c.version == "10.2.1" { // sectors, not kB
				got = halve(got)
			}
			diff(t, got, c.want)
		})
	}
}

// firstColumns keeps of rows what comes before wkB/s.
func firstColumns(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ";")
		if strings.HasPrefix(line, "#") {
			fields = []string{"# …"}
		}
		fmt.Fprintln(&b, strings.Join(fields[:min(6, len(fields))], ";"))
	}
	return b.String()
}

func halve(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if i := strings.LastIndex(line, ";"); strings.Count(line, ";") == 5 {
			v, _ := strconv.ParseFloat(line[i+1:], 64)
			line = fmt.Sprintf("%s;%.2f", line[:i], v/2)
		}
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

func FuzzAppendFixed(f *testing.F) {
	for _, v := range []float64{0, 0.005, 0.015, 1.005, 0.125, 99.995, 1e9, 1e300, 123456.785} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		if !(v >= 0) {
			return
		}
		if got, want := string(appendFixed(nil, v)), strconv.FormatFloat(v, 'f', 2, 64); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	})
}

// Quotients as they occur: small numbers of I/Os over about a second.
func TestAppendFixed(t *testing.T) {
	for n := range 3000 {
		for _, d := range []float64{1, 2, 3, 8, 96, 99, 100, 101, 102, 200, 1024, 60000} {
			for _, v := range []float64{float64(n) / d, float64(n) / d * 100, float64(n) / d / 2} {
				if got, want := string(appendFixed(nil, v)), strconv.FormatFloat(v, 'f', 2, 64); got != want {
					t.Fatalf("%v: %s, want %s", v, got, want)
				}
			}
		}
	}
}
