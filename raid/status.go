package raid

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
)

// A MemberStatus is the status of one member of an open array.
type MemberStatus struct {
	Place int
	Role  string // number of a data member, P or Q
	Name  string
	State MemberState
	// Errors counts the errors of the member since the array was opened.
	Errors Errors
	// Err is the reason why the member was lost since then. If the member is not lost, Err is its
	// last error.
	Err error
	// Mask keeps reads away from the member; nil: none.
	Mask *Mask
}

// A MemberState is the way in which an array uses a member.
type MemberState string

// The states of members.
const (
	Active     MemberState = "active"     // read and written
	Lost       MemberState = "lost"       // neither read nor written
	Rebuilding MemberState = "rebuilding" // written, not yet read
)

// A Status is the status of an array.
type Status struct {
	Array    ID
	Geometry Geometry
	Members  []MemberStatus
	Rebuilt  int64     // stripes of members being rebuilt, as of the last checkpoint
	Scrubbed int64     // stripes checked by an interrupted scrub, as of its last checkpoint
	ScrubEnd time.Time // end of the last complete scrub; zero: never
	Event    uint64
	Clean    bool  // closed properly, or never opened
	Stopped  error // reason why the array has stopped; nil: it has not
	// Warnings are problems of the array, each with advice.
	Warnings []string

	last state // state of the last event
}

// Status returns the present status of the array.
func (a *Array) Status() Status {
	return a.roster.Load().status()
}

func (r *roster) status() Status {
	s := Status{Array: r.array, Geometry: r.geometry, Rebuilt: r.rebuilt, Event: r.event, Clean: r.clean, Stopped: r.stopped, last: r.state}
	s.Scrubbed = r.scrubbed
	if r.scrubbedAt > 0 {
		s.ScrubEnd = time.Unix(r.scrubbedAt, 0)
	}
	if !r.geometry.Checksums {
		s.Warnings = append(s.Warnings, "the array was made without checksums, so damaged data are not noticed: copy the data to a new array")
	}
	if r.masksErr != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("no member is masked, because the saved list of masked members cannot be used: %v: check which members are slow, and run limpet raid mask or unmask, which writes a new list", r.masksErr))
	}
	for i, m := range r.members {
		ms := MemberStatus{Place: i, Role: r.geometry.name(i), State: Active, Name: "none", Errors: r.failures[i].count(), Err: r.errs[i]}
		if ms.Err == nil {
			ms.Err = r.failures[i].lastError()
		}
		if m != nil {
			ms.Name = m.String()
		}
		switch {
		case r.rebuilding.has(i):
			ms.State = Rebuilding
		case r.lost.has(i):
			ms.State = Lost
		}
		if k := r.maskOf(i); k != nil {
			mask := *k
			ms.Mask = &mask
		}
		s.Members = append(s.Members, ms)
		s.Warnings = append(s.Warnings, ms.warnings(m)...)
	}
	return s
}

func (s MemberStatus) warnings(m Member) []string {
	who := fmt.Sprintf("member %s (%s)", s.Role, s.Name)
	switch s.State {
	case Lost:
		return []string{who + " is lost: replace and rebuild the member"}
	case Rebuilding:
		return []string{who + " is not yet rebuilt: rebuild the member"}
	}
	var list []string
	if n := s.Errors.Reads; n > 0 {
		list = append(list, fmt.Sprintf("%[2]d reads of %[1]s failed, the last with this error: %[3]v: run limpet raid scrub --repair. If reads of the member fail again, replace the member", who, n, s.Err))
	}
	if n := s.Errors.Rot; n > 0 {
		list = append(list, fmt.Sprintf("%[2]d chunks of %[1]s were damaged, and %[3]d were repaired: run limpet raid scrub --repair. If chunks of the member are damaged again, replace the member", who, n, s.Errors.Mended))
	}
	if !m.Direct() {
		list = append(list, who+" does not support direct I/O, so its reads may come from memory: put the member on a file system that supports direct I/O")
	}
	return list
}

// An Identity is the content of a member's superblock.
type Identity struct {
	Array    ID
	Place    int
	Role     string
	Geometry Geometry
	Event    uint64
	Lost     []int // as far as this member knows
	Clean    bool
}

// Inspect reads only the superblock of a member.
func Inspect(m Member) (Identity, error) {
	var pool member.Buffers
	defer pool.Close()
	b, err := readSuperblock(m, &pool)
	if err != nil {
		return Identity{}, fmt.Errorf("%s: %w", m, err)
	}
	return Identity{
		Array: b.array, Place: b.member, Role: b.geometry.name(b.member), Geometry: b.geometry,
		Event: b.event, Lost: b.lost.members(), Clean: b.clean,
	}, nil
}

// Examine returns the status of the array of these members at its last event, or the reason why
// Open would refuse them. nil: the member is missing. Nothing is written.
func Examine(members []Member) (Status, error) {
	var pool member.Buffers
	defer pool.Close()
	last, present, err := assemble(members, &pool, DefaultOptions().Deadline, true)
	if err != nil {
		return Status{}, err
	}
	now, err := last.without(members, present, true)
	if err != nil {
		return Status{}, err
	}
	s := newRoster(now, members, nil).status()
	s.last = last
	return s, nil
}
