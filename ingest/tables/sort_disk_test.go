package tables

import (
	"fmt"
	"strings"
	"testing"
)

// byComponent is a table sorted by component, of which some lines stand twice.
func byComponent(components, samples int) string {
	var b strings.Builder
	b.WriteString("ts,disk,latency,load\n")
	for c := range components {
		for i := range samples {
			fmt.Fprintf(&b, "%d,d%d,%d,%d\n", 1_600_000_000+5*i, c, i%17, 1+c+i%3)
			if i%50 == c {
				fmt.Fprintf(&b, "%d,d%d,%d,\n", 1_600_000_000+5*i, c, i%13)
			}
		}
	}
	return b.String()
}

// TestOnDisk: a file that is sorted by component, and is more than may be held,
// gives the rows and warnings that it gives from memory.
func TestOnDisk(t *testing.T) {
	dir := write(t, map[string]string{"h1/a.csv": byComponent(20, 2000), "h1/b.csv": byComponent(3, 500)})
	d := described(t, perDrive)
	inMemory := open(t, d, 15, dir)
	want := rows(t, inMemory)
	temp := t.TempDir()
	onDisk, err := Open(t.Context(), d, []string{dir}, Options{StepSeconds: 15, MemoryBytes: 1, TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer onDisk.Close()
	sorted := false
	var got strings.Builder
	for {
		row, err := onDisk.Next(t.Context())
		if err != nil {
			break
		}
		for _, c := range onDisk.active {
			sorted = sorted || c.sorter != nil
		}
		writeRow(&got, onDisk, row, "%v")
	}
	if !sorted || got.String() != want {
		t.Errorf("sorted on disk %v, %d bytes of rows, want %d", sorted, got.Len(), len(want))
	}
	if a, b := fmt.Sprint(onDisk.Warnings()), fmt.Sprint(inMemory.Warnings()); a != b || !strings.Contains(a, "in the data twice, for the same component, metric and time") {
		t.Errorf("warnings on disk\n%s, in memory\n%s", a, b)
	}
}

// TestCrowdedStep: equal samples are one, and a step with more different ones
// than may be held is refused.
func TestCrowdedStep(t *testing.T) {
	var equal, different strings.Builder
	for i := range 20_000 {
		equal.WriteString("1600000000,d1,10,100\n")
		fmt.Fprintf(&different, "16000000%02d.%06d,d1,10,100\n", i%2, i)
	}
	for text, want := range map[string]string{
		equal.String():     "",
		different.String(): "there are more than 4096 samples in one time step of 15 s that ends at 2020-09-13T12:26:45Z; give a shorter --step, or increase --max-memory",
	} {
		dir := write(t, map[string]string{"h1/a.csv": "ts,disk,latency,load\n" + text})
		s, err := Open(t.Context(), described(t, perDrive), []string{dir}, Options{StepSeconds: 15, MemoryBytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Next(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("got %v, want %s", err, want)
		}
		s.Close()
	}
}

// TestMixedLinesOfAFile: if the drives of two hosts have the same names in one file, and no column tells
// the hosts apart, there is an error, whether the samples are in memory or sorted on disk.
func TestMixedLinesOfAFile(t *testing.T) {
	var lines strings.Builder
	lines.WriteString("ts,disk,latency,load\n")
	for d := range 3 {
		for i := range 4000 {
			fmt.Fprintf(&lines, "%d,d%d,%d,1\n%[1]d,d%[2]d,%[4]d,1\n", 1_600_000_000+5*i, d, 2+i%5, 20+i%5)
		}
	}
	dir := write(t, map[string]string{"h1/a.csv": lines.String()})
	for _, memory := range []int64{512 << 20, 1} {
		s, err := Open(t.Context(), described(t, perDrive), []string{dir}, Options{StepSeconds: 15, MemoryBytes: memory, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = s.Next(t.Context())
		}
		if !strings.Contains(err.Error(), "12000 of 12000 samples have several values of the same metric") || !strings.Contains(err.Error(), "such as h1/d0, which has several lines of the same time in ") {
			t.Errorf("with %d bytes of memory: %v", memory, err)
		}
		s.Close()
	}
}
