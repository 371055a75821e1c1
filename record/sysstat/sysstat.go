package sysstat

import (
	"fmt"
	"strconv"
	"strings"
)

// Activities that this package decodes. Others are reached with Record.Items.
const (
	CPUActivity             = 1
	DiskActivity            = 11
	InterfaceActivity       = 12
	InterfaceErrorsActivity = 13
	TCPActivity             = 21
	TCPErrorsActivity       = 22
	FileSystemActivity      = 37
	CPUPressureActivity     = 40
	IOPressureActivity      = 41
	MemoryPressureActivity  = 42
)

// A Version is the version of the sysstat that wrote a file.
type Version struct {
	Major, Patch, Sub, Extra uint8
}

// String is the version as sysstat prints it, 12.6.1.
func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Patch, v.Sub)
	if v.Extra != 0 {
		s += fmt.Sprintf(".%d", v.Extra)
	}
	return s
}

// ParseVersion reads what [Version.String] writes; nothing is the zero value.
func ParseVersion(text string) (Version, error) {
	var v Version
	if text == "" {
		return v, nil
	}
	parts := strings.Split(text, ".")
	fields := []*uint8{&v.Major, &v.Patch, &v.Sub, &v.Extra}
	if len(parts) < 2 || len(parts) > len(fields) {
		return v, fmt.Errorf("%q is not a version of sysstat: write a version such as 12.6.1", text)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return v, fmt.Errorf("%q is not a version of sysstat: write a version such as 12.6.1", text)
		}
		*fields[i] = uint8(n)
	}
	return v, nil
}

// AtLeast says whether v is major.patch.sub or newer.
func (v Version) AtLeast(major, patch, sub uint8) bool {
	if v.Major != major {
		return v.Major > major
	}
	if v.Patch != patch {
		return v.Patch > patch
	}
	return v.Sub >= sub
}

// A FormatError says why a file cannot be read at all.
type FormatError struct {
	File   string
	Offset int64  // where in the uncompressed file, 0 for all of it
	What   string // is wrong
	Hint   string // what to do
	Empty  bool   // there is not a byte in it
}

func (e *FormatError) Error() string {
	if e.Offset == 0 {
		return fmt.Sprintf("%s: %s; %s", e.File, e.What, e.Hint)
	}
	return fmt.Sprintf("%s: offset %d: %s; %s", e.File, e.Offset, e.What, e.Hint)
}

// A Warning is something that went wrong with a part of a file and did not
// keep the rest from being read.
type Warning struct {
	File    string
	Offset  int64  // where in the uncompressed file, 0 for all of it
	What    string // went wrong
	Skipped int64  // bytes that were not used
	Covered int    // records that were left out because another file has their time
}

// String is the warning on one line.
func (w Warning) String() string {
	s := fmt.Sprintf("%s: %s", w.File, w.What)
	if w.Offset > 0 {
		s = fmt.Sprintf("%s: offset %d: %s", w.File, w.Offset, w.What)
	}
	if w.Skipped > 0 {
		s += fmt.Sprintf(", %d bytes skipped", w.Skipped)
	}
	return s
}

// text is the string in a field of fixed length that NUL ends. Files come
// from anywhere, so what a terminal would obey is shown as a dot.
func text(b []byte) string {
	for i, c := range b {
		if c == 0 {
			b = b[:i]
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '.'
		}
		return r
	}, string(b))
}
