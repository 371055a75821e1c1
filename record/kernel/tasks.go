package kernel

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/record/hoststat"
)

// The state of a task is the letter behind its name, and the name may have brackets itself:
//
//	/proc/812/task/815/stat    815 (glfs (io) 3) D 1 812 812 0 -1 ...
//	/proc/812/task/815/wchan   io_schedule

const (
	// mostTasks is the largest number of tasks that one look reads: about three milliseconds.
	// The next look continues where this one ended.
	mostTasks = 256
	// mostFunctions is the largest number of functions that a look lists.
	mostFunctions = 8
)

// tasks looks at the single tasks of the machine.
type tasks struct {
	dir  string
	next int // process with which the next look begins
}

// look counts the tasks that are stopped (T, t), and those in uninterruptible sleep (D) by the function
// of the kernel that they sleep in.
func (t *tasks) look(into *hoststat.Tasks) {
	into.Looked, into.Stopped, into.Waits = true, 0, into.Waits[:0]
	processes := t.numbers(t.dir)
	begin, _ := slices.BinarySearch(processes, t.next)
	left := mostTasks
	for i := range processes {
		p := processes[(begin+i)%len(processes)]
		if t.next = p; left <= 0 {
			break
		}
		left -= t.process(p, into)
	}
	slices.SortStableFunc(into.Waits, func(a, b hoststat.Wait) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), cmp.Compare(a.Function, b.Function))
	})
	into.Waits = into.Waits[:min(len(into.Waits), mostFunctions)]
}

// process counts the tasks of a process, and returns how many it read.
func (t *tasks) process(p int, into *hoststat.Tasks) int {
	dir := filepath.Join(t.dir, strconv.Itoa(p), "task")
	list := t.numbers(dir)
	for _, n := range list {
		of := filepath.Join(dir, strconv.Itoa(n))
		stat, err := os.ReadFile(of + "/stat")
		if err != nil {
			continue // the task has ended
		}
		switch taskState(stat) {
		case 'T', 't':
			into.Stopped++
		case 'D':
			function, _ := os.ReadFile(of + "/wchan") // empty for those who may not read it
			into.Waits = addWait(into.Waits, strings.TrimSpace(string(function)))
		}
	}
	return max(1, len(list))
}

// taskState is the letter behind the last bracket; 0 where there is none.
func taskState(stat []byte) byte {
	if at := bytes.LastIndexByte(stat, ')'); at >= 0 && at+2 < len(stat) {
		return stat[at+2]
	}
	return 0
}

// numbers are the entries of a directory that are numbers, sorted.
func (t *tasks) numbers(dir string) []int {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }() // nothing was written
	names, _ := d.Readdirnames(-1)   // what was read until an error is good
	var list []int
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

func addWait(list []hoststat.Wait, function string) []hoststat.Wait {
	if function == "" || function == "0" {
		function = "unknown"
	}
	at := slices.IndexFunc(list, func(w hoststat.Wait) bool { return w.Function == function })
	if at < 0 {
		return append(list, hoststat.Wait{Function: function, Tasks: 1})
	}
	list[at].Tasks++
	return list
}
