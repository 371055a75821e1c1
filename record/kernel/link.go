package kernel

import (
	"errors"
	"path/filepath"
	"syscall"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A link is the attributes of an interface that say how fast it is. They are
// asked for in every sample, since a link that comes up slower than it was is
// just what is looked for.
//
//	/sys/class/net/eth0/duplex   full, half, unknown; unreadable while it is down
//	/sys/class/net/eth0/speed    10000, in Mbit/s; -1 or unreadable where not known
type link struct {
	duplex, speed file
}

// unknownSpeed is -1 as some kernels write it.
const unknownSpeed = 1<<32 - 1

// open opens what there is of the attributes.
func (l *link) open(dir string) {
	_ = l.duplex.open(filepath.Join(dir, "duplex"))
	_ = l.speed.open(filepath.Join(dir, "speed"))
}

// state is the duplex mode and the speed, zeros where not known. Like sadc it
// does not ask for the speed of what has no duplex mode. But for a speed of
// -1 sadc stores 4294967295, of which every reader would have to know.
func (l *link) state() (duplex uint8, mbit uint32) {
	duplex = parseDuplex(attribute(&l.duplex))
	if duplex == 0 {
		return 0, 0
	}
	return duplex, parseSpeed(attribute(&l.speed))
}

// attribute is the word in an attribute, none where it cannot be read. One
// whose device has gone is opened anew, for another may have its name by now.
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
