package raid

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// bad has a drive fail reads of a stripe until it is written.
type bad struct {
	*drive
	stripe int64
	mended bool
}

func (b *bad) ReadAt(p []byte, off int64) (int, error) {
	at := testGeometry.offset(b.stripe)
	if !b.mended && off <= at && at < off+int64(len(p)) {
		return 0, errDrive
	}
	return b.drive.ReadAt(p, off)
}

func (b *bad) WriteAt(p []byte, off int64) (int, error) {
	if at := testGeometry.offset(b.stripe); off <= at && at < off+int64(len(p)) {
		b.mended = true
	}
	return b.drive.WriteAt(p, off)
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
		if err := a.Rebuild(t.Context(), RebuildOptions{Skip: func(h Hole) { holes = append(holes, h) }}); err != nil {
			t.Fatal(err)
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

func TestHoleIsNamed(t *testing.T) {
	h := Hole{Stripe: 7, Lost: []Range{{4096, 8192}, {12288, 16384}}, Err: errDrive}
	if got := h.String(); !strings.HasPrefix(got, "stripe 7 cannot be computed: bytes 4096 to 8191 and 12288 to 16383 of the array are lost and read as zeros: ") {
		t.Error(got)
	}
}
