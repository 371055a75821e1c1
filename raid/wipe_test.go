package raid

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestPowerLossInReplace loses power at every I/O of a member's taking its
// place: one that is new, one that was in it before, and by force one of another
// array. Afterwards it takes the place without force.
func TestPowerLossInReplace(t *testing.T) {
	stale, _ := written(t)
	step := 1
	if testing.Short() {
		step = 3
	}
	for name, m := range map[string]*drive{
		"new": newDrive("new", testGeometry.MemberSize()), "stale": stale[2],
		"another array's": newDrives(t, testGeometry)[3], "somebody else's": occupiedDrive(t),
	} {
		for at := 0; at < 40; at += step {
			rng := rand.New(rand.NewPCG(uint64(at), 77))
			drives, want := written(t)
			if name == "stale" {
				m = drives[2].clone()
				without(t, drives, 2)
				drives = cloneAll(drives)
			}
			drives[2] = nil
			a := openDrives(t, drives, policy.Normal)
			drives[2] = m.clone()
			(&power{left: at}).plug(drives)
			a.Replace(2, drives[2], true)
			a.Close()
			loseAll(drives, rng)
			left := append([]*drive(nil), drives...)
			left[2] = nil
			b := openDrives(t, left, policy.Normal)
			if bytes.Equal(drives[2].content, m.content) && name != "new" && name != "stale" {
				b.Close()
				continue // nothing was written to it
			}
			if err := errors.Join(b.Replace(2, drives[2], false), b.Rebuild(t.Context(), RebuildOptions{})); err != nil {
				t.Fatalf("%s, power lost at I/O %d: %v", name, at, err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			checkWhole(t, cloneAll(drives), want)
		}
	}
}

// TestWipedIsNamed: a member that was about to be overwritten is no member, and says
// why; to make a new array of it needs force.
func TestWipedIsNamed(t *testing.T) {
	drives, _ := written(t)
	a := openDrives(t, drives, policy.Normal)
	d := newDrive("new", testGeometry.MemberSize())
	if err := a.wipe(1, d); err != nil {
		t.Fatal(err)
	}
	a.Close()
	drives = cloneAll(drives)
	drives[1] = d
	if _, err := Open(membersOf(drives), testOptions(policy.Normal)); !errors.Is(err, ErrWiped) {
		t.Errorf("opened: %v", err)
	}
}

// TestPace: rebuild and scrub take no more of a member than they may, end at
// once when they are broken off, and a scrub goes on where it was.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives, _ := written(t)
		a := openDrives(t, drives, policy.Normal)
		defer a.Close()
		const rate = 5 * ChunkSize // 24 stripes: 4.8 s, of which the last 0.8 are not waited for
		began := time.Now()
		if _, err := a.Scrub(t.Context(), ScrubOptions{BytesPerSecond: rate}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("a scrub took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		s, err := a.Scrub(ctx, ScrubOptions{BytesPerSecond: rate, Remember: true})
		if !errors.Is(err, context.DeadlineExceeded) || s.Next != 15 || a.Status().Scrubbed != 15 {
			t.Errorf("broken off at %d, remembered is %d (%v)", s.Next, a.Status().Scrubbed, err)
		}
		a.Close()
		b := openDrives(t, cloneAll(drives), policy.Normal)
		defer b.Close()
		s, err = b.Scrub(t.Context(), ScrubOptions{BytesPerSecond: rate, Remember: true})
		if st := b.Status(); err != nil || s.Checked != 9 || st.Scrubbed != 0 || st.ScrubEnd.Unix() != time.Now().Unix() {
			t.Errorf("went on: %+v, %+v, %v", s, st, err)
		}
	})
}
