package sysstat

import "time"

// A RecordType is the kind of a record.
type RecordType uint8

// The types of records. Other types, which sysstat reserves, are skipped.
const (
	Stats   RecordType = 1 // counters
	Restart RecordType = 2 // the host was restarted
	Comment RecordType = 4 // a remark, or a line of the inventory

	lastStats RecordType = 3 // Stats before a rotation
	minExtra  RecordType = 5 // first reserved type
	maxExtra  RecordType = 15
)

const commentLen = 64 // bytes of a comment, the last is NUL

// A Record holds the data of one time. It stays valid until the second following call of Next.
type Record struct {
	Type      RecordType
	Time      int64  // s since the epoch
	Uptime    uint64 // uptime of the host in 1/100 s; 0 for Restart and Comment
	UTCOffset int    // offset of the host's local time, s east of UTC
	Offset    int64  // offset of the record in the uncompressed file
	CPUCount  int    // Restart: number of CPUs from here on
	// Restarted is set if the counters of these Stats do not continue the counters of the Stats
	// before: a Restart came between them, or the uptime decreased.
	Restarted bool

	file  *file
	body  []byte // bytes of the record, with its header
	items []span // items of each activity, within body
	data  int    // offset in body of the data behind the header
}

// span is the place of the items of an activity.
type span struct {
	off, count int
}

// Header returns the header of the record's file.
func (rec *Record) Header() *Header {
	return &rec.file.Header
}

// LocalTime returns the time of the record in the zone of its host.
func (rec *Record) LocalTime() time.Time {
	return time.Unix(rec.Time, 0).In(time.FixedZone("", rec.UTCOffset))
}

// Comment returns the text of a Comment; "" for other records.
func (rec *Record) Comment() string {
	if rec.Type != Comment {
		return ""
	}
	return text(rec.body[rec.data : rec.data+commentLen-1])
}

// Items returns the bytes of an activity without decoding them: count items of size bytes, or count
// rows of a matrix. It is for activities that this package does not decode. raw is valid as long as
// the record.
func (rec *Record) Items(activity uint32) (raw []byte, count, size int) {
	i, ok := rec.file.index[activity]
	if !ok || rec.Type != Stats {
		return nil, 0, 0
	}
	a, s := &rec.file.Activities[i], rec.items[i]
	return rec.body[s.off : s.off+s.count*a.unit], s.count, a.unit
}

// decodable returns the items of an activity with their layout. If the items are absent or their
// format is unknown, count is 0.
func (rec *Record) decodable(activity uint32) (raw []byte, count, size int, l *layout) {
	raw, count, size = rec.Items(activity)
	if i, ok := rec.file.index[activity]; ok {
		l = rec.file.Activities[i].layout
	}
	if l == nil {
		count = 0
	}
	return raw, count, size, l
}

// parse parses the header of a record, and reports whether it is plausible.
func (rec *Record) parse(f *file, b []byte) bool {
	typ := RecordType(b[f.typeAt])
	hour, minute, second := int(b[f.typeAt+1]), int(b[f.typeAt+2]), int(b[f.typeAt+3])
	// A leap second has the number 60.
	if typ < Stats || typ > f.maxType() || hour > 23 || minute > 59 || second > 60 {
		return false
	}
	rec.file = f
	rec.Type = typ
	if typ == lastStats {
		rec.Type = Stats
	}
	rec.Time = int64(f.order.load(b, f.timeAt))
	rec.Uptime = f.order.load(b, f.uptimeAt)
	if f.Format != format2175 {
		rec.Uptime = rec.Uptime * 100 / f.HZ
	}
	rec.UTCOffset = utcOffset(hour*3600+minute*60+second, rec.Time)
	rec.CPUCount, rec.Restarted = 0, false
	return rec.Time >= minTime && rec.Time <= maxTime
}

// Times beyond these are damage: sysstat accepts no record from before 2001, and no record is from
// after 2242.
const (
	minTime = 1_000_000_000
	maxTime = 1 << 33
)

func (f *file) maxType() RecordType {
	if f.Format == format2175 {
		return maxExtra
	}
	return Comment
}

// utcOffset returns by how much local time is ahead of UTC, in seconds. The day is not known, so
// +13 h (the summer time of New Zealand) and −11 h look the same: utcOffset returns +13 h.
func utcOffset(local int, epoch int64) int {
	off := local - int(epoch%86400)
	switch {
	case off <= -11*3600:
		off += 86400
	case off > 13*3600:
		off -= 86400
	}
	return off
}
