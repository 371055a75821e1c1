package raid

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// mendedSoon waits until rot was mended that was found.
func mendedSoon(t *testing.T, a *Array, member int, want uint64) {
	t.Helper()
	for end := time.Now().Add(time.Minute); a.Status().Members[member].Errors.Mended < want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if e := a.Status().Members[member].Errors; e.Mended != want || e.Rot == 0 {
		t.Errorf("member %d: %+v, want %d mended", member, e, want)
	}
}

// TestRotIsRead: 64 rotten bytes of any member are not served by any policy.
// They are mended, counted and said once.
func TestRotIsRead(t *testing.T) {
	for i, kind := range policy.Kinds() {
		drives, want := written(t)
		a, heard := openHeard(t, drives, kind)
		place := i % 4
		copy(drives[place].content[testGeometry.offset(7)+100:], make([]byte, 64))
		copy(drives[place].content[testGeometry.offset(9)+100:], make([]byte, 64))
		for _, got := range [][]byte{readAll(t, a), readAll(t, a), alignedRead(t, a)} {
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: rot is served", kind)
			}
		}
		if _, err := a.Scrub(t.Context(), ScrubOptions{Repair: true}); err != nil { // of what no reader needed
			t.Fatal(err)
		}
		mendedSoon(t, a, place, 2)
		checkScrub(t, a)
		if said := strings.Join(heard.said, "\n"); strings.Count(said, "the data of this member are damaged: a checksum is wrong at stripe ") != 1 {
			t.Errorf("%s: said is %q", kind, said)
		}
		checkBuffers(t, a)
	}
}

// alignedRead reads into memory that direct I/O could read into.
func alignedRead(t *testing.T, a *Array) []byte {
	t.Helper()
	buf := a.pool.Get(int(a.Size()))
	defer a.pool.Put(buf)
	if _, err := a.ReadAt(buf, 0); err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(buf)
}

// TestRotIsNotLaundered: a write beside a rotten chunk computes parity from what
// was written, and not from the rot.
func TestRotIsNotLaundered(t *testing.T) {
	for place := range testGeometry.Members() {
		drives, want := written(t)
		a := openDrives(t, drives, policy.Normal)
		spoil(drives[place], 3, 50)
		at := 3*testGeometry.stripeSize() + int64((place+1)%4)*ChunkSize + 7
		want[at] = 'x'
		if _, err := a.WriteAt([]byte{'x'}, at); err != nil {
			t.Fatal(err)
		}
		s, err := a.Scrub(t.Context(), ScrubOptions{Repair: true})
		if err != nil || s.Faulty != s.Repaired {
			t.Errorf("member %d: %+v, %v", place, s, err)
		}
		if !bytes.Equal(readAll(t, a), want) {
			t.Errorf("member %d: the array holds something else", place)
		}
		checkScrub(t, a)
		a.Close()
		for out := range drives { // parity says the same
			left := cloneAll(drives)
			left[out], left[(out+1)%6] = nil, nil
			b := openDrives(t, left, policy.Normal)
			if !bytes.Equal(readAll(t, b), want) {
				t.Errorf("member %d: without %d and the next the array holds something else", place, out)
			}
			b.Close()
		}
	}
}

// TestRotSurvivesNoRebuild: a member is rebuilt while another is rotten. The
// new one holds what was written, and the rotten one is known and mended.
func TestRotSurvivesNoRebuild(t *testing.T) {
	for place := range testGeometry.Members() {
		drives, want := written(t)
		rotten := (place + 2) % 6
		copy(drives[rotten].content[testGeometry.offset(11):], make([]byte, 64))
		drives[place] = nil
		a := openDrives(t, drives, policy.Normal)
		drives[place] = newDrive("new", testGeometry.MemberSize())
		if err := errors.Join(a.Replace(place, drives[place], false), a.Rebuild(t.Context(), RebuildOptions{})); err != nil {
			t.Fatal(err)
		}
		s, err := a.Scrub(t.Context(), ScrubOptions{Repair: true})
		if err != nil || s.Faulty != s.Repaired || s.Faulty > 0 && s.Faults[0].Member != rotten {
			t.Errorf("%d rebuilt, %d rotten: %+v, %v", place, rotten, s, err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		checkWhole(t, cloneAll(drives), want)
	}
}

// TestLostWrite: a drive says that a write in place was done, and did not do it.
func TestLostWrite(t *testing.T) {
	for place := range testGeometry.Members() {
		drives, want := written(t)
		a := openDrives(t, drives, policy.Adaptive)
		before := bytes.Clone(drives[place].content[testGeometry.offset(5):][:ChunkSize])
		p := noise(8, int(testGeometry.stripeSize()))
		if _, err := a.WriteAt(p, 5*testGeometry.stripeSize()); err != nil {
			t.Fatal(err)
		}
		copy(want[5*testGeometry.stripeSize():], p)
		copy(drives[place].content[testGeometry.offset(5):], before)
		if !bytes.Equal(readAll(t, a), want) {
			t.Errorf("member %d: the array holds something else", place)
		}
		if _, err := a.Scrub(t.Context(), ScrubOptions{Repair: true}); err != nil {
			t.Error(err)
		}
		checkScrub(t, a)
		a.Close()
	}
}

// TestTwoRotten mends two rotten chunks of a stripe, and one beside a lost
// member; three are an error, and no wrong bytes.
func TestTwoRotten(t *testing.T) {
	drives, want := written(t)
	spoil(drives[0], 2, 1)
	spoil(drives[3], 2, 2)
	spoil(drives[1], 4, 3)
	spoil(drives[2], 4, 4)
	spoil(drives[4], 4, 5)
	a := openDrives(t, drives, policy.Adaptive)
	s, err := a.Scrub(t.Context(), ScrubOptions{Repair: true})
	if err != nil || s.Faulty != 5 || s.Repaired != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	stripe := testGeometry.stripeSize()
	got := make([]byte, stripe)
	if _, err := a.ReadAt(got, 4*stripe); !errors.Is(err, ErrUnreadable) || !errors.Is(err, ErrRot) {
		t.Errorf("three rotten chunks are read: %v", err)
	}
	if _, err := a.ReadAt(got[:ChunkSize], 4*stripe); err != nil || !bytes.Equal(got[:ChunkSize], want[4*stripe:][:ChunkSize]) {
		t.Errorf("a sound chunk beside them: %v", err)
	}
	if _, err := a.ReadAt(got, 2*stripe); err != nil || !bytes.Equal(got, want[2*stripe:3*stripe]) {
		t.Errorf("what was mended: %v", err)
	}
	a.Close()
}

// TestRottenTable: checksums that rot are found out again from the others, when
// they are read and when something beside is written.
func TestRottenTable(t *testing.T) {
	for place := range testGeometry.Members() {
		drives, want := written(t)
		at := testGeometry.offset(testGeometry.Stripes) + 40
		drives[place].content[at] ^= 1
		spoil(drives[(place+1)%6], 20, 0)
		a := openDrives(t, drives, policy.Normal)
		want[5] = 'y'
		if _, err := a.WriteAt([]byte{'y'}, 5); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(readAll(t, a), want) {
			t.Errorf("member %d: the array holds something else", place)
		}
		for range 2 { // the second finds nothing
			if _, err := a.Scrub(t.Context(), ScrubOptions{Repair: true}); err != nil {
				t.Error(err)
			}
		}
		checkScrub(t, a)
		if a.Status().Members[place].State != Active {
			t.Error("the member was lost")
		}
		a.Close()
		checkWhole(t, cloneAll(drives), want)
	}
}

// TestTableOutOfMemory keeps one block of each table in memory: it is read
// again and again, and what was written to it is in it.
func TestTableOutOfMemory(t *testing.T) {
	g := Geometry{Data: 2, Stripes: 3*member.PerBlock + 5, Journal: 7, Checksums: true}
	drives := newDrives(t, g)
	o := testOptions(policy.Adaptive)
	o.ChecksumMemory = 0
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	want := make([]byte, a.Size())
	for range 60 {
		off := rng.Int64N(a.Size() - 50_000)
		copy(want[off:], noise(rng.Uint64(), 50_000))
		if _, err := a.WriteAt(want[off:off+50_000], off); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("the array holds something else")
	}
	checkScrub(t, a)
	a.Close()
	checkWhole(t, cloneAll(drives), want)
}

// TestPlainArray: one that was made without checksums opens, and says so.
func TestPlainArray(t *testing.T) {
	drives, want := writtenOf(t, plainGeometry)
	a := openDrives(t, drives, policy.Normal)
	if w := strings.Join(a.Status().Warnings, "\n"); !strings.Contains(w, "the array was made without checksums") {
		t.Errorf("warnings %q", w)
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("the array holds something else")
	}
	checkRanges(t, a, rand.New(rand.NewPCG(3, 4)), 30)
	checkScrub(t, a)
	a.Close()
}

// TestPlainPowerLoss is TestPowerLoss of an array without checksums.
func TestPlainPowerLoss(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 31))
		drives := newDrives(t, plainGeometry)
		h := &history{acknowledged: make([]byte, plainGeometry.Size())}
		live(t, drives, h, rng, 30+rng.IntN(300))
		loseAll(drives, rng)
		if checkHistory(t, drives, h, rng); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
