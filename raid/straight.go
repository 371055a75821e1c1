package raid

import (
	"unsafe"

	"github.com/limpet-storage/limpet/raid/policy"
)

// readStraight reads into the caller's memory, without a copy. That is for
// those who wait for every answer, since a late one would come over what the
// caller does next; for whole chunks at aligned addresses, as direct I/O needs
// them; and for as long as no member is lost. It is false where that is not so,
// or where a member fails: then the caller's bytes are to be read another way.
func (a *Array) readStraight(s span) bool {
	r := a.roster.Load()
	if a.options.Policy.Kind != policy.Normal || !s.aligned() || r.lost != 0 || r.stopped != nil {
		return false
	}
	members := a.geometry.touched(s)
	begun := a.beginStraight(members, len(s.p)/members.count())
	errs := eachOf(r.members, members, func(i int, m Member) error {
		chunks, from := a.geometry.chunksOf(s, i)
		return m.ReadVector(chunks, a.geometry.offset(from))
	})
	a.endStraight(begun, members)
	for _, err := range errs {
		if err != nil {
			return false
		}
	}
	return true
}

// beginStraight has the policy count a read that it has nothing to decide of.
func (a *Array) beginStraight(members set, bytes int) *policy.Request {
	a.requests.mu.Lock()
	defer a.requests.mu.Unlock()
	request, _ := a.requests.policy.Begin(a.now(), members.members(), nil, bytes)
	return request
}

func (a *Array) endStraight(request *policy.Request, members set) {
	a.requests.mu.Lock()
	defer a.requests.mu.Unlock()
	for _, m := range members.members() {
		request.Answer(a.now(), m, false)
	}
	request.Release()
}

// aligned is whether a span is whole chunks that direct I/O can read into.
func (s span) aligned() bool {
	return s.off%ChunkSize == 0 && len(s.p)%ChunkSize == 0 && uintptr(unsafe.Pointer(&s.p[0]))%ChunkSize == 0
}

// chunksOf are the chunks of an aligned span that a member holds, and the
// stripe of the first.
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
