package raid

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// ErrRot is returned if a chunk differs from the bytes that were written.
var ErrRot = errors.New("a checksum is wrong")

// A rotError lists the stripes of which a member's chunks are damaged.
type rotError struct{ stripes []int64 }

// Error returns the first stripe and the number of the others.
func (e *rotError) Error() string {
	if n := len(e.stripes); n > 1 {
		return fmt.Sprintf("%v at stripe %d and at %d more stripes", ErrRot, e.stripes[0], n-1)
	}
	return fmt.Sprintf("%v at stripe %d", ErrRot, e.stripes[0])
}

// Unwrap returns ErrRot.
func (e *rotError) Unwrap() error { return ErrRot }

// readChunks fills buf with a member's chunks from a stripe on, and compares them with their
// checksums. A caller that does not hold the locks of the stripes must ignore checksum errors.
func (r *roster) readChunks(i int, buf []byte, from int64) error {
	if _, err := r.members[i].ReadAt(buf, r.geometry.offset(from)); err != nil {
		return err
	}
	return r.verify(i, from, len(buf)/ChunkSize, func(n int) []byte { return buf[n*ChunkSize:][:ChunkSize] })
}

// verify compares n chunks with their checksums.
func (r *roster) verify(i int, from int64, n int, chunk func(int) []byte) error {
	if r.tables[i] == nil {
		return nil
	}
	rotten, err := r.tables[i].Differ(from, n, func(n int) uint32 { return member.Of(chunk(n)) })
	if err == nil && rotten != nil {
		return &rotError{rotten}
	}
	return err
}

// newTable returns the checksum table of a member; nil: the array has no checksums.
func (a *Array) newTable(m Member) *member.Table {
	if !a.geometry.Checksums {
		return nil
	}
	room := a.options.ChecksumMemory / ChunkSize / int64(a.geometry.Members())
	return member.NewTable(m, a.geometry.offset(a.geometry.Stripes), a.geometry.Stripes, a.pool, int(room))
}

// setSums changes checksums of a member.
func (a *Array) setSums(i int, sums []member.Sum) error {
	t := a.roster.Load().tables[i]
	if t == nil {
		return nil
	}
	return t.Set(sums, func(from, to int64) []uint32 { return a.sumsAgain(i, from, to) })
}

// sumsAgain computes the checksums of a member anew, for a part of its table that is damaged. It
// uses the chunks that the other members yield, or, if too many of these cannot be read, the chunks
// of the member. For a member being rebuilt it returns zeros, because the rebuild sets all
// checksums. The caller keeps batches away.
func (a *Array) sumsAgain(i int, from, to int64) []uint32 {
	r := a.roster.Load()
	sums := make([]uint32, to-from)
	if r.lost.has(i) {
		return sums
	}
	l := a.newLook(r, ChunkSize)
	defer l.drop()
	for stripe := from; stripe < to; stripe++ {
		l.readWithout(stripe, set(0).with(i))
		if l.bad.count() <= parities {
			l.rebuild(l.bad)
			sums[stripe-from] = member.Of(l.right[i])
		} else if _, err := r.members[i].ReadAt(l.right[i], a.geometry.offset(stripe)); err == nil {
			sums[stripe-from] = member.Of(l.right[i])
		}
	}
	return sums
}

// sumsOf returns the checksums of consecutive chunks, from a stripe on.
func sumsOf(chunks []byte, from int64) []member.Sum {
	list := make([]member.Sum, 0, len(chunks)/ChunkSize)
	for i, sum := range member.Each(chunks) {
		list = append(list, member.Sum{Stripe: from + int64(i), Sum: sum})
	}
	return list
}
