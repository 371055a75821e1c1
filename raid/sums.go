package raid

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// ErrRot is of chunks that are not what was written.
var ErrRot = errors.New("a checksum is wrong")

// A rotError is of some stripes of a member.
type rotError struct{ stripes []int64 }

// Error names the first stripe.
func (e *rotError) Error() string {
	if n := len(e.stripes); n > 1 {
		return fmt.Sprintf("%v at stripe %d and at %d more stripes", ErrRot, e.stripes[0], n-1)
	}
	return fmt.Sprintf("%v at stripe %d", ErrRot, e.stripes[0])
}

// Unwrap is ErrRot.
func (e *rotError) Unwrap() error { return ErrRot }

// readChunks fills buf with a member's chunks from a stripe on, and holds them
// against their checksums. The caller holds the locks of the stripes, or ignores an error
// where it does not.
func (r *roster) readChunks(i int, buf []byte, from int64) error {
	if _, err := r.members[i].ReadAt(buf, r.geometry.offset(from)); err != nil {
		return err
	}
	return r.verify(i, from, len(buf)/ChunkSize, func(n int) []byte { return buf[n*ChunkSize:][:ChunkSize] })
}

// verify holds n chunks that were read against the sums of what was written.
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

// newTable is where a member keeps its checksums, nil if the array has none.
func (a *Array) newTable(m Member) *member.Table {
	if !a.geometry.Checksums {
		return nil
	}
	room := a.options.ChecksumMemory / ChunkSize / int64(a.geometry.Members())
	return member.NewTable(m, a.geometry.offset(a.geometry.Stripes), a.geometry.Stripes, a.pool, int(room))
}

// setSums changes the checksums of a member.
func (a *Array) setSums(i int, sums []member.Sum) error {
	t := a.roster.Load().tables[i]
	if t == nil {
		return nil
	}
	return t.Set(sums, func(from, to int64) []uint32 { return a.sumsAgain(i, from, to) })
}

// sumsAgain finds out what the checksums of a member are where its table is
// rotten: those of what the other members say that it holds; where they cannot,
// of what it holds. The caller keeps batches away. Of a member that
// is being rebuilt all will be set.
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

// sumsOf are those of chunks in a row, from a stripe on.
func sumsOf(chunks []byte, from int64) []member.Sum {
	list := make([]member.Sum, 0, len(chunks)/ChunkSize)
	for i, sum := range member.Each(chunks) {
		list = append(list, member.Sum{Stripe: from + int64(i), Sum: sum})
	}
	return list
}
