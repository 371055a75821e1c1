package raid

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

var errPower = errors.New("power is lost")

// A power supply fails after a number of I/Os, for all drives at once.
type power struct {
	mu   sync.Mutex
	left int
}

func (p *power) use(string) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left--; p.left < 0 {
		return 0, errPower
	}
	return 0, nil
}

func (p *power) plug(drives []*drive) {
	for _, d := range drives {
		if d != nil {
			d.faults = p.use
		}
	}
}

// A history is what an array may hold: acknowledged writes, and of the last
// one any number of its batches, in order.
type history struct {
	acknowledged []byte
	possible     [][]byte
}

// begin notes a write at off of the array, where what is held begins at base.
func (h *history) begin(g Geometry, p []byte, off, base int64) {
	h.possible = nil
	next := slices.Clone(h.acknowledged)
	for _, s := range g.spans(p, off, g.Journal) {
		copy(next[s.off-base:], s.p)
		h.possible = append(h.possible, slices.Clone(next))
	}
}

func (h *history) acknowledge() {
	h.acknowledged, h.possible = h.possible[len(h.possible)-1], nil
}

func (h *history) allows(got []byte) bool {
	return bytes.Equal(got, h.acknowledged) ||
		slices.ContainsFunc(h.possible, func(p []byte) bool { return bytes.Equal(got, p) })
}

// scribble writes n times, or until it fails.
func scribble(a *Array, h *history, rng *rand.Rand, n int) error {
	for i := range n {
		if i%4 == 3 {
			if err := discard(a, h, rng); err != nil {
				return err
			}
			continue
		}
		off := rng.Int64N(a.Size())
		p := noise(rng.Uint64(), 1+int(rng.Int64N(min(a.Size()-off, 5*a.geometry.stripeSize()))))
		h.begin(a.geometry, p, off, 0)
		if _, err := a.WriteAt(p, off); err != nil {
			return err
		}
		h.acknowledge()
	}
	return nil
}

// discard has some whole stripes zero, which is one batch.
func discard(a *Array, h *history, rng *rand.Rand) error {
	size := a.geometry.stripeSize()
	from := rng.Int64N(a.geometry.Stripes)
	count := 1 + rng.Int64N(a.geometry.Stripes-from)
	if !a.geometry.Checksums {
		return a.Discard(from*size, count*size) // does nothing
	}
	next := slices.Clone(h.acknowledged)
	clear(next[from*size : (from+count)*size])
	h.possible = [][]byte{next}
	if err := a.Discard(from*size, count*size); err != nil {
		return err
	}
	h.acknowledge()
	return nil
}

// TestPowerLoss stops all drives at every I/O of a sequence of writes, and
// drops any of the sectors that were not synced. Opened again, often to lose
// power again, at last with all members or without two, the array holds what
// was acknowledged, and of the last write whole batches.
func TestPowerLoss(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 17
	}
	for at := 0; ; at += step {
		rng := rand.New(rand.NewPCG(uint64(at), 8))
		drives := newDrives(t, testGeometry)
		h := &history{acknowledged: make([]byte, testGeometry.Size())}
		done := live(t, drives, h, rng, at)
		for i := range drives {
			drives[i] = drives[i].afterPowerLoss(rng)
		}
		for rng.IntN(3) > 0 {
			live(t, drives, h, rng, rng.IntN(150))
			for i := range drives {
				drives[i] = drives[i].afterPowerLoss(rng)
			}
		}
		for range rng.IntN(3) {
			drives[rng.IntN(len(drives))] = nil
		}
		checkHistory(t, drives, h, rng)
		if t.Failed() {
			t.Fatalf("power was lost at I/O %d", at)
		}
		if done {
			if at < 300 {
				t.Errorf("the sequence has only %d I/Os", at)
			}
			return
		}
	}
}

// live opens an array and writes to it while the power lasts. It is true where
// it lasted to the end.
func live(t *testing.T, drives []*drive, h *history, rng *rand.Rand, ios int) bool {
	t.Helper()
	supply := &power{left: ios}
	supply.plug(drives)
	a, err := Open(membersOf(drives), testOptions(policy.Normal))
	if err != nil {
		return false
	}
	defer a.Close()
	got := make([]byte, a.Size())
	if _, err := a.ReadAt(got, 0); err != nil {
		return false
	}
	if !h.allows(got) {
		t.Error("the array holds what was never written")
	}
	*h = history{acknowledged: got}
	return scribble(a, h, rng, 12) == nil && supply.left > 20
}

func checkHistory(t *testing.T, drives []*drive, h *history, rng *rand.Rand) {
	t.Helper()
	a := openDrives(t, drives, policy.Normal)
	defer a.Close()
	if !h.allows(readAll(t, a)) {
		t.Error("opened at last, the array holds what was never written")
	}
	checkScrub(t, a)
	checkRanges(t, a, rng, 3)
	checkScrub(t, a)
}

// TestPowerLossInClose loses power while an array is marked clean.
func TestPowerLossInClose(t *testing.T) {
	for seed := range trials(150) {
		rng := rand.New(rand.NewPCG(seed, 11))
		drives := newDrives(t, testGeometry)
		a := openDrives(t, drives, policy.Normal)
		h := &history{acknowledged: make([]byte, testGeometry.Size())}
		if err := scribble(a, h, rng, 3); err != nil {
			t.Fatal(err)
		}
		supply := &power{left: rng.IntN(20)}
		supply.plug(drives)
		a.Close()
		for i := range drives {
			drives[i] = drives[i].afterPowerLoss(rng)
		}
		if checkHistory(t, drives, h, rng); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestConcurrentPowerLoss has several writers, whose writes share batches. Each
// has stripes of its own.
func TestConcurrentPowerLoss(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 20
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		drives := newDrives(t, testGeometry)
		supply := &power{left: 50 + rng.IntN(400)}
		a := openDrives(t, drives, policy.Normal)
		supply.plug(drives)
		share := a.Size() / writers
		var histories [writers]*history
		var all sync.WaitGroup
		for w := range writers {
			h := &history{acknowledged: make([]byte, share)}
			histories[w] = h
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			all.Go(func() { scribbleShare(a, h, rng, int64(w)*share, share) })
		}
		all.Wait()
		a.Close()
		for i, d := range drives {
			drives[i] = d.afterPowerLoss(rng)
		}
		again := openDrives(t, drives, policy.Normal)
		got := readAll(t, again)
		for w, h := range histories {
			if !h.allows(got[int64(w)*share : int64(w+1)*share]) {
				t.Fatalf("seed %d: writer %d finds what it never wrote", seed, w)
			}
		}
		checkScrub(t, again)
		again.Close()
	}
}

func scribbleShare(a *Array, h *history, rng *rand.Rand, base, share int64) {
	for range 20 {
		off := rng.Int64N(share)
		p := noise(rng.Uint64(), 1+int(rng.Int64N(share-off)))
		h.begin(a.geometry, p, base+off, base)
		if _, err := a.WriteAt(p, base+off); err != nil {
			return
		}
		h.acknowledge()
	}
}

// trials returns how many seeds a test tries: an eighth of them with -short.
func trials(seeds uint64) uint64 {
	if testing.Short() {
		return seeds / 8
	}
	return seeds
}

// TestDrivesStop stops drives at any I/O, one after the other: two leave the
// array standing, the third stops it, and what was acknowledged is there when
// it is opened again with the drives as they were.
func TestDrivesStop(t *testing.T) {
	for seed := range trials(200) {
		rng := rand.New(rand.NewPCG(seed, 10))
		drives := newDrives(t, testGeometry)
		a := openDrives(t, drives, policy.Normal)
		h := &history{acknowledged: make([]byte, testGeometry.Size())}
		stopping := rng.Perm(len(drives))[:rng.IntN(4)]
		for _, i := range stopping {
			drives[i].faults = (&power{left: rng.IntN(60)}).use
		}
		err := scribble(a, h, rng, 12)
		if err != nil && (len(stopping) < 3 || !errors.Is(err, ErrStopped) && !errors.Is(err, ErrUnreadable)) {
			t.Fatalf("seed %d: %d drives stopped: %v", seed, len(stopping), err)
		}
		if err == nil && len(stopping) < 3 && !bytes.Equal(readAll(t, a), h.acknowledged) {
			t.Fatalf("seed %d: the array is not what was written", seed)
		}
		a.Close()
		lost := a.roster.Load().lost
		again := cloneAll(drives)
		for _, i := range lost.members() {
			if _, err := Open(membersOf(again), testOptions(policy.Normal)); !errors.Is(err, ErrStale) {
				t.Fatalf("seed %d: with lost member %d: %v, want that it is stale", seed, i, err)
			}
			again[i] = nil
		}
		b := openDrives(t, again, policy.Normal)
		if !h.allows(readAll(t, b)) {
			t.Fatalf("seed %d: opened again, the array holds what was never written", seed)
		}
		checkScrub(t, b)
		b.Close()
	}
}
