package raid

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

func readOnly(kind policy.Kind) Options {
	o := testOptions(kind)
	o.ReadOnly = true
	return o
}

// TestReadOnly reads an array without two members, which are members as before
// afterwards.
func TestReadOnly(t *testing.T) {
	drives, want := written(t)
	before := imagesOf(drives)
	some := append([]*drive(nil), drives...)
	some[1], some[5] = nil, nil
	a, err := Open(membersOf(some), readOnly(policy.Adaptive))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("the array holds something else")
	}
	_, write := a.WriteAt([]byte{1}, 0)
	_, repair := a.Scrub(t.Context(), ScrubOptions{Repair: true})
	for what, err := range map[string]error{
		"write": write, "repair": repair, "rebuild": a.Rebuild(t.Context(), RebuildOptions{}),
		"replace": a.Replace(1, newDrive("new", testGeometry.MemberSize()), false),
	} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	checkScrub(t, a)
	if err := errors.Join(a.Sync(), a.Close()); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(imagesOf(drives), before) {
		t.Error("members were written to")
	}
	checkWhole(t, cloneAll(drives), want)
}

// TestReadOnlyAfterPowerLoss: what a crash left is seen as it is after
// recovery, by every policy, and is left as it was.
func TestReadOnlyAfterPowerLoss(t *testing.T) {
	laid, seeds := 0, trials(300)
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 15))
		drives := newDrives(t, testGeometry)
		h := &history{acknowledged: make([]byte, testGeometry.Size())}
		live(t, drives, h, rng, 40+rng.IntN(200))
		loseAll(drives, rng)
		for range rng.IntN(3) {
			drives[rng.IntN(len(drives))] = nil
		}
		before, data := imagesOf(drives), dataOf(drives)
		a, err := Open(membersOf(drives), readOnly(policy.Kinds()[seed%6]))
		if err != nil {
			t.Fatal(err)
		}
		got := readAll(t, a)
		checkScrub(t, a)
		checkBuffers(t, a)
		a.Close()
		if !h.allows(got) || !bytes.Equal(imagesOf(drives), before) {
			t.Fatalf("seed %d: the array holds what was never written, or was written to", seed)
		}
		for i, d := range drives {
			if d != nil {
				drives[i] = d.clone()
			}
		}
		b := openDrives(t, drives, policy.Normal)
		if !bytes.Equal(readAll(t, b), got) {
			t.Fatalf("seed %d: recovered, the array is another", seed)
		}
		b.Close()
		if !bytes.Equal(dataOf(drives), data) {
			laid++
		}
	}
	if laid < int(seeds)/15 {
		t.Errorf("only %d arrays had anything to recover", laid)
	}
}

// dataOf is what members hold in place.
func dataOf(drives []*drive) []byte {
	var all []byte
	for _, d := range drives {
		if d != nil {
			all = append(all, d.content[testGeometry.offset(0):]...)
		}
	}
	return all
}
