package sysstat

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// The structures of the writer. Every sar since 11.7 reads them. No structure is larger than in
// sysstat 12.2: the versions from 12.2 to 12.6 print nothing of a file with a structure larger than
// their own.
var (
	writtenVersion = Version{Major: 12, Patch: 6, Sub: 1}
	headerTypes    = triple{1, 1, 12}
	activityTypes  = triple{0, 0, 9}
	recordTypes    = triple{2, 0, 1}
)

const (
	writtenHeader   = 336
	writtenActivity = 36
	writtenRecord   = 24
)

// A Sample holds the items of a Stats record. Activities that the options do not name are not
// written. Custom has the order of WriterOptions.Custom.
type Sample struct {
	CPUs            []CPU // the first item is the sum of all CPUs
	Disks           []Disk
	Interfaces      []Interface
	InterfaceErrors []InterfaceErrors
	TCP             TCP
	TCPErrors       TCPErrors
	Custom          [][]byte
}

// A Writer writes an activity file of format 0x2175, with one Write for each record.
//
// A Write that fails, for example on a full disk, leaves the beginning of a record. To continue,
// truncate the file to Offset and seek there; the records before do not change.
type Writer struct {
	w      io.Writer
	opts   WriterOptions
	buf    []byte
	offset int64
}

// NewWriter writes the header of a file. Append continues a file that exists.
func NewWriter(w io.Writer, opts WriterOptions) (*Writer, error) {
	wr, err := prepare(w, opts)
	if err != nil {
		return nil, err
	}
	return wr, wr.flush()
}

// prepare returns a Writer that holds the header but has not written it.
func prepare(w io.Writer, opts WriterOptions) (*Writer, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	wr := &Writer{w: w, opts: opts}
	wr.magic()
	wr.header()
	for _, id := range opts.Activities {
		k := activities[id]
		count := 1
		if id == CPUActivity {
			count = opts.CPUs + 1
		}
		wr.activity(id, k.magic, count, varies(id), writtenSize(id), k.types)
	}
	for _, c := range opts.Custom {
		wr.activity(c.ID, customMagic, 1, true, c.Size, triple{})
	}
	return wr, nil
}

// Offset returns the end of the last whole record, or of the header, in bytes from the beginning of
// the file, or from the place where NewWriter began to write.
func (w *Writer) Offset() int64 {
	return w.offset
}

// Size returns the number of bytes that WriteStats would write for a sample.
func (w *Writer) Size(s *Sample) int {
	n := writtenRecord
	for _, id := range w.opts.Activities {
		if varies(id) {
			n += 4
		}
		n += s.count(id) * writtenSize(id)
	}
	n += 4 * len(w.opts.Custom)
	for _, raw := range s.Custom[:min(len(s.Custom), len(w.opts.Custom))] {
		n += len(raw)
	}
	return n
}

// count returns the number of items of an activity.
func (s *Sample) count(id uint32) int {
	switch id {
	case CPUActivity:
		return len(s.CPUs)
	case DiskActivity:
		return len(s.Disks)
	case InterfaceActivity:
		return len(s.Interfaces)
	case InterfaceErrorsActivity:
		return len(s.InterfaceErrors)
	}
	return 1
}

// customMagic is sysstat's magic for the first version of a structure.
const customMagic = 0x8a

func (w *Writer) u32(values ...uint32) {
	for _, v := range values {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
	}
}

func (w *Writer) u64(values ...uint64) {
	for _, v := range values {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, v)
	}
}

// chars writes a string into a field of n bytes.
func (w *Writer) chars(s string, n int) {
	end := len(w.buf) + n
	w.buf = append(w.buf, s[:min(len(s), n-1)]...)
	w.pad(end)
}

// pad appends zeros up to end.
func (w *Writer) pad(end int) {
	for len(w.buf) < end {
		w.buf = append(w.buf, 0)
	}
}

// flush writes the buffer in one call, so that only a crash or a full disk leaves a part of a
// record.
func (w *Writer) flush() error {
	n, err := w.w.Write(w.buf)
	if err == nil && n < len(w.buf) {
		err = io.ErrShortWrite
	}
	if err == nil {
		w.offset += int64(n)
	}
	w.buf = w.buf[:0]
	return err
}

func (w *Writer) magic() {
	v := writtenVersion
	w.u32(sysstatMagic | format2175<<16)
	w.buf = append(w.buf, v.Major, v.Patch, v.Sub, v.Extra)
	w.u32(writtenHeader, 0, headerTypes[0], headerTypes[1], headerTypes[2])
	w.pad(magicSize)
}

func (w *Writer) header() {
	o := &w.opts
	created := o.Created
	zone, _ := created.Zone()
	w.u64(uint64(created.Unix()), 100)
	w.u32(uint32(o.CPUs)+1, uint32(len(o.Activities)+len(o.Custom)), uint32(created.Year()-1900))
	w.u32(activityTypes[:]...)
	w.u32(recordTypes[:]...)
	w.u32(writtenActivity, writtenRecord, 0)
	w.buf = append(w.buf, byte(created.Day()), byte(created.Month()-1), 8)
	for _, s := range []string{"Linux", o.Hostname, o.Release, o.Machine} {
		w.chars(s, utsLen)
	}
	w.chars(zone, zoneLen)
	w.pad(magicSize + writtenHeader)
}

func (w *Writer) activity(id, magic uint32, count int, counted bool, size int, types triple) {
	has := uint32(0)
	if counted {
		has = 1
	}
	w.u32(id, magic, uint32(count), 1, has, uint32(size))
	w.u32(types[:]...)
}

// WriteStats writes counters. Uptime is in 1/100 s; t has the zone of the host.
func (w *Writer) WriteStats(t time.Time, uptime uint64, s *Sample) error {
	w.record(Stats, t, uptime)
	for _, id := range w.opts.Activities {
		w.items(id, s)
	}
	for i, c := range w.opts.Custom {
		var raw []byte
		if i < len(s.Custom) {
			raw = s.Custom[i]
		}
		if len(raw)%c.Size != 0 {
			w.buf = w.buf[:0]
			return fmt.Errorf("custom activity %d: %d bytes are not a multiple of the item size of %d bytes", c.ID, len(raw), c.Size)
		}
		w.u32(uint32(len(raw) / c.Size))
		w.buf = append(w.buf, raw...)
	}
	return w.flush()
}

// WriteRestart writes that the host was restarted, and its number of CPUs.
func (w *Writer) WriteRestart(t time.Time, cpus int) error {
	w.record(Restart, t, 0)
	w.u32(uint32(cpus) + 1)
	return w.flush()
}

// WriteComment writes a comment of at most 63 bytes, such as a line of the inventory.
func (w *Writer) WriteComment(t time.Time, comment string) error {
	if len(comment) > maxComment {
		return fmt.Errorf("comment %q has more than %d bytes: write two comments", comment, maxComment)
	}
	w.record(Comment, t, 0)
	w.chars(comment, commentLen)
	return w.flush()
}

func (w *Writer) record(typ RecordType, t time.Time, uptime uint64) {
	hour, minute, second := t.Clock()
	w.u64(uptime, uint64(t.Unix()))
	w.u32(0)
	w.buf = append(w.buf, byte(typ), byte(hour), byte(minute), byte(second))
}
