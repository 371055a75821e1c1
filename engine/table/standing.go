package table

import (
	"encoding/binary"
	"math"
	"slices"
)

// Cause is what a server waited for while it stood still.
type Cause uint8

// The causes of standing still.
const (
	ByDisk    Cause = iota // requests were under way, and no disk completed one
	ByCPU                  // not even the recorder could run
	ByMemory               // all tasks waited for memory
	ByNetwork              // data was to be sent, and no remote host took any
	ByProcess              // requests lay unread in receive queues, although nothing else stood still
	NumCauses
)

// Standing is what the recorder of a server has measured in a step: how long the server stood still,
// which means that it had work and did none, and what room its file systems have.
type Standing struct {
	Known bool               // the recorder measures it
	Began uint32             // number of pauses that began in the step
	Still [NumCauses]float32 // seconds, by cause
	Room  []Room             // empty in most steps: room is measured every few seconds
}

// Seconds returns how long the server stood still in the step.
func (s *Standing) Seconds() float64 {
	sum := 0.0
	for _, x := range s.Still {
		sum += float64(x)
	}
	return sum
}

// Room is the room of the fullest file system of a component, and how hot the component is.
type Room struct {
	Component        int
	Bytes, Free      float64 // of the file system; Bytes is 0 if the component has none
	Files, FreeFiles float64 // inodes; Files is 0 if the file system makes them as needed
	Hot              float64 // K above the temperature from which on the component protects itself; NaN if unknown
	Alarm            bool    // the component reports a critical warning
}

// FreeShare returns the share of the bytes or of the inodes that is free, whichever is less. It returns 1
// without a file system.
func (r *Room) FreeShare() float64 {
	share := 1.0
	if r.Bytes > 0 {
		share = r.Free / r.Bytes
	}
	if r.Files > 0 {
		share = min(share, r.FreeFiles/r.Files)
	}
	return share
}

// HasStanding reports whether the recorder of any server has measured how long it stood still.
func (r *Row) HasStanding() bool {
	return slices.ContainsFunc(r.Standing, func(s Standing) bool { return s.Known })
}

// MaxStandingBytes bounds the bytes that AppendStanding appends for numbers of servers and components.
func MaxStandingBytes(servers, components int) int {
	return binary.MaxVarintLen64 + servers*(3*binary.MaxVarintLen64+4*int(NumCauses)) + components*(binary.MaxVarintLen64+5*8+1)
}

// AppendStanding appends Standing of a row to dst, for a log of rows. First comes the number of
// servers whose recorder measures it, as a varint. Then come for each of them its number, its pauses and
// the number of its components with room, as varints, and its seconds by cause, as 32-bit floats. Then
// come for each component its number, as a varint, five 64-bit floats, and a byte.
func (r *Row) AppendStanding(dst []byte) []byte {
	le := binary.LittleEndian
	n := 0
	for s := range r.Standing {
		if r.Standing[s].Known {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for s := range r.Standing {
		x := &r.Standing[s]
		if !x.Known {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(s))
		dst = binary.AppendUvarint(dst, uint64(x.Began))
		dst = binary.AppendUvarint(dst, uint64(len(x.Room)))
		for _, seconds := range x.Still {
			dst = le.AppendUint32(dst, math.Float32bits(seconds))
		}
		for i := range x.Room {
			dst = x.Room[i].append(dst)
		}
	}
	return dst
}

func (r *Room) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(r.Component))
	for _, v := range [...]float64{r.Bytes, r.Free, r.Files, r.FreeFiles, r.Hot} {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	if r.Alarm {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// TakeStanding reads the output of AppendStanding into a row with a number of components, and returns the bytes
// after this output. It returns false if the bytes are damaged.
func (r *Row) TakeStanding(b []byte, components int) (rest []byte, ok bool) {
	d := standingDecoder{rest: b}
	clear(r.Standing)
	servers := uint64(len(r.Standing))
	for range d.below(servers + 1) {
		s := d.below(servers)
		x := Standing{Known: true, Began: uint32(d.below(1 << 32))}
		rooms := d.below(uint64(components) + 1)
		for c := range x.Still {
			x.Still[c] = math.Float32frombits(uint32(d.bytes(4)))
		}
		for range rooms {
			if d.failed {
				break
			}
			x.Room = append(x.Room, d.room(components))
		}
		if d.failed {
			return nil, false
		}
		r.Standing[s] = x
	}
	return d.rest, !d.failed
}

func (d *standingDecoder) room(components int) Room {
	x := Room{Component: int(d.below(uint64(components)))}
	for _, v := range [...]*float64{&x.Bytes, &x.Free, &x.Files, &x.FreeFiles, &x.Hot} {
		*v = math.Float64frombits(d.bytes(8))
	}
	x.Alarm = d.bytes(1) != 0
	return x
}

// As returns a copy for another system: to[c] is the number of component c there, or negative for a component that
// the other system does not have.
func (s *Standing) As(to func(c int) int) Standing {
	out := *s
	out.Room = nil
	for _, x := range s.Room {
		if x.Component = to(x.Component); x.Component >= 0 {
			out.Room = append(out.Room, x)
		}
	}
	return out
}

// standingDecoder takes numbers from the front of what is left.
type standingDecoder struct {
	rest   []byte
	failed bool
}

// below takes a varint that must be less than a bound. After an error it returns 0.
func (d *standingDecoder) below(bound uint64) uint64 {
	n, size := binary.Uvarint(d.rest)
	if d.failed || size <= 0 || n >= bound {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// bytes takes a number of some bytes, the lowest first.
func (d *standingDecoder) bytes(count int) (n uint64) {
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
