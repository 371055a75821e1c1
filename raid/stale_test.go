package raid

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestSnapshotPutBack copies a member of an open array, writes on, and kills or
// closes it; then the copy stands in the member's place. It is refused by name
// where it lacks more than one batch. Where it lacks the last alone, which a
// crash could have done too, the others make up for it.
func TestSnapshotPutBack(t *testing.T) {
	for place := range testGeometry.Members() {
		for behind := range 5 {
			for _, closed := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d behind=%d closed=%v", place, behind, closed), func(t *testing.T) {
					putBack(t, place, behind, closed)
				})
			}
		}
	}
}

func putBack(t *testing.T, place, behind int, closed bool) {
	drives := newDrives(t, testGeometry)
	a := openDrives(t, drives, policy.Normal)
	var snapshot *drive
	for i := range 7 {
		if i == 7-behind {
			snapshot = drives[place].clone()
		}
		if _, err := a.WriteAt(noise(uint64(i), 3*int(testGeometry.stripeSize())), int64(i%2)*5000); err != nil {
			t.Fatal(err)
		}
	}
	want := readAll(t, a)
	if closed {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	killed := cloneAll(drives)
	if snapshot != nil {
		killed[place] = snapshot.clone()
	}
	b, err := Open(membersOf(killed), testOptions(policy.Normal))
	if stale := behind > 1 || behind == 1 && closed; stale {
		if !errors.Is(err, ErrStale) || !strings.Contains(err.Error(), fmt.Sprintf("member %d (drive%d): the data of the member are out of date", place, place)) {
			t.Fatalf("got %v, want that it is stale", err)
		}
		if _, err := Examine(membersOf(killed)); !errors.Is(err, ErrStale) {
			t.Errorf("status says %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if !bytes.Equal(readAll(t, b), want) {
		t.Error("the array holds something else")
	}
}

// TestLastBatchLost takes the last batch from up to two members, which had said
// that it was synced: its record, and what it wrote in place.
func TestLastBatchLost(t *testing.T) {
	for i := range testGeometry.Members() {
		for j := range i + 1 {
			drives := newDrives(t, testGeometry)
			a := openDrives(t, drives, policy.Normal)
			if _, err := a.WriteAt(noise(1, int(a.Size())), 0); err != nil {
				t.Fatal(err)
			}
			before := cloneAll(drives)
			if _, err := a.WriteAt(noise(2, 9000), 3000); err != nil {
				t.Fatal(err)
			}
			want := readAll(t, a)
			killed := cloneAll(drives)
			killed[i], killed[j] = before[i], before[j]
			seen, err := Open(membersOf(cloneAll(killed)), readOnly(policy.Normal))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(readAll(t, seen), want) {
				t.Errorf("members %d and %d: read only, the array holds something else", i, j)
			}
			b := openDrives(t, killed, policy.Normal)
			if !bytes.Equal(readAll(t, b), want) {
				t.Errorf("members %d and %d: the array holds something else", i, j)
			}
			checkScrub(t, b)
			checkBuffers(t, b)
			b.Close()
		}
	}
}
