package agent

import (
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
)

// roomEvery is the time between two readings of the free space of file systems and of the
// temperatures of drives, in 1/100 s. A file system needs at least some minutes to fill up, and a
// drive to become hot.
const roomEvery = 10 * 100

// waits samples the waits of the machine. The free space of file systems is read beside the
// sampling, because a device that hangs may never answer.
type waits struct {
	kernel  *kernel.Kernel
	sample  hoststat.Sample
	answers chan spaceAndHealth
	asking  bool
	ever    bool
	asked   uint64 // uptime of the last reading
	err     error  // error of the last reading
}

// spaceAndHealth holds the free space of file systems and the health of drives.
type spaceAndHealth struct {
	systems []hoststat.FileSystem
	drives  []hoststat.Drive
	err     error
}

func newWaits(k *kernel.Kernel) *waits {
	return &waits{kernel: k, answers: make(chan spaceAndHealth, 1)}
}

// append appends a sample to dst, after the kernel and the sockets were sampled. The error is only
// about spaceAndHealth.
func (w *waits) append(dst []byte, tcp *inetdiag.Counter, uptime uint64) ([]byte, error) {
	s := &w.sample
	late := s.LateMicros
	s.Reset()
	s.LateMicros = late
	w.kernel.Waits(s)
	if tcp != nil {
		s.Accepted, s.Dialled = tcp.Queues()
	}
	if w.kernel.StandsStill() || s.Accepted.Stuck > 0 {
		w.kernel.LookAtTasks(&s.Tasks)
	}
	w.takeRoom(uptime)
	return hoststat.Append(dst, s), w.err
}

// takeRoom adds the result of a reading to the sample if it has arrived, and starts the next
// reading if it is due.
func (w *waits) takeRoom(uptime uint64) {
	if w.asking {
		select {
		case a := <-w.answers:
			w.asking, w.err = false, a.err
			w.sample.FileSystems, w.sample.Drives = append(w.sample.FileSystems, a.systems...), append(w.sample.Drives, a.drives...)
		default:
		}
	}
	if !w.asking && (!w.ever || uptime-w.asked >= roomEvery) {
		w.asking, w.ever, w.asked = true, true, uptime
		go func() {
			systems, drives, err := w.kernel.SpaceAndHealth()
			w.answers <- spaceAndHealth{systems, drives, err}
		}()
	}
}
