package prints_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/ingest/prints"
	"github.com/limpet-storage/limpet/internal/checkout"
)

// read writes texts to files and ranks them.
func read(t *testing.T, texts ...string) (*prints.Result, *look.Ranking, error) {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for i, text := range texts {
		file := filepath.Join(dir, fmt.Sprintf("x%d", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return rankFiles(t, files...)
}

func rankFiles(t *testing.T, files ...string) (*prints.Result, *look.Ranking, error) {
	t.Helper()
	r, err := prints.Read(t.Context(), files, strings.NewReader(""))
	if err != nil {
		return nil, nil, err
	}
	return r, look.Rank(r.Looks, look.DefaultOptions()), nil
}

func marked(r *look.Ranking, m look.Mark) (names []string) {
	for i := range r.Groups {
		for _, c := range r.Groups[i].Components {
			if c.Mark == m {
				names = append(names, c.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// maker makes prints of a dozen components, of which one is slow.
type maker struct {
	*rand.Rand
	slow  int     // index of the slow one; -1: none
	times float64 // how many times slower it is
}

const dozen = 12

// ms returns the latency of a component, and a rate of requests that is lower for the slow one.
func (m *maker) ms(i int, usual float64) (ms, rate float64) {
	ms, rate = usual*math.Exp(0.12*m.NormFloat64()), 90*math.Exp(0.05*m.NormFloat64())
	if i == m.slow {
		return ms * m.times, rate / 2
	}
	return ms, rate
}

// drive names a drive: sda, sdb …
func drive(i int) string { return "sd" + string(rune('a'+i)) }

func (m *maker) iostat(columns string, line func(w *strings.Builder, i int)) string {
	var b strings.Builder
	b.WriteString("Linux 6.1.0-30-amd64 (store-1) \t11/15/26 \t_x86_64_\t(8 CPU)\n\n")
	b.WriteString("avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           0.14    0.00    0.16    0.00    0.00   99.70\n\n" + columns + "\n")
	for i := range dozen {
		line(&b, i)
	}
	return b.String() + "\n"
}

// formats makes a print of each tool. The name of the slow component comes with it.
func (m *maker) formats() map[string][2]string {
	at := max(m.slow, 0)
	disk := "store-1/" + drive(at)
	out := map[string][2]string{}
	out["iostat 12"] = [2]string{m.iostat("Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util", func(b *strings.Builder, i int) {
		r, rs := m.ms(i, 6)
		w, ws := m.ms(i, 2)
		fmt.Fprintf(b, "%-10s %8.2f %8.2f 0.00 0.00 %8.2f 16.00 %8.2f %8.2f 0.00 0.00 %8.2f 16.00 %8.2f %8.2f\n", drive(i), rs, rs*16, r, ws, ws*16, w, (rs*r+ws*w)/1000, 40.0)
	}), disk}
	out["iostat 9"] = [2]string{m.iostat("Device:         rrqm/s   wrqm/s     r/s     w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  svctm  %util", func(b *strings.Builder, i int) {
		ms, rs := m.ms(i, 6)
		fmt.Fprintf(b, "%-10s 0.00 0.00 %8.2f %8.2f %8.2f %8.2f 32.00 %8.2f %8.2f 1.00 %8.2f\n", drive(i), rs/2, rs/2, rs*16, rs*16, rs*ms/1000, ms, 40.0)
	}), disk}
	out["iostat -xs"] = [2]string{m.iostat("Device             tps      kB/s    rqm/s   await  areq-sz  aqu-sz  %util", func(b *strings.Builder, i int) {
		ms, rs := m.ms(i, 6)
		fmt.Fprintf(b, "%-10s %8.2f %8.2f 0.00 %8.2f 16.00 %8.2f %8.2f\n", drive(i), rs, rs*16, ms, rs*ms/1000, 40.0)
	}), disk}
	var reads, writes [dozen]string
	for i := range dozen {
		r, rs := m.ms(i, 6)
		w, ws := m.ms(i, 2)
		reads[i] = fmt.Sprintf("%8.2f %8.1fM     0.00   0.0%% %8.2f    16.0k %s\n", rs, rs*16/1024, r, drive(i))
		writes[i] = fmt.Sprintf("%8.2f %8.1fk     0.00   0.0%% %8.2f    16.0k %s\n", ws, ws*16, w, drive(i))
	}
	human := m.iostat("     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device", func(b *strings.Builder, i int) { b.WriteString(reads[i]) }) +
		"     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz Device\n" + strings.Join(writes[:], "") + "\n     f/s f_await  aqu-sz  %util Device\n"
	for i := range dozen {
		human += fmt.Sprintf("    0.00    0.00    0.50  40.0%% %s\n", drive(i))
	}
	out["iostat -xh"] = [2]string{human, disk}
	var b strings.Builder
	b.WriteString("{\"sysstat\": {\"hosts\": [{\"nodename\": \"store-1\", \"statistics\": [\n{\"disk\": [\n")
	for i := range dozen {
		r, rs := m.ms(i, 6)
		w, ws := m.ms(i, 2)
		fmt.Fprintf(&b, "{\"disk_device\": %q, \"r/s\": %.2f, \"w/s\": %.2f, \"rkB/s\": %.2f, \"wkB/s\": %.2f, \"r_await\": %.2f, \"w_await\": %.2f, \"aqu-sz\": 0.5, \"util\": 40.00}", drive(i), rs, ws, rs*16, ws*16, r, w)
		if i < dozen-1 {
			b.WriteString(",\n")
		}
	}
	b.WriteString("]}]}]}}\n")
	out["iostat JSON"] = [2]string{b.String(), disk}
	b.Reset()
	b.WriteString("Linux 6.1.0-30-amd64 (store-1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n11:12:26 PM       DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n")
	for i := range dozen {
		ms, rs := m.ms(i, 6)
		fmt.Fprintf(&b, "11:12:27 PM       %s  %8.2f %8.2f %8.2f 0.00 16.00 %8.2f %8.2f 40.00\n", drive(i), rs, rs*8, rs*8, rs*ms/1000, ms)
	}
	out["sar"] = [2]string{b.String(), disk}
	b.Reset()
	b.WriteString("Linux 6.1.0-30-amd64 (store-1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n23:12:26          tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util DEV\n")
	for i := range dozen {
		ms, rs := m.ms(i, 6)
		fmt.Fprintf(&b, "23:12:27     %8.2f %8.1fk %8.1fk 0.0k 16.0k %8.2f %8.2f 40.0%% %s\n", rs, rs*8, rs*8, rs*ms/1000, ms, drive(i))
	}
	out["sar -dh"] = [2]string{b.String(), disk}
	for name, commit := range map[string]string{"ceph": "commit_latency(ms)  apply_latency(ms)", "ceph old": "fs_commit_latency(ms)  fs_apply_latency(ms)"} {
		b.Reset()
		b.WriteString("osd  " + commit + "\n")
		for i := range dozen {
			ms, _ := m.ms(i, 12)
			fmt.Fprintf(&b, "%3d %18.0f %18.0f\n", i, ms, ms)
		}
		out[name] = [2]string{b.String(), fmt.Sprintf("osd.%d", at)}
	}
	b.Reset()
	b.WriteString("\n{\n  \"osdstats\": {\n    \"osd_perf_infos\": [\n")
	for i := range dozen {
		ms, _ := m.ms(i, 12)
		fmt.Fprintf(&b, "{\"id\": %d, \"perf_stats\": {\"commit_latency_ms\": %.0f, \"apply_latency_ms\": %.0f, \"commit_latency_ns\": %.0f, \"apply_latency_ns\": %.0f}}%s\n", i, ms, ms, ms*1e6, ms*1e6, comma(i))
	}
	b.WriteString("]}}\n")
	out["ceph JSON"] = [2]string{b.String(), fmt.Sprintf("osd.%d", at)}
	b.Reset()
	b.WriteString(`              capacity     operations     bandwidth    total_wait     disk_wait    syncq_wait    asyncq_wait  scrub   trim
pool        alloc   free   read  write   read  write   read  write   read  write   read  write   read  write   wait   wait
----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
tank        1.34T   947G    900    900  14.4M  14.4M   30ms    7ms   30ms    3ms    1us      -      -      -      -      -
  raidz2-0  1.34T   947G    900    900  14.4M  14.4M   30ms    7ms   30ms    3ms    1us      -      -      -      -      -
`)
	for i := range dozen {
		r, rs := m.ms(i, 12)
		w, ws := m.ms(i, 0.4)
		fmt.Fprintf(&b, "    %s        -      -  %.0f  %.0f  1.4M  1.4M   %.0fms  %.0fus  %.0fms  %.0fus    1us      -      -      -      -      -\n", drive(i), rs, ws, r*1.1, w*1100, r, w*1000)
	}
	out["zpool"] = [2]string{b.String(), drive(at)}
	b.Reset()
	b.WriteString("tank\t1.34T\t947G\t900\t900\t14.4M\t14.4M\t30ms\t7ms\t30ms\t3ms\t1us\t-\t-\t-\t-\t-\nraidz2-0\t1.34T\t947G\t900\t900\t14.4M\t14.4M\t30ms\t7ms\t30ms\t3ms\t1us\t-\t-\t-\t-\t-\n")
	for i := range dozen {
		r, rs := m.ms(i, 12)
		w, ws := m.ms(i, 0.4)
		fmt.Fprintf(&b, "%s\t-\t-\t%.0f\t%.0f\t1.4M\t1.4M\t%.0fms\t%.0fus\t%.0fms\t%.0fus\t1us\t-\t-\t-\t-\t-\n", drive(i), rs, ws, r*1.1, w*1100, r, w*1000)
	}
	out["zpool -H"] = [2]string{b.String(), drive(at)}
	b.Reset()
	for i := range dozen {
		ms, _ := m.ms(i, 0.2)
		group := strings.NewReplacer(",", []string{",", ".", "'"}[i%3])
		fmt.Fprintf(&b, "Smart Log for NVME device:nvme%dn1 namespace-id:ffffffff\ncritical_warning                        : 0\ntemperature                             : 37 °C (310 K, 98 °F)\navailable_spare                         : 100%%\navailable_spare_threshold               : 10%%\npercentage_used                         : 3%%\nendurance group critical warning summary: 0\nData Units Read                         : %s (5.07 TB)\nData Units Written                      : %s (5.07 TB)\nhost_read_commands                      : %s\nhost_write_commands                     : %s\ncontroller_busy_time                    : %.0f\npower_cycles                            : 22\npower_on_hours                          : %s\nunsafe_shutdowns                        : 9\nmedia_errors                            : 0\nnum_err_log_entries                     : 0\nWarning Temperature Time                : 0\nCritical Composite Temperature Time     : 0\nTemperature Sensor 1           : 37 °C (310 K, 98 °F)\nThermal Management T1 Trans Count       : 0\nThermal Management T2 Trans Count       : 0\nThermal Management T1 Total Time        : 0\nThermal Management T2 Total Time        : 0\n\n",
			i, group.Replace("9,898,518"), group.Replace("9,898,518"), group.Replace("313,528,805"), group.Replace("313,528,805"), ms*627057610/60000, group.Replace("4,974"))
	}
	out["nvme 2"] = [2]string{b.String(), fmt.Sprintf("nvme%dn1", at)}
	b.Reset()
	for i := range dozen {
		ms, _ := m.ms(i, 0.2)
		fmt.Fprintf(&b, "Smart Log for NVME device:nvme%d namespace-id:ffffffff\ncritical_warning\t\t\t: 0\ntemperature\t\t\t\t: 37 C\ndata_units_read\t: 9,898,518\ndata_units_written\t: 9,898,518\nhost_read_commands\t\t: 313,528,805\nhost_write_commands\t\t: 313,528,805\ncontroller_busy_time\t\t: %.0f\npower_on_hours\t: 4,974\nmedia_errors\t: %d\n", i, ms*627057610/60000, i/11*3)
	}
	out["nvme"] = [2]string{b.String(), fmt.Sprintf("nvme%d", at)}
	b.Reset()
	for i := range dozen {
		ms, _ := m.ms(i, 0.2)
		fmt.Fprintf(&b, "/dev/nvme%d\n{\n  \"critical_warning\":0,\n  \"temperature\": 310,\n  \"data_units_read\": 9898518,\n  \"host_read_commands\": \"313528805\",\n  \"host_write_commands\": 313528805.0,\n  \"controller_busy_time\": %.0f,\n  \"media_errors\": 0\n}\n", i, ms*627057610/60000)
	}
	out["nvme JSON"] = [2]string{b.String(), fmt.Sprintf("nvme%d", at)}
	b.Reset()
	for i := range dozen {
		ms, _ := m.ms(i, 12)
		fmt.Fprintf(&b, "obdfilter.scratch-OST%04x.brw_stats=\nsnapshot_time:            1709305846.694991088 secs.nsecs\n\n                           read      |     write\ndisk I/Os in flight    ios   %% cum %% |  ios         %% cum %%\n1:                    1000 100 100   | 1000 100 100\n\n                           read      |     write\nI/O time (1/1000s)     ios   %% cum %% |  ios         %% cum %%\n", i)
		for upper := 1; upper <= 1024; upper *= 2 { // exponential latencies around the mean
			n := 10000 * (math.Exp(-float64(upper/2)/ms) - math.Exp(-float64(upper)/ms))
			fmt.Fprintf(&b, "%d:   %.0f  1  1   |  %.0f  1  1\n", upper, n, n)
		}
		b.WriteString("\n                           read      |     write\ndisk I/O size          ios   % cum % |  ios         % cum %\n1M:                   10000 100 100   | 10000 100 100\n\n")
	}
	out["lustre"] = [2]string{b.String(), fmt.Sprintf("scratch-OST%04x", at)}
	b.Reset()
	b.WriteString("# HELP node_disk_read_time_seconds_total x\nnode_uname_info{nodename=\"store-1\",release=\"6.1\"} 1\nnode_boot_time_seconds 1.7e+09\nnode_time_seconds 1.7001e+09\n")
	for i := range dozen {
		r, rs := m.ms(i, 6)
		w, ws := m.ms(i, 2)
		n := 1e5
		fmt.Fprintf(&b, "node_disk_reads_completed_total{device=%[1]q} %[2]g\nnode_disk_read_time_seconds_total{device=%[1]q} %[3]g\nnode_disk_writes_completed_total{device=%[1]q} %[4]g\nnode_disk_write_time_seconds_total{device=%[1]q} %[5]g\nnode_disk_read_bytes_total{device=%[1]q} %[6]g\nnode_disk_io_time_seconds_total{device=%[1]q} 100\n", drive(i), n*rs, n*rs*r/1000, n*ws, n*ws*w/1000, n*rs*16384)
	}
	out["node_exporter"] = [2]string{b.String(), disk}
	b.Reset()
	for i := range dozen {
		r, rs := m.ms(i, 6)
		fmt.Fprintf(&b, "   8 %7d %s %.0f 0 %.0f %.0f 0 0 0 0 0 1000 1000\n", 16*i, drive(i), 1e5*rs, 1e5*rs*32, 1e5*rs*r)
	}
	out["diskstats"] = [2]string{b.String(), drive(at)}
	b.Reset()
	for i := range dozen {
		r, rs := m.ms(i, 1)
		fmt.Fprintf(&b, "Brick: fs%d:/brick\n------\nInterval 3 Stats:\n %%-latency   Avg-latency   Min-Latency   Max-Latency   No. of calls         Fop\n ---------   -----------   -----------   -----------   ------------        ----\n 50.00  %.2f us  21.00 us  800.00 us  %.0f  WRITE\n\n", i, r*1000, rs*100)
	}
	out["gluster"] = [2]string{b.String(), fmt.Sprintf("fs%d:/brick", at)}
	for name, separator := range map[string]string{"CSV": ",", "semicolons": ";", "tabs": "\t", "spaces": "  "} {
		b.Reset()
		if name != "spaces" {
			b.WriteString(strings.Join([]string{"drive", "latency_ms", "iops"}, separator) + "\n")
		}
		for i := range dozen {
			ms, rs := m.ms(i, 6)
			unit := ""
			if name == "spaces" { // without a header, the unit shows that a number is a latency
				unit = "ms"
			}
			b.WriteString(strings.Join([]string{drive(i), fmt.Sprintf("%.2f%s", ms, unit), fmt.Sprintf("%.0f", rs)}, separator) + "\n")
		}
		out[name] = [2]string{b.String(), drive(at)}
		if name == "semicolons" {
			out["semicolons, decimal commas"] = [2]string{strings.ReplaceAll(b.String(), ".", ","), drive(at)}
		}
	}
	return out
}

func comma(i int) string {
	if i < dozen-1 {
		return ","
	}
	return ""
}

func newMaker(seed uint64, slow int, times float64) *maker {
	return &maker{rand.New(rand.NewPCG(seed, 7)), slow, times}
}

// TestUnknownNumbersAreRefused: sizes and other numbers that are not known to be latencies or rates are
// not compared, and known outputs are named.
func TestUnknownNumbersAreRefused(t *testing.T) {
	rows := "a 100\nb 100\nc 100\nd 4000\n"
	for text, want := range map[string]string{
		rows: "limpet does not know what the numbers in this table are",
		"x{dev=\"a\",le=\"1\"} 5\nx{dev=\"b\",le=\"1\"} 6\nx{dev=\"c\",le=\"1\"} 7\n": "does not know this format",
		"name capacity\n" + rows:     `no column of this table is known to be a latency or a rate (the columns of numbers are: "capacity")`,
		"name uptime\n" + rows:       "no column of this table",
		"name queue_len\n" + rows:    "no column of this table",
		"MemTotal:  100 kB\n" + rows: "the file is output of /proc/meminfo",
		"Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/a 100 50 50 50% /a\n/dev/b 100 50 50 50% /b\n/dev/c 900 50 850 6% /c\n": "the file is output of df",
	} {
		if _, _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, header := range []string{"name latency_ms", "name await", "disk iops", "host p99"} {
		if _, k, err := read(t, header+"\n"+rows); err != nil || k.Compared() != 4 {
			t.Errorf("%s: %v", header, err)
		}
	}
	_, k, err := read(t, "name bytes\n"+rows)
	if err != nil || !slices.Contains(k.Groups[0].Limits, look.NoSpeed) {
		t.Errorf("an amount of work is compared as a speed: %v", err)
	}
}

// TestMapsAreNotTables: the map of a client is neither a table nor /proc/diskstats.
func TestMapsAreNotTables(t *testing.T) {
	for _, file := range []string{"lustre/NERSC+pytokio/lctl-dl-t.txt.gz", "multipath/RedHatInsights+insights-core/MULTIPATH_V4_LL_DOC.txt"} {
		file = filepath.Join(checkout.Shared(t, "data/site"), file)
		if _, err := os.Stat(file); err != nil {
			t.Logf("%s is not here", file)
			continue
		}
		r, err := prints.Read(t.Context(), []string{file}, nil)
		if err != nil || r.Maps != 1 || len(r.Looks) > 0 || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", file, r, err)
		}
	}
}

// TestKnownTruth ranks made-up prints of every tool, with a slow component and without one.
func TestKnownTruth(t *testing.T) {
	for seed := range uint64(5) {
		for name, one := range newMaker(seed, int(seed)*2, 8).formats() {
			r, k, err := read(t, one[0])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := marked(k, look.Apart); !slices.Equal(got, []string{one[1]}) {
				t.Errorf("%s, seed %d: %v stand apart, not %s", name, seed, got, one[1])
				continue
			}
			m := k.Groups[0].Components[0].Measures[0]
			if m.Times < 4 || m.Times > 14 {
				t.Errorf("%s, seed %d: %.3g times slower, the truth is 8", name, seed, m.Times)
			}
			if len(r.Warnings) > 0 {
				t.Errorf("%s: %v", name, r.Warnings)
			}
		}
		for name, one := range newMaker(seed, -1, 1).formats() {
			_, k, err := read(t, one[0])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := append(marked(k, look.Apart), marked(k, look.Unsure)...); got != nil || k.Compared() != dozen {
				t.Errorf("%s, seed %d: %v stand out of %d healthy ones", name, seed, got, k.Compared())
			}
		}
	}
}

// TestNamesOfFilesDoNotMatter gives prints names of something else.
func TestNamesOfFilesDoNotMatter(t *testing.T) {
	text := newMaker(1, 3, 8).formats()["ceph"][0]
	for _, name := range []string{"iostat.txt", "sar", "data.json", "x.csv", "zpool-iostat.out"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, k, err := rankFiles(t, file)
		if err != nil || !slices.Equal(marked(k, look.Apart), []string{"osd.3"}) {
			t.Errorf("%s: %v, %v", name, err, k)
		}
	}
}

// TestOrderAndDuplicatesOfLines shuffles and doubles the lines of a table.
func TestOrderAndDuplicatesOfLines(t *testing.T) {
	for _, name := range []string{"ceph", "CSV", "spaces"} {
		text := newMaker(2, 5, 8).formats()[name][0]
		_, want, err := read(t, text)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(text), "\n")
		head, rest := lines[:1], lines[1:]
		if name == "spaces" {
			head, rest = nil, lines
		}
		other := slices.Clone(rest)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		var doubled []string
		for _, line := range other {
			doubled = append(doubled, line, line)
		}
		for what, lines := range map[string][]string{"shuffled": other, "doubled": doubled} {
			_, got, err := read(t, strings.Join(append(slices.Clone(head), lines...), "\n")+"\n")
			if err != nil {
				t.Fatal(err)
			}
			if a, b := fmt.Sprint(got), fmt.Sprint(want); a != b {
				t.Errorf("%s, %s:\n%s\nand not\n%s", name, what, a, b)
			}
		}
	}
}

// TestSeveralPrints joins prints in one file and in several: both are the same looks.
func TestSeveralPrints(t *testing.T) {
	var texts []string
	for seed := range uint64(6) {
		texts = append(texts, newMaker(seed, 4, 8).formats()["ceph JSON"][0])
	}
	_, files, err := read(t, texts...)
	if err != nil {
		t.Fatal(err)
	}
	var joined strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&joined, "2026-11-15T23:1%d:00Z\n%s", i, text)
	}
	_, one, err := read(t, joined.String())
	if err != nil {
		t.Fatal(err)
	}
	for what, k := range map[string]*look.Ranking{"files": files, "one file": one} {
		c := k.Groups[0].Components[0]
		if k.Looks != 6 || c.Name != "osd.4" || c.Certainty != look.Persists || c.ApartLooks != 6 {
			t.Errorf("%s: %d looks, %s %q in %d", what, k.Looks, c.Name, c.Certainty, c.ApartLooks)
		}
	}
	if got := one.Groups[0].Components[0].Since.Format("15:04"); got != "23:10" {
		t.Errorf("since %s, not 23:10", got)
	}
}

// TestDamage garbles a line in the middle of each print, and cuts prints off. What is left is
// ranked, and a message has the file.
func TestDamage(t *testing.T) {
	for name, one := range newMaker(3, 2, 8).formats() {
		lines := strings.Split(one[0], "\n")
		middle := len(lines) * 3 / 4
		lines[middle] = strings.Repeat("\x01#?%", 5)
		r, k, err := read(t, strings.Join(lines, "\n"))
		if err == nil && len(k.Groups) == 0 && len(r.Warnings) == 0 {
			t.Errorf("%s: a garbled line leaves nothing, and there is no word about it", name)
		}
		if err != nil && !strings.Contains(err.Error(), "x0") {
			t.Errorf("%s: %q does not name the file", name, err)
		}
		isJSON := strings.Contains(name, "JSON") && name != "nvme JSON"
		if !isJSON && (err != nil || !slices.Contains(marked(k, look.Apart), one[1])) {
			t.Errorf("%s: one garbled line hides %s: %v", name, one[1], err)
		}
		for part := range 20 {
			if _, _, err := read(t, one[0][:len(one[0])*part/20]); err != nil && !strings.Contains(err.Error(), "x0") {
				t.Errorf("%s, cut at %d/20: %q does not name the file", name, part, err)
			}
		}
	}
}

// TestDamagedJSON has the good print before a broken one.
func TestDamagedJSON(t *testing.T) {
	text := newMaker(3, 2, 8).formats()["ceph JSON"][0]
	r, k, err := read(t, text+text[:len(text)/2])
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(marked(k, look.Apart), []string{"osd.2"}) {
		t.Errorf("the good print shows %v", marked(k, look.Apart))
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], fmt.Sprintf("x0:%d: the JSON that begins in this line is incomplete or damaged", strings.Count(text, "\n")+2)) {
		t.Errorf("warnings %q", r.Warnings)
	}
}

// TestRecordedThrottledDevice ranks what iostat and sar printed of a real device that was
// throttled (testdata/README.md).
func TestRecordedThrottledDevice(t *testing.T) {
	for file, looks := range map[string]int{"iostat.txt": 1, "iostat4.txt": 4, "iostat.json": 1, "sar.txt": 2} {
		_, k, err := rankFiles(t, filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(k, look.Apart); !slices.Equal(got, []string{"store-1/loop2"}) || k.Looks != looks {
			t.Errorf("%s: %v stand apart in %d looks, not loop2 in %d", file, got, k.Looks, looks)
		}
		if slices.Contains(k.Groups[0].Limits, look.NotThePresent) {
			t.Errorf("%s: iostat -y and sar print the present", file)
		}
	}
}

// TestFirstReportIsSinceStart has iostat without -y.
func TestFirstReportIsSinceStart(t *testing.T) {
	text := newMaker(1, 3, 8).formats()["iostat 12"][0]
	_, k, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(k.Groups[0].Limits, look.NotThePresent) {
		t.Errorf("limits %v: the first report of iostat is the mean since the start", k.Groups[0].Limits)
	}
	_, table, _ := strings.Cut(newMaker(2, 5, 8).formats()["iostat 12"][0], "\n")
	_, k, err = read(t, text+table)
	if err != nil {
		t.Fatal(err)
	}
	if got := marked(k, look.Apart); !slices.Equal(got, []string{"store-1/" + drive(5)}) || k.Looks != 1 {
		t.Errorf("the second report counts alone: %v in %d looks", got, k.Looks)
	}
}

// TestPipe reads standard input, plain and packed.
func TestPipe(t *testing.T) {
	text := newMaker(1, 3, 8).formats()["ceph"][0]
	r, err := prints.Read(t.Context(), []string{prints.Stdin}, bytes.NewReader([]byte(text)))
	if err != nil || len(r.Looks) != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestHostsOfMaps has OSDs whose servers only the tree has, as text and as JSON, and OSTs whose
// servers lctl dl -t has.
func TestHostsOfMaps(t *testing.T) {
	perf := "osd  commit_latency(ms)  apply_latency(ms)\n"
	tree := "ID   CLASS  WEIGHT    TYPE NAME         STATUS  REWEIGHT  PRI-AFF\n -1         87.00000  root default\n"
	space := "ID  CLASS  WEIGHT   REWEIGHT  SIZE     RAW USE  DATA     OMAP    META      AVAIL    %USE  VAR   PGS  STATUS  TYPE NAME        \n"
	var nodes []string
	for h := range 6 {
		tree += fmt.Sprintf("%3d         14.50000      host ceph%d\n", -3-2*h, h)
		space += fmt.Sprintf("%3d         0.09760         -  100 GiB  1.0 GiB  400 KiB   5 KiB  1024 MiB   99 GiB  1.00  1.00    -              host ceph%d\n", -3-2*h, h)
		var children []string
		for o := range 4 {
			id := 4*h + o
			ms := 10 + id%3
			if h == 1 || h == 4 {
				ms *= 6
			}
			perf += fmt.Sprintf("%3d %19d %18d\n", id, ms, ms)
			tree += fmt.Sprintf("%3d    hdd   3.63869          osd.%d          up   1.00000  1.00000\n", id, id)
			space += fmt.Sprintf("%3d    hdd  0.09760   1.00000  100 GiB  1.0 GiB  400 KiB   5 KiB  1024 MiB   99 GiB  1.00  1.00   69      up          osd.%d    \n", id, id)
			children = append(children, fmt.Sprint(id))
			nodes = append(nodes, fmt.Sprintf(`{"id": %d, "name": "osd.%d", "type": "osd", "device_class": "hdd", "status": "up"}`, id, id))
		}
		nodes = append(nodes, fmt.Sprintf(`{"id": %d, "name": "ceph%d", "type": "host", "children": [%s]}`, -3-2*h, h, strings.Join(children, ", ")))
	}
	for name, given := range map[string][]string{
		"tree": {perf, tree}, "df tree": {perf, space}, "JSON": {perf, `{"nodes": [` + strings.Join(nodes, ",\n") + `], "stray": []}`}, "one file": {tree + "\n" + perf},
	} {
		_, k, err := read(t, given...)
		if err != nil {
			t.Fatal(err)
		}
		var hosts []string
		for _, h := range k.Groups[0].Hosts {
			hosts = append(hosts, h.Name)
		}
		slices.Sort(hosts)
		if !slices.Equal(hosts, []string{"ceph1", "ceph4"}) || marked(k, look.Apart) != nil || k.Groups[0].Kind != "hdd OSDs" {
			t.Errorf("%s: servers %v and components %v of %q stand apart, not ceph1 and ceph4", name, hosts, marked(k, look.Apart), k.Groups[0].Kind)
		}
	}
}

// TestMovesOfMaps has maps of four tools, each after a line with the time.
func TestMovesOfMaps(t *testing.T) {
	for name, test := range map[string]struct{ before, after, object, from, to string }{
		"lctl": {
			"  6 UP osc work-OST0001-osc-ffff885f81a64000 8dbdc7f6-8f86-86ea-052f-357e2db2a7d9 5 10.10.0.12@o2ib\n",
			"  6 UP osc work-OST0001-osc-ffff885f81a64000 8dbdc7f6-8f86-86ea-052f-357e2db2a7d9 5 10.10.0.11@o2ib\n",
			"work-OST0001", "10.10.0.12@o2ib", "10.10.0.11@o2ib",
		},
		"mmlsdisk": {
			"Disk name     IO performed on node     Device             Availability\n------------  -----------------------  -----------------  ------------\nnsd1          nsd01.example.com        /dev/sdb           up\n",
			"Disk name     IO performed on node     Device             Availability\n------------  -----------------------  -----------------  ------------\nnsd1          nsd02.example.com        /dev/sdb           up\n",
			"nsd1", "nsd01.example.com", "nsd02.example.com",
		},
		"multipath": {
			"mpatha (36f01faf000da360b0000033c528fea6d) dm-2 DELL,MD36xxi\nsize=54T features='0' hwhandler='1 rdac' wp=rw\n`-+- policy='round-robin 0' prio=0 status=active\n  |- 12:0:0:1 sdc 8:32   active ready running\n  `- 17:0:0:1 sdd 8:48   active ready running\n",
			"mpatha (36f01faf000da360b0000033c528fea6d) dm-2 DELL,MD36xxi\nsize=54T features='0' hwhandler='1 rdac' wp=rw\n`-+- policy='round-robin 0' prio=0 status=active\n  `- 12:0:0:1 sdc 8:32   active ready running\n",
			"mpatha path sdd", "listed", "",
		},
		"ceph": {
			"ID   CLASS  WEIGHT    TYPE NAME         STATUS  REWEIGHT  PRI-AFF\n -3         14.50000      host ceph1\n  0    hdd   3.63869          osd.0          up   1.00000  1.00000\n",
			"ID   CLASS  WEIGHT    TYPE NAME         STATUS  REWEIGHT  PRI-AFF\n -3         14.50000      host ceph1\n  0    hdd   3.63869          osd.0        down   1.00000  1.00000\n",
			"osd.0", "up", "down",
		},
	} {
		text := "2026-11-15T03:00:00Z\n" + test.before + "2026-11-15T03:01:00Z\n" + test.before + "2026-11-15T03:02:00Z\n" + test.after + "2026-11-15T03:03:00Z\n" + test.after
		r, err := prints.Read(t.Context(), []string{prints.Stdin}, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.Moves) != 1 {
			t.Errorf("%s: %d moves: %+v", name, len(r.Moves), r.Moves)
			continue
		}
		m := r.Moves[0]
		if m.Object != test.object || m.From != test.from || m.To != test.to || m.Since.Format("15:04") != "03:02" || m.Back {
			t.Errorf("%s: %+v", name, m)
		}
		r, err = prints.Read(t.Context(), []string{prints.Stdin}, strings.NewReader(text+"2026-11-15T03:09:00Z\n"+test.before))
		if err != nil || len(r.Moves) != 1 || !r.Moves[0].Back || r.Moves[0].Until.Format("15:04") != "03:09" {
			t.Errorf("%s, back again: %+v, %v", name, r.Moves, err)
		}
	}
}

// TestSitePrints reads every print of real sites that has latencies. None of these sites is known
// to have a slow component.
func TestSitePrints(t *testing.T) {
	for _, test := range []struct {
		file     string
		compared int
		idle     int
	}{
		{"iostat/kellyjonbrazil+jc/tests_fixtures_centos-7.7_iostat-x.out", 0, 1},
		{"iostat/kellyjonbrazil+jc/tests_fixtures_ubuntu-20.10_iostat-x.out", 0, 0},
		{"iostat/kellyjonbrazil+jc/tests_fixtures_ubuntu-20.10_iostat-mx.out", 0, 0},
		{"iostat/prometheus+node_exporter/node_exporter_diskstats", 9, 0},
		{"ceph/canonical+hotsos/ceph_osd_perf", 3, 0},
		{"ceph/canonical+hotsos/ceph_osd_perf_--format_json-pretty.json", 3, 0},
		{"ceph/canonical+hotsos/ceph_osd_df_tree", 3, 0},
		{"ceph/canonical+hotsos/ceph_osd_df_tree_--format_json-pretty.json", 3, 0},
		{"nvme/netdata+netdata/v2.11_nvme-smart-log.json", 0, 0},
		{"nvme/netdata+netdata/v2.3_nvme-smart-log.json", 0, 0},
		{"nvme/netdata+netdata/v2.3_nvme-smart-log-float.json", 0, 0},
		{"nvme/netdata+netdata/v2.3_nvme-smart-log-string.json", 0, 0},
		{"lustre/whamcloud+lustrefs-exporter/valid_mds.txt", 0, 3},
		{"lustre/whamcloud+lustrefs-exporter/valid2.txt", 0, 3},
		{"lustre/whamcloud+lustrefs-exporter/valid_no_newline.txt", 0, 2},
		{"lustre/whamcloud+lustrefs-exporter/2.14.0_ddn145_stats.txt", 0, 3},
		{"lustre/whamcloud+lustrefs-exporter/2.14.0_ddn133_exports.txt", 0, 1},
		{"lustre/whamcloud+lustrefs-exporter/ex8761-lctl.txt", 0, 3},
		{"lustre/whamcloud+lustrefs-exporter/osd_active.txt", 0, 1},
		{"lustre/whamcloud+lustrefs-exporter/brw_stats_with_data.txt", 0, 0},
		{"lustre/whamcloud+lustrefs-exporter/brw_stats_with_start_and_elapsed_time.txt", 0, 1},
		{"gluster/ofesseler+gluster_exporter/gluster_volume_profile_gv_test_info_cumulative.xml", 4, 0},
		{"gluster/performancecopilot+pcp/pcp_profile-gv0-info.xml", 0, 0},
	} {
		file := filepath.Join(checkout.Shared(t, "data/site"), test.file)
		if _, err := os.Stat(file); err != nil {
			t.Logf("%s is not here", test.file)
			continue
		}
		_, k, err := rankFiles(t, file)
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if got := marked(k, look.Apart); got != nil {
			t.Errorf("%s: %v stand apart", test.file, got)
		}
		if got := k.Compared(); got != test.compared {
			t.Errorf("%s: %d are compared, not %d", test.file, got, test.compared)
		}
		if got := len(marked(k, look.Idle)); got != test.idle {
			t.Errorf("%s: %d are idle, not %d", test.file, got, test.idle)
		}
	}
}

// TestRecordedCeph reads what a real Ceph printed every 5 s. Its osd.3 limps since 01:33:09.
func TestRecordedCeph(t *testing.T) {
	_, k, err := rankFiles(t, checkout.Shared(t, "data/ceph/osd-perf-slow-osd3.txt.zst"))
	if err != nil {
		t.Fatal(err)
	}
	c := k.Groups[0].Components[0]
	if got := marked(k, look.Apart); !slices.Equal(got, []string{"osd.3"}) || c.Certainty != look.Persists || c.Since.Format("15:04:05") < "01:33:09" || c.Since.Format("15:04:05") > "01:33:20" {
		t.Errorf("%v stand apart, %s since %s; osd.3 since 01:33:09 is right", got, c.Certainty, c.Since)
	}
}

// TestNVMeTemperature: the text of nvme-cli 2 has a temperature in °C, K and °F, and names its counts of
// heat otherwise than JSON does.
func TestNVMeTemperature(t *testing.T) {
	var b strings.Builder
	for i := range 6 {
		celsius, throttled := 37, 0
		if i == 4 {
			celsius, throttled = 71, 12
		}
		fmt.Fprintf(&b, "Smart Log for NVME device:nvme%d namespace-id:ffffffff\ncritical_warning : 0\ntemperature : %d °C (%d K, %d °F)\nhost_read_commands : 313,528,805\nhost_write_commands : 1,000\ncontroller_busy_time : 1,000\nWarning Temperature Time : %d\nThermal Management T1 Total Time : %d\n", i, celsius, celsius+273, celsius*9/5+32, throttled, throttled*60)
	}
	_, k, err := read(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range k.Groups[0].Components {
		var causes []string
		for _, r := range c.Reasons {
			causes = append(causes, fmt.Sprintf("%s %s %g, peers %g", r.Cause, r.Metric.Name, r.Value, r.Peers))
		}
		want := []string(nil)
		if c.Name == "nvme4" {
			want = []string{"errors minutes above the warning temperature 12, peers 0", "errors seconds of light throttling because of heat 720, peers 0", "heat temperature 71, peers 37"}
		}
		if !slices.Equal(causes, want) {
			t.Errorf("%s: %q, want %q", c.Name, causes, want)
		}
	}
}

// TestZpoolScript: zpool iostat -H has no header, no indent and no names of sections. Drives are
// compared with those of their pool, in each of several reports.
func TestZpoolScript(t *testing.T) {
	waits := func(text string) string {
		return strings.Repeat("\t"+text, 4) + "\t1us\t-\t-\t-\t-\t-\n"
	}
	var b strings.Builder
	for report := range 3 {
		for _, pool := range []string{"fast", "slow"} {
			fmt.Fprintf(&b, "%s\t1.3T\t947G\t900\t900\t14.4M\t14.4M%s", pool, waits("9ms"))
			for i := range 6 { // drives of a pool without groups have a capacity
				ms := "8ms"
				if pool == "slow" {
					ms = "40ms"
				}
				if pool == "fast" && i == 3 && report > 0 {
					ms = "90ms"
				}
				fmt.Fprintf(&b, "%s\t220G\t150G\t%d\t90\t1.4M\t1.4M%s", drive(i+6*strings.Count(pool, "slow")), 90+report, waits(ms))
			}
		}
		b.WriteString("\nnvme0n1\t1G\t9G\t900\t900\t14.4M\t14.4M" + waits("50us"))
	}
	r, k, err := read(t, b.String())
	if err != nil || len(r.Warnings) > 0 {
		t.Fatal(err, r.Warnings)
	}
	if got := marked(k, look.Apart); !slices.Equal(got, []string{"sdd"}) || k.Looks != 2 {
		t.Errorf("%v stand apart in %d looks; the first report is a mean since the start", got, k.Looks)
	}
	kinds := map[string]int{}
	for _, g := range k.Groups {
		kinds[g.Kind] = len(g.Components)
	}
	if kinds["drives of fast"] != 6 || kinds["drives of slow"] != 6 || len(kinds) != 3 {
		t.Errorf("groups %v", kinds)
	}
}

// TestLoopDevicesInTextAndJSON has the same numbers as text and as JSON of iostat: loop devices are
// left out of both if they do little work, and are compared in both if they do much.
func TestLoopDevicesInTextAndJSON(t *testing.T) {
	for loopRate, want := range map[float64]int{0.01: 6, 100: 66} {
		text := "Device r/s rkB/s r_await w/s wkB/s w_await aqu-sz %util\n"
		var disks []string
		add := func(name string, rate float64, ms float64) {
			text += fmt.Sprintf("%s %.2f %.2f %.2f 0.00 0.00 0.00 0.50 40.00\n", name, rate, 16*rate, ms)
			disks = append(disks, fmt.Sprintf(`{"disk_device": %q, "r/s": %.2f, "rkB/s": %.2f, "r_await": %.2f, "w/s": 0, "wkB/s": 0, "w_await": 0, "aqu-sz": 0.5, "util": 40}`, name, rate, 16*rate, ms))
		}
		for i := range 60 {
			add(fmt.Sprintf("loop%d", i), loopRate, 1+float64(i)/60)
		}
		for i := range 6 {
			add(fmt.Sprintf("sd%c", 'a'+i), 100, 5+float64(i)/6)
		}
		json := `{"sysstat": {"hosts": [{"nodename": "fs1", "statistics": [{"disk": [` + "\n" + strings.Join(disks, ",\n") + "\n]}]}]}}\n"
		for format, print := range map[string]string{"text": text, "JSON": json} {
			_, k, err := read(t, print)
			if err != nil {
				t.Fatal(err)
			}
			if k.Compared() != want {
				t.Errorf("%s, loop devices with %g reads a second: %d devices are compared, not %d", format, loopRate, k.Compared(), want)
			}
		}
	}
}

// TestDamagedLinesOfOSDsAreNamed cuts and garbles lines of ceph osd perf: each is named with its line,
// and the lines after it are read.
func TestDamagedLinesOfOSDsAreNamed(t *testing.T) {
	head := "osd  commit_latency(ms)  apply_latency(ms)\n  0  10 10\n  1  11 11\n  2  12 12\n"
	for text, want := range map[string][]string{
		head + " 4 900\n 5":                                      {`x0:5: the latencies of an OSD are not numbers, or one of them is missing, so the line "4 900" is left out`, `x0:6: `},
		head + " 4 x\n  5  10 10\n":                              {`x0:5: `},
		head + "%&! 900 900\n  5  10 10\n":                       {`x0:5: `},
		head + "~~~\n  5  10 10\n":                               {`x0:5: `},
		head + "2026-11-17T01:29:10Z\n":                          nil,
		head + "1789000000\n":                                    nil,
		head + "$ ceph osd df\nID CLASS\n 0 hdd 1.0 1.0 3 4 5\n": nil,
		head + "\n5\n":                                           nil,
	} {
		r, k, err := read(t, text)
		if err != nil || len(r.Warnings) != len(want) {
			t.Errorf("%q: %q, %v", text, r.Warnings, err)
			continue
		}
		for i := range want {
			if !strings.Contains(r.Warnings[i], want[i]) {
				t.Errorf("%q: %q, and %q is right", text, r.Warnings[i], want[i])
			}
		}
		if n := 3 + strings.Count(text, "  5  10"); k.Compared() != n {
			t.Errorf("%q: %d OSDs, and %d are there", text, k.Compared(), n)
		}
	}
}

// TestOutputOfStorageIsNamed gives output that limpet topology import reads, or knows by name.
func TestOutputOfStorageIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"Personalities : [raid1]\nmd0 : active raid1 sdb1[1] sda1[0]\n      1046528 blocks super 1.2 [2/2] [UU]\n\nunused devices: <none>\n":                     "x0: the file is output of mdadm or /proc/mdstat, which shows the parts of a storage system and no latencies",
		"NAME=\"sda\" KNAME=\"sda\" MAJ:MIN=\"8:0\" SIZE=\"931G\" TYPE=\"disk\" MODEL=\"X\"\n":                                                                   "the file is output of lsblk",
		"NAME ALIGNMENT MIN-IO OPT-IO PHY-SEC LOG-SEC ROTA SCHED RQ-SIZE RA WSAME\nsda 0 512 0 512 512 1 cfq 128 128 0B\nsdb 0 512 0 512 512 1 cfq 128 128 0B\n": "the file is output of lsblk",
		`{"epoch": 1, "osds": [], "osd_xinfo": []}`: "x0: this is output of ceph osd dump, and limpet look finds no latencies in it",
	} {
		if _, _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, and %q is right", text, err, want)
		}
	}
	if _, _, err := read(t, "Personalities : [raid1]\nmd0 : active raid1 sdb1[1] sda1[0]\n"); err == nil || !strings.Contains(err.Error(), "limpet topology import") {
		t.Errorf("%v, and the command that reads it is right", err)
	}
}
