package raid

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrTaken is of a member that holds an array already.
var ErrTaken = errors.New("holds an array already")

// Create makes an array of the members: data in order, then P, then Q. It is
// as long as the shortest allows, and all zero. All are looked at before the
// first is written to.
func Create(members []Member, o CreateOptions) (Geometry, error) {
	g, err := geometryOf(members, o.Journal)
	if err != nil {
		return Geometry{}, err
	}
	var pool buffers
	defer pool.close()
	if err := vacant(members, o.Force, &pool); err != nil {
		return Geometry{}, err
	}
	first := state{array: newID(), geometry: g, event: 1, name: newName(), floor: 1, clean: true}
	errs := eachOf(members, firstMembers(len(members)), func(i int, m Member) error {
		if err := m.Zero(0, g.MemberSize()); err != nil {
			return err
		}
		if err := m.Sync(); err != nil { // zeros must not come after what counts
			return err
		}
		return writeSuperblock(m, superblock{first, i}, &pool)
	})
	return g, named(members, errs, "")
}

func geometryOf(members []Member, journal int) (Geometry, error) {
	g := Geometry{Data: len(members) - parities, Journal: journal}
	if g.Data < 2 {
		return g, fmt.Errorf("%d members: an array has at least 4, P and Q last", len(members))
	}
	shortest := members[0].Size()
	for _, m := range members {
		shortest = min(shortest, m.Size())
	}
	g.Stripes = (shortest - g.offset(0)) / ChunkSize
	return g, g.Validate()
}

// vacant refuses members that hold an array, were it a broken one.
func vacant(members []Member, force bool, pool *buffers) error {
	var refused []error
	for i, m := range members {
		if _, err := readSuperblock(m, pool); !errors.Is(err, ErrNoArray) && !force {
			refused = append(refused, &MemberError{i, m.String(), ErrTaken, "force it if that can go"})
		}
	}
	return errors.Join(refused...)
}

// named joins the errors of members, by name.
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

// newName is by chance, so that members written apart from each other differ.
func newName() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}
