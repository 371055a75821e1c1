package sysstat

import (
	"fmt"
	"strconv"
	"strings"
)

// Activities that this package decodes. Record.Items returns the bytes of other activities.
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

// String returns the version as sysstat prints it: 12.6.1.
func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Patch, v.Sub)
	if v.Extra != 0 {
		s += fmt.Sprintf(".%d", v.Extra)
	}
	return s
}

// ParseVersion parses the form of [Version.String]; the empty string is the zero Version.
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

// AtLeast reports whether v is major.patch.sub or newer.
func (v Version) AtLeast(major, patch, sub uint8) bool {
	if v.Major != major {
		return v.Major > major
	}
	if v.Patch != patch {
		return v.Patch > patch
	}
	return v.Sub >= sub
}

// A FormatError is the reason why a file cannot be read at all.
type FormatError struct {
	File   string
	Offset int64  // place in the uncompressed file; 0: the whole file
	What   string // the fault
	Hint   string // the cure
	Empty  bool   // the file has no bytes
}

func (e *FormatError) Error() string {
	if e.Offset == 0 {
		return fmt.Sprintf("%s: %s; %s", e.File, e.What, e.Hint)
	}
	return fmt.Sprintf("%s: offset %d: %s; %s", e.File, e.Offset, e.What, e.Hint)
}

// A Warning describes a fault in a part of a file. The rest of the file was read.
type Warning struct {
	File    string
	Offset  int64  // place in the uncompressed file; 0: the whole file
	What    string // the fault
	Skipped int64  // bytes that were not used
	Covered int    // records that were left out because another file has their time
}

// IsCutOff reports whether the file ends inside a record: the recorder was stopped, or the file is an
// incomplete copy.
func (w Warning) IsCutOff() bool { return w.What == string(endsInside) }

// String returns the warning on one line.
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

// text returns the string in a field of fixed length; NUL ends the string. Files come from
// anywhere, so a control character, which could change the terminal, is replaced by a dot.
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
