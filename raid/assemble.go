package raid

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
)

// Reasons to refuse a member. After a refusal nothing is written to any member.
var (
	ErrWrongArray = errors.New("the member belongs to another array")
	ErrGeometry   = errors.New("the geometry of this member differs from the geometry of the other members")
	ErrShort      = errors.New("the drive or file is smaller than the array needs")
	ErrSwapped    = errors.New("the member has the wrong position in the list of members")
	ErrStale      = errors.New("the data of the member are out of date")
	ErrForked     = errors.New("this member and the other members were used separately, so their data now differ")
	ErrMissing    = errors.New("missing")
	ErrRebuilding = errors.New("the member is not yet rebuilt")
)

// writeMissing is the hint to give an array without a member.
const writeMissing = "write \"missing\" instead of its name"

// openWithout returns the hint for a member that has to be rebuilt. If the array is already opened
// with lost members, the hint names no flag for it.
func openWithout(degraded bool) string {
	if degraded {
		return writeMissing + ", and rebuild this member"
	}
	return writeMissing + ", add --degraded, and rebuild this member"
}

// HintWithout returns the hint to open an array without a member. degraded is the option of this name:
// if it is set, the hint does not name its flag.
func HintWithout(degraded bool) string {
	if degraded {
		return writeMissing
	}
	return writeMissing + ", and add --degraded"
}

// A MemberError is an error of one member.
type MemberError struct {
	Place int    // place in the list of members, from 0
	Name  string // name of the member
	Err   error
	Hint  string // advice to the operator
}

// Error returns the member, the error and the hint.
func (e *MemberError) Error() string {
	s := fmt.Sprintf("member %d (%s): %v", e.Place, e.Name, e.Err)
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Unwrap returns the error without the member.
func (e *MemberError) Unwrap() error { return e.Err }

// An assembly holds the given members and their superblocks while they are checked.
type assembly struct {
	members  []Member
	deadline time.Duration
	degraded bool // the array is opened even if members are lost
	blocks   []superblock
	present  set
	refused  []error
}

func (a *assembly) refuse(place int, err error, hint string, args ...any) {
	name := "not given"
	if a.members[place] != nil {
		name = a.members[place].String()
	}
	a.refused = append(a.refused, &MemberError{place, name, err, fmt.Sprintf(hint, args...)})
}

// assemble returns the state of the array at its last event, and the members that are present.
// members are in order; nil: the member is missing. err joins all problems of the first check that
// fails. degraded decides only which advice the errors give.
func assemble(members []Member, pool *member.Buffers, deadline time.Duration, degraded bool) (last state, present set, err error) {
	a := &assembly{members: members, deadline: deadline, degraded: degraded, blocks: make([]superblock, len(members))}
	a.read(pool)
	steps := []func(){a.sameArray, a.sameGeometry, a.longEnough, a.rightPlace, a.current, func() { a.upToDate(pool) }}
	for _, step := range steps {
		if len(a.refused) > 0 {
			break
		}
		step()
	}
	if len(a.refused) > 0 {
		return state{}, 0, errors.Join(a.refused...)
	}
	return a.newest().state, a.present, nil
}

func (a *assembly) read(pool *member.Buffers) {
	var given set
	for i, m := range a.members {
		if m != nil {
			given = given.with(i)
		}
	}
	blocks, errs := ask(a.members, given, orFail(a.deadline), nil, func(_ int, m Member) (superblock, error) {
		return readSuperblock(m, pool)
	})
	for _, i := range given.members() {
		if errs[i] != nil {
			a.refuse(i, errs[i], "if the name is wrong, give the right name. If the name is right, %s", openWithout(a.degraded))
			continue
		}
		a.blocks[i], a.present = blocks[i], a.present.with(i)
	}
	if a.present == 0 && len(a.refused) == 0 {
		a.refused = append(a.refused, errors.New("no members are given: name the members of the array"))
	}
}

// common returns the value that most of the members have. If two values are equally common, it
// returns the value of the first of their members.
func common[T comparable](a *assembly, of func(superblock) T) T {
	count := map[T]int{}
	var best T
	for _, i := range a.present.members() {
		count[of(a.blocks[i])]++
	}
	for _, i := range a.present.members() {
		if v := of(a.blocks[i]); count[v] > count[best] {
			best = v
		}
	}
	return best
}

func (a *assembly) sameArray() {
	array := common(a, func(b superblock) ID { return b.array })
	for _, i := range a.present.members() {
		if b := a.blocks[i]; b.array != array {
			a.refuse(i, ErrWrongArray, "this member belongs to array %v, and the other members belong to array %v", b.array, array)
		}
	}
}

func (a *assembly) sameGeometry() {
	g := common(a, func(b superblock) Geometry { return b.geometry })
	for _, i := range a.present.members() {
		if own := a.blocks[i].geometry; own != g {
			a.refuse(i, ErrGeometry, "the geometry of this member is %+v, the geometry of the other members is %+v", own, g)
		}
	}
	if n := g.Members(); len(a.refused) == 0 && len(a.members) != n {
		a.refused = append(a.refused, fmt.Errorf("%d members are given, but the array has %d members: give all members in order, P and Q last, and write \"missing\" for each missing member", len(a.members), n))
	}
}

func (a *assembly) longEnough() {
	for _, i := range a.present.members() {
		if size, need := a.members[i].Size(), a.blocks[i].geometry.MemberSize(); size < need {
			a.refuse(i, ErrShort, "the size is %d bytes, but the array needs %d bytes", size, need)
		}
	}
}

func (a *assembly) rightPlace() {
	for _, i := range a.present.members() {
		if own := a.blocks[i].member; own != i {
			a.refuse(i, ErrSwapped, "this member has number %d; the right order is %s", own, a.order())
		}
	}
}

// order returns the names of the members in their right order.
func (a *assembly) order() string {
	names := slices.Repeat([]string{"(missing)"}, len(a.members))
	for _, i := range a.present.members() {
		names[a.blocks[i].member] = a.members[i].String()
	}
	return strings.Join(names, " ")
}

// newest returns the superblock of the last event. If members were changed separately and have
// different superblocks of that event, newest returns the superblock that most of them have.
func (a *assembly) newest() superblock {
	var last uint64
	for _, i := range a.present.members() {
		last = max(last, a.blocks[i].event)
	}
	latest := *a
	for _, i := range a.present.members() {
		if a.blocks[i].event < last {
			latest.present = latest.present.minus(i)
		}
	}
	name := common(&latest, func(b superblock) uint64 { return b.name })
	for _, i := range latest.present.members() {
		if a.blocks[i].name == name {
			return a.blocks[i]
		}
	}
	return superblock{} // no member is present
}

// current refuses members whose superblock is forked, or older than the last event allows.
func (a *assembly) current() {
	last := a.newest()
	for _, i := range a.present.members() {
		b := a.blocks[i]
		switch {
		case b.event == last.event && b.name != last.name:
			a.refuse(i, ErrForked, "this member has the same event counter (%d) as %s, but not the same last change of the array; "+openWithout(a.degraded), b.event, a.members[last.member])
		case last.lost.has(i) && !last.rebuilding.has(i):
			a.refuse(i, ErrStale, "the event counter of this member is %d, but the event counter of the array is %d, and the array has continued without this member; "+openWithout(a.degraded), b.event, last.event)
		case !last.follows(b.state):
			a.refuse(i, ErrStale, "the event counter of this member is %d, but the event counter of the array is %d; "+openWithout(a.degraded), b.event, last.event)
		}
	}
}

// follows reports whether earlier is the same state as s, or the state directly before s. A crash
// can leave a member one state behind.
func (s state) follows(earlier state) bool {
	return earlier.event == s.event && earlier.name == s.name || earlier.event+1 == s.event && earlier.name == s.previous
}

// without returns the state in which all members that are not present are lost. It returns an error
// if more than two members are lost, or if members are lost and degraded is false.
func (s state) without(members []Member, present set, degraded bool) (state, error) {
	s.lost |= firstMembers(len(members)) &^ present
	s.rebuilding &= present
	s.dropMasksOfLost()
	if s.lost.count() > parities {
		return state{}, fmt.Errorf("array %v cannot be opened: members %v are %w or not yet rebuilt, but an array can lose at most two members", s.array, s.lost, ErrMissing)
	}
	var refused []error
	for _, i := range s.lost.members() {
		switch {
		case degraded:
		case s.rebuilding.has(i):
			refused = append(refused, &MemberError{i, members[i].String(), ErrRebuilding, "add --degraded to open the array, and continue the rebuild"})
		default:
			refused = append(refused, &MemberError{i, "not given", ErrMissing, "give the member, or add --degraded to open the array without it"})
		}
	}
	return s, errors.Join(refused...)
}
