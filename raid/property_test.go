package raid

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A mood is how a drive behaves for a while.
type mood int

const (
	well     mood = iota
	slow          // by up to 50 times
	hanging       // for seconds
	failing       // half of the reads
	unread        // all reads
	dead          // everything, for ever
	moodKeep = 30 * time.Millisecond
)

var errDrive = errors.New("drive is ill")

// A temper draws moods and delays from a seed. Time is the bubble's.
type temper struct {
	mu    sync.Mutex
	rng   *rand.Rand
	ill   bool // knows moods other than well
	mood  mood
	until time.Time
}

func (m *temper) faults(op string) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	took := time.Duration(800+m.rng.IntN(400)) * time.Microsecond
	if !m.ill {
		return took, nil
	}
	if time.Now().After(m.until) && m.mood != dead {
		m.mood = []mood{well, slow, slow, hanging, failing, unread, well, slow, dead}[m.rng.IntN(9)]
		m.until = time.Now().Add(time.Duration(m.rng.Int64N(int64(moodKeep))))
	}
	switch {
	case m.mood == slow:
		return took * time.Duration(1+m.rng.IntN(50)), nil
	case m.mood == hanging:
		return took + time.Duration(m.rng.IntN(3000))*time.Millisecond, nil
	case m.mood == failing && op == "read" && m.rng.IntN(2) == 0,
		m.mood == unread && op == "read", m.mood == dead:
		return took, errDrive
	}
	return took, nil
}

var firstSeed = flag.Uint64("first-seed", 0, "of the property tests, to try others than usual")

// TestTwoMembersMayDoAnything: with every policy, any two members are slow,
// hang, fail to read or die at any moment, while several write and read; every
// byte read is what was written, and all buffers come back.
func TestTwoMembersMayDoAnything(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 4
	}
	for _, kind := range policy.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			for seed := *firstSeed; seed < *firstSeed+seeds; seed++ {
				synctest.Test(t, func(t *testing.T) { anything(t, kind, seed) })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

func anything(t *testing.T, kind policy.Kind, seed uint64) {
	drives := newDrives(t, testGeometry)
	a := openDrives(t, drives, kind)
	rng := rand.New(rand.NewPCG(seed, 13))
	for n, i := range rng.Perm(len(drives)) {
		m := &temper{rng: rand.New(rand.NewPCG(seed, uint64(i))), ill: n < parities}
		drives[i].faults = m.faults
	}
	const workers = 5
	share := a.Size()/workers - 1000 // stripes are shared at the bounds
	var all sync.WaitGroup
	for w := range int64(workers) {
		rng := rand.New(rand.NewPCG(seed, 100+uint64(w)))
		all.Go(func() { work(t, a, rng, w*share, share) })
	}
	all.Wait()
	if a.Status().Stopped != nil {
		t.Error(a.Status().Stopped)
	}
	checkBuffers(t, a)
	for _, d := range drives {
		d.faults = nil
	}
	checkScrub(t, a)
	a.Close()
}

// work writes and reads in bounds of its own.
func work(t *testing.T, a *Array, rng *rand.Rand, base, share int64) {
	want := make([]byte, share)
	for range 25 {
		off := rng.Int64N(share)
		p := noise(rng.Uint64(), int(rng.Int64N(share-off)))
		if rng.IntN(3) == 0 {
			if _, err := a.WriteAt(p, base+off); err != nil {
				t.Error(err)
				return
			}
			copy(want[off:], p)
		}
		off = rng.Int64N(share)
		got := make([]byte, rng.Int64N(share-off))
		if whole := (base+off)/ChunkSize*ChunkSize - base; whole >= 0 && rng.IntN(2) == 0 { // aligned ones are another path
			off, got = whole, got[:len(got)/ChunkSize*ChunkSize]
		}
		if _, err := a.ReadAt(got, base+off); err != nil {
			t.Error(err)
			return
		}
		if !bytes.Equal(got, want[off:off+int64(len(got))]) {
			t.Errorf("%d bytes at %d are not what was written", len(got), base+off)
			return
		}
	}
}

// TestHungMember: a member that never answers holds no more buffers than the
// policy's backlog, however much is read.
func TestHungMember(t *testing.T) {
	for _, kind := range policy.Kinds()[1:] {
		synctest.Test(t, func(t *testing.T) {
			drives := newDrives(t, testGeometry)
			a := openDrives(t, drives, kind)
			release := make(chan struct{})
			for i, d := range drives {
				d.faults = func(string) (time.Duration, error) {
					if i == 2 {
						<-release
					}
					return time.Millisecond, nil
				}
			}
			for range 100 {
				readAll(t, a)
			}
			synctest.Wait()
			if held := a.pool.InUse(); held > a.options.Policy.Backlog {
				t.Errorf("%s: %d buffers are held", kind, held)
			}
			close(release)
			checkBuffers(t, a)
			a.Close()
		})
	}
}

// TestHungMemberShortReads: reads of one, two and three chunks do not wait for a
// member that takes 8 s, neither the first nor those after it.
func TestHungMemberShortReads(t *testing.T) {
	for _, kind := range policy.Kinds()[1:] {
		for chunks := range 3 {
			synctest.Test(t, func(t *testing.T) {
				drives := newDrives(t, testGeometry)
				a := openDrives(t, drives, kind)
				for i, d := range drives {
					d.faults = func(string) (time.Duration, error) {
						if i == 0 {
							return 8 * time.Second, nil
						}
						return time.Millisecond, nil
					}
				}
				p := make([]byte, (chunks+1)*ChunkSize)
				for n := range 20 {
					begun := time.Now()
					if _, err := a.ReadAt(p, 0); err != nil {
						t.Fatal(err)
					}
					if took := time.Since(begun); took > a.options.Policy.Patience+5*time.Millisecond {
						t.Errorf("%s: read %d of %d chunks took %v", kind, n, chunks+1, took)
					}
				}
				time.Sleep(10 * time.Second)
				checkBuffers(t, a)
				a.Close()
			})
		}
	}
}

// TestLateAnswerAfterClose: it is dropped, and its buffer unmapped.
func TestLateAnswerAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives := newDrives(t, testGeometry)
		a := openDrives(t, drives, policy.Proactive2)
		drives[0].faults = func(op string) (time.Duration, error) {
			if op == "read" {
				return time.Hour, nil
			}
			return 0, nil
		}
		readAll(t, a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if a.pool.InUse() == 0 {
			t.Error("no answer is late")
		}
		time.Sleep(2 * time.Hour)
		if left := a.pool.InUse(); left != 0 {
			t.Errorf("%d buffers did not come back", left)
		}
	})
}

// TestTooManyUnreadable: three members that cannot be read are an error that
// names them, and not wrong bytes.
func TestTooManyUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives, _ := written(t)
		a := openDrives(t, drives, policy.Reactive)
		defer a.Close()
		for i, d := range drives[:3] {
			d.faults = func(op string) (time.Duration, error) {
				if op == "read" {
					return 0, fmt.Errorf("no head %d", i)
				}
				return 0, nil
			}
		}
		n, err := a.ReadAt(make([]byte, 4*testGeometry.stripeSize()), 0)
		if n != 0 || !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "no head 1") {
			t.Errorf("%d, %v", n, err)
		}
		if _, err := a.WriteAt([]byte{1}, 0); !errors.Is(err, ErrUnreadable) {
			t.Errorf("write: %v", err)
		}
		checkBuffers(t, a)
	})
}
