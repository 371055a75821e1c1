package raid

import (
	"encoding/binary"
	"errors"

	"github.com/limpet-storage/limpet/raid/member"
)

// ErrWiped is returned if power was lost while the member was prepared to replace a lost member.
var ErrWiped = errors.New("a rebuild had started to overwrite this member")

// wipeMagic begins a wipe mark. A wipe mark has the layout of a superblock, and holds the place
// that the member is about to take, and the event. Both superblocks of the member are replaced by
// wipe marks before anything else on it is written. So after a loss of power, the content of the
// member is known to be useless.
var wipeMagic = [8]byte{'l', 'i', 'm', 'p', 'W', 'I', 'P', 'E'}

// wipe removes the superblocks, the journal and the checksums of a member. If the member had
// belonged to a copy of the array that was used separately, its superblock could be taken for the
// last event.
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

// zeroOut zeroes bytes from … to-1 in pieces, because a drive may have to write the zeros, and each
// piece must meet the deadline.
func (a *Array) zeroOut(m Member, from, to int64) error {
	for ; from < to; from += zeroStripes * ChunkSize {
		n := min(zeroStripes*ChunkSize, to-from)
		if err := a.alone(m, func(m Member) error { return m.Zero(from, n) }); err != nil {
			return err
		}
	}
	return nil
}

// alone calls do for a member that is in no array yet, with the deadline of the array.
func (a *Array) alone(m Member, do func(m Member) error) error {
	return askAll([]Member{m}, firstMembers(1), orFail(a.options.Deadline), func(_ int, m Member) error { return do(m) })[0]
}

func (s *superblock) encodeMark(chunk []byte) {
	s.encode(chunk)
	copy(chunk, wipeMagic[:])
	binary.LittleEndian.PutUint32(chunk[12:], checksumOf(chunk, 12))
}

// decodeMark decodes a wipe mark; false: the chunk is no wipe mark.
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

// markOf returns the wipe mark of a member; false: it has none.
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

// marked reports whether a member has a wipe mark for this place of this array, and has not taken
// the place since.
func (s Status) marked(place int, m Member, pool *member.Buffers) bool {
	mark, ok := markOf(m, pool)
	if !ok || mark.array != s.Array || mark.member != place {
		return false
	}
	b, err := readSuperblock(m, pool)
	return err != nil || b.array != s.Array || b.event <= mark.event
}
