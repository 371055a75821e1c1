package nbd

import (
	"encoding/binary"
	"net"
)

// magicStructured begins each chunk of a structured reply. The last chunk has the flag chunkDone.
const magicStructured = 0x668e33ef

const chunkDone = 1 << 0

// A chunkKind is the kind of a chunk of a structured reply.
type chunkKind uint16

const (
	chunkNone       chunkKind = 0
	chunkOffsetData chunkKind = 1
	chunkStatus     chunkKind = 5
	chunkError      chunkKind = 1<<15 + 1
)

// chunk returns the header of a last chunk, and the first bytes of its content, begin. follow is
// the number of bytes that come after begin.
func (r request) chunk(kind chunkKind, begin []byte, follow int) []byte {
	b := make([]byte, 0, 20+len(begin))
	b = binary.BigEndian.AppendUint32(b, magicStructured)
	b = binary.BigEndian.AppendUint16(b, chunkDone)
	b = binary.BigEndian.AppendUint16(b, uint16(kind))
	b = binary.BigEndian.AppendUint64(b, r.cookie)
	b = binary.BigEndian.AppendUint32(b, uint32(len(begin)+follow))
	return append(b, begin...)
}

// encode returns the reply to a request. If structured replies were agreed on, replies to READ and
// BLOCK_STATUS are structured; all others are simple.
func (c *conn) encode(r request, failed uint32, data []byte, extents []extent) net.Buffers {
	structured := c.agreed.structured && (r.command == cmdRead || r.command == cmdBlockStatus)
	switch {
	case !structured:
		return net.Buffers{r.reply(failed), data}
	case failed != 0:
		why := binary.BigEndian.AppendUint32(nil, failed)
		return net.Buffers{r.chunk(chunkError, binary.BigEndian.AppendUint16(why, 0), 0)}
	case r.command == cmdBlockStatus:
		return net.Buffers{r.chunk(chunkStatus, encodeExtents(extents), 0)}
	case len(data) == 0:
		return net.Buffers{r.chunk(chunkNone, nil, 0)}
	default:
		return net.Buffers{r.chunk(chunkOffsetData, binary.BigEndian.AppendUint64(nil, r.off), len(data)), data}
	}
}

// allocation is the number of the only context, baseAllocation.
const allocation = 1

// States of a range in that context.
const (
	stateHole = 1 << 0
	stateZero = 1 << 1
)

func encodeExtents(list []extent) []byte {
	b := binary.BigEndian.AppendUint32(nil, allocation)
	for _, e := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(e.len))
		var state uint32
		if e.hole {
			state = stateHole | stateZero
		}
		b = binary.BigEndian.AppendUint32(b, state)
	}
	return b
}
