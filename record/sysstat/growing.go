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

// ErrMore is the error of Next if growing files have no further record yet. A later call of Next
// continues there.
var ErrMore = errors.New("there are no more records yet")

// growing is the state of a Joined whose files are being written.
type growing struct {
	dry   []*strand // open files whose records were all returned
	ended []Ended
	hurry bool
	// intervals has the interval of the last file of each recorder. It is used for files that have
	// too few records to show their interval.
	intervals map[string]int64
}

// Ended is a file that was read and closed.
type Ended struct {
	Path string
	Last int64 // time of its last sample; 0: no sample
}

// JoinGrowing joins files of one host that are still being written. It begins without files. Call
// Look for each file, and again whenever the file may have changed.
//
//   - A record is returned when it is whole.
//   - A file is read to its end and closed when another file continues it, as after a rotation, or
//     when it is removed or replaced.
//   - A late record, older than the last returned record, is left out.
//   - A file with an error is left out with a warning, and tried again at the next Look.
func JoinGrowing() *Joined { return &Joined{growing: &growing{intervals: map[string]int64{}}} }

// errNoFile is the error for a path that is not a regular file.
var errNoFile = errors.New("this is a pipe, a socket, a device or a directory: name a regular file")

// openRegular opens a regular file, and never blocks: the open of a pipe could block until somebody
// writes to it.
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

// OpenGrowing opens a file that is being written. At the end of the file, Next returns ErrMore; the
// next call of Next continues there. If the header is not whole yet, OpenGrowing itself returns
// ErrMore. A compressed file counts as whole.
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

// adopt reports whether f is a longer copy of the file that was read: copying programs replace
// files. If so, r continues in f.
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

// begins reports whether a file has the wanted bytes at an offset.
func begins(f *os.File, at int64, want []byte) bool {
	has := make([]byte, len(want))
	_, err := f.ReadAt(has, at)
	return err == nil && bytes.Equal(has, want)
}

// unread drops the buffered bytes behind the last whole record, so that they are read again: a
// repair cuts them off in the file.
func (r *Reader) unread() { r.buf = r.buf[:r.pos] }

// finish makes the present end of the file final.
func (r *Reader) finish() {
	if _, err := r.tail.file.Seek(r.base+int64(len(r.buf)), io.SeekStart); err != nil {
		r.stopped = fmt.Errorf("%s: %w", r.file.File, err)
	}
	r.tail = nil
}

// overwritten reports whether the file no longer has the content that was read. If the file seems
// shorter, overwritten calls Stat again, because the file may have grown since.
func (r *Reader) overwritten(now fs.FileInfo) bool {
	if now.Size() < r.whole {
		again, err := r.tail.file.Stat()
		if err != nil || again.Size() < r.whole {
			return true
		}
	}
	return !r.tail.beginsAsBefore()
}

// shrunk returns the warning for a file that no longer has the content that was read.
func (r *Reader) shrunk() Warning {
	what := "the header of the file was overwritten while limpet read the file"
	if now, err := r.tail.file.Stat(); err == nil && now.Size() < r.whole {
		what = fmt.Sprintf("another program shortened the file while limpet read the file: %d of %d bytes are left", now.Size(), r.whole)
	}
	return Warning{File: r.tail.path, What: what + "; limpet reads the file again from its start; check which other program writes to the file"}
}

// beginsAsBefore reports whether the header of the file is unchanged.
func (t *tail) beginsAsBefore() bool {
	if t.again == nil {
		t.again = make([]byte, len(t.head))
	}
	_, err := t.file.ReadAt(t.again, 0)
	return err == nil && bytes.Equal(t.again, t.head)
}

// Look looks at a file that is new, or may have grown, been repaired, replaced or removed. It
// returns ErrMore if the header is not whole yet, and an error if the file cannot be used. Both may
// change when the file changes.
func (j *Joined) Look(path string) error {
	return j.LookAt(path, nil)
}

// LookAt is Look with the result of Stat for the path; if now is nil, LookAt calls Stat itself.
func (j *Joined) LookAt(path string, now fs.FileInfo) error {
	if now == nil {
		now, _ = os.Stat(path) // nil if there is no file
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

// lookAgain looks at an open file, and reports whether the path still names this file.
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

// isCurrent reports whether the path still names the open file, or a longer copy of it.
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

// resume continues the reading of a file.
func (j *Joined) resume(s *strand) {
	if at := slices.Index(j.growing.dry, s); at >= 0 {
		j.growing.dry = slices.Delete(j.growing.dry, at, at+1)
		j.open = append(j.open, s)
		_ = j.refill(s, (*Reader).Next) // pause makes errors warnings
	}
}

// Moved changes the path of a file that was renamed or compressed. The rest of a compressed file is
// read from the file that is still open.
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

// Hurry sets whether j continues without the records that may still come. If off, j waits for the
// records of finer files.
func (j *Joined) Hurry(on bool) { j.growing.hurry = on }

// Ended returns the files that were read and closed since the last call of Ended.
func (j *Joined) Ended() []Ended {
	list := j.growing.ended
	j.growing.ended = nil
	return list
}

// Paths returns the paths of the open files.
func (j *Joined) Paths() []string {
	var list []string
	for _, s := range j.strands() {
		list = append(list, s.path)
	}
	return list
}

// openGrowing opens the next file; if that fails, the file is left out.
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
			s.pace, s.interval = &pace{}, cmp.Or(j.intervalOf(p.maker), p.interval)
		}
		j.open = append(j.open, s)
		_ = j.refill(s, (*Reader).Next) // pause makes errors warnings
	}
}

// intervalOf returns the interval of the last file of a recorder; 0: no file.
func (j *Joined) intervalOf(maker string) int64 {
	for _, s := range j.strands() {
		if s.maker == maker && s.interval > 0 {
			return s.interval
		}
	}
	return j.growing.intervals[maker]
}

// learnPace measures the interval of a file that had few records when it was opened.
func (s *strand) learnPace(rec *Record) {
	if s.pace.last == 0 {
		s.first = rec.Time
	}
	if s.pace.take(rec); s.interval == 0 || s.pace.known() {
		s.interval = s.pace.interval()
	}
	if s.pace.known() {
		s.pace = nil
	}
}

// pause puts aside a file that has no further record, for now or for ever.
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

// precede ends a file without further records that is over (see isOver), and reports whether there
// was such a file. At its end, the file may give a last record that was uncertain before.
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

// abandoned is the number of seconds after which a file without new records is closed, if another
// file has records.
const abandoned = 3600

// isOver reports whether a file without further records counts as ended: another file of the same
// recorder continues it; or the record of s is later, and j is in a hurry or the file is abandoned.
func (j *Joined) isOver(d, s *strand) bool {
	end := d.end()
	return s.at > end && (j.growing.hurry || s.at-end > abandoned) ||
		slices.ContainsFunc(j.strands(), func(x *strand) bool { return x.goesOnFrom(d) })
}

// goesOnFrom reports whether a file is the next file of the same recorder.
func (s *strand) goesOnFrom(d *strand) bool {
	end := d.end()
	return s != d && s.maker == d.maker && s.first >= end && s.end() >= end && s.order(d.part) > 0
}

// end returns the time of the last record that was read from the file.
func (s *strand) end() int64 {
	switch {
	case s.head != nil && s.head.Type == Stats:
		return s.at
	case s.before:
		return s.lastAt
	}
	return s.first
}

// awaits reports whether no record can be returned yet: there is none, or a finer file may still
// get records around the time of s.
func (j *Joined) awaits(s *strand) bool {
	return s == nil || slices.ContainsFunc(j.growing.dry, func(d *strand) bool { return d.mayCover(s) })
}

// mayCover reports whether further records of a file may cover the time of another file's next
// record.
func (s *strand) mayCover(other *strand) bool {
	past := other.at - s.lastAt
	return s.before && other.head.Type == Stats && s.finerThan(other.part) && past > 0 &&
		(s.interval == 0 || past < mostSkipped*s.interval)
}

// isLate reports whether the next record of a file is older than the last record of another file
// that was returned.
func (j *Joined) isLate(s *strand) bool {
	return j.lastOf != nil && j.lastOf != s.part && s.head.Type != Stats && s.head.Time < j.lastTime
}
