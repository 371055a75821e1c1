package raid

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// bad has a drive fail reads of a stripe until it is written, or writes too.
type bad struct {
	*drive
	stripe int64
	worn   bool
	mended bool
}

func (b *bad) hit(off int64, n int) bool {
	at := testGeometry.offset(b.stripe)
	return !b.mended && off <= at && at < off+int64(n)
}

func (b *bad) ReadAt(p []byte, off int64) (int, error) {
	if b.hit(off, len(p)) {
		return 0, errDrive
	}
	return b.drive.ReadAt(p, off)
}

func (b *bad) ReadVector(bufs [][]byte, off int64) error {
	if b.hit(off, len(bufs)*ChunkSize) {
		return errDrive
	}
	return b.drive.ReadVector(bufs, off)
}

func (b *bad) WriteAt(p []byte, off int64) (int, error) {
	if b.hit(off, len(p)) && b.worn {
		return 0, errDrive
	}
	b.mended = b.mended || b.hit(off, len(p))
	return b.drive.WriteAt(p, off)
}

// TestBadSectors has three members with a bad sector each, in stripes of their
// own. Nothing is lost, however many stripes are read at once.
func TestBadSectors(t *testing.T) {
	for _, kind := range policy.Kinds() {
		drives, want := written(t)
		members := membersOf(drives)
		for i, m := range []int{0, 2, 4} {
			members[m] = &bad{drive: drives[m], stripe: int64(6 + i)}
		}
		a, err := Open(members, testOptions(kind))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(readAll(t, a), want) {
			t.Errorf("%s: the array holds something else", kind)
		}
		a.Close()
	}
}

// TestRebuildBadSectors: a member is lost and two others have a bad sector, in
// stripes of their own. Each stripe can be computed.
func TestRebuildBadSectors(t *testing.T) {
	drives, want := written(t)
	members := membersOf(drives)
	members[0], members[1] = &bad{drive: drives[0], stripe: 6}, &bad{drive: drives[1], stripe: 7}
	members[5] = nil
	a, err := Open(members, testOptions(policy.Normal))
	if err != nil {
		t.Fatal(err)
	}
	drives[5] = newDrive("new", testGeometry.MemberSize())
	if err := errors.Join(a.Replace(5, drives[5], false), a.Rebuild(t.Context(), RebuildOptions{}), a.Close()); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, cloneAll(drives), want)
}

// TestSkipsWorn: two members are lost and a third has a sector that can neither
// be read nor written. Told to go on, the rebuild does without, and the array
// is whole after it.
func TestSkipsWorn(t *testing.T) {
	for _, worn := range []int{0, 3} {
		drives, want := written(t)
		members := membersOf(drives)
		members[worn], members[4], members[5] = &bad{drive: drives[worn], stripe: 7, worn: true}, nil, nil
		a, err := Open(members, testOptions(policy.Normal))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{4, 5} {
			drives[i] = newDrive("new", testGeometry.MemberSize())
			members[i] = drives[i]
			if err := a.Replace(i, drives[i], false); err != nil {
				t.Fatal(err)
			}
		}
		holes := 0
		if err := errors.Join(a.Rebuild(t.Context(), RebuildOptions{Skip: func(Hole) { holes++ }}), a.Close()); err != nil || holes != 1 {
			t.Errorf("%d holes, %v", holes, err)
		}
		at := testGeometry.position(7, worn)
		clear(want[at : at+ChunkSize])
		for i, d := range cloneAll(drives) {
			members[i] = d
		}
		members[worn] = &bad{drive: members[worn].(*drive), stripe: 7, worn: true}
		checkReadable(t, members, want)
	}
}

// checkReadable opens an array for writing that lacks nobody.
func checkReadable(t *testing.T, members []Member, want []byte) {
	t.Helper()
	o := testOptions(policy.Normal)
	o.Degraded = false
	a, err := Open(members, o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("the array holds something else")
	}
}

// TestRebuildSkips: two members are lost and a third has a bad sector. The
// rebuild stops there; told to go on it names what is lost, and all else is as
// it was.
func TestRebuildSkips(t *testing.T) {
	for _, test := range []struct {
		lost [2]int
		bad  int
		hole []int // data members
	}{
		{[2]int{1, 5}, 2, []int{1, 2}},
		{[2]int{4, 5}, 0, []int{0}},
		{[2]int{0, 3}, 4, []int{0, 3}},
		{[2]int{0, 1}, 2, []int{0, 1, 2}},
	} {
		drives, want := written(t)
		members := membersOf(drives)
		sector := &bad{drive: drives[test.bad], stripe: 7}
		members[test.bad] = sector
		members[test.lost[0]], members[test.lost[1]] = nil, nil
		a, err := Open(members, testOptions(policy.Normal))
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range test.lost {
			drives[i] = newDrive("new", testGeometry.MemberSize())
			if err := a.Replace(i, drives[i], false); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Rebuild(t.Context(), RebuildOptions{}); !errors.Is(err, ErrUnreadable) {
			t.Fatalf("%+v: rebuilt over a bad sector: %v", test, err)
		}
		var holes []Hole
		before := chunksOf(drives, 7)
		skip := func(h Hole) {
			holes = append(holes, h)
			if !bytes.Equal(chunksOf(drives, 7), before) {
				t.Errorf("%+v: written before it was said", test)
			}
		}
		if err := a.Rebuild(t.Context(), RebuildOptions{Skip: skip}); err != nil {
			t.Fatal(err)
		}
		if !sector.mended {
			t.Errorf("%+v: the bad sector was not written", test)
		}
		var lost []Range
		for _, m := range test.hole {
			at := testGeometry.position(7, m)
			lost = append(lost, Range{at, at + ChunkSize})
			clear(want[at : at+ChunkSize])
		}
		if len(holes) != 1 || holes[0].Stripe != 7 || !slices.Equal(holes[0].Lost, lost) || !errors.Is(holes[0].Err, errDrive) {
			t.Errorf("%+v: named %v, want stripe 7, %v", test, holes, lost)
		}
		if !bytes.Equal(readAll(t, a), want) {
			t.Errorf("%+v: the array holds something else", test)
		}
		checkScrub(t, a)
		a.Close()
		checkWhole(t, cloneAll(drives), want)
	}
}

// chunksOf are those of all drives of a stripe, one after the other.
func chunksOf(drives []*drive, stripe int64) (all []byte) {
	for _, d := range drives {
		d.mu.Lock()
		all = append(all, d.content[testGeometry.offset(stripe):][:ChunkSize]...)
		d.mu.Unlock()
	}
	return all
}

func TestHoleIsNamed(t *testing.T) {
	h := Hole{Stripe: 7, Lost: []Range{{4096, 8192}, {12288, 16384}}, Err: errDrive}
	if got := h.String(); !strings.HasPrefix(got, "stripe 7 cannot be computed, so bytes 4096 to 8191 and 12288 to 16383 of the array are lost, and reads return zeros: ") {
		t.Error(got)
	}
}
