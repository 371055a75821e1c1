//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
)

// dataLimit has the command live within so many bytes of its own memory, as
// RLIMIT_DATA counts them: what is mapped and may be written, used or not.
const dataLimit = "LIMPET_TEST_DATA_LIMIT"

// limitMemory is what the command does first where a test asks for it.
func limitMemory() {
	if group := os.Getenv(controlGroup); group != "" {
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte("0"), 0); err != nil {
			panic(err)
		}
	}
	most, err := strconv.ParseUint(os.Getenv(dataLimit), 10, 64)
	if err != nil {
		return
	}
	spareMemory()
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}); err != nil {
		panic(err)
	}
}

// torture asks for bombs of their full size and within a gigabyte; otherwise
// they are smaller, and so is what the command may take. LIMPET_BOMBS is where
// they are made, in place of TMPDIR: some gigabytes, which memory can hold.
var torture = os.Getenv("LIMPET_TORTURE") != ""

// A bomb is a small or endless input that would take all memory or time.
type bomb struct {
	args string         // of the command; DIR/ is where files are
	make func(b *bombs) // what it reads
	want string         // on stderr; empty: it is read well
}

// bombs makes files in a directory.
type bombs struct {
	testing.TB
	dir  string
	rows int // of tables
}

// file writes a file, compressed where its name says so.
func (b *bombs) file(name string, write func(w io.Writer)) {
	b.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	defer out.Flush()
	if !strings.HasSuffix(name, ".zst") {
		write(out)
		return
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		b.Fatal(err)
	}
	defer z.Close()
	packed := bufio.NewWriterSize(z, 1<<20)
	defer packed.Flush()
	write(packed)
}

func (b *bombs) text(name, text string) { b.file(name, func(w io.Writer) { io.WriteString(w, text) }) }

// table writes a header and rows.
func (b *bombs) table(name, header string, rows int, row func(i int) string) {
	b.file(name, func(w io.Writer) {
		io.WriteString(w, header+"\n")
		for i := range rows {
			io.WriteString(w, row(i)+"\n")
		}
	})
}

// longName makes rows of a hundred bytes, so that a bomb of a hundred megabytes has a million rows.
var longName = strings.Repeat("n", 80)

// equal writes a hundred megabytes of equal rows.
func (b *bombs) equal(name, header, row string) {
	block := strings.Repeat(row+"\n", 1<<20/len(row))
	b.file(name, func(w io.Writer) {
		io.WriteString(w, header+"\n")
		for range 100 {
			io.WriteString(w, block)
		}
	})
}

const (
	recordHeader = "time,group,drive,ios,latency_us"
	sampleHeader = "t,disk,latency,load"
	anHour       = 1_600_000_000 / 3600 * 3600
)

func records(name string, row func(i int) string) func(*bombs) {
	return func(b *bombs) { b.table(name, recordHeader, b.rows, row) }
}

// few is a small number of rows in the same place.
func (b *bombs) few(dir string) *bombs { return &bombs{b.TB, filepath.Join(b.dir, dir), 1} }

func samples(name string, row func(i int) string) func(*bombs) {
	return func(b *bombs) {
		b.text("site.yaml", strings.Replace(fuzzed, `files: "*.csv"`, `files: "*.csv*"`, 1))
		b.table(name, sampleHeader, b.rows, row)
	}
}

// shuffled is a permutation of 0 to 2^24-1.
func shuffled(i int) int { return i * 0x9e3779b1 % (1 << 24) }

// allBombs by name.
var allBombs = map[string]bomb{
	"study, equal records": {"study DIR/a.csv", records("a.csv", func(int) string { return "1600000000,g,d,1,1" }), ""},
	"study, equal records, packed": {
		"study DIR/a.csv.zst", func(b *bombs) {
			b.equal("a.csv.zst", recordHeader, "1600000000,"+longName+",d,1,1")
		},
		"more than 1000 times as large as the file, and larger than 64 MB",
	},
	"study, records of one hour that differ": {"study DIR/a.csv --workers 4", records("a.csv", func(i int) string { return fmt.Sprintf("%d,g,d,1,%d", anHour, 1+i) }), "an hour has more than"},
	"study, an hour in any order":            {"study DIR/a.csv", records("a.csv", func(i int) string { return fmt.Sprintf("%d.%06d,g,d%d,1,9", anHour+shuffled(i)%3600, i%1000000, i%5) }), ""},
	"study, days in any order":               {"study DIR/a.csv", records("a.csv", func(i int) string { return fmt.Sprintf("%d,g%d,d%d,1,9", anHour+3600*(shuffled(i)%2000), i%50, i%500) }), ""},
	"study, a drive in each record":          {"study DIR/a.csv", records("a.csv", func(i int) string { return fmt.Sprintf("%d,g,drive-number-%d,1,9", anHour, i) }), "drives, such as drive-number-0"},
	"study, a group in each record":          {"study DIR/a.csv", records("a.csv", func(i int) string { return fmt.Sprintf("%d,group-number-%d,d,1,9", anHour, i) }), "groups, such as group-number-0"},
	"study, two centuries":                   {"study DIR/a.csv", records("a.csv", func(i int) string { return fmt.Sprintf("%d,g,d,1,9", 900*(i%8_000_000)) }), "quarters of an hour"},
	"study, a window of 4 GB":                {"study DIR/a.csv.zst", window, "MB of memory are needed"},
	"study, a footer of 4 GB":                {"study DIR/a.parquet", footer, "its end states a footer of 4294967295 bytes"},
	"study, an endless description":          {"study --describe /dev/zero DIR", records("a.csv", func(int) string { return "1600000000,g,d,1,1" }), "/dev/zero: the file is too large: a description file of records can have at most 4 MiB"},
	"study, a large inventory": {"study --inventory DIR/i.csv DIR/a.csv", func(b *bombs) {
		b.table("a.csv", recordHeader, 10, func(int) string { return "1600000000,g,d,1,1" })
		b.table("i.csv", "drive,group,kind,model", b.rows, func(i int) string { return fmt.Sprintf("drive-number-%d,g,disk,m%d", i, i) })
	}, "i.csv: the file has more than 1048576 rows"},
	"study diff, endless results": {"study diff /dev/zero /dev/zero", nil, "/dev/zero: the file is too large: a result of limpet study can have at most 16 MiB"},

	"tables, equal samples": {"diagnose --tables DIR/site.yaml DIR/data", samples("data/a.csv", func(int) string { return "1600000000,d,1,1" }), "has 1 member"},
	"tables, equal samples, packed": {"diagnose --tables DIR/site.yaml DIR/data", func(b *bombs) {
		samples("none", func(int) string { return "" })(b.few(""))
		b.equal("data/a.csv.zst", sampleHeader, "1600000000,"+longName+",1,1")
	}, "more than 1000 times as large as the file"},
	"tables, by component":        {"diagnose --tables DIR/site.yaml DIR/data", samples("data/a.csv", func(i int) string { return fmt.Sprintf("%d,d%d,%d,1", 1_600_000_000+15*(i%4000), i/4000%2000, 10+i%7) }), ""},
	"tables, a step of many":      {"diagnose --step 86400 --tables DIR/site.yaml DIR/data", samples("data/a.csv", func(i int) string { return fmt.Sprintf("%d.%06d,d,1,1", 1_600_000_000+i%1000, i) }), "samples in one time step of 86400 s"},
	"tables, a component in each": {"diagnose --tables DIR/site.yaml DIR/data", samples("data/a.csv", func(i int) string { return fmt.Sprintf("%d,component-%d,1,1", 1_600_000_000+i%900, i) }), "components, such as component-0"},
	"tables, as many components as may be": {"diagnose --tables DIR/site.yaml DIR/data", func(b *bombs) {
		const steps = 25
		n := min(b.rows/50, 130_000)
		samples("data/a.csv", func(i int) string { return fmt.Sprintf("%d,component-%d,10,1", 1_600_000_000+15*(i/n), i%n) })(&bombs{b.TB, b.dir, n * steps})
	}, ""},
	"tables, windows of 4 GB": {"diagnose --tables DIR/site.yaml DIR/data", func(b *bombs) {
		samples("data/a.csv", func(int) string { return "1600000000,d,1,1" })(b.few(""))
		window(b.few("data"))
	}, "MB of memory are needed"},
	"train, equal samples":          {"train --model DIR/m.json --tables DIR/site.yaml DIR/data", samples("data/a.csv", func(int) string { return "1600000000,d,1,1" }), "limpet learned no thresholds"},
	"diagnose, an endless topology": {"diagnose --topology /dev/zero DIR", nil, "/dev/zero: the file is too large: a topology file can have at most 4 MiB"},
	"diagnose, an endless model":    {"diagnose --model /dev/zero DIR", nil, "/dev/zero: the file is too large: a model can have at most 64 MiB"},
	"diagnose, an endless study": {"diagnose --study /dev/zero --tables DIR/site.yaml DIR/data", func(b *bombs) {
		samples("data/a.csv", func(i int) string { return fmt.Sprintf("160000%04d,d%d,1,1", i/9, i%9) })(&bombs{b.TB, b.dir, 9000})
	}, "/dev/zero: the file is too large: a result of limpet study can have at most 16 MiB"},
	"diagnose, endless changes": {"diagnose --changes /dev/zero --tables DIR/site.yaml DIR/data", func(b *bombs) {
		samples("data/a.csv", func(i int) string { return fmt.Sprintf("160000%04d,d%d,1,1", i/9, i%9) })(&bombs{b.TB, b.dir, 9000})
	}, "/dev/zero: the file is too large: a state file of --changes can have at most 16 MiB"},
	"diagnose, endless feedback": {"diagnose --feedback /dev/zero --tables DIR/site.yaml DIR/data", func(b *bombs) {
		samples("data/a.csv", func(i int) string { return fmt.Sprintf("160000%04d,d%d,1,1", i/9, i%9) })(&bombs{b.TB, b.dir, 9000})
	}, "/dev/zero: the file has more than 64 MB"},
	"diagnose, activity of zeros":       {"diagnose DIR/a.sa.zst", zeros, "a.sa.zst"},
	"dump, activity of zeros":           {"dump DIR/a.sa.zst", zeros, "a.sa.zst"},
	"dump, a window of 4 GB":            {"dump DIR/a.csv.zst", window, "more than 128 MB of memory are needed"},
	"topology, an endless file":         {"topology check /dev/zero", nil, "/dev/zero: the file is too large: a topology file can have at most 4 MiB"},
	"evaluate, endless truth":           {"evaluate truth --truth /dev/zero DIR", nil, "/dev/zero: the file is too large: a truth file can have at most 16 MiB"},
	"simulate, endless events":          {"simulate intrepid --events /dev/zero --dir DIR/out", nil, "/dev/zero: the file is too large: an events file can have at most 4 MiB"},
	"replay, a request of 2^63-1 bytes": {"raid replay --virtual --trace DIR/t.csv", func(b *bombs) { b.text("t.csv", "seconds,op,offset,bytes\n0,R,0,9223372036854775807\n1,R,0,4096\n") }, "accepts at most 67108864 bytes at once"},
	"replay, a line that never ends":    {"raid replay --virtual --trace /dev/zero --trace-format csv", nil, ""},
	"replay, endless slowdowns":         {"raid replay --virtual --delay /dev/zero", nil, "/dev/zero: the file is too large: a table of slowdowns can have at most 16 MiB"},
	"replay, many requests": {"raid replay --virtual --policy normal --trace DIR/t.csv", func(b *bombs) {
		b.table("t.csv", "seconds,op,offset,bytes", b.rows, func(i int) string { return fmt.Sprintf("%d,R,%d,4096", i, 4096*(i%1000)) })
	}, "requests, and limpet replays each request 3 times"},
	"replay, all at once": {"raid replay --virtual --trace DIR/t.csv", func(b *bombs) {
		b.table("t.csv", "seconds,op,offset,bytes", min(b.rows/4, 1_000_000), func(i int) string { return fmt.Sprintf("0,R,%d,524288", 4096*(i%1000)) })
	}, "requests are in progress at the same time"},
}

// window has a zstd header that asks for 4 GB.
func window(b *bombs) {
	head, err := hex.DecodeString("28b52ffd00b0010000")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "a.csv.zst"), head, 0o644); err != nil {
		b.Fatal(err)
	}
}

// footer has a footer that claims 4 GB.
func footer(b *bombs) { b.text("a.parquet", "PAR1"+strings.Repeat("x", 1000)+"\xff\xff\xff\xffPAR1") }

// zeros begin as an activity file does.
func zeros(b *bombs) {
	megabytes := 128
	if torture {
		megabytes = 1 << 10
	}
	b.file("a.sa.zst", func(w io.Writer) {
		io.WriteString(w, "\x96\xd5\x75\x21")
		for range megabytes {
			w.Write(make([]byte, 1<<20))
		}
	})
}

// TestBombs runs every command on every bomb that it may be given: it ends soon
// and within its memory, and says why.
func TestBombs(t *testing.T) {
	size, memory, most := 200_000, "--max-memory 16M", int64(256<<20)
	if torture {
		size, memory, most = 20_000_000, "--max-memory 512M", 1<<30
	}
	table := &explosions{}
	t.Cleanup(func() { t.Logf("%v", table) })
	for _, name := range slices.Sorted(maps.Keys(allBombs)) {
		bomb := allBombs[name]
		t.Run(name, func(t *testing.T) {
			if bound := boundOf(bomb.want); size < bound {
				t.Skipf("%d rows are no bomb; LIMPET_TORTURE=1 makes more", size)
			}
			dir, err := os.MkdirTemp(os.Getenv("LIMPET_BOMBS"), "bomb") // names of tests have spaces, at which args are cut
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			b := &bombs{t, dir, size}
			if torture && strings.Contains(name, "equal") {
				b.rows = 60_000_000 // as are quickly made
			}
			if bomb.make != nil {
				bomb.make(b)
			}
			args := strings.Fields(strings.ReplaceAll(bomb.args, "DIR", b.dir))
			if strings.HasPrefix(bomb.args, "study DIR") || strings.HasPrefix(bomb.args, "raid replay") || strings.Contains(bomb.args, "--tables") || strings.Contains(bomb.args, "--inventory") {
				args = append(args, strings.Fields(memory)...)
			}
			explode(t, table, name, bomb, args, most)
		})
	}
}

// boundOf is how many rows it takes to meet a bound that no flag changes.
func boundOf(want string) int {
	switch {
	case strings.Contains(want, "1048576"):
		return 1 << 20
	case strings.Contains(want, "quarters of an hour"):
		return 1 << 21
	}
	return 0
}

// mostProcessors is how long they may work for a command.
const mostProcessors = 10 * time.Minute

// explode runs a command within so many bytes.
func explode(t *testing.T, table *explosions, name string, bomb bomb, args []string, most int64) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Hour) // others may use the machine
	defer stop()
	endless := bomb.want == "" && strings.Contains(bomb.args, "/dev/zero")
	if endless {
		ctx, stop = context.WithTimeout(ctx, time.Second)
		defer stop()
	}
	group := newControlGroup(t, most)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Args[0] = "limpet"
	// GOGC and GOMEMLIMIT are unset: memory is measured as a user's limpet needs it.
	cmd.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=", fmt.Sprintf("%s=%d", dataLimit, most), controlGroup+"="+group.dir)
	var said bytes.Buffer
	cmd.Stderr = &said
	begin := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	peak := max(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10, group.peak(t))
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	table.add(t, name, cmd.ProcessState, time.Since(begin), peak, said.String())
	switch text := said.String(); {
	case strings.Contains(text, "panic: ") || strings.Contains(text, "fatal error: "):
		t.Errorf("%.1000s", text)
	case !strings.Contains(text, bomb.want):
		t.Errorf("it says %.1000s, want %s", text, bomb.want)
	case bomb.want == "" && !endless && err != nil:
		t.Errorf("%v: %.1000s", err, text)
	case spent > mostProcessors:
		t.Errorf("it took %v of the processors", spent)
	case peak > most:
		t.Errorf("it took %d MiB of %d", peak>>20, most>>20)
	}
}
