package simulate

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/sysstat"
)

// kernelRelease is that of a distribution of the time of the demonstration.
const kernelRelease = "5.14.0-570.el9.x86_64"

const (
	fileBuffer = 256 << 10
	// recordsAhead is how far the simulation may be ahead of a recorder.
	recordsAhead = 16
)

// A recorder writes the activity file of one server, beside the simulation.
// Snapshots go round between the two: empty ones in free, taken ones in full.
type recorder struct {
	out        *bufio.Writer
	closers    []io.Closer // what out writes into, then the file
	free, full chan *snapshot
	done       chan struct{}
	err        error // set before free is closed
}

// snapshot is a record to be written.
type snapshot struct {
	time   time.Time
	uptime uint64
	sample sysstat.Sample
}

// newRecorder creates the file of a server and starts writing.
func newRecorder(path string, s *server, start time.Time, compressed bool) (*recorder, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &recorder{
		closers: []io.Closer{f}, out: bufio.NewWriterSize(f, fileBuffer),
		free: make(chan *snapshot, recordsAhead), full: make(chan *snapshot, recordsAhead), done: make(chan struct{}),
	}
	if compressed {
		// In one goroutine, so that blocks end where they always do.
		z, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		r.closers = []io.Closer{z, f}
		r.out.Reset(z)
	}
	w, err := begin(r.out, s, start)
	if err != nil {
		return nil, errors.Join(err, r.closeFile())
	}
	for range recordsAhead {
		r.free <- new(snapshot)
	}
	go r.write(w)
	return r, nil
}

// begin writes the header of a file and the inventory.
func begin(out io.Writer, s *server, start time.Time) (*sysstat.Writer, error) {
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Release, o.CPUs, o.Created = s.name, kernelRelease, cpus, start
	w, err := sysstat.NewWriter(out, o)
	if err != nil {
		return nil, err
	}
	for _, a := range s.attachments {
		for _, comment := range a.device.inventory().Comments() {
			if err := w.WriteComment(start, comment); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// record takes a record of the server. An error may be of one before.
func (r *recorder) record(s *server, t time.Time) error {
	snap, ok := <-r.free
	if !ok {
		return r.err
	}
	snap.time, snap.uptime = t, s.uptime()
	s.sample(&snap.sample)
	r.full <- snap
	return nil
}

// write writes what was taken until full is closed or there is an error.
func (r *recorder) write(w *sysstat.Writer) {
	defer close(r.done)
	for snap := range r.full {
		if err := w.WriteStats(snap.time, snap.uptime, &snap.sample); err != nil {
			r.err = err
			close(r.free)
			return
		}
		r.free <- snap
	}
}

// Close ends the file and returns the first error of writing it.
func (r *recorder) Close() error {
	close(r.full)
	<-r.done
	return errors.Join(r.err, r.closeFile())
}

func (r *recorder) closeFile() error {
	errs := []error{r.out.Flush()}
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
