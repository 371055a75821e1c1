package tables

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine/table"
)

const fleetHeader = "\"ts\",\"disk_id\",\"throughput\",\"latency\"\n"

// fleet makes tables as those of PERSEUS, a file a host and day, sorted by
// drive and then time, with values, drives and times missing here and there.
func fleet(hosts, drives, days, samples int) map[string]string {
	rng := rand.New(rand.NewPCG(2022, 7))
	files := make(map[string]string)
	value := func(scale float64) string {
		if rng.IntN(50) == 0 {
			return "NA"
		}
		return strconv.FormatFloat(scale*(0.5+rng.Float64()), 'f', 2, 64)
	}
	for day := range days {
		for host := 1; host <= hosts; host++ {
			var b strings.Builder
			b.WriteString(fleetHeader)
			for drive := 1; drive <= drives; drive++ {
				for i := range samples {
					if rng.IntN(100) > 0 {
						fmt.Fprintf(&b, "%d,\"disk%d\",%s,%s\n", 1658102400+86400*day+15*i, drive, value(2e7), value(70))
					}
				}
			}
			files[fmt.Sprintf("cluster/host_%d/2022-07-%02d.csv", host, 18+day)] = b.String()
		}
	}
	return files
}

func perseus(t testing.TB) *Description {
	t.Helper()
	data, err := os.ReadFile(checkout.Path(t, "examples/perseus.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return described(t, string(data))
}

// The twin sums up in another order: the last digits may differ.
const manyDigits = "%.13g"

type plainSample struct {
	time                int64
	throughput, latency float64
}

// plainRows is the twin of Tables for the tables of fleet: it reads all of
// them with encoding/csv into maps and prints them as rows does.
func plainRows(t testing.TB, files map[string]string, stepSeconds int64) string {
	t.Helper()
	type cell struct {
		end  int64
		name string
	}
	cells := make(map[cell][]plainSample)
	number := func(text string) float64 {
		if text == "NA" {
			return table.Missing
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for path, text := range files {
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records[1:] {
			ts, err := strconv.ParseInt(r[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			c := cell{(ts + stepSeconds - 1) / stepSeconds * stepSeconds, strings.Split(path, "/")[1] + "/" + r[1]}
			cells[c] = append(cells[c], plainSample{ts, number(r[2]), number(r[3])})
		}
	}
	var b strings.Builder
	for _, c := range slices.SortedFunc(maps.Keys(cells), func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(plainOrder(a.name), plainOrder(b.name)))
	}) {
		if text := plainMean(cells[c]); text != "- -" {
			fmt.Fprintf(&b, "%d %s %s\n", c.end, c.name, text)
		}
	}
	return b.String()
}

// plainOrder is the place of host_2/disk10 among names of that form.
func plainOrder(name string) int {
	var host, disk int
	fmt.Sscanf(name, "host_%d/disk%d", &host, &disk)
	return 1000*host + disk
}

func plainMean(samples []plainSample) string {
	slices.SortFunc(samples, func(a, b plainSample) int { return cmp.Compare(a.time, b.time) })
	work, loads, weighed, load, times := 0.0, 0.0, 0, 0.0, 0
	for _, s := range samples {
		if !table.IsMissing(s.throughput) {
			load, times = load+s.throughput, times+1
			if !table.IsMissing(s.latency) {
				loads, weighed = loads+s.throughput, weighed+1
			}
		}
	}
	usual := 1.0
	if loads > 0 {
		usual = loads / float64(weighed)
	}
	weights := 0.0
	for _, s := range samples {
		if table.IsMissing(s.latency) {
			continue
		}
		w := s.throughput
		if table.IsMissing(w) {
			w = usual
		}
		work, weights = work+w*s.latency, weights+w
	}
	latency, throughput := "-", "-"
	if weights > 0 {
		latency = fmt.Sprintf(manyDigits, work/weights)
	}
	if times > 0 {
		throughput = fmt.Sprintf(manyDigits, load/float64(times))
	}
	return latency + " " + throughput
}

func TestTablesAgainstTwin(t *testing.T) {
	files := fleet(3, 4, 3, 200)
	dir := write(t, files)
	for _, step := range []int64{15, 60, 7} {
		want := plainRows(t, files, step)
		for name, open := range map[string]func(testing.TB, *Description, int64, ...string) *Source{"kept": open, "read twice": openTwice, "kept in part": openPartly} {
			if got := formatted(t, open(t, perseus(t), step, dir), manyDigits); got != want {
				t.Errorf("step %d, %s: %s", step, name, firstDifference(got, want))
			}
		}
	}
}

// openPartly opens tables with memory for the samples of some files only.
func openPartly(t testing.TB, d *Description, step int64, paths ...string) *Source {
	t.Helper()
	tables := opened(t, d, Options{StepSeconds: step, MemoryBytes: 200 << 10}, paths...)
	kept := 0
	for _, f := range tables.files {
		if f.kept.isKept() {
			kept++
		}
	}
	if kept == 0 || kept == len(tables.files) {
		t.Errorf("the samples of %d of %d files are kept, want some of them", kept, len(tables.files))
	}
	return tables
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// What is the same must give the same rows: paths in another order or named
// twice, lines in another order, and files cut in two.
func TestTablesAreIndifferent(t *testing.T) {
	files := fleet(2, 3, 2, 1500)
	dir := write(t, files)
	d := perseus(t)
	want := rows(t, open(t, d, 60, dir))
	var paths []string
	for path := range files {
		paths = append(paths, filepath.Join(dir, path))
	}
	slices.Sort(paths)
	slices.Reverse(paths)
	tests := map[string]func(t *testing.T) []string{
		"paths reversed": func(*testing.T) []string { return paths },
		"paths twice":    func(*testing.T) []string { return append(paths, dir, dir+"/cluster/../cluster") },
		"lines shuffled": func(t *testing.T) []string {
			return []string{rewritten(t, files, func(rng *rand.Rand, lines []string) {
				rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			})}
		},
		"lines by time":        func(t *testing.T) []string { return []string{rewritten(t, files, byTime)} },
		"lines nearly by time": func(t *testing.T) []string { return []string{rewritten(t, files, nearlyByTime)} },
		"lines shuffled in blocks": func(t *testing.T) []string {
			return []string{rewritten(t, files, func(rng *rand.Rand, lines []string) {
				byTime(rng, lines)
				for block := range slices.Chunk(lines, 700) {
					rng.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
				}
			})}
		},
		"newest first": func(t *testing.T) []string {
			return []string{rewritten(t, files, func(rng *rand.Rand, lines []string) {
				byTime(rng, lines)
				slices.Reverse(lines)
			})}
		},
		"files cut in two": func(t *testing.T) []string {
			cut := make(map[string]string)
			for path, text := range files {
				middle := len(text)/2 + strings.IndexByte(text[len(text)/2:], '\n') + 1
				cut[path], cut[path[:len(path)-4]+"x.csv"] = text[:middle], fleetHeader+text[middle:]
			}
			return []string{write(t, cut)}
		},
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			tables := open(t, d, 60, make(t)...)
			if got := rows(t, tables); got != want {
				t.Error(firstDifference(got, want))
			}
			warned(t, tables)
			if got := rows(t, openTwice(t, d, 60, make(t)...)); got != want {
				t.Errorf("read twice: %s", firstDifference(got, want))
			}
		})
	}
}

func byTime(_ *rand.Rand, lines []string) {
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(a[:10], b[:10]) })
}

func nearlyByTime(rng *rand.Rand, lines []string) {
	byTime(rng, lines)
	for i := range len(lines) - 20 {
		j := i + rng.IntN(20)
		lines[i], lines[j] = lines[j], lines[i]
	}
}

// rewritten writes the files with their lines in another order.
func rewritten(t *testing.T, files map[string]string, order func(*rand.Rand, []string)) string {
	rng := rand.New(rand.NewPCG(3, 4))
	other := make(map[string]string)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		lines := strings.SplitAfter(strings.TrimPrefix(files[path], fleetHeader), "\n")
		lines = lines[:len(lines)-1]
		order(rng, lines)
		other[path] = fleetHeader + strings.Join(lines, "")
	}
	return write(t, other)
}

// Memory must not grow with the number of days, nor with the length of a file
// that is sorted by time, or nearly.
func TestTablesHoldLittle(t *testing.T) {
	peak := func(tables *Source) (most int) {
		for {
			if _, err := tables.Next(t.Context()); err != nil {
				return most
			}
			held := 0
			for _, c := range tables.active {
				held += cap(c.samples.times)
			}
			most = max(most, held)
		}
	}
	d := perseus(t)
	few, many := peak(openTwice(t, d, 15, write(t, fleet(3, 4, 2, 200)))), peak(openTwice(t, d, 15, write(t, fleet(3, 4, 12, 200))))
	if few == 0 || many > few+few/10 {
		t.Errorf("2 days hold %d samples, 12 days %d", few, many)
	}
	for name, order := range map[string]func(*rand.Rand, []string){"sorted": byTime, "nearly sorted": nearlyByTime} {
		files := fleet(1, 4, 1, 20000)
		if most := peak(openTwice(t, d, 15, rewritten(t, files, order))); most == 0 || most > 4*batchRows {
			t.Errorf("a file of 80,000 samples, %s, holds %d of them", name, most)
		}
	}
}

func TestFilesThatChange(t *testing.T) {
	dir := write(t, map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,2,2\n"})
	path := filepath.Join(dir, "h1/a.csv")
	rewrite := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tables := openTwice(t, described(t, perDrive), 15, dir)
	rewrite("ts,disk,latency,load\n15,d1,1,1\n30,d1,2,2\n45,d2,3,3\n")
	if got, want := rows(t, tables), "15 h1/d1 1 1\n30 h1/d1 2 2\n"; got != want {
		t.Errorf("a file that grows: got\n%swant\n%s", got, want)
	}
	for name, text := range map[string]string{
		"other components": "ts,disk,latency,load\n15,d3,1,1\n30,d3,2,2\n45,d4,3,3\n",
		"fewer lines":      "ts,disk,latency,load\n15,d1,1,1\n",
		"other columns":    "ts,disk,latency\n15,d1,1\n",
		"nothing":          "",
	} {
		tables = openTwice(t, described(t, perDrive), 15, dir)
		rewrite(text)
		if _, err := tables.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "a.csv: ") {
			t.Errorf("a file with %s: %v", name, err)
		}
		rewrite("ts,disk,latency,load\n15,d1,1,1\n30,d1,2,2\n45,d2,3,3\n")
	}
}

func BenchmarkTables(b *testing.B) {
	files := fleet(4, 12, 4, 720)
	dir, d, size := write(b, files), perseus(b), 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		tables := open(b, d, 0, dir)
		for {
			if _, err := tables.Next(b.Context()); err != nil {
				break
			}
		}
	}
}

// BenchmarkPlainTables only splits the same files, once.
func BenchmarkPlainTables(b *testing.B) {
	files := fleet(4, 12, 4, 720)
	size := 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range files {
			r := csv.NewReader(bytes.NewReader([]byte(text)))
			r.ReuseRecord = true
			for {
				if _, err := r.Read(); err != nil {
					break
				}
			}
		}
	}
}
