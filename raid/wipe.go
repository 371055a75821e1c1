package raid

import (
	"encoding/binary"
	"errors"

	"github.com/limpet-storage/limpet/raid/member"
)

// ErrWiped is of a member that was to take a place when power was lost.
var ErrWiped = errors.New("a rebuild had started to overwrite this member")

// wipeMagic begins a chunk that is a superblock otherwise: whose place a member
// is about to take, and at which event. It stands in both places of superblocks
// before anything else of the member is written, so that a loss of power then
// leaves a member that is known to hold nothing that is needed.
var wipeMagic = [8]byte{'l', 'i', 'm', 'p', 'W', 'I', 'P', 'E'}

// wipe forgets what a member was: had it been in an array that went its own
// way, what it says could pass for the last event.
func (a *Array) wipe(place int, m Member) error {
	mark := a.pool.Get(superblocks * ChunkSize)
	block := superblock{a.roster.Load().state, place}
	err := a.alone(m, func(m Member) error {
		defer a.pool.Put(mark)
		for chunk := range superblocks {
			block.encodeMark(mark[chunk*ChunkSize:][:ChunkSize])
		}
		if _, err := m.WriteAt(mark, 0); err != nil {
			return err
		}
		return m.Sync()
	})
	if err != nil {
		return err
	}
	g := a.geometry
	if err := a.zeroOut(m, superblocks*ChunkSize, g.offset(0)); err != nil {
		return err
	}
	if err := a.zeroOut(m, g.offset(g.Stripes), g.MemberSize()); err != nil {
		return err
	}
	return a.alone(m, Member.Sync)
}

// zeroOut zeroes bytes from … to-1 in pieces, each within the deadline: a drive
// may have to write them.
func (a *Array) zeroOut(m Member, from, to int64) error {
	for ; from < to; from += zeroStripes * ChunkSize {
		n := min(zeroStripes*ChunkSize, to-from)
		if err := a.alone(m, func(m Member) error { return m.Zero(from, n) }); err != nil {
			return err
		}
	}
	return nil
}

// alone does something with a member that is in no array yet.
func (a *Array) alone(m Member, do func(m Member) error) error {
	return askAll([]Member{m}, firstMembers(1), orFail(a.options.Deadline), func(_ int, m Member) error { return do(m) })[0]
}

func (s *superblock) encodeMark(chunk []byte) {
	s.encode(chunk)
	copy(chunk, wipeMagic[:])
	binary.LittleEndian.PutUint32(chunk[12:], checksumOf(chunk, 12))
}

// decodeMark is what a mark says; false where there is none.
func decodeMark(chunk []byte) (superblock, bool) {
	if [8]byte(chunk[:8]) != wipeMagic || binary.LittleEndian.Uint32(chunk[12:]) != checksumOf(chunk, 12) {
		return superblock{}, false
	}
	block := append([]byte(nil), chunk...)
	copy(block, magic[:])
	binary.LittleEndian.PutUint32(block[12:], checksumOf(block, 12))
	s, err := decodeSuperblock(block)
	return s, err == nil
}

// markOf is what a member was marked for, if it was.
func markOf(m Member, pool *member.Buffers) (superblock, bool) {
	if m.Size() < superblocks*ChunkSize {
		return superblock{}, false
	}
	buf := pool.Get(superblocks * ChunkSize)
	defer pool.Put(buf)
	if _, err := m.ReadAt(buf, 0); err != nil {
		return superblock{}, false
	}
	for chunk := range superblocks {
		if s, ok := decodeMark(buf[chunk*ChunkSize:][:ChunkSize]); ok {
			return s, true
		}
	}
	return superblock{}, false
}

// marked is whether a member was about to take a place of this array, and has
// not done so since.
func (s Status) marked(place int, m Member, pool *member.Buffers) bool {
	mark, ok := markOf(m, pool)
	if !ok || mark.array != s.Array || mark.member != place {
		return false
	}
	b, err := readSuperblock(m, pool)
	return err != nil || b.array != s.Array || b.event <= mark.event
}
