package agent

import (
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
)

// roomEvery is the time between two looks at the room of file systems and the temperatures of drives,
// in 1/100 s. A file system fills up in minutes at the least, and a drive takes as long to become hot.
const roomEvery = 10 * 100

// waits takes samples of what the machine waits for. The room of file systems is read beside the
// sampling, as a device that hangs may never answer.
type waits struct {
	kernel  *kernel.Kernel
	sample  hoststat.Sample
	answers chan room
	asking  bool
	ever    bool
	asked   uint64 // when, as uptime
	err     error  // of the last answer
}

// room is an answer about file systems and drives.
type room struct {
	systems []hoststat.FileSystem
	drives  []hoststat.Drive
	err     error
}

func newWaits(k *kernel.Kernel) *waits { return &waits{kernel: k, answers: make(chan room, 1)} }

// append appends a sample to dst, after the kernel and the sockets were sampled. The error is about
// the room of file systems alone.
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

// takeRoom takes an answer that has come, and asks again when it is time.
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
			systems, drives, err := w.kernel.Room()
			w.answers <- room{systems, drives, err}
		}()
	}
}
