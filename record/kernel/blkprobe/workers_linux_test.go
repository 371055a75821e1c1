package blkprobe

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processorTimes are what the kernel's workers took of processors, by their
// number. Other processes of the machine are no part of it.
type processorTimes map[string]time.Duration

// workersTime is of those that there are now.
func workersTime() processorTimes {
	times := processorTimes{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		name, _ := os.ReadFile(filepath.Join(dir, "comm"))
		if !strings.HasPrefix(string(name), "kworker/") && !strings.HasPrefix(string(name), "ksoftirqd/") {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, "schedstat")) // ns that it ran, waited, and how often
		ran, _, _ := strings.Cut(string(text), " ")
		if ns, err := strconv.ParseInt(ran, 10, 64); err == nil {
			times[filepath.Base(dir)] = time.Duration(ns)
		}
	}
	return times
}

// since is the time of all from then on. Of a worker that has gone since it is
// not known.
func (t processorTimes) since(then processorTimes) (d time.Duration) {
	for id, ran := range t {
		d += ran - then[id]
	}
	return d
}
