package sysstat

import (
	"bytes"
	"fmt"
)

// Files of sysstat before 0x2170 have no magic at their beginning. RHEL 5 and
// older wrote them (sysstat 7.0.2, little endian):
//
//	0    time of creation, in eight bytes
//	8    seven numbers of four bytes: activities, processes, disks …
//	36   6e 21                      format magic
//	38   size of a record
//	40   day, month, year, size of a long
//	44   "Linux", host, release
//
// Between versions the place of the magic moves by a few bytes. They are told
// from other files by a magic ahead of the system's name, and not read.
const (
	firstAncient  = 0x2150 // no version of this century is below
	lastAncient   = 0x216f
	ancientHeader = 96 // bytes in which magic and system stand
	ancientFixed  = 8  // the time that stands ahead of them
)

// refuseMagic is the error of a file that does not begin as an activity file
// does.
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
	return r.bad("the file does not begin like an activity file")
}

// ancientMagic finds the magic of an old file; 0 where there is none.
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
