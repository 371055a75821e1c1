package hoststat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The activity has items of one byte, which together are a sample. A sample is a list of
// sections. Each is a tag, its length in bytes, and its numbers, all unsigned varints: seven
// bits to a byte, the lowest first. A text is its length and its bytes.
//
//	1  late         µs
//	2  pressure     µs: CPU some, CPU full, I/O some, I/O full, memory some, memory full
//	3  run delay    ns
//	4  tasks        blocked, looked, stopped, then for each function: text, tasks
//	5  accepted     sockets, unread, waiting, stuck, oldest ms, read, unsent, closed, closed there, taken
//	6  dialled      the same
//	7  in flight    for each device: major, minor, requests, still
//	8  file system  major, minor, bytes, free, files, free, mount as text; one section each
//	9  drive        major, minor, temperature (zigzag), limit (zigzag), alarm; one section each
//	10 completed    requests
//
// A section that would hold only zeros is left out. A reader skips sections and numbers that it
// does not know, so later versions add sections, or numbers at the end of a section. Section 7 and
// the list of functions in section 4 extend to the end of their section, so no numbers can be added
// to these sections.
const (
	// ID is the number of the activity, the letters hst. It is far above the numbers of sysstat,
	// and easy to find in a hex dump.
	ID = 0x687374
	// Size is the size of an item of the activity.
	Size = 1

	tagLate = iota - 1
	tagPressure
	tagRunDelay
	tagTasks
	tagAccepted
	tagDialled
	tagInFlight
	tagFileSystem
	tagDrive
	tagCompleted
)

// Append appends a sample to dst.
func Append(dst []byte, s *Sample) []byte {
	dst = section(dst, tagLate, s.LateMicros)
	dst = section(dst, tagPressure, s.Pressure[CPU].Some, s.Pressure[CPU].Full, s.Pressure[IO].Some, s.Pressure[IO].Full,
		s.Pressure[Memory].Some, s.Pressure[Memory].Full)
	dst = section(dst, tagRunDelay, s.RunDelayNs)
	dst = appendTasks(dst, &s.Tasks)
	dst = appendQueues(dst, tagAccepted, &s.Accepted)
	dst = appendQueues(dst, tagDialled, &s.Dialled)
	dst = section(dst, tagCompleted, s.Completed)
	if len(s.InFlight) > 0 {
		at := len(dst)
		dst = append(dst, tagInFlight, 0, 0)
		for _, d := range s.InFlight {
			dst = numbers(dst, uint64(d.Major), uint64(d.Minor), d.Requests, d.Still)
		}
		dst = closeSection(dst, at)
	}
	for i := range s.FileSystems {
		f := &s.FileSystems[i]
		at := len(dst)
		dst = append(dst, tagFileSystem, 0, 0)
		dst = numbers(dst, uint64(f.Major), uint64(f.Minor), f.Bytes, f.FreeBytes, f.Files, f.FreeFiles)
		dst = closeSection(text(dst, f.Mount), at)
	}
	for i := range s.Drives {
		d := &s.Drives[i]
		alarm := uint64(0)
		if d.Alarm {
			alarm = 1
		}
		at := len(dst)
		dst = append(dst, tagDrive, 0, 0)
		dst = numbers(dst, uint64(d.Major), uint64(d.Minor), zigzag(d.MilliCelsius), zigzag(d.Limit), alarm)
		dst = closeSection(dst, at)
	}
	return dst
}

func appendTasks(dst []byte, t *Tasks) []byte {
	if !t.Looked {
		return section(dst, tagTasks, t.Blocked)
	}
	at := len(dst)
	dst = append(dst, tagTasks, 0, 0)
	dst = numbers(dst, t.Blocked, 1, t.Stopped)
	for _, w := range t.Waits {
		dst = numbers(text(dst, w.Function), w.Tasks)
	}
	return closeSection(dst, at)
}

func appendQueues(dst []byte, tag byte, q *Queues) []byte {
	return section(dst, tag, q.Sockets, q.Unread, q.Waiting, q.Stuck, q.OldestMs, q.Read, q.Unsent, q.Closed, q.ClosedThere, q.Taken)
}

// longest is the largest length of a section, because the length has two bytes of seven bits each.
const longest = 1<<14 - 1

// section appends a section of numbers, unless all of them are 0. Zeros at its end are left out.
func section(dst []byte, tag byte, all ...uint64) []byte {
	for len(all) > 0 && all[len(all)-1] == 0 {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return dst
	}
	at := len(dst)
	return closeSection(numbers(append(dst, tag, 0, 0), all...), at)
}

// closeSection writes the length of the section that begins at a position. It drops a section that
// is too long for the format, such as the in-flight requests of a thousand devices.
func closeSection(dst []byte, at int) []byte {
	n := len(dst) - at - 3
	if n > longest {
		return dst[:at]
	}
	dst[at+1], dst[at+2] = byte(n)|0x80, byte(n>>7)
	return dst
}

func numbers(dst []byte, all ...uint64) []byte {
	for _, n := range all {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

// maxText is the largest length of a text. The path of a mount may have four thousand bytes.
const maxText = 255

func text(dst []byte, s string) []byte {
	s = s[:min(len(s), maxText)]
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// errDamaged is the last part of every error of Decode.
var errDamaged = errors.New("the file is damaged, or another program uses the same activity number 0x687374")

// Decode reads a sample into the memory of s. If it returns an error, s must not be used.
func Decode(sample []byte, s *Sample) error {
	s.Reset()
	d := decoder{rest: sample}
	for len(d.rest) > 0 && !d.failed {
		tag, n := d.number(), d.number()
		if d.failed || n > uint64(len(d.rest)) {
			d.failed = true
			break
		}
		part := decoder{rest: d.rest[:n]}
		d.rest = d.rest[n:]
		part.section(tag, s)
		d.failed = part.failed
	}
	if d.failed {
		return fmt.Errorf("a sample of wait times (%d bytes) is incomplete, or one of its numbers is impossible (%d bytes before its end): %w", len(sample), len(d.rest), errDamaged)
	}
	return nil
}

// A decoder reads numbers from the beginning of rest.
type decoder struct {
	rest   []byte
	failed bool
}

// number returns the next number.
func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 || d.failed {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// next returns the next number of a section; 0 after its end, because Append leaves out zeros
// there.
func (d *decoder) next() uint64 {
	if len(d.rest) == 0 {
		return 0
	}
	return d.number()
}

func (d *decoder) device() (major, minor uint32) {
	a, b := d.number(), d.number()
	if max(a, b) >= 1<<32 {
		d.failed = true
	}
	return uint32(a), uint32(b)
}

func (d *decoder) text() string {
	n := d.number()
	if d.failed || n > uint64(len(d.rest)) {
		d.failed = true
		return ""
	}
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) section(tag uint64, s *Sample) {
	switch tag {
	case tagLate:
		s.LateMicros = d.next()
	case tagPressure:
		for r := range s.Pressure {
			s.Pressure[r] = Pressure{d.next(), d.next()}
		}
	case tagRunDelay:
		s.RunDelayNs = d.next()
	case tagTasks:
		s.Tasks.Blocked, s.Tasks.Looked, s.Tasks.Stopped = d.next(), d.next() != 0, d.next()
		for len(d.rest) > 0 && !d.failed {
			s.Tasks.Waits = append(s.Tasks.Waits, Wait{d.text(), d.number()})
		}
	case tagAccepted:
		s.Accepted = d.queues()
	case tagDialled:
		s.Dialled = d.queues()
	case tagCompleted:
		s.Completed = d.next()
	case tagInFlight:
		for len(d.rest) > 0 && !d.failed {
			major, minor := d.device()
			s.InFlight = append(s.InFlight, InFlight{major, minor, d.number(), d.number()})
		}
	case tagFileSystem:
		var f FileSystem
		f.Major, f.Minor = d.device()
		f.Bytes, f.FreeBytes, f.Files, f.FreeFiles = d.number(), d.number(), d.number(), d.number()
		f.Mount = d.text()
		s.FileSystems = append(s.FileSystems, f)
	case tagDrive:
		var v Drive
		v.Major, v.Minor = d.device()
		v.MilliCelsius, v.Limit, v.Alarm = unzigzag(d.number()), unzigzag(d.number()), d.number() != 0
		s.Drives = append(s.Drives, v)
	}
}

func (d *decoder) queues() Queues {
	return Queues{
		Sockets: d.next(), Unread: d.next(), Waiting: d.next(), Stuck: d.next(), OldestMs: d.next(),
		Read: d.next(), Unsent: d.next(), Closed: d.next(), ClosedThere: d.next(), Taken: d.next(),
	}
}
