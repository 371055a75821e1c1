package simulate

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/record/sysstat"
)

const (
	fileBuffer = 256 << 10
	// recordsAhead is the number of records that a simulation may be ahead of a recorder.
	recordsAhead = 16
	// window is the window of the compression in bytes. It spans many records of a machine, and is
	// small enough for recorders of all machines of a system at the same time.
	window = 1 << 20
)

// A Recorder writes the activity file of one machine while the simulation runs. Snapshots circulate
// between the two: empty ones in the channel free, filled ones in the channel full.
type Recorder struct {
	out        *bufio.Writer
	closers    []io.Closer // the compressor, if there is one, and the file
	free, full chan *snapshot
	done       chan struct{}
	err        error // set before free is closed
}

// snapshot is a record to be written.
type snapshot struct {
	what    sysstat.RecordType
	time    time.Time
	uptime  uint64
	cpus    int
	comment string
	sample  sysstat.Sample
}

// NewRecorder creates an activity file and starts writing. If the name ends in .zst, the file is
// compressed.
func NewRecorder(path string, o sysstat.WriterOptions) (*Recorder, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r := &Recorder{
		closers: []io.Closer{f}, out: bufio.NewWriterSize(f, fileBuffer),
		free: make(chan *snapshot, recordsAhead), full: make(chan *snapshot, recordsAhead), done: make(chan struct{}),
	}
	if strings.HasSuffix(path, ".zst") {
		// One goroutine: the same data always give the same compressed bytes.
		z, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		r.closers = []io.Closer{z, f}
		r.out.Reset(z)
	}
	w, err := sysstat.NewWriter(r.out, o)
	if err != nil {
		return nil, errors.Join(err, r.closeFile())
	}
	for range recordsAhead {
		r.free <- new(snapshot)
	}
	go r.write(w)
	return r, nil
}

// Record adds a record of the counters at t, with an uptime in hundredths of a second. Fill gets
// the sample of an earlier record, and may use its slices again. The error may belong to an earlier
// record.
func (r *Recorder) Record(t time.Time, uptime uint64, fill func(*sysstat.Sample)) error {
	return r.take(func(s *snapshot) {
		s.what, s.time, s.uptime = sysstat.Stats, t, uptime
		fill(&s.sample)
	})
}

// Comment adds a comment, such as a line of the inventory.
func (r *Recorder) Comment(t time.Time, text string) error {
	return r.take(func(s *snapshot) { s.what, s.time, s.comment = sysstat.Comment, t, text })
}

// Restart adds a record of a restart of the machine, with its number of CPUs.
func (r *Recorder) Restart(t time.Time, cpus int) error {
	return r.take(func(s *snapshot) { s.what, s.time, s.cpus = sysstat.Restart, t, cpus })
}

func (r *Recorder) take(fill func(*snapshot)) error {
	s, ok := <-r.free
	if !ok {
		return r.err
	}
	fill(s)
	r.full <- s
	return nil
}

// write writes snapshots until the channel full is closed or an error occurs.
func (r *Recorder) write(w *sysstat.Writer) {
	defer close(r.done)
	for s := range r.full {
		if err := s.write(w); err != nil {
			r.err = err
			close(r.free)
			return
		}
		r.free <- s
	}
}

func (s *snapshot) write(w *sysstat.Writer) error {
	switch s.what {
	case sysstat.Comment:
		return w.WriteComment(s.time, s.comment)
	case sysstat.Restart:
		return w.WriteRestart(s.time, s.cpus)
	}
	return w.WriteStats(s.time, s.uptime, &s.sample)
}

// Close ends the file and returns all errors of writing it.
func (r *Recorder) Close() error {
	close(r.full)
	<-r.done
	return errors.Join(r.err, r.closeFile())
}

func (r *Recorder) closeFile() error {
	errs := []error{r.out.Flush()}
	for _, c := range r.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
