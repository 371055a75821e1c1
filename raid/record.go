package raid

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/limpet-storage/limpet/raid/member"
)

// A record is the content of a journal slot: a header of one chunk, little-endian,
//
//	0   "limpJRN2"        32  member
//	8   checksum          40  sequence number of the batch
//	12  chunks            48  their stripes, 8 bytes each, and then
//	16  array                 their checksums, 4 bytes each
//
// and the chunks that the batch writes to this member, in the order of their stripes. The checksum
// of the record is the CRC-32C of the header with 0 at the place of the checksum.
//
// In an array without checksums, a record begins with "limpJRNL" and has no checksums of its
// chunks; the checksum of the record covers header and chunks. The record of a batch of zeros
// begins with "limpJZER". It has no chunks, and holds the first stripe and the number of stripes at
// 48.
//
// If a batch does not write to a member, the member still gets a record without chunks. So a slot
// holds the last batch or the batch before it, never an older batch.

// recordFixed is the offset of the list of stripes.
const recordFixed = 48

var (
	plainMagic   = [8]byte{'l', 'i', 'm', 'p', 'J', 'R', 'N', 'L'}
	summingMagic = [8]byte{'l', 'i', 'm', 'p', 'J', 'R', 'N', '2'}
	zeroMagic    = [8]byte{'l', 'i', 'm', 'p', 'J', 'Z', 'E', 'R'}
)

// A record is built in the buffer that is written to the drive.
type record struct {
	buf    []byte
	chunks int
	summed bool        // chunks have checksums
	zero   stripeRange // stripes that the batch sets to zero
	pool   *member.Buffers
	users  atomic.Int32 // writes that use buf; a hanging write may use it after the batch
}

// newRecord returns a record with space for room chunks.
func newRecord(pool *member.Buffers, room int, summed bool) *record {
	r := &record{buf: pool.Get((1 + room) * ChunkSize), summed: summed, pool: pool}
	r.users.Store(1)
	clear(r.buf[:ChunkSize])
	return r
}

// use keeps the buffer until done is called. It returns false if the buffer was returned already.
func (r *record) use() bool {
	for {
		n := r.users.Load()
		if n == 0 {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// done returns the buffer to the pool when no user is left.
func (r *record) done() {
	if r != nil && r.users.Add(-1) == 0 {
		r.pool.Put(r.buf)
	}
}

// add appends the chunk of a stripe.
func (r *record) add(stripe int64, chunk []byte) {
	binary.LittleEndian.PutUint64(r.buf[recordFixed+8*r.chunks:], uint64(stripe))
	r.chunks++
	copy(r.buf[r.chunks*ChunkSize:][:ChunkSize], chunk)
}

// seal completes the header and returns the bytes to write.
func (r *record) seal(array ID, position int, seq uint64) []byte {
	buf := r.bytes()
	copy(buf, plainMagic[:])
	if r.summed {
		copy(buf, summingMagic[:])
		for i := range r.chunks {
			binary.LittleEndian.PutUint32(buf[r.sumAt(i):], member.Of(r.chunk(i)))
		}
	}
	if r.zero.count > 0 {
		copy(buf, zeroMagic[:])
		binary.LittleEndian.PutUint64(buf[recordFixed:], uint64(r.zero.from))
		binary.LittleEndian.PutUint64(buf[recordFixed+8:], uint64(r.zero.count))
	}
	binary.LittleEndian.PutUint32(buf[12:], uint32(r.chunks))
	copy(buf[16:], array[:])
	binary.LittleEndian.PutUint32(buf[32:], uint32(position))
	binary.LittleEndian.PutUint64(buf[40:], seq)
	binary.LittleEndian.PutUint32(buf[8:], r.checksum())
	return buf
}

// checksum returns the checksum of the header, or, if the chunks have no checksums, of header and
// chunks.
func (r *record) checksum() uint32 {
	if r.summed {
		return checksumOf(r.buf[:ChunkSize], 8)
	}
	return checksumOf(r.bytes(), 8)
}

// sumAt returns the offset of the checksum of chunk i. It is valid after the last add.
func (r *record) sumAt(i int) int { return recordFixed + 8*r.chunks + 4*i }

// sum returns the checksum of chunk i of a sealed record.
func (r *record) sum(i int) uint32 { return binary.LittleEndian.Uint32(r.buf[r.sumAt(i):]) }

// sums returns the checksums that a sealed record changes in the table of its member.
func (r *record) sums() []member.Sum {
	list := make([]member.Sum, 0, int64(r.chunks)+r.zero.count)
	for i := range r.chunks {
		list = append(list, member.Sum{Stripe: r.stripe(i), Sum: r.sum(i)})
	}
	for i := range r.zero.count {
		list = append(list, member.Sum{Stripe: r.zero.from + i})
	}
	return list
}

func (r *record) bytes() []byte { return r.buf[:(1+r.chunks)*ChunkSize] }

func (r *record) seq() uint64 { return binary.LittleEndian.Uint64(r.buf[40:]) }

func (r *record) stripe(i int) int64 {
	return int64(binary.LittleEndian.Uint64(r.buf[recordFixed+8*i:]))
}

// chunk returns chunk i.
func (r *record) chunk(i int) []byte { return r.buf[(1+i)*ChunkSize:][:ChunkSize] }

// inPlace writes the chunks to their stripes, with one write for consecutive stripes.
func (r *record) inPlace(m Member, g Geometry) error {
	if !r.use() {
		return ErrHung
	}
	defer r.done()
	if r.zero.count > 0 {
		return m.Zero(g.offset(r.zero.from), r.zero.count*ChunkSize)
	}
	for i := 0; i < r.chunks; {
		n := 1
		for i+n < r.chunks && r.stripe(i+n) == r.stripe(i)+int64(n) {
			n++
		}
		if _, err := m.WriteAt(r.buf[(1+i)*ChunkSize:][:n*ChunkSize], g.offset(r.stripe(i))); err != nil {
			return err
		}
		i += n
	}
	return nil
}

var errNoRecord = errors.New("a record of the journal is incomplete")

// parseHeader returns the record in buf. It checks the header, but not the checksums.
func parseHeader(buf []byte, array ID, place int, g Geometry, pool *member.Buffers) (*record, error) {
	expected := plainMagic
	if g.Checksums {
		expected = summingMagic
	}
	zeros := g.Checksums && len(buf) >= ChunkSize && [8]byte(buf[:8]) == zeroMagic
	if len(buf) < ChunkSize || [8]byte(buf[:8]) != expected && !zeros || ID(buf[16:32]) != array ||
		binary.LittleEndian.Uint32(buf[32:]) != uint32(place) {
		return nil, errNoRecord
	}
	chunks := binary.LittleEndian.Uint32(buf[12:])
	if chunks > uint32(g.Journal) {
		return nil, fmt.Errorf("%w: the record has %d chunks, but the journal has only %d chunks", errNoRecord, chunks, g.Journal)
	}
	r := &record{buf: buf, chunks: int(chunks), summed: g.Checksums, pool: pool}
	r.users.Store(1)
	if zeros {
		return r, r.parseZero(g)
	}
	for i := range r.chunks {
		if s := r.stripe(i); s < 0 || s >= g.Stripes {
			return nil, fmt.Errorf("%w: the record names stripe %d, which the array does not have", errNoRecord, s)
		}
	}
	return r, nil
}

// parseZero reads the range of stripes to zero.
func (r *record) parseZero(g Geometry) error {
	from, count := binary.LittleEndian.Uint64(r.buf[recordFixed:]), binary.LittleEndian.Uint64(r.buf[recordFixed+8:])
	if r.chunks != 0 || from >= uint64(g.Stripes) || count == 0 || count > min(zeroStripes, uint64(g.Stripes)-from) {
		return fmt.Errorf("%w: the record sets stripes to zero, but its numbers are not possible (%d chunks, %d stripes from stripe %d on; the array has %d stripes)", errNoRecord, r.chunks, count, from, g.Stripes)
	}
	r.zero = stripeRange{int64(from), int64(count)}
	return nil
}

// whole reports whether the checksums of header and chunks are right.
func (r *record) whole() bool {
	if len(r.buf) < (1+r.chunks)*ChunkSize || binary.LittleEndian.Uint32(r.buf[8:]) != r.checksum() {
		return false
	}
	for i := range r.chunks {
		if r.summed && r.sum(i) != member.Of(r.chunk(i)) {
			return false
		}
	}
	return true
}
