package sysstat

import (
	"bytes"
	"fmt"
)

// Files of sysstat before 0x2170 have no magic at their beginning. RHEL 5 and older wrote them
// (sysstat 7.0.2, little endian):
//
//	0    time of creation, in eight bytes
//	8    seven numbers of four bytes: activities, processes, disks …
//	36   6e 21                      format magic
//	38   size of a record
//	40   day, month, year, size of a long
//	44   "Linux", host, release
//
// The place of the magic differs by a few bytes between versions. These files are recognised by a
// magic before the name of the system. This package does not read them.
const (
	firstAncient  = 0x2150 // no version since 2000 has a lower magic
	lastAncient   = 0x216f
	ancientHeader = 96 // bytes that hold the magic and the system
	ancientFixed  = 8  // size of the time, which comes first
)

// refuseMagic returns the error for a file that does not begin like an activity file.
func (r *Reader) refuseMagic() error {
	r.pos = 0
	if _, err := r.fill(ancientHeader, false); err != nil {
		return err
	}
	head := r.buf[:min(len(r.buf), ancientHeader)]
	if at, format := ancientMagic(head); at > 0 {
		return &FormatError{
			File: r.file.File, Offset: int64(at),
			What: fmt.Sprintf("the file has format %#x of sysstat 8.0 or older (RHEL 5 or older)", format),
			Hint: "limpet does not read this format: on a system with the same version of sysstat, convert the file to text (LC_ALL=C sar -d -f FILE)",
		}
	}
	return &FormatError{
		File: r.file.File, Offset: r.offset(), What: "the file does not begin like an activity file",
		Hint: "leave this file out if it is of another kind; if it is an activity file, the file is damaged: restore it from a backup",
	}
}

// ancientMagic finds the magic of an old file; at is 0 if there is none.
func ancientMagic(head []byte) (at int, format uint16) {
	system := bytes.Index(head, []byte("Linux\x00"))
	for at := ancientFixed; at+2 <= system; at += 2 {
		for _, big := range []bool{false, true} {
			format := order{big: big}.u16(head[at:])
			if format >= firstAncient && format <= lastAncient {
				return at, format
			}
		}
	}
	return 0, 0
}
