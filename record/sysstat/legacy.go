package sysstat

// The formats before 0x2175 are memory images of C structures. In structures with 64-bit numbers,
// each of these is aligned to 16 bytes; longs are aligned to 8 bytes:
//
//	0x2170  magic 8    header 280  activity 12  record 48  no data behind a restart
//	0x2171  magic 8    header 280  activity 20  record 48  no data behind a restart
//	0x2173  magic 76   header 288  activity 20  record 48  activities behind a restart
//
// The numbers of items are fixed when the file is created, with some slots to spare; unused slots
// are zero. Only a restart of 0x2173 may change the numbers, of the activities with an item for
// each CPU.
const (
	legacyHeaderSize   = 280 // 0x2170 and 0x2171; a file of 0x2173 has the size in its magic
	legacyActivitySize = 20
	oldestActivitySize = 12 // 0x2170: only number, count and size
	legacyRecordSize   = 48
	firstMagic         = 0x8a // magic of the first version of an activity's structure
	// legacyHZ: old files do not hold the number of jiffies a second. Linux reports 100 to programs
	// on all machines except Alpha and Itanium.
	legacyHZ = 100
)

// legacyOffsets are the places of the file header's fields.
type legacyOffsets struct {
	activities, volatile, cpus, date, strings int
}

var (
	offsets2171 = legacyOffsets{activities: 8, volatile: -1, cpus: -1, date: 12, strings: 16}
	offsets2173 = legacyOffsets{cpus: 8, activities: 12, volatile: 16, date: 20, strings: 24}
)

// readLegacyHeader reads the header behind the magic, of formats before 0x2175.
func (r *Reader) readLegacyHeader(size int) error {
	at, h := offsets2173, &r.file.Header
	if h.Format < format2173 {
		at = offsets2171
	}
	if size < at.strings+4*utsLen {
		return r.bad("the file header has %d bytes, too few for format %#x", size, h.Format)
	}
	b, err := r.take(size, "file header")
	if err != nil {
		return err
	}
	if err := r.setLong(b[at.date+3]); err != nil {
		return err
	}
	o := r.file.order
	h.Created = int64(o.load(b, o.at(ul, 0)))
	h.HZ = legacyHZ
	h.Year, h.Month, h.Day = 1900+int(b[at.date+2]), 1+int(b[at.date+1]), int(b[at.date])
	h.setStrings(b[at.strings:])
	if at.cpus >= 0 {
		h.CPUs = cpuCount(o.u32(b[at.cpus:]))
		r.file.volatile = int(o.u32(b[at.volatile:]))
	}
	if r.file.volatile > maxActivities {
		return r.bad("the header states that %d activities can change, which is impossible", r.file.volatile)
	}
	return r.readLegacyActivities(o.u32(b[at.activities:]))
}

func (r *Reader) readLegacyActivities(n uint32) error {
	if n > maxActivities {
		return r.bad("the header states %d activities, which is impossible", n)
	}
	for range n {
		b, err := r.take(r.file.activitySize(), "activity list")
		if err != nil {
			return err
		}
		a := r.file.legacyActivity(b)
		if err := r.addActivity(a); err != nil {
			return err
		}
		if a.ID == CPUActivity && r.file.CPUs == 0 {
			r.file.CPUs = cpuCount(uint32(a.Count))
		}
	}
	r.file.recordSize = legacyRecordSize
	r.file.uptimeAt, r.file.timeAt = r.file.order.at(ull, 16), r.file.order.at(ul, 32)
	r.file.typeAt = 40
	return nil
}

func (f *file) activitySize() int {
	if f.Format == format2170 {
		return oldestActivitySize
	}
	return legacyActivitySize
}

// legacyActivity parses an entry of the list of activities. 0x2170 has no magic: each activity has
// the first version of its structure.
func (f *file) legacyActivity(b []byte) Activity {
	o := f.order
	if f.Format == format2170 {
		return Activity{
			ID: o.u32(b), Magic: firstMagic, Count: int(o.u32(b[4:])), SubCount: 1, Size: int(o.u32(b[8:])),
		}
	}
	return Activity{
		ID: o.u32(b), Magic: o.u32(b[4:]),
		Count: int(o.u32(b[8:])), SubCount: int(o.u32(b[12:])), Size: int(o.u32(b[16:])),
	}
}

// restarted reads the data behind the header of a Restart, and returns the number of CPUs. In
// 0x2173 it also reads the new numbers of items of the activities with an item for each CPU.
func (f *file) restarted(b []byte) (cpus int) {
	switch f.Format {
	case format2170, format2171:
		return f.CPUs
	case format2175:
		return cpuCount(f.order.u32(b))
	}
	cpus = f.CPUs
	for ; len(b) > 0; b = b[legacyActivitySize:] {
		changed := f.legacyActivity(b)
		i, ok := f.index[changed.ID]
		if !ok || changed.Count < 1 || changed.Count > f.Activities[i].most {
			continue
		}
		f.counts[i] = changed.Count
		if changed.ID == CPUActivity {
			cpus = cpuCount(uint32(changed.Count))
		}
	}
	return cpus
}

// layoutLegacy returns the layout of an activity of the formats before 0x2175.
func layoutLegacy(o order, a *Activity) *layout {
	switch [2]uint32{a.ID, a.Magic} {
	case [2]uint32{CPUActivity, 0x8a}:
		n := min(a.Size/16, 10)
		return placed(o, append(run(ull, 0, 16, n), run(none, 0, 0, 10-n)...), 0, 0, a.Size)
	case [2]uint32{DiskActivity, 0x8a}:
		return placed(o, disk8a, 0, 0, a.Size)
	case [2]uint32{DiskActivity, 0x8b}:
		return placed(o, disk8b, 0, 0, a.Size)
	case [2]uint32{InterfaceActivity, 0x8a}:
		return placed(o, append(run(ul, 0, 8, 7), slot{}), 56, nameLen, a.Size)
	case [2]uint32{InterfaceActivity, 0x8b}:
		return placed(o, append(run(ull, 0, 16, 7), slot{}), 112, nameLen, a.Size)
	case [2]uint32{InterfaceActivity, 0x8c}:
		return placed(o, append(run(ull, 0, 16, 7), slot{u, 112}), 116, nameLen+1, a.Size)
	case [2]uint32{InterfaceErrorsActivity, 0x8a}:
		return placed(o, run(ul, 0, 8, 9), 72, nameLen, a.Size)
	case [2]uint32{InterfaceErrorsActivity, 0x8b}:
		return placed(o, run(ull, 0, 16, 9), 144, nameLen, a.Size)
	case [2]uint32{TCPActivity, 0x8a}:
		return placed(o, run(ul, 0, 8, 4), 0, 0, a.Size)
	case [2]uint32{TCPErrorsActivity, 0x8a}:
		return placed(o, run(ul, 0, 8, 5), 0, 0, a.Size)
	}
	return nil
}

// Slots in the order of diskSlots.
var (
	disk8a = []slot{
		{ul, 64},
		{},
		{},
		{ull, 0},
		{ull, 16},
		{},
		{ul, 32},
		{ul, 40},
		{},
		{ul, 48},
		{ul, 56},
		{u, 72},
		{u, 76},
		{},
	}
	disk8b = []slot{
		{ull, 0},
		{},
		{},
		{ul, 16},
		{ul, 24},
		{},
		{u, 32},
		{u, 36},
		{},
		{u, 40},
		{u, 44},
		{u, 48},
		{u, 52},
		{},
	}
)
