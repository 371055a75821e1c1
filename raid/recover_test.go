package raid

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestLeftOutOnce loses power in a write, opens the array without one member,
// loses power again while that recovers, and opens it with all. Either the
// member that was left out is stale, or nothing has happened without it. It is
// the last to write of each batch, so that often its record alone is torn.
func TestLeftOutOnce(t *testing.T) {
	checkLeftOut(t, func(t *testing.T, rng *rand.Rand) ([]*drive, *history, int) {
		drives := newDrives(t, testGeometry)
		h := &history{acknowledged: make([]byte, testGeometry.Size())}
		out := rng.IntN(len(drives))
		drives[out].lag = time.Millisecond
		live(t, drives, h, rng, 40+rng.IntN(60))
		return drives, h, out
	})
}

// TestLeftOutOfRebuild does the same with a member that is being rebuilt.
func TestLeftOutOfRebuild(t *testing.T) {
	checkLeftOut(t, func(t *testing.T, rng *rand.Rand) ([]*drive, *history, int) {
		drives, held := written(t)
		h := &history{acknowledged: held}
		place := rng.IntN(len(drives))
		drives[place] = nil
		a := openDrives(t, drives, policy.Normal)
		defer a.Close()
		drives[place] = newDrive("new", testGeometry.MemberSize())
		drives[place].lag = time.Millisecond
		if err := a.Replace(place, drives[place], false); err != nil {
			t.Fatal(err)
		}
		for a.roster.Load().rebuilt < 20 {
			rebuildSome(a)
		}
		(&power{left: rng.IntN(40)}).plug(drives)
		scribble(a, h, rng, 12)
		return drives, h, place
	})
}

// rebuildSome rebuilds a window and remembers it.
func rebuildSome(a *Array) {
	r := a.roster.Load()
	to := min(r.rebuilt+int64(a.options.Window), a.geometry.Stripes)
	if a.rebuildStripes(r.rebuilding, r.rebuilt, to) == nil {
		a.remember(r.rebuilding, to)
	}
}

// checkLeftOut takes arrays that have just lost power, and the member to leave
// out of each.
func checkLeftOut(t *testing.T, crash func(*testing.T, *rand.Rand) ([]*drive, *history, int)) {
	seeds, back := uint64(400), 0
	if testing.Short() {
		seeds = 100
	}
	for seed := *firstSeed; seed < *firstSeed+seeds; seed++ {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 14))
			drives, h, out := crash(t, rng)
			loseAll(drives, rng)
			drives = leaveOut(drives, out, rng, rng.IntN(45))
			taken, err := comeBack(t, drives, h)
			if err != nil {
				t.Errorf("seed %d: member %d was left out: %v", seed, out, err)
			}
			if taken {
				back++
			}
		})
	}
	if back < int(seeds)/20 {
		t.Errorf("only %d of %d times the member was taken back", back, seeds)
	}
}

// loseAll is a loss of power.
func loseAll(drives []*drive, rng *rand.Rand) {
	for i, d := range drives {
		if d != nil {
			drives[i] = d.afterPowerLoss(rng)
		}
	}
}

// leaveOut has an array opened without a member, and power lost after a number
// of I/Os. All drives are returned, as they are then.
func leaveOut(drives []*drive, out int, rng *rand.Rand, ios int) []*drive {
	left := append([]*drive(nil), drives...)
	left[out] = nil
	(&power{left: ios}).plug(left)
	if a, err := Open(membersOf(left), testOptions(policy.Normal)); err == nil {
		a.Close()
	}
	loseAll(left, rng)
	left[out] = drives[out]
	return left
}

// comeBack opens the array with all drives, ends its rebuild and says what is
// wrong with it. It is false where one of the drives is stale.
func comeBack(t *testing.T, drives []*drive, h *history) (taken bool, err error) {
	t.Helper()
	a, err := Open(membersOf(drives), testOptions(policy.Normal))
	if errors.Is(err, ErrStale) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer a.Close()
	if err := a.Rebuild(t.Context(), RebuildOptions{}); err != nil {
		return false, err
	}
	if !h.allows(readAll(t, a)) {
		return false, errors.New("the array holds what was never written")
	}
	s, err := a.Scrub(t.Context(), ScrubOptions{})
	if s.Faulty != 0 {
		return false, errors.New(s.Faults[0].String())
	}
	return true, err
}
