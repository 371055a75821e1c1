package kernel

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/limpet-storage/limpet/record/hoststat"
)

// The kernel shows in four places what tasks wait for. A kernel without CONFIG_PSI has no
// /proc/pressure, and a kernel without CONFIG_SCHEDSTATS has no /proc/schedstat: then the numbers
// stay 0.
//
//	/proc/pressure/io       some avg10=0.33 avg60=0.96 avg300=2.18 total=2582893857
//	                        full avg10=0.32 avg60=0.89 avg300=1.61 total=765535980
//	/proc/schedstat         cpu0 0 0 0 0 0 0 75311271 1943 2049      the last number but one is the delay, in ns
//	/proc/stat              procs_blocked 0
//	/proc/diskstats         requests under way

// waits reads what tasks wait for.
type waits struct {
	pressure [hoststat.NumResources]file
	sched    file
	blocked  uint64 // number of blocked tasks in the last sample
	idle     int    // consecutive samples with tasks that wait for block I/O and no recorded disk that works
	tasks    tasks
}

// pressureNames are the files below /proc/pressure.
var pressureNames = [hoststat.NumResources]string{hoststat.CPU: "cpu", hoststat.IO: "io", hoststat.Memory: "memory"}

// largestSchedstat is the largest /proc/schedstat that is read, in bytes. The file grows with the
// number of processors times the number of scheduling domains. On a machine with hundreds of
// processors, reading it takes longer than the rest of a sample. /proc/pressure/cpu has the same
// information.
const largestSchedstat = 16 << 10

// open opens the files that the kernel has.
func (w *waits) open(root string) error {
	var errs []error
	for r, name := range pressureNames {
		errs = append(errs, openIfAny(&w.pressure[r], filepath.Join(root, "proc/pressure", name)))
	}
	errs = append(errs, openIfAny(&w.sched, filepath.Join(root, "proc/schedstat")))
	w.tasks.dir = filepath.Join(root, "proc")
	return errors.Join(errs...)
}

func openIfAny(f *file, path string) error {
	if err := f.open(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (w *waits) close() error {
	errs := []error{w.sched.close()}
	for r := range w.pressure {
		errs = append(errs, w.pressure[r].close())
	}
	return errors.Join(errs...)
}

// Waits fills in the waits of tasks and requests at the last sample. A file that cannot be read is
// closed: a kernel that was started with psi=0 has files that nobody can read.
func (k *Kernel) Waits(s *hoststat.Sample) {
	for r := range k.waits.pressure {
		if f := &k.waits.pressure[r]; f.isOpen() {
			text, err := f.read()
			if err != nil {
				_ = f.close() // the file was only read: the error does not matter
				continue
			}
			s.Pressure[r] = parsePressure(text)
		}
	}
	if f := &k.waits.sched; f.isOpen() {
		text, err := f.read()
		if s.RunDelayNs = parseRunDelay(text); err != nil || len(text) > largestSchedstat {
			_ = f.close() // the file was only read: the error does not matter
		}
	}
	s.Tasks.Blocked = k.waits.blocked
	s.InFlight, s.Completed = append(s.InFlight[:0], k.disks.inFlight...), k.disks.done
	if k.waits.blocked == 0 || k.disks.done > 0 {
		k.waits.idle = 0
	} else {
		k.waits.idle++
	}
}

// LookAtTasks fills in which tasks are stopped or in uninterruptible sleep.
func (k *Kernel) LookAtTasks(t *hoststat.Tasks) { k.waits.tasks.look(t) }

// StandsStill reports whether one of these is true:
//
//   - A disk has had requests under way since the sample before, and has completed none.
//   - Tasks have waited for block I/O for several samples, but no recorded disk works: they wait
//     for another disk, or for a file system on another machine. This may last for hours, so
//     StandsStill is true only in every fifth sample.
func (k *Kernel) StandsStill() bool { return k.disks.stuck > 0 || k.waits.idle%5 == 3 }

// parsePressure returns the totals of both lines. Before Linux 5.13, /proc/pressure/cpu has no line
// "full".
func parsePressure(text []byte) (p hoststat.Pressure) {
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		kind := line.next()
		for {
			word := line.next()
			if len(word) == 0 {
				break
			}
			total, ok := bytes.CutPrefix(word, []byte("total="))
			if !ok {
				continue
			}
			n, _ := number(total)
			switch string(kind) {
			case "some":
				p.Some = n
			case "full":
				p.Full = n
			}
		}
	}
	return p
}

// parseRunDelay returns the time that tasks have waited for a processor, summed over the
// processors.
func parseRunDelay(text []byte) (ns uint64) {
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		if !bytes.HasPrefix(line.next(), []byte("cpu")) {
			continue
		}
		var v [9]uint64
		if line.numbers(v[:]) == len(v) {
			ns += v[7]
		}
	}
	return ns
}

// parseBlocked returns the number of tasks that wait for block I/O, from /proc/stat. The line is
// one of the last.
func parseBlocked(text []byte) uint64 {
	mark := []byte("\nprocs_blocked ")
	at := bytes.LastIndex(text, mark)
	if at < 0 {
		return 0
	}
	line, _ := cutLine(text[at+len(mark):])
	n, _ := line.number()
	return n
}
