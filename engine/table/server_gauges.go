package table

import (
	"encoding/binary"
	"math"
	"slices"
)

// Cause is the resource that a server waited for during a pause.
type Cause uint8

// The causes of pauses.
const (
	ByDisk    Cause = iota // disks had requests, and no disk completed a request
	ByCPU                  // no process could run, not even the recorder
	ByMemory               // all tasks waited for memory
	ByNetwork              // the server had data to send, and no remote host received any
	ByProcess              // no process read the requests in receive queues, although disk, CPU, memory and network worked
	NumCauses
)

// ServerGauges holds three kinds of measurements of one server in a step: how long the server
// paused, the free space of its file systems, and its traffic with each client. A server pauses if
// it has work and does none of it.
type ServerGauges struct {
	Known        bool               // true if the recorder of the server measures pauses and free space
	PausesBegan  uint32             // number of pauses that began in the step
	PauseSeconds [NumCauses]float32 // seconds of pauses, by cause
	Drives       []DriveGauges      // empty in most steps, because free space is measured only every few seconds
	Clients      []ClientTraffic    // sorted by name; empty if the connections of the server are not recorded
}

// Seconds returns how long the server paused in the step, in seconds.
func (s *ServerGauges) Seconds() float64 {
	sum := 0.0
	for _, x := range s.PauseSeconds {
		sum += float64(x)
	}
	return sum
}

// DriveGauges holds gauges of one component: the free space of its fullest file system, its
// temperature, and its alarm.
type DriveGauges struct {
	Component        int
	Bytes, Free      float64 // size and free space of the file system; Bytes is 0 if the component has no file system
	Files, FreeFiles float64 // number of inodes and of free inodes; Files is 0 if the file system creates inodes as needed
	Hot              float64 // temperature minus the limit at which the component slows itself down, in K; NaN if unknown
	Alarm            bool    // the component reports a critical warning
}

// FreeShare returns the share of free bytes or the share of free inodes, whichever is smaller. It
// returns 1 if there is no file system.
func (r *DriveGauges) FreeShare() float64 {
	share := 1.0
	if r.Bytes > 0 {
		share = r.Free / r.Bytes
	}
	if r.Files > 0 {
		share = min(share, r.FreeFiles/r.Files)
	}
	return share
}

// HasGauges reports whether the recorder of at least one server measures pauses.
func (r *Row) HasGauges() bool {
	return slices.ContainsFunc(r.Gauges, func(s ServerGauges) bool { return s.Known })
}

// MaxGaugeBytes returns the greatest number of bytes that AppendGauges appends for the given
// numbers of servers and components.
func MaxGaugeBytes(servers, components int) int {
	return binary.MaxVarintLen64 + servers*(3*binary.MaxVarintLen64+4*int(NumCauses)) + components*(binary.MaxVarintLen64+5*8+1)
}

// AppendGauges appends the gauges of a row to dst, for a log of rows, in this form:
//
//	number of servers whose field Known is true (varint)
//	for each of these servers:
//	  number of the server, PausesBegan, number of entries in Drives (varints)
//	  PauseSeconds by cause (32-bit floats)
//	  for each entry in Drives:
//	    Component (varint), Bytes, Free, Files, FreeFiles, Hot (64-bit floats), Alarm (byte)
func (r *Row) AppendGauges(dst []byte) []byte {
	le := binary.LittleEndian
	n := 0
	for s := range r.Gauges {
		if r.Gauges[s].Known {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for s := range r.Gauges {
		x := &r.Gauges[s]
		if !x.Known {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(s))
		dst = binary.AppendUvarint(dst, uint64(x.PausesBegan))
		dst = binary.AppendUvarint(dst, uint64(len(x.Drives)))
		for _, seconds := range x.PauseSeconds {
			dst = le.AppendUint32(dst, math.Float32bits(seconds))
		}
		for i := range x.Drives {
			dst = x.Drives[i].append(dst)
		}
	}
	return dst
}

func (r *DriveGauges) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(r.Component))
	for _, v := range [...]float64{r.Bytes, r.Free, r.Files, r.FreeFiles, r.Hot} {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	if r.Alarm {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// TakeGauges reads the output of AppendGauges into a row with the given number of components, and
// returns the bytes after this output. It returns false if the bytes are damaged.
func (r *Row) TakeGauges(b []byte, components int) (rest []byte, ok bool) {
	d := gaugeDecoder{rest: b}
	clear(r.Gauges)
	servers := uint64(len(r.Gauges))
	for range d.readBelow(servers + 1) {
		s := d.readBelow(servers)
		x := ServerGauges{Known: true, PausesBegan: uint32(d.readBelow(1 << 32))}
		rooms := d.readBelow(uint64(components) + 1)
		for c := range x.PauseSeconds {
			x.PauseSeconds[c] = math.Float32frombits(uint32(d.bytes(4)))
		}
		for range rooms {
			if d.failed {
				break
			}
			x.Drives = append(x.Drives, d.drive(components))
		}
		if d.failed {
			return nil, false
		}
		r.Gauges[s] = x
	}
	return d.rest, !d.failed
}

func (d *gaugeDecoder) drive(components int) DriveGauges {
	x := DriveGauges{Component: int(d.readBelow(uint64(components)))}
	for _, v := range [...]*float64{&x.Bytes, &x.Free, &x.Files, &x.FreeFiles, &x.Hot} {
		*v = math.Float64frombits(d.bytes(8))
	}
	x.Alarm = d.bytes(1) != 0
	return x
}

// ForSystem returns a copy of s for another system, in which components have other numbers. For
// component c, to(c) returns its number in the other system. The number is negative if the other
// system does not have the component.
func (s *ServerGauges) ForSystem(to func(c int) int) ServerGauges {
	out := *s
	out.Drives = nil
	for _, x := range s.Drives {
		if x.Component = to(x.Component); x.Component >= 0 {
			out.Drives = append(out.Drives, x)
		}
	}
	return out
}

// gaugeDecoder reads numbers from the front of `rest`, the bytes that are not read yet.
type gaugeDecoder struct {
	rest   []byte
	failed bool
}

// readBelow reads a varint that must be less than the bound. After an error it returns 0.
func (d *gaugeDecoder) readBelow(bound uint64) uint64 {
	n, size := binary.Uvarint(d.rest)
	if d.failed || size <= 0 || n >= bound {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// bytes reads a number that has the given count of bytes, the lowest byte first.
func (d *gaugeDecoder) bytes(count int) (n uint64) {
	if d.failed || len(d.rest) < count {
		d.failed = true
		return 0
	}
	for i := range count {
		n |= uint64(d.rest[i]) << (8 * i)
	}
	d.rest = d.rest[count:]
	return n
}
