package raid

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// Reasons to refuse a member of a new array.
var (
	ErrTaken    = errors.New("the drive or file is already a member of an array")
	ErrOccupied = errors.New("the drive or file already has data")
)

// occupied is the number of bytes at the beginning of a member that must be zero. Partition tables,
// file systems, md and LVM all write data there.
const occupied = 1 << 20

// Create makes an array of the members: the data members in order, then P, then Q. The shortest
// member decides the size of the array. All bytes of the array are zero. Create checks all members
// before it writes to the first.
func Create(members []Member, o CreateOptions) (Geometry, error) {
	g, err := geometryOf(members, o)
	if err != nil {
		return Geometry{}, err
	}
	var pool member.Buffers
	defer pool.Close()
	if !o.Force {
		errs := eachOf(members, firstMembers(len(members)), func(_ int, m Member) error { return vacant(m, &pool) })
		if err := named(members, errs, forceIt); err != nil {
			return Geometry{}, err
		}
	}
	first := state{array: newID(), geometry: g, event: 1, name: newName(), floor: 1, clean: true}
	errs := eachOf(members, firstMembers(len(members)), func(i int, m Member) error {
		if err := m.Zero(0, g.MemberSize()); err != nil {
			return err
		}
		if err := m.Sync(); err != nil { // the zeros must be durable before the superblock
			return err
		}
		return writeSuperblock(m, superblock{first, i}, &pool)
	})
	return g, named(members, errs, "")
}

func geometryOf(members []Member, o CreateOptions) (Geometry, error) {
	g := Geometry{Data: len(members) - parities, Journal: o.Journal, Checksums: o.Checksums}
	if g.Data < 2 {
		return g, fmt.Errorf("%d members are too few: give at least 4 members, P and Q last", len(members))
	}
	shortest := members[0].Size()
	for _, m := range members {
		shortest = min(shortest, m.Size())
	}
	g = g.fill(shortest)
	return g, g.Validate()
}

// forceIt is the hint for a member that is not vacant.
const forceIt = "use --force only if this data may be destroyed"

// vacant returns an error if a member holds an array, even a damaged array, or other data.
func vacant(m Member, pool *member.Buffers) error {
	buf := pool.Get(int(min(occupied, m.Size())) / ChunkSize * ChunkSize)
	defer pool.Put(buf)
	if _, err := m.ReadAt(buf, 0); err != nil {
		return err
	}
	if _, err := readSuperblock(m, pool); !errors.Is(err, ErrNoArray) {
		return ErrTaken
	}
	if bytes.ContainsFunc(buf, func(r rune) bool { return r != 0 }) {
		return ErrOccupied
	}
	return nil
}

// named joins the errors of members and adds the names of the members.
func named(members []Member, errs []error, hint string) error {
	list := make([]error, len(errs))
	for i, err := range errs {
		if err != nil {
			list[i] = &MemberError{i, members[i].String(), err, hint}
		}
	}
	return errors.Join(list...)
}

func newID() (id ID) {
	rand.Read(id[:])
	return id
}

// newName returns a random number. If members are changed separately, their events therefore have
// different names.
func newName() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}
