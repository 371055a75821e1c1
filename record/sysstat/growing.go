package sysstat

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ErrMore is what Next returns where files that grow have no further record
// yet. A later Next goes on there.
var ErrMore = errors.New("there are no more records yet")

// growing is what a Joined needs to know of files that are being written.
type growing struct {
	dry   []*strand // open files whose records were all handed out
	ended []Ended
	hurry bool
	// intervals are those of the last files of each recorder, for files that
	// have too few records to tell.
	intervals map[string]int64
}

// Ended is a file that was read and closed.
type Ended struct {
	Path string
	Last int64 // time of its last sample, 0 where it has none
}

// JoinGrowing joins files of one host that are still being written. It begins
// without any: Look tells of each, and again whenever it may have changed.
//
// A record is handed out once it is whole. A file is read to its end and
// closed when another goes on where it stops, as after a rotation, and when it
// is removed or replaced. What comes in late, of times before the last record
// that was handed out, is left out. A file that fails costs itself: a warning
// says so, and it is tried again when Look tells of it.
func JoinGrowing() *Joined { return &Joined{growing: &growing{intervals: map[string]int64{}}} }

// errNoFile is of a path that others have put something else at.
var errNoFile = errors.New("this is a pipe, a socket, a device or a directory: name a regular file")

// openRegular opens a file, and waits for nobody: a pipe in its place would be
// opened when somebody writes to it, which may be never.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// OpenGrowing opens a file that is being written: where it ends, Next returns
// ErrMore and goes on there when it is called again. It returns ErrMore itself
// where the header is not whole yet. A compressed file is taken to be whole.
func OpenGrowing(path string) (*Reader, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	r := newReader(path)
	err = r.decompress(f)
	if plain := r.src == io.Reader(f); err == nil && plain {
		r.tail = &tail{path: path, file: f}
		r.tail.is, err = f.Stat()
	}
	stop := r.close
	if err == nil {
		err = r.start()
	}
	if err != nil {
		_ = stop()
		f.Close()
		return nil, err
	}
	r.close = func() error {
		_ = stop()
		return f.Close()
	}
	if t := r.tail; t != nil {
		t.head = bytes.Clone(r.buf[:r.pos])
		r.close = func() error { return t.file.Close() }
	}
	return r, nil
}

// adopt goes on in a file that has taken the place of the one that was read, as
// copying programs replace files, and says whether it is a longer copy of it.
func (r *Reader) adopt(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() < r.whole || !begins(f, 0, r.tail.head) || r.last != nil && !begins(f, r.last.Offset, r.last.body) {
		return false
	}
	r.tail.file.Close()
	r.tail.file, r.tail.is, r.tail.size, r.src = f, info, info.Size(), f
	r.unread()
	return true
}

// begins says whether bytes stand at an offset of a file.
func begins(f *os.File, at int64, want []byte) bool {
	has := make([]byte, len(want))
	_, err := f.ReadAt(has, at)
	return err == nil && bytes.Equal(has, want)
}

// unread forgets what stands behind the last whole record, so that it is read
// again: the repair of a file cuts it off.
func (r *Reader) unread() { r.buf = r.buf[:r.pos] }

// finish makes the end of the file as it is now its end.
func (r *Reader) finish() {
	if _, err := r.tail.file.Seek(r.base+int64(len(r.buf)), io.SeekStart); err != nil {
		r.stopped = fmt.Errorf("%s: %w", r.file.File, err)
	}
	r.tail = nil
}

// overwritten says whether the file is no longer what was read of it. It is asked
// once more where it seems shorter: it may have grown, and been read, since.
func (r *Reader) overwritten(now fs.FileInfo) bool {
	if now.Size() < r.whole {
		again, err := r.tail.file.Stat()
		if err != nil || again.Size() < r.whole {
			return true
		}
	}
	return !r.tail.beginsAsBefore()
}

// shrunk is the warning of a file that is no longer what was read of it.
func (r *Reader) shrunk() Warning {
	what := "the header of the file was overwritten while limpet read the file"
	if now, err := r.tail.file.Stat(); err == nil && now.Size() < r.whole {
		what = fmt.Sprintf("another program cut off the file while limpet read the file: %d of %d bytes are left", now.Size(), r.whole)
	}
	return Warning{File: r.tail.path, What: what + "; limpet reads the file again from its start; check which other program writes to the file"}
}

// beginsAsBefore says whether the header is the one that was read.
func (t *tail) beginsAsBefore() bool {
	if t.again == nil {
		t.again = make([]byte, len(t.head))
	}
	_, err := t.file.ReadAt(t.again, 0)
	return err == nil && bytes.Equal(t.again, t.head)
}

// Look looks at a file that is new, or may have grown, been repaired, replaced
// or removed. It returns ErrMore where the header is not whole yet, and the
// error of a file that cannot be used; both may be cured when it changes.
func (j *Joined) Look(path string) error {
	return j.LookAt(path, nil)
}

// LookAt does what Look does, for a caller that has just called Stat of the path; with nil
// it calls Stat itself.
func (j *Joined) LookAt(path string, now fs.FileInfo) error {
	if now == nil {
		now, _ = os.Stat(path) // nil where there is nothing
	}
	isOpen := false
	for _, s := range j.strands() {
		if s.path == path && s.reader.tail != nil {
			isOpen = j.lookAgain(s, now) || isOpen
		}
	}
	if isOpen {
		return nil
	}
	j.parts = slices.DeleteFunc(j.parts, func(p *part) bool { return p.path == path })
	p, err := peek(path, OpenGrowing)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return j.add(p)
}

func (j *Joined) add(p *part) error {
	if h := j.Header(); h != nil && !SameHost(h.Hostname, p.header.Hostname) {
		return fmt.Errorf("file %s belongs to host %s, but the other files belong to host %s: join only files of the same host", p.path, p.header.Hostname, h.Hostname)
	}
	at, _ := slices.BinarySearchFunc(j.parts, p, (*part).order)
	j.parts = slices.Insert(j.parts, at, p)
	j.inventory.learn(&p.inventory)
	p.inventory = Inventory{}
	return nil
}

// lookAgain looks at a file that is open, and says whether it is still the
// one of its path.
func (j *Joined) lookAgain(s *strand, now fs.FileInfo) bool {
	switch {
	case !s.isCurrent(now):
		s.reader.finish()
	case s.reader.overwritten(now):
		j.note(s.reader.shrunk())
		s.reader.finish()
		s.reader.stopped = io.EOF
	default:
		s.reader.tail.size = max(s.reader.whole, now.Size())
	}
	j.resume(s)
	return s.reader.tail != nil
}

// isCurrent says whether what is read is the file of its path, or a longer copy
// of it is.
func (s *strand) isCurrent(now fs.FileInfo) bool {
	if now == nil || os.SameFile(s.reader.tail.is, now) {
		return now != nil
	}
	f, err := openRegular(s.path)
	if err == nil && s.reader.adopt(f) {
		return true
	}
	f.Close()
	return false
}

// resume makes a file be read on.
func (j *Joined) resume(s *strand) {
	if at := slices.Index(j.growing.dry, s); at >= 0 {
		j.growing.dry = slices.Delete(j.growing.dry, at, at+1)
		j.open = append(j.open, s)
		_ = j.refill(s, (*Reader).Next) // its troubles are warnings
	}
}

// Moved says that a file has another path: it was renamed, or compressed. In
// the latter case the rest is read from what is still open.
func (j *Joined) Moved(from, to string) {
	for _, p := range j.parts {
		if p.path == from {
			p.path = to
		}
	}
	for _, s := range j.strands() {
		if s.path == from && s.reader.tail != nil {
			now, err := os.Stat(to)
			if err == nil && os.SameFile(s.reader.tail.is, now) {
				s.path = to
			} else if now, err = os.Stat(from); err != nil {
				now = nil
			}
			j.lookAgain(s, now)
		}
	}
}

// Hurry says whether to go on without the records of files that may still
// come. Without it those of finer files are waited for.
func (j *Joined) Hurry(on bool) { j.growing.hurry = on }

// Ended lists the files that were read and closed since it was last asked.
func (j *Joined) Ended() []Ended {
	list := j.growing.ended
	j.growing.ended = nil
	return list
}

// Paths are those of the files that are open.
func (j *Joined) Paths() []string {
	var list []string
	for _, s := range j.strands() {
		list = append(list, s.path)
	}
	return list
}

// openGrowing opens the next file, or leaves it out.
func (j *Joined) openGrowing() {
	p := j.parts[0]
	j.parts = slices.Delete(j.parts, 0, 1)
	s, err := p.open(OpenGrowing)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == ErrMore:
	case err != nil:
		j.note(Warning{File: p.path, What: fmt.Sprintf("%v; the file is left out", err)})
	default:
		if !p.pace.known() {
			s.young, s.interval = &pace{}, cmp.Or(j.intervalOf(p.maker), p.interval)
		}
		j.open = append(j.open, s)
		_ = j.refill(s, (*Reader).Next) // its troubles are warnings
	}
}

// intervalOf is the interval of the last file of a recorder, 0 where there was
// none.
func (j *Joined) intervalOf(maker string) int64 {
	for _, s := range j.strands() {
		if s.maker == maker && s.interval > 0 {
			return s.interval
		}
	}
	return j.growing.intervals[maker]
}

// learnPace finds out the interval of a file that had few records when it was
// looked at first.
func (s *strand) learnPace(rec *Record) {
	if s.young.last == 0 {
		s.first = rec.Time
	}
	if s.young.take(rec); s.interval == 0 || s.young.known() {
		s.interval = s.young.interval()
	}
	if s.young.known() {
		s.young = nil
	}
}

// pause sets a file aside that has no further record, for now or for ever.
func (j *Joined) pause(s *strand, err error) {
	if err == ErrMore {
		j.growing.dry = append(j.growing.dry, s)
		return
	}
	if err != io.EOF {
		j.note(Warning{File: s.path, Offset: s.reader.offset(), What: fmt.Sprintf("%v; the rest of the file is left out", err)})
	}
	for _, w := range s.reader.Warnings() {
		j.note(w)
	}
	s.reader.Close()
	j.growing.intervals[s.maker] = s.interval
	j.growing.ended = append(j.growing.ended, Ended{s.path, s.lastTime})
}

// note keeps the latest warnings.
func (j *Joined) note(w Warning) {
	if j.warnings = append(j.warnings, w); len(j.warnings) > maxWarnings {
		j.warnings = slices.Clone(j.warnings[len(j.warnings)-maxWarnings:])
	}
}

// precede ends a file without further records that s goes on from, and says
// whether there was one: it may have a last record that was in doubt.
func (j *Joined) precede(s *strand) bool {
	if s == nil || s.head.Type != Stats {
		return false
	}
	for _, d := range j.growing.dry {
		if j.isOver(d, s) {
			d.reader.finish()
			j.resume(d)
			return true
		}
	}
	return false
}

// abandoned is after how many seconds without a record a file is closed where
// another has some.
const abandoned = 3600

// isOver says whether a file without further records is taken to have ended: s
// is the next file of the same recorder, or nobody waits for it any more.
func (j *Joined) isOver(d, s *strand) bool {
	end := d.end()
	return s.at > end && (j.growing.hurry || s.at-end > abandoned) ||
		slices.ContainsFunc(j.strands(), func(x *strand) bool { return x.goesOnFrom(d) })
}

// goesOnFrom says whether a file is the next of the same recorder.
func (s *strand) goesOnFrom(d *strand) bool {
	end := d.end()
	return s != d && s.maker == d.maker && s.first >= end && s.end() >= end && s.order(d.part) > 0
}

// end is where the records of a file end, as far as it was read.
func (s *strand) end() int64 {
	switch {
	case s.head != nil && s.head.Type == Stats:
		return s.at
	case s.before:
		return s.lastAt
	}
	return s.first
}

// awaits says whether no record can be handed out yet: there is none, or a
// finer file may still have records about the time of s.
func (j *Joined) awaits(s *strand) bool {
	return s == nil || slices.ContainsFunc(j.growing.dry, func(d *strand) bool { return d.mayCover(s) })
}

// mayCover says whether further records of a file may cover the head of
// another.
func (s *strand) mayCover(other *strand) bool {
	past := other.at - s.lastAt
	return s.before && other.head.Type == Stats && s.finerThan(other.part) && past > 0 &&
		(s.interval == 0 || past < mostSkipped*s.interval)
}

// isLate says whether the head of a file is of before what was handed out from
// others.
func (j *Joined) isLate(s *strand) bool {
	return j.lastOf != nil && j.lastOf != s.part && s.head.Type != Stats && s.head.Time < j.lastTime
}
