package sysstat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"testing"
)

// image writes activity files as sadc of other versions and on other
// machines writes them: a twin of the reader's tables, from the C structures.
type image struct {
	format uint16
	big    bool
	long   int
	disk   string // which structure
	cpus   int    // with "all"
	extra  bool   // structures of versions to come
	spare  int    // slots not in use
	buf    []byte
}

func (m *image) String() string {
	return fmt.Sprintf("%#x disk %s big %v long %d", m.format, m.disk, m.big, m.long)
}

// images are all formats in both byte orders and both sizes of long.
func images() (list []*image) {
	for _, f := range []struct {
		format uint16
		disk   string
	}{
		{format2170, "8a"},
		{format2171, "8a"},
		{format2171, "8b"},
		{format2173, "8b"},
		{format2175, "1,2,6"},
		{format2175, "1,3,7"},
		{format2175, "3,3,8"},
	} {
		for _, big := range []bool{false, true} {
			for _, long := range []int{4, 8} {
				list = append(list, &image{format: f.format, disk: f.disk, big: big, long: long, cpus: 3})
			}
		}
	}
	return list
}

func (m *image) order() binary.AppendByteOrder {
	if m.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (m *image) u32(v ...uint32) {
	for _, x := range v {
		m.buf = m.order().AppendUint32(m.buf, x)
	}
}

func (m *image) u64(v ...uint64) {
	for _, x := range v {
		m.buf = m.order().AppendUint64(m.buf, x)
	}
}

// ull16 are 64-bit numbers in a structure that aligns them to 16 bytes.
func (m *image) ull16(v ...uint64) {
	for _, x := range v {
		m.u64(x)
		m.pad(8)
	}
}

// ul are longs, each in a slot of eight bytes.
func (m *image) ul(v ...uint64) {
	for _, x := range v {
		if m.long == 8 {
			m.u64(x)
			continue
		}
		m.u32(uint32(x))
		m.buf = append(m.buf, 0xee, 0xee, 0xee, 0xee) // padding is not zeroed
	}
}

func (m *image) pad(n int) {
	m.buf = append(m.buf, make([]byte, n)...)
}

func (m *image) chars(s string, n int) {
	m.buf = append(m.buf, s...)
	m.pad(n - len(s))
}

func (m *image) uname() {
	for _, s := range []string{"Linux", "store-7", "5.14.0", "s390x"} {
		m.chars(s, utsLen)
	}
}

const imageTime = 1_700_000_000 // 22:13:20 UTC

// act is an entry of the activity list.
type act struct {
	id, magic, nr, hasNr, size uint32
	types                      triple
}

func (m *image) activities(disks, ifaces int) []act {
	cpus, d, i := uint32(m.cpus), uint32(disks+m.spare), uint32(ifaces+m.spare)
	if m.format == format2175 {
		types := map[string]triple{"1,2,6": {1, 2, 6}, "1,3,7": {1, 3, 7}, "3,3,8": {3, 3, 8}}[m.disk]
		size := map[string]uint32{"1,2,6": 48, "1,3,7": 64, "3,3,8": 80}[m.disk]
		return []act{
			{1, 0x8b, cpus, 1, 80, triple{10, 0, 0}},
			{2, 0xff, 1, 0, 12, triple{0, 1, 0}}, // unknown format
			{11, 0x8c, d, 1, size, types},
			{12, 0x8d, i, 1, 80, triple{7, 0, 1}},
			{13, 0x8c, i, 1, 88, triple{9, 0, 0}},
			{999, 0x8a, 1, 1, 8, triple{}}, // unknown activity
			{21, 0x8a, 1, 0, 32, triple{0, 4, 0}},
			{22, 0x8a, 1, 0, 40, triple{0, 5, 0}},
		}
	}
	list := []act{
		{id: 1, magic: 0x8a, nr: cpus, size: 160},
		{id: 2, magic: 0xff, nr: 1, size: 12},
		{id: 11, magic: 0x8b, nr: d, size: 64},
		{id: 12, magic: 0x8c, nr: i, size: 144},
		{id: 13, magic: 0x8b, nr: i, size: 160},
		{id: 999, magic: 0x8a, nr: 1, size: 8},
		{id: 21, magic: 0x8a, nr: 1, size: 32},
		{id: 22, magic: 0x8a, nr: 1, size: 40},
	}
	if m.disk == "8a" {
		list[0].size = 144
		list[2] = act{id: 11, magic: 0x8a, nr: d, size: 80}
		list[3] = act{id: 12, magic: 0x8a, nr: i, size: 72}
		list[4] = act{id: 13, magic: 0x8a, nr: i, size: 88}
	} else if m.format == format2171 {
		list[3] = act{id: 12, magic: 0x8b, nr: i, size: 128}
	}
	return list
}

func (m *image) header(s *Sample) {
	if m.format != format2175 {
		m.spare = 2
	}
	m.buf = m.order().AppendUint16(m.buf, sysstatMagic)
	m.buf = m.order().AppendUint16(m.buf, m.format)
	m.buf = append(m.buf, 11, 0, 3, 0)
	list := m.activities(len(s.Disks), len(s.Interfaces))
	switch m.format {
	case format2170, format2171:
		m.ul(imageTime)
		m.u32(uint32(len(list)))
		m.buf = append(m.buf, 14, 10, 123, byte(m.long))
		m.uname()
		m.pad(4)
	case format2173:
		m.u32(288)
		m.pad(magicSize - 12)
		m.ul(imageTime)
		m.u32(uint32(m.cpus), uint32(len(list)), 2)
		m.buf = append(m.buf, 14, 10, 123, byte(m.long))
		m.uname()
		m.pad(4)
	default:
		m.header2175(len(list))
	}
	for _, a := range list {
		m.activity(a)
	}
	if m.extra {
		m.extras()
	}
}

// header2175 is that of 11.7, or with extra structures that of 12.2.
func (m *image) header2175(acts int) {
	size, ints, rec := uint32(328), uint32(11), triple{2, 0, 0}
	if m.extra {
		size, ints, rec = 336, 12, triple{2, 0, 1}
	}
	m.u32(size, 0, 1, 1, ints)
	m.pad(48)
	m.u64(imageTime)
	m.ul(100)
	m.u32(uint32(m.cpus), uint32(acts), 123, 0, 0, 9, rec[0], rec[1], rec[2], 36, uint32(m.recordSize()))
	if m.extra {
		m.u32(1)
	}
	m.buf = append(m.buf, 14, 10, byte(m.long))
	m.uname()
	if m.extra {
		m.chars("CET", 8)
	}
	m.pad(magicSize + int(size) - len(m.buf))
}

// recordSize: 32-bit x86 does not pad.
func (m *image) recordSize() int {
	if m.format == format2175 && m.long == 4 && !m.extra {
		return 20
	}
	return 24
}

func (m *image) activity(a act) {
	if m.format == format2170 {
		m.u32(a.id, a.nr, a.size)
		return
	}
	m.u32(a.id, a.magic, a.nr, 1)
	if m.format != format2175 {
		m.u32(a.size)
		return
	}
	m.u32(a.hasNr, a.size)
	m.u32(a.types[:]...)
}

// extras is a chain of two kinds of structures.
func (m *image) extras() {
	m.u32(2, 12, 1, 0, 1, 0)
	m.pad(24)
	m.u32(1, 8, 0, 1, 0, 0)
	m.pad(8)
}

func (m *image) record(typ RecordType, epoch int64, uptime uint64) {
	h, min, s := byte(epoch/3600%24), byte(epoch/60%60), byte(epoch%60)
	if m.format == format2175 {
		m.u64(uptime, uint64(epoch))
		if m.extra {
			m.u32(1)
		}
		m.buf = append(m.buf, byte(typ), h, min, s)
		if !m.extra {
			m.pad(m.recordSize() - 20)
		}
		return
	}
	m.ull16(uptime*2, uptime)
	m.ul(uint64(epoch))
	m.buf = append(m.buf, byte(typ), h, min, s)
	m.pad(4)
}

func (m *image) restart(epoch int64, cpus int) {
	m.record(Restart, epoch, 0)
	switch m.format {
	case format2173:
		m.cpus = cpus
		m.activity(act{id: 1, magic: 0x8a, nr: uint32(cpus), size: 160})
		m.activity(act{})
	case format2175:
		m.u32(uint32(cpus))
	}
	if m.extra {
		m.extras()
	}
}

func (m *image) comment(epoch int64, s string) {
	m.record(Comment, epoch, 0)
	m.chars(s, commentLen)
	if m.extra {
		m.extras()
	}
}

func (m *image) stats(epoch int64, uptime uint64, s *Sample) {
	m.record(Stats, epoch, uptime)
	if m.extra {
		m.extras()
	}
	for _, a := range m.activities(len(s.Disks), len(s.Interfaces)) {
		if a.hasNr == 1 {
			counts := map[uint32]int{1: len(s.CPUs), 11: len(s.Disks), 12: len(s.Interfaces), 13: len(s.Interfaces), 999: 3}
			m.u32(uint32(counts[a.id]))
		}
		start := len(m.buf)
		m.items(a, s)
		if n := len(m.buf) - start; a.hasNr == 0 {
			m.pad(int(a.nr*a.size) - n)
		}
	}
}

func (m *image) items(a act, s *Sample) {
	switch a.id {
	case 1:
		for _, c := range s.CPUs {
			v := []uint64{c.User, c.Nice, c.System, c.Idle, c.IOWait, c.Steal, c.IRQ, c.SoftIRQ, c.Guest, c.GuestNice}
			if a.size == 80 {
				m.u64(v...)
			} else {
				m.ull16(v[:a.size/16]...)
			}
		}
	case 11:
		for i := range s.Disks {
			m.diskItem(&s.Disks[i])
		}
	case 12:
		for i := range s.Interfaces {
			m.interfaceItem(a, &s.Interfaces[i])
		}
	case 13:
		for i := range s.InterfaceErrors {
			m.errorsItem(a, &s.InterfaceErrors[i])
		}
	case 21:
		m.ul(s.TCP.ActiveOpens, s.TCP.PassiveOpens, s.TCP.InSegs, s.TCP.OutSegs)
	case 22:
		t := s.TCPErrors
		m.ul(t.AttemptFails, t.EstabResets, t.RetransSegs, t.InErrs, t.OutRsts)
	case 999:
		m.pad(24 * int(a.hasNr))
	}
}

func (m *image) diskItem(d *Disk) {
	switch m.disk {
	case "8a":
		m.ull16(d.ReadSectors, d.WriteSectors)
		m.ul(uint64(d.ReadTicks), uint64(d.WriteTicks), uint64(d.BusyTicks), uint64(d.QueueTicks), d.IOs)
		m.u32(d.Major, d.Minor)
		return
	case "8b":
		m.ull16(d.IOs)
	case "3,3,8":
		m.u64(d.IOs, d.WWN[0], d.WWN[1])
	default:
		m.u64(d.IOs)
	}
	m.ul(d.ReadSectors, d.WriteSectors)
	if m.disk == "1,3,7" || m.disk == "3,3,8" {
		m.ul(d.DiscardSectors)
	}
	m.u32(d.ReadTicks, d.WriteTicks, d.BusyTicks, d.QueueTicks, d.Major, d.Minor)
	switch m.disk {
	case "8b":
		m.pad(8)
	case "1,3,7":
		m.u32(d.DiscardTicks)
		m.pad(4)
	case "3,3,8":
		m.u32(d.DiscardTicks, d.Partition)
	}
}

func (m *image) interfaceItem(a act, d *Interface) {
	end := len(m.buf) + int(a.size)
	v := []uint64{d.RxPackets, d.TxPackets, d.RxBytes, d.TxBytes, d.RxCompressed, d.TxCompressed, d.Multicast}
	switch a.magic {
	case 0x8a:
		m.ul(v...)
	case 0x8d:
		m.u64(v...)
	default:
		m.ull16(v...)
	}
	if a.magic >= 0x8c {
		m.u32(d.SpeedMbit)
	}
	m.chars(d.Name, nameLen)
	if a.magic >= 0x8c {
		m.buf = append(m.buf, d.Duplex)
	}
	m.pad(end - len(m.buf))
}

func (m *image) errorsItem(a act, d *InterfaceErrors) {
	v := []uint64{
		d.Collisions, d.RxErrors, d.TxErrors, d.RxDropped, d.TxDropped,
		d.RxFIFO, d.TxFIFO, d.RxFrame, d.TxCarrier,
	}
	switch a.magic {
	case 0x8a:
		m.ul(v...)
	case 0x8c:
		m.u64(v...)
	default:
		m.ull16(v...)
	}
	m.chars(d.Name, nameLen)
}

// testSample has a distinct number everywhere; n sets samples apart.
func testSample(n uint64) *Sample {
	return &Sample{
		CPUs: []CPU{
			{User: 30 + n, Nice: 2, System: 3, Idle: 400 + n, IOWait: 5, Steal: 6, IRQ: 7, SoftIRQ: 8, Guest: 9, GuestNice: 1},
			{User: 10 + n, Idle: 200},
			{User: 20, Idle: 200 + n},
		},
		Disks: []Disk{
			{
				Major: 8, Minor: 16, WWN: [2]uint64{0x5000c500a1b2c3d4, 7}, Partition: 0,
				IOs: 1000 + n, ReadSectors: 1<<32 - 5 + n, WriteSectors: 2000 + n, DiscardSectors: 30 + n,
				ReadTicks: 1<<32 - 3 + uint32(n), WriteTicks: 41, DiscardTicks: 42, BusyTicks: 43, QueueTicks: 44,
			},
			{Major: 259, Minor: 3, Partition: 2, IOs: 5 + n, ReadTicks: 9},
		},
		Interfaces: []Interface{
			{Name: "lo"},
			{
				Name: "enp6s0f1np1-15c", RxPackets: 11 + n, TxPackets: 12, RxBytes: 1 << 31, TxBytes: 14 + n,
				RxCompressed: 15, TxCompressed: 16, Multicast: 17, SpeedMbit: 25000, Duplex: FullDuplex,
			},
		},
		InterfaceErrors: []InterfaceErrors{
			{Name: "lo"},
			{
				Name: "enp6s0f1np1-15c", Collisions: 1, RxErrors: 2, TxErrors: 3, RxDropped: 4, TxDropped: 5 + n,
				RxFIFO: 6, TxFIFO: 7, RxFrame: 8, TxCarrier: 9,
			},
		},
		TCP:       TCP{ActiveOpens: 1, PassiveOpens: 2, InSegs: 1<<32 - 1 + n, OutSegs: 4},
		TCPErrors: TCPErrors{AttemptFails: 5, EstabResets: 6, RetransSegs: 7 + n, InErrs: 8, OutRsts: 9},
	}
}

// told is what of a sample the image's structures can hold.
func (m *image) told(s *Sample) *Sample {
	w := &Sample{
		CPUs: slices.Clone(s.CPUs), Disks: slices.Clone(s.Disks), Interfaces: slices.Clone(s.Interfaces),
		InterfaceErrors: slices.Clone(s.InterfaceErrors), TCP: s.TCP, TCPErrors: s.TCPErrors,
	}
	cut := func(v *uint64) {
		if m.long == 4 {
			*v = uint64(uint32(*v))
		}
	}
	for i := range w.Disks {
		d := &w.Disks[i]
		if m.disk != "3,3,8" {
			d.WWN, d.Partition = [2]uint64{}, 0
		}
		if m.disk != "3,3,8" && m.disk != "1,3,7" {
			d.DiscardSectors, d.DiscardTicks = 0, 0
		}
		if m.disk == "8a" {
			cut(&d.IOs)
			continue
		}
		cut(&d.ReadSectors)
		cut(&d.WriteSectors)
		cut(&d.DiscardSectors)
	}
	if m.format < format2173 {
		for i := range w.Interfaces {
			w.Interfaces[i].SpeedMbit, w.Interfaces[i].Duplex = 0, 0
		}
	}
	if m.disk == "8a" {
		for i := range w.CPUs {
			w.CPUs[i].GuestNice = 0
		}
	}
	cut(&w.TCP.InSegs)
	return w
}

// sampleOf is everything that a record holds.
func sampleOf(rec *Record) *Sample {
	s := &Sample{
		CPUs: rec.CPUs(nil), Disks: rec.Disks(nil), Interfaces: rec.Interfaces(nil),
		InterfaceErrors: rec.InterfaceErrors(nil),
	}
	s.TCP, _ = rec.TCP()
	s.TCPErrors, _ = rec.TCPErrors()
	return s
}

func TestFormats(t *testing.T) {
	list := images()
	for _, m := range images() {
		if m.format == format2175 && m.disk == "3,3,8" {
			m.extra = true
			list = append(list, m)
		}
	}
	for _, m := range list {
		t.Run(m.String(), func(t *testing.T) { testFormat(t, m) })
	}
}

func testFormat(t *testing.T, m *image) {
	one, two, three := testSample(0), testSample(10), testSample(20)
	m.header(one)
	m.stats(imageTime, 5000, one)
	m.comment(imageTime+1, "hello \x1b[31mworld")
	m.stats(imageTime+2, 5200, two)
	if m.format == format2173 {
		three.CPUs = append(three.CPUs, CPU{User: 1}, CPU{User: 2})
	}
	m.restart(imageTime+3, len(three.CPUs))
	m.stats(imageTime+4, 40, three)

	r, err := NewReader(bytes.NewReader(m.buf), "image")
	if err != nil {
		t.Fatal(err)
	}
	h := r.Header()
	if h.Hostname != "store-7" || h.Release != "5.14.0" || h.Machine != "s390x" || h.CPUs != 2 ||
		h.Created != imageTime || h.Year != 2023 || h.Month != 11 || h.Day != 14 ||
		h.BigEndian != m.big || h.LongSize != m.long || h.HZ != 100 || h.Format != m.format {
		t.Errorf("header %+v", h)
	}
	if zone := map[bool]string{true: "CET"}[m.extra]; h.Zone != zone {
		t.Errorf("zone %q, want %q", h.Zone, zone)
	}
	want := []struct {
		typ       RecordType
		uptime    uint64
		restarted bool
		sample    *Sample
	}{
		{typ: Stats, uptime: 5000, sample: one},
		{typ: Comment},
		{typ: Stats, uptime: 5200, sample: two},
		{typ: Restart},
		{typ: Stats, uptime: 40, sample: three, restarted: true},
	}
	for i, w := range want {
		rec, err := r.Next()
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		at := int64(imageTime + i)
		if rec.Type != w.typ || rec.Time != at || rec.Uptime != w.uptime || rec.Restarted != w.restarted || rec.UTCOffset != 0 {
			t.Errorf("record %d: %+v, want %+v", i, rec, w)
		}
		if w.sample != nil {
			if got, want := fmt.Sprint(*sampleOf(rec)), fmt.Sprint(*m.told(w.sample)); got != want {
				t.Errorf("record %d:\n%s\nwant\n%s", i, got, want)
			}
			if raw, n, size := rec.Items(999); (m.format == format2175) != (n == 3) || size != 8 || len(raw) != 8*n {
				t.Errorf("record %d: %d items of %d bytes of an unknown activity", i, n, size)
			}
		}
		if w.typ == Comment && rec.Comment() != "hello .[31mworld" {
			t.Errorf("comment %q", rec.Comment())
		}
		if w.typ == Restart && rec.CPUCount != len(three.CPUs)-1 {
			t.Errorf("%d CPUs after restart, want %d", rec.CPUCount, len(three.CPUs)-1)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last record: %v", err)
	}
	if w := r.Warnings(); len(w) > 0 {
		t.Error(w)
	}
}

func TestSubWraps(t *testing.T) {
	for _, long := range []int{4, 8} {
		h := Header{LongSize: long}
		want := map[int]uint64{4: 15, 8: 1<<64 - 1<<32 + 15}[long]
		if got := h.Sub(10, 1<<32-5); got != want {
			t.Errorf("long of %d bytes: %d, want %d", long, got, want)
		}
	}
}
