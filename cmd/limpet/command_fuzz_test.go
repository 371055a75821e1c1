package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// fuzzedCommands are those that read a file of others; FILE is what is fuzzed.
var fuzzedCommands = []string{
	"diagnose FILE", "diagnose --topology FILE FILE", "diagnose --tables DIR/site.yaml --feedback FILE DIR/good.csv",
	"diagnose --tables DIR/site.yaml --model FILE DIR/good.csv", "diagnose --tables FILE DIR/good.csv", "diagnose --tables DIR/site.yaml FILE",
	"train --model DIR/m.json --tables DIR/site.yaml FILE", "dump FILE", "topology check FILE",
	"study FILE", "study --describe FILE DIR/records.csv", "study --inventory FILE DIR/records.csv", "study --events FILE DIR/records.csv",
	"study diff FILE FILE", "evaluate truth --truth FILE --tables DIR/site.yaml DIR/good.csv",
	"raid replay --virtual --policy normal --trace FILE", "raid replay --virtual --policy normal --requests 100 --delay FILE",
}

// mostHeld is the memory of the system that the process may hold after any file
// of a megabyte: it gives it back slowly.
const mostHeld = 1 << 30

// FuzzCommand has every command read a file of any bytes: it ends without a
// panic, with an exit code that it has, and within its memory.
func FuzzCommand(f *testing.F) {
	seeds := []string{
		"t,disk,latency,load\n1600000000,a,1,1\n", "time,group,drive,ios,latency_us\n1600000000,g,d,1,1e308\n", "seconds,op,offset,bytes\n0,R,0,4096\n1e18,W,9223372036854775807,1\n",
		"{\"options\":{},\"groups\":[],\"sha256\":\"\"}", "slowdown,share\n1,0.5\n1e309,5e-324\n", "2011-05-18T00:30:00Z mute *\n", "PAR1\xff\xff\xff\xffPAR1",
		"\x28\xb5\x2f\xfd\x00\xb0\x01\x00\x00", "\x96\xd5\x75\x21", "\xfd7zXZ\x00", "\x1f\x8b", "BZh9", "servers: fs[1-99999999]\n", "a: &a [*a]\n",
	}
	for _, value := range extremes {
		seeds = append(seeds, extremeTable(1_600_000_000, value, value)[:2000])
	}
	for i, text := range seeds {
		for how := range fuzzedCommands {
			if (i+how)%5 == 0 { // the fuzzer finds the others
				f.Add([]byte(text), uint8(how))
			}
		}
	}
	debug.FreeOSMemory() // what tests before this one held
	f.Fuzz(func(t *testing.T, data []byte, how uint8) {
		if len(data) > 1<<20 {
			t.Skip("larger files are slower and no worse")
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "file.csv")
		for name, text := range map[string]string{
			path: string(data), filepath.Join(dir, "site.yaml"): fuzzed,
			filepath.Join(dir, "good.csv"):    "t,disk,latency,load\n1600000000,a,1,1\n1600000015,b,1,1\n1600000015,c,1,1\n",
			filepath.Join(dir, "records.csv"): "time,group,drive,ios,latency_us\n1600000000,g,d,1,1\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		command := fuzzedCommands[int(how)%len(fuzzedCommands)]
		args := strings.Fields(strings.NewReplacer("FILE", path, "DIR", dir).Replace(command))
		var said bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), io.Discard, &said); code < 0 || code > exitUsage || code != 0 && said.Len() == 0 {
			t.Errorf("%s: exit %d: %s", command, code, &said)
		}
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased > mostHeld {
			t.Errorf("%s: %d MiB", command, (m.Sys-m.HeapReleased)>>20)
		}
	})
}
