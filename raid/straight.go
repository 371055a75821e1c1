package raid

import (
	"unsafe"

	"github.com/limpet-storage/limpet/raid/policy"
)

// readStraight reads into the caller's memory, without a copy, and reports whether it did. It is
// possible if
//   - the policy waits for every answer, because a late answer would overwrite memory that the
//     caller uses again,
//   - the span is whole chunks at an aligned address, as direct I/O needs, and
//   - no member is lost or masked.
//
// If a member fails, readStraight returns false too. After false, the span must be read another
// way.
func (r *Reader) readStraight(s span) bool {
	a, now := r.a, r.a.roster.Load()
	if r.policy.Options().Kind != policy.Normal || !s.aligned() || now.lost != 0 || len(now.masks) > 0 || now.stopped != nil {
		return false
	}
	members := a.geometry.touched(s)
	begun := r.beginStraight(now, members, len(s.p)/members.count())
	errs := eachOf(now.members, members, func(i int, m Member) error {
		chunks, from := a.geometry.chunksOf(s, i)
		if err := m.ReadVector(chunks, a.geometry.offset(from)); err != nil {
			return err
		}
		return now.verify(i, from, len(chunks), func(n int) []byte { return chunks[n] })
	})
	r.endStraight(begun, members)
	for _, err := range errs {
		if err != nil {
			return false
		}
	}
	return true
}

// beginStraight makes the policy count a read about which the policy decides nothing.
func (r *Reader) beginStraight(now *roster, members set, bytes int) *policy.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.applyMasks(now) // removes masks that have ended; otherwise the policy would count reads that are not made
	request, _ := r.policy.Begin(r.a.now(), members.members(), nil, bytes)
	return request
}

func (r *Reader) endStraight(request *policy.Request, members set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range members.members() {
		request.Answer(r.a.now(), m, false)
	}
	request.Release()
}

// aligned reports whether a span is whole chunks that direct I/O can read into.
func (s span) aligned() bool {
	return s.off%ChunkSize == 0 && len(s.p)%ChunkSize == 0 && uintptr(unsafe.Pointer(&s.p[0]))%ChunkSize == 0
}

// chunksOf returns the chunks of an aligned span that a member holds, and the stripe of the first
// chunk.
func (g Geometry) chunksOf(s span, member int) (chunks [][]byte, from int64) {
	from, _ = g.stripes(s)
	if g.position(from, member) < s.off {
		from++
	}
	chunks = make([][]byte, 0, int64(len(s.p))/g.stripeSize()+1)
	for at := g.position(from, member); at < s.end(); at += g.stripeSize() {
		chunks = append(chunks, s.p[at-s.off:][:ChunkSize])
	}
	return chunks, from
}
