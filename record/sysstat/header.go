package sysstat

import "fmt"

// A file opens with a magic structure, a file header and a list of
// activities (0x2175, little endian, sysstat 12.6.1):
//
//	0    96 d5 75 21  0c 06 01 00   sysstat magic, format magic, version 12.6.1
//	8    50 01 00 00                size of the file header: 336
//	16   1, 1, 12                   triple of the file header
//	76   file header                creation, HZ, CPUs, sizes, host, zone
//	412  0b 8c 0a 01 01 50 3 3 8    activity 11 (disks), magic 8c, 10 items, 80 bytes each
//	...
const (
	sysstatMagic = 0xd596
	format1170   = 0x1170 // a format of Red Hat
	format2170   = 0x2170
	format2171   = 0x2171
	format2173   = 0x2173
	format2175   = 0x2175

	magicSize       = 76 // since 0x2173
	legacyMagicSize = 8
	utsLen          = 65 // length of a string of uname
	zoneLen         = 8
)

// Sanity limits, from sysstat if it has one: a file beyond them is damaged or no activity file.
const (
	maxHeaderSize   = 8192
	maxActivities   = 256
	maxActivitySize = 1024
	maxRecordHeader = 512
	maxItemSize     = 1024
	maxItems        = 1 << 28
	maxSubItems     = 4096
	// maxRecordSize bounds the memory of the reader if a count is damaged. Interrupts by CPU, the
	// largest activity, take 0.4 MB with 64 CPUs.
	maxRecordSize = 64 << 20
)

// A Header describes a file and the host on which it was recorded.
type Header struct {
	File      string  // name by which it was opened
	Format    uint16  // 0x2170, 0x2171, 0x2173 or 0x2175
	Version   Version // version of the sysstat that recorded it
	Converter Version // version of the sadf -c that converted it; zero: not converted

	BigEndian bool
	LongSize  int // bytes of a C long on the writer, 4 or 8
	HZ        uint64

	Created          int64 // s since the epoch
	Year, Month, Day int   // local date of creation
	Zone             string

	Sysname, Hostname, Release, Machine string

	CPUs       int // number of CPUs at creation
	Activities []Activity
}

// Sub returns cur − prev for a counter that the kernel of the recording host keeps in a C long,
// such as sectors and TCP segments. If a long has four bytes, the counter wraps at 2³².
func (h *Header) Sub(cur, prev uint64) uint64 {
	if h.LongSize == 4 {
		return uint64(uint32(cur) - uint32(prev))
	}
	return cur - prev
}

// An Activity describes the items of one kind that each record holds.
type Activity struct {
	ID, Magic uint32
	Count     int  // number of items at creation
	SubCount  int  // number of parts of an item of a matrix; otherwise 1
	Varies    bool // each record has its own count
	Size      int  // bytes of an item
	Decoded   bool // this package knows the format

	types  triple
	layout *layout
	unit   int // bytes of an item with all its parts
	most   int // largest number of items in a record
}

// file holds the properties that all records of a file share.
type file struct {
	Header
	order      order
	recordSize int
	uptimeAt   field
	timeAt     field
	extraAt    field
	typeAt     int
	counts     []int // present numbers of items, for records without a count
	volatile   int   // number of activities behind a restart record of 0x2173
	index      map[uint32]int
}

// bad returns the error for a file that cannot be read.
func (r *Reader) bad(format string, args ...any) error {
	return &FormatError{
		File: r.file.File, Offset: r.offset(), What: fmt.Sprintf(format, args...),
		Hint: "the file is damaged or is not an activity file: restore the file from a backup, or leave this file out",
	}
}

// take returns the next n bytes of the header.
func (r *Reader) take(n int, of string) ([]byte, error) {
	ok, err := r.fill(n, true)
	if err != nil {
		return nil, err
	}
	if !ok && r.broken != nil {
		return nil, r.bad("%v", r.broken)
	}
	if !ok && r.offset() == 0 && len(r.buf) == 0 {
		return nil, &FormatError{File: r.file.File, What: "the file is empty", Hint: "check whether the recorder writes to this file, or leave this file out", Empty: true}
	}
	if !ok {
		return nil, r.bad("the file ends inside its %s", of)
	}
	b := r.buf[r.pos : r.pos+n]
	r.pos += n
	return b, nil
}

// readHeader reads all bytes before the first record.
func (r *Reader) readHeader() error {
	b, err := r.take(legacyMagicSize, "first bytes")
	if err != nil {
		return err
	}
	f := r.file
	f.BigEndian = b[0] == 0xd5
	f.order = order{big: f.BigEndian, long: 8}
	if f.order.u16(b) != sysstatMagic {
		return r.refuseMagic()
	}
	f.Format = f.order.u16(b[2:])
	f.Version = Version{b[4], b[5], b[6], b[7]}
	switch f.Format {
	case format2170, format2171:
		return r.readLegacyHeader(legacyHeaderSize)
	case format2173, format2175:
		return r.readMagic()
	}
	return r.refuse()
}

// refuse returns the error for a format that this package does not read.
func (r *Reader) refuse() error {
	if r.file.Format == format1170 {
		// Red Hat changed structures of 9.0.4 within RHEL 6, and gave the format its own number. No
		// release of sysstat describes them.
		return &FormatError{
			File: r.file.File, Offset: 2,
			What: fmt.Sprintf("the file has format %#x of sysstat %v, a special format of Red Hat (RHEL 6.5 to 6.10)", r.file.Format, r.file.Version),
			Hint: "limpet does not read this format: on a RHEL 6 system, convert the file to text (LC_ALL=C sar -d -f FILE), and read the text with --tables sar",
		}
	}
	return &FormatError{
		File: r.file.File, Offset: 2,
		What: fmt.Sprintf("format %#x of sysstat %v is unknown", r.file.Format, r.file.Version),
		Hint: "use a newer version of limpet, which may read this format",
	}
}

// readMagic reads the rest of the magic structure and the header after it.
func (r *Reader) readMagic() error {
	b, err := r.take(magicSize-legacyMagicSize, "first bytes")
	if err != nil {
		return err
	}
	o := r.file.order
	size := o.u32(b)
	if size < 1 || size > maxHeaderSize {
		return r.bad("the file states that its header has %d bytes, which is impossible", size)
	}
	if r.file.Format == format2173 {
		return r.readLegacyHeader(int(size))
	}
	types := triple{o.u32(b[8:]), o.u32(b[12:]), o.u32(b[16:])}
	if by := o.u32(b[4:]); by != 0 {
		r.file.Converter = converter(by, types)
	}
	if types.size() > uint64(size) {
		return r.bad("the fields of the file header need %d bytes, but the header has %d", types.size(), size)
	}
	return r.readHeader2175(int(size), types)
}

// converter returns the version of the sadf -c that converted a file. The file stores only
// patch·256 + sub + 1, so 11.7 and 12.7 have the same number. 11.7 has one field less in its
// header.
func converter(by uint32, header triple) Version {
	v := Version{Major: 12, Patch: uint8((by - 1) >> 8), Sub: uint8(by - 1)}
	if v.Patch == 7 && header[2] < 12 {
		v.Major = 11
	}
	return v
}

func (r *Reader) readHeader2175(size int, types triple) error {
	b, err := r.take(size, "file header")
	if err != nil {
		return err
	}
	chars := int(types.size())
	if chars+3+4*utsLen > size {
		return r.bad("the file header of %d bytes is too short for the host name", size)
	}
	if err := r.setLong(b[chars+2]); err != nil {
		return err
	}
	f, o := r.file, r.file.order
	get := func(k kind, i int) uint64 { return o.load(b, types.field(o, k, i)) }
	f.Created = int64(get(ull, 0))
	f.HZ = get(ul, 0)
	f.CPUs = cpuCount(uint32(get(u, 0)))
	f.Year, f.Month, f.Day = 1900+int(get(u, 2)), 1+int(b[chars+1]), int(b[chars])
	f.setStrings(b[chars+3:])
	if zone := b[chars+3+4*utsLen:]; len(zone) >= zoneLen {
		f.Zone = text(zone[:zoneLen])
	}
	return r.readRecordLayout(get)
}

// readRecordLayout reads the sizes from the file header, and then the activities.
func (r *Reader) readRecordLayout(get func(kind, int) uint64) error {
	act := triple{uint32(get(u, 3)), uint32(get(u, 4)), uint32(get(u, 5))}
	rec := triple{uint32(get(u, 6)), uint32(get(u, 7)), uint32(get(u, 8))}
	n, actSize, recSize := get(u, 1), get(u, 9), get(u, 10)
	switch {
	case n > maxActivities:
		return r.bad("the header states %d activities, which is impossible", n)
	case actSize > maxActivitySize || act.size() > actSize:
		return r.bad("the header states activities of %d bytes with %d bytes of fields, which is impossible", actSize, act.size())
	case recSize > maxRecordHeader || rec.size() > recSize:
		return r.bad("the header states record headers of %d bytes with %d bytes of fields, which is impossible", recSize, rec.size())
	case rec[0] < 2 || rec.size()+4 > recSize:
		return r.bad("the header states record headers of %d bytes, which are too short for a time", recSize)
	}
	f, o := r.file, r.file.order
	f.recordSize, f.typeAt = int(recSize), int(rec.size())
	f.uptimeAt, f.timeAt = rec.field(o, ull, 0), rec.field(o, ull, 1)
	f.extraAt = rec.field(o, u, 0)
	if err := r.readActivities(int(n), int(actSize), act); err != nil {
		return err
	}
	if get(u, 11) == 0 {
		return nil
	}
	return r.skipHeaderExtra()
}

func (r *Reader) readActivities(n, size int, types triple) error {
	for range n {
		b, err := r.take(size, "activity list")
		if err != nil {
			return err
		}
		get := func(i int) uint32 {
			return uint32(r.file.order.load(b, types.field(r.file.order, u, i)))
		}
		err = r.addActivity(Activity{
			ID: get(0), Magic: get(1), Count: int(get(2)), SubCount: int(get(3)),
			Varies: get(4) != 0, Size: int(get(5)), types: triple{get(6), get(7), get(8)},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addActivity checks an activity and adds it to the list.
func (r *Reader) addActivity(a Activity) error {
	f := r.file
	if what := checkActivity(f.Format, &a); what != "" {
		return r.bad("activity %d: %s", a.ID, what)
	}
	a.unit = a.Size * a.SubCount
	a.most = min(maxItemsOf(a.ID), maxRecordSize/a.unit)
	a.layout = layoutOf(f.order, f.Format, &a)
	a.Decoded = a.layout != nil
	if _, twice := f.index[a.ID]; !twice {
		f.index[a.ID] = len(f.Activities)
	}
	f.Activities = append(f.Activities, a)
	f.counts = append(f.counts, a.Count)
	return nil
}

func (r *Reader) setLong(size byte) error {
	if size != 4 && size != 8 {
		return r.bad("the file states that the C type long has %d bytes, which is impossible", size)
	}
	r.file.order.long, r.file.LongSize = int(size), int(size)
	return nil
}

// setStrings sets the four strings of uname.
func (h *Header) setStrings(b []byte) {
	for i, s := range []*string{&h.Sysname, &h.Hostname, &h.Release, &h.Machine} {
		*s = text(b[i*utsLen : (i+1)*utsLen])
	}
}

// cpuCount returns the number of CPUs. sysstat counts "all" as one more CPU.
func cpuCount(n uint32) int {
	return max(int(n)-1, 1)
}
