package raid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestRebuild replaces any one or two members while others write.
func TestRebuild(t *testing.T) {
	for i := range testGeometry.Members() {
		for j := range i + 1 {
			drives, _ := written(t)
			drives[i], drives[j] = nil, nil
			a := openDrives(t, drives, policy.Normal)
			var beside sync.WaitGroup
			beside.Go(func() { checkRanges(t, a, rand.New(rand.NewPCG(uint64(i), uint64(j))), 30) })
			for _, place := range []int{i, j}[:1+min(1, i-j)] {
				drives[place] = newDrive(fmt.Sprintf("new%d", place), testGeometry.MemberSize())
				if err := a.Replace(place, drives[place], false); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Rebuild(t.Context(), RebuildOptions{}); err != nil {
				t.Fatal(err)
			}
			beside.Wait()
			checkScrub(t, a)
			want := readAll(t, a)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			checkWhole(t, cloneAll(drives), want)
		}
	}
}

// checkWhole opens an array that is not degraded.
func checkWhole(t *testing.T, drives []*drive, want []byte) {
	t.Helper()
	o := testOptions(policy.Normal)
	o.Degraded = false
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("rebuilt array holds something else")
	}
	checkScrub(t, a)
}

// TestRebuildGoesOn breaks a rebuild off and goes on in another process.
func TestRebuildGoesOn(t *testing.T) {
	drives, want := written(t)
	drives[1] = nil
	a := openDrives(t, drives, policy.Normal)
	drives[1] = newDrive("new", testGeometry.MemberSize())
	if err := a.Replace(1, drives[1], false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := a.Rebuild(ctx, RebuildOptions{Progress: func(done, _ int64) {
		if done >= 10 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want that it was broken off", err)
	}
	a.Close()
	drives = cloneAll(drives)
	o := testOptions(policy.Normal)
	o.Degraded = false
	if _, err := Open(membersOf(drives), o); !errors.Is(err, ErrRebuilding) {
		t.Fatalf("got %v, want that a member is not rebuilt", err)
	}
	a = openDrives(t, drives, policy.Normal)
	if s := a.Status(); s.Rebuilt != 10 || s.Members[1].State != Rebuilding {
		t.Errorf("status %+v", s)
	}
	first := int64(-1)
	err = a.Rebuild(t.Context(), RebuildOptions{Progress: func(done, _ int64) {
		if first < 0 {
			first = done
		}
	}})
	if err != nil || first != 15 {
		t.Errorf("went on from before %d: %v", first, err)
	}
	a.Close()
	checkWhole(t, cloneAll(drives), want)
}

// TestPowerLossInRebuild loses power at any I/O of a rebuild with writes
// between, opens the array again, with any members lost that may be, and ends
// the rebuild.
func TestPowerLossInRebuild(t *testing.T) {
	for seed := range trials(300) {
		rng := rand.New(rand.NewPCG(seed, 12))
		drives, held := written(t)
		h := &history{acknowledged: held}
		place := rng.IntN(len(drives))
		drives[place] = nil
		a := openDrives(t, drives, policy.Normal)
		drives[place] = newDrive("new", testGeometry.MemberSize())
		supply := &power{left: rng.IntN(250)}
		supply.plug(drives)
		if a.Replace(place, drives[place], false) == nil {
			a.Rebuild(t.Context(), RebuildOptions{Progress: func(done, _ int64) {
				if done < a.geometry.Stripes {
					a.remember(a.roster.Load().rebuilding, done)
					scribble(a, h, rng, 1)
				}
			}})
		}
		a.Close()
		for i := range drives {
			drives[i] = drives[i].afterPowerLoss(rng)
		}
		finishRebuild(t, drives, place, h, rng)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func finishRebuild(t *testing.T, drives []*drive, place int, h *history, rng *rand.Rand) {
	t.Helper()
	if rng.IntN(3) == 0 { // one more is lost in the same moment
		if other := rng.IntN(len(drives)); other != place {
			drives[other] = nil
		}
	}
	a, err := Open(membersOf(drives), testOptions(policy.Normal))
	if errors.Is(err, ErrStale) || errors.Is(err, ErrNoArray) || errors.Is(err, ErrWiped) { // power was lost before the new member was one
		drives[place] = nil
		a, err = Open(membersOf(drives), testOptions(policy.Normal))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if !h.allows(readAll(t, a)) {
		t.Error("the array holds what was never written")
	}
	if err := a.Rebuild(t.Context(), RebuildOptions{}); err != nil {
		t.Fatal(err)
	}
	checkScrub(t, a)
	if !h.allows(readAll(t, a)) {
		t.Error("the rebuilt array holds what was never written")
	}
}

func TestReplaceRefuses(t *testing.T) {
	drives, _ := written(t)
	stale := drives[2]
	drives[2] = nil
	a := openDrives(t, drives, policy.Normal)
	for _, test := range []struct {
		name  string
		place int
		m     *drive
		want  error
	}{
		{"not lost", 1, newDrive("new", testGeometry.MemberSize()), ErrNotLost},
		{"short", 2, newDrive("new", testGeometry.MemberSize()-1), ErrShort},
		{"another array's", 2, newDrives(t, testGeometry)[2], ErrWrongArray},
		{"another place's", 2, drives[3].clone(), ErrSwapped},
		{"a file system's", 2, occupiedDrive(t), ErrOccupied},
		{"torn", 2, tornDrive(drives[3]), ErrTaken},
		{"no such place", 6, newDrive("new", testGeometry.MemberSize()), nil},
	} {
		before := bytes.Clone(test.m.content)
		if err := a.Replace(test.place, test.m, false); err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		if !bytes.Equal(before, test.m.content) {
			t.Errorf("%s: it was written to", test.name)
		}
	}
	if err := a.Replace(2, stale, false); err != nil { // its own place
		t.Error(err)
	}
	if err := a.Rebuild(t.Context(), RebuildOptions{}); err != nil {
		t.Error(err)
	}
	checkScrub(t, a)
}

// occupiedDrive holds something of somebody else.
func occupiedDrive(t *testing.T) *drive {
	t.Helper()
	d := newDrive("fs", testGeometry.MemberSize())
	d.content[1080] = 0x53
	return d
}

// tornDrive is a member whose superblocks are damaged.
func tornDrive(d *drive) *drive {
	torn := d.clone()
	torn.content[100] ^= 1
	torn.content[ChunkSize+100] ^= 1
	return torn
}

// TestReplaceByForce takes what is refused otherwise, unless it is short.
func TestReplaceByForce(t *testing.T) {
	for name, m := range map[string]*drive{
		"another array's": newDrives(t, testGeometry)[2],
		"a file system's": occupiedDrive(t),
		"torn":            tornDrive(newDrives(t, testGeometry)[3]),
	} {
		drives, want := written(t)
		drives[2] = nil
		a := openDrives(t, drives, policy.Normal)
		if err := a.Replace(2, newDrive("short", testGeometry.MemberSize()-1), true); !errors.Is(err, ErrShort) {
			t.Errorf("short: %v", err)
		}
		drives[2] = m
		if err := errors.Join(a.Replace(2, m, true), a.Rebuild(t.Context(), RebuildOptions{}), a.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkWhole(t, cloneAll(drives), want)
	}
}

// TestReplaceByFork takes back a member that went further in an array of its
// own way: what it says must not pass for the last event.
func TestReplaceByFork(t *testing.T) {
	drives, want := written(t)
	other := cloneAll(drives)
	for range 5 {
		without(t, other, 0, 1)
	}
	drives[2] = nil
	a := openDrives(t, drives, policy.Normal)
	drives[2] = other[2]
	if err := a.Replace(2, drives[2], false); err != nil {
		t.Fatal(err)
	}
	b := openDrives(t, cloneAll(drives), policy.Normal) // after a kill in this moment
	if !bytes.Equal(readAll(t, b), want) || b.Status().Members[2].State != Rebuilding {
		t.Errorf("the array is another: %+v", b.Status())
	}
}

// TestFitsSound holds a member against its own array, which has to lose it
// before it may be written over.
func TestFitsSound(t *testing.T) {
	drives, _ := written(t)
	fits := func(force bool) error {
		t.Helper()
		left := membersOf(drives)
		left[2] = nil
		s, err := Examine(left)
		if err != nil {
			t.Fatal(err)
		}
		return s.Fits(2, drives[2], force)
	}
	if err := fits(false); !errors.Is(err, ErrSound) {
		t.Errorf("a sound member: %v", err)
	}
	if err := fits(true); err != nil {
		t.Errorf("a sound member, by force: %v", err)
	}
	a := openDrives(t, cloneAll(drives), policy.Normal)
	drives[3] = a.roster.Load().members[3].(*watched).Member.(*drive).clone() // it alone has the last event, after a crash
	if err := fits(false); !errors.Is(err, ErrSound) {
		t.Errorf("one behind: %v", err)
	}
	a.Close()
	drives, _ = written(t)
	without(t, drives, 2)
	if err := fits(false); err != nil {
		t.Errorf("a stale member: %v", err)
	}
}
