package kernel

import (
	"errors"
	"path/filepath"
	"syscall"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A link holds the attributes of an interface that give its speed. They are read in every sample,
// because a link may come up again with a lower speed than before.
//
//	/sys/class/net/eth0/duplex   full, half, unknown; unreadable while it is down
//	/sys/class/net/eth0/speed    10000, in Mbit/s; -1 or unreadable if not known
type link struct {
	duplex, speed file
}

// unknownSpeed is -1 as an unsigned number of 32 bits: some kernels write it for an unknown speed.
const unknownSpeed = 1<<32 - 1

// open opens the attributes that exist.
func (l *link) open(dir string) {
	_ = l.duplex.open(filepath.Join(dir, "duplex"))
	_ = l.speed.open(filepath.Join(dir, "speed"))
}

// state returns the duplex mode and the speed; 0: not known. Without a duplex mode it does not read
// the speed, like sadc. For a speed of -1 sadc stores 4294967295; state returns 0, so that readers
// need no special case.
func (l *link) state() (duplex uint8, mbit uint32) {
	duplex = parseDuplex(attribute(&l.duplex))
	if duplex == 0 {
		return 0, 0
	}
	return duplex, parseSpeed(attribute(&l.speed))
}

// attribute returns the first word of an attribute, or nothing if the attribute cannot be read. If
// the device has gone, attribute opens the file again, because a new device may have the same name.
func attribute(f *file) []byte {
	if !f.isOpen() {
		return nil
	}
	text, err := f.peek()
	if err == syscall.ENODEV {
		f.close()
		if f.open(f.path) == nil {
			text, err = f.peek()
		}
	}
	if err != nil {
		return nil
	}
	return (*words)(&text).next()
}

func parseDuplex(word []byte) uint8 {
	switch string(word) {
	case "full":
		return sysstat.FullDuplex
	case "half":
		return sysstat.HalfDuplex
	}
	return 0
}

func parseSpeed(word []byte) (mbit uint32) {
	n, ok := number(word)
	if !ok || n >= unknownSpeed {
		return 0
	}
	return uint32(n)
}

func (l *link) close() error { return errors.Join(l.duplex.close(), l.speed.close()) }
