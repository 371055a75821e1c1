//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// controlGroup has the command live in a control group, whose memory is bounded
// by the kernel: whoever takes more is killed.
const controlGroup = "LIMPET_TEST_CONTROL_GROUP"

// A memoryGroup is a control group; the zero one, where none can be made or no
// torture is asked for, bounds nothing.
type memoryGroup struct{ dir, peakFile string }

// newControlGroup is of both versions of control groups.
func newControlGroup(t *testing.T, most int64) (g memoryGroup) {
	t.Helper()
	if !torture {
		return g
	}
	for _, v := range []struct{ root, limit, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"},
		{"/sys/fs/cgroup", "memory.max", "memory.peak"},
	} {
		dir := filepath.Join(v.root, fmt.Sprintf("limpet-bombs-%d", os.Getpid()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { os.Remove(dir) })
		if os.WriteFile(filepath.Join(dir, v.limit), []byte(strconv.FormatInt(most, 10)), 0) == nil {
			return memoryGroup{dir, filepath.Join(dir, v.peak)}
		}
	}
	t.Log("no control group can be made here: RLIMIT_DATA alone bounds the command")
	return g
}

// peak is the most that the group ever had, what it read and wrote of files
// included, which the kernel drops where it gets tight.
func (g memoryGroup) peak(t *testing.T) int64 {
	if g.dir == "" {
		return 0
	}
	text, err := os.ReadFile(g.peakFile)
	if err != nil {
		t.Log(err)
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		t.Error(err)
	}
	return n
}

// explosions are what became of bombs, as lines of a table.
type explosions struct{ lines []string }

// add says the line at once, too: a run that is ended has told what it knew.
func (e *explosions) add(t *testing.T, name string, state *os.ProcessState, took time.Duration, peak int64, said string) {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	cpu := state.UserTime() + state.SystemTime()
	line := fmt.Sprintf("| %s | %d | %d MiB | %.1f s | %.1f s | %.120s |",
		name, state.ExitCode(), peak>>20, took.Seconds(), cpu.Seconds(), lines[len(lines)-1])
	e.lines = append(e.lines, line)
	t.Log(line)
}

// String has a line a bomb.
func (e *explosions) String() string {
	return "\n| bomb | exit | most memory | took | of processors | last line |\n| --- | --- | --- | --- | --- | --- |\n" + strings.Join(e.lines, "\n")
}
