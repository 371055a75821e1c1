package sysstat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

func TestRefused(t *testing.T) {
	good, at := testFile(t, 1)
	const header, list = magicSize, magicSize + writtenHeader
	disk := list + writtenActivity // CPU stands first
	u32 := func(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
	for _, c := range []struct {
		name string
		at   int
		with []byte
		want string
	}{
		{"another file", 0, []byte("ELF"), "the file does not begin like an activity file"},
		{"of RHEL 5", 0, ancientFile(false), "offset 36: the file has format 0x216e of sysstat 8.0 or older (RHEL 5 or older); limpet does not read this format: on a system with the same version of sysstat, convert the file to text"},
		{"of RHEL 5, big endian", 0, ancientFile(true), "offset 36: the file has format 0x216e of sysstat 8.0 or older"},
		{"of RHEL 6.5", 2, []byte{0x70, 0x11, 9, 0, 4}, "offset 2: the file has format 0x1170 of sysstat 9.0.4, a special format of Red Hat (RHEL 6.5 to 6.10); limpet does not read this format: on a RHEL 6 system, convert the file to text"},
		{"too new", 2, []byte{0x77, 0x21, 13, 0, 1}, "format 0x2177 of sysstat 13.0.1 is unknown; use a newer"},
		{"header size 0", 8, u32(0), "file states that its header has 0 bytes"},
		{"header size", 8, u32(8193), "file states that its header has 8193 bytes"},
		{"small header", 8, u32(128), "too short for the host name"},
		{"header fields", 24, u32(85), "need 356 bytes, but the header has 336"},
		{"long", header + 66, []byte{3}, "the file states that the C type long has 3 bytes"},
		{"activities", header + 20, u32(257), "states 257 activities"},
		{"activity size", header + 52, u32(1025), "activities of 1025 bytes"},
		{"activity fields", header + 36, u32(10), "activities of 36 bytes with 40 bytes of fields"},
		{"record size", header + 56, u32(513), "record headers of 513 bytes"},
		{"record fields", header + 48, u32(3), "record headers of 24 bytes with 28 bytes of fields"},
		{"record without time", header + 40, u32(1), "too short for a time"},
		{"item size 0", disk + 20, u32(0), "activity 11: an item has 0 bytes"},
		{"item size", disk + 20, u32(1025), "activity 11: an item has 1025 bytes"},
		{"items 0", disk + 8, u32(0), "activity 11: the number of items is 0"},
		{"items", disk + 8, u32(1<<28 + 1), "activity 11: the number of items is 268435457"},
		{"CPUs", list + 8, u32(8194), "activity 1: the number of items is 8194"},
		{"sub-items 0", disk + 12, u32(0), "activity 11: the number of parts of an item is 0"},
		{"sub-items", disk + 12, u32(4097), "activity 11: the number of parts of an item is 4097"},
		{"overflow", disk + 8, append(u32(65536), u32(4096)...), "activity 11: 65536 × 4096 items of 80 bytes"},
		{"item fields", disk + 24, u32(9), "an item has 80 bytes, but its fields need 128 bytes"},
		{"fields of another magic", disk + 24, append(u32(2), u32(4)...), "the fields of an item (numbers of long long, long and int fields: [2 4 8]) do not match the format 0x8c"},
		{"extra", header + 60, u32(1), "impossible number or size of extra structures"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bytes.Clone(good)
			copy(b[c.at:], c.with)
			if c.name == "extra" {
				copy(b[at[0]:], u32(9000))
			}
			_, err := NewReader(bytes.NewReader(b), "sa14")
			var e *FormatError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "sa14: ") || e.Hint == "" {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestConverter(t *testing.T) {
	for _, c := range []struct {
		by     uint32
		header triple
		want   Version
	}{
		{0x703, triple{1, 1, 11}, Version{Major: 11, Patch: 7, Sub: 2}},
		{0x703, triple{1, 1, 12}, Version{Major: 12, Patch: 7, Sub: 2}},
		{0x602, triple{1, 1, 12}, Version{Major: 12, Patch: 6, Sub: 1}},
	} {
		if got := converter(c.by, c.header); got != c.want {
			t.Errorf("%#x: %v, want %v", c.by, got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	v := Version{12, 6, 1, 0}
	if v.String() != "12.6.1" || (Version{12, 6, 1, 2}).String() != "12.6.1.2" {
		t.Error(v)
	}
	for _, c := range []struct {
		than Version
		want bool
	}{
		{Version{12, 6, 1, 0}, true},
		{Version{12, 6, 2, 0}, false},
		{Version{12, 5, 9, 0}, true},
		{Version{12, 7, 0, 0}, false},
		{Version{11, 9, 9, 0}, true},
		{Version{13, 0, 0, 0}, false},
	} {
		if got := v.AtLeast(c.than.Major, c.than.Patch, c.than.Sub); got != c.want {
			t.Errorf("%v at least %v: %v", v, c.than, got)
		}
	}
}

func TestUTCOffset(t *testing.T) {
	const h = 3600
	for _, off := range []int{0, h, 2 * h, 19800, 20700, 12 * h, 13 * h, -5 * h, -10 * h, -12600} {
		for _, epoch := range []int64{imageTime, imageTime + 7*h, imageTime + 20*h, 86400 * 20000, 86400*20000 - 1} {
			local := int((epoch + int64(off)) % 86400)
			if got := utcOffset(local, epoch); got != off {
				t.Errorf("%d at %d: got %d", off, epoch, got)
			}
		}
	}
}

// ancientFile is the header of a file of sysstat 7.0.2.
func ancientFile(big bool) []byte {
	m := &image{big: big, long: 8}
	m.ul(imageTime)
	m.u32(1, 2, 3, 4, 5, 6, 7)
	m.buf = m.order().AppendUint16(m.buf, 0x216e)
	m.buf = m.order().AppendUint16(m.buf, 560)
	m.buf = append(m.buf, 14, 10, 123, 8)
	m.uname()
	return m.buf
}
