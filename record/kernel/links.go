package kernel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// udev links the world wide name of a device to its name:
//
//	/dev/disk/by-id/wwn-0x5000c500a1b2c3d4 -> ../../sda
//	/dev/disk/by-id/wwn-0x5000c500a1b2c3d4-part1 -> ../../sda1
//	/dev/disk/by-id/wwn-0x600605b00a2bdf00242b28c10dcb1999 -> ../../dm-3

const (
	linkPrefix = "wwn-0x"
	linkPart   = "-part"
	wwnDigits  = 16 // or 32
)

// An identity is a WWN (high and low half) and the number of a partition.
type identity struct {
	wwn       [2]uint64
	partition uint32
}

// String returns the WWN in the form of an inventory; "": no WWN.
func (id identity) String() string {
	switch id.wwn {
	case [2]uint64{}:
		return ""
	case [2]uint64{id.wwn[0], 0}:
		return fmt.Sprintf("0x%016x", id.wwn[0])
	}
	return fmt.Sprintf("0x%016x%016x", id.wwn[0], id.wwn[1])
}

// parseLink parses the identity from the name of a link.
func parseLink(name string) (id identity, ok bool) {
	hex, ok := strings.CutPrefix(name, linkPrefix)
	hex, part, partition := strings.Cut(hex, linkPart)
	if !ok || len(hex) != wwnDigits && len(hex) != 2*wwnDigits {
		return id, false
	}
	if !partition {
		part = "0"
	}
	high, err1 := strconv.ParseUint(hex[:wwnDigits], 16, 64)
	low, err2 := strconv.ParseUint("0"+hex[wwnDigits:], 16, 64)
	n, err3 := strconv.ParseUint(part, 10, 32)
	return identity{[2]uint64{high, low}, uint32(n)}, errors.Join(err1, err2, err3) == nil
}

// readLinks returns the identities in a directory of links, by the names of devices. If a device
// has several links, readLinks takes the first in the order of the directory, as sadc does.
func readLinks(dir string) map[string]identity {
	byName := map[string]identity{}
	f, err := os.Open(dir)
	if err != nil {
		return byName
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	for _, name := range names {
		id, ok := parseLink(name)
		if !ok {
			continue
		}
		target, err := os.Readlink(filepath.Join(dir, name))
		device := filepath.Base(target)
		if _, known := byName[device]; err == nil && !known {
			byName[device] = id
		}
	}
	return byName
}

// links holds the identities of the devices. They are read again only when the directory has
// changed. If the directory does not exist, the nearest directory above it is watched.
type links struct {
	dir     string
	byName  map[string]identity
	watched file
	stat    syscall.Stat_t
	changed syscall.Timespec // modification time of watched when byName was read
	// settling: read the directory once more at the next refresh, because it may change again
	// within the same tick of the clock.
	settling bool
}

// refresh reads the links again if the directory may have changed, and reports whether it read
// them.
func (l *links) refresh() bool {
	changed := !l.look() || l.stat.Nlink == 0 || l.stat.Mtim != l.changed
	if !changed && !l.settling {
		return false
	}
	l.settling = changed
	l.watch()
	l.byName = readLinks(l.dir)
	return true
}

// look fills in stat from the watched directory, and reports whether that worked.
func (l *links) look() bool {
	return l.watched.isOpen() && syscall.Fstat(l.watched.fd-1, &l.stat) == nil
}

// watch opens the directory, or the nearest directory above it.
func (l *links) watch() {
	l.watched.close()
	for dir := l.dir; l.watched.open(dir) != nil && dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
	}
	if l.look() {
		l.changed = l.stat.Mtim
	}
}

func (l *links) close() { l.watched.close() }
