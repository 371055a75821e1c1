package raid

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// written is an array that was closed, and what it holds.
func written(t *testing.T) ([]*drive, []byte) { return writtenOf(t, testGeometry) }

func writtenOf(t *testing.T, g Geometry) ([]*drive, []byte) {
	t.Helper()
	drives := newDrives(t, g)
	a := openDrives(t, drives, policy.Normal)
	p := noise(5, int(a.Size()))
	if _, err := a.WriteAt(p, 0); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return cloneAll(drives), p
}

// without opens and closes an array that lacks members, so that they are stale.
func without(t *testing.T, drives []*drive, members ...int) {
	t.Helper()
	left := append([]*drive(nil), drives...)
	for _, m := range members {
		left[m] = nil
	}
	a := openDrives(t, left, policy.Normal)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for _, d := range drives {
		d.closed = false
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, drives []*drive) []*drive
		want  error
		text  string
	}{
		{"swapped", func(_ *testing.T, d []*drive) []*drive {
			d[1], d[4] = d[4], d[1]
			return d
		}, ErrSwapped, "member 1 (drive4): the member has the wrong position in the list of members: this member has number 4; the right order is drive0 drive1 drive2 drive3 drive4 drive5"},
		{"given twice", func(_ *testing.T, d []*drive) []*drive {
			d[1] = d[2].clone()
			return d
		}, ErrSwapped, "member 1 (drive2)"},
		{"wrong array", func(t *testing.T, d []*drive) []*drive {
			d[2] = newDrives(t, testGeometry)[2]
			return d
		}, ErrWrongArray, "member 2 (drive2)"},
		{"no array", func(_ *testing.T, d []*drive) []*drive {
			d[0] = newDrive("blank", testGeometry.MemberSize())
			return d
		}, ErrNoArray, "member 0 (blank)"},
		{"stale", func(t *testing.T, d []*drive) []*drive {
			without(t, d, 3)
			return d
		}, ErrStale, "member 3 (drive3): the data of the member are out of date: the event counter of this member is 3, but the event counter of the array is 5, and the array has continued without this member; write \"missing\" instead of its name, and rebuild this member"},
		{"stale long ago", func(t *testing.T, d []*drive) []*drive {
			old := d[3].clone()
			for range 3 {
				without(t, d)
			}
			d[3] = old
			return d
		}, ErrStale, "the event counter of this member is 3, but the event counter of the array is 9"},
		{"written apart", func(t *testing.T, d []*drive) []*drive {
			other := cloneAll(d)
			without(t, d, 0)
			without(t, other, 5)
			d[0] = other[0]
			return d
		}, ErrForked, "member 0 (drive0)"},
		{"written apart alike", func(t *testing.T, d []*drive) []*drive {
			other := cloneAll(d)
			without(t, d)
			without(t, other)
			d[4] = other[4]
			return d
		}, ErrForked, "member 4 (drive4)"},
		{"short", func(_ *testing.T, d []*drive) []*drive {
			d[5].content = d[5].content[:len(d[5].content)-1]
			return d
		}, ErrShort, "member 5 (drive5): the drive or file is smaller than the array needs: the size is 143359 bytes, but the array needs 143360 bytes"},
		{"checksum", func(_ *testing.T, d []*drive) []*drive {
			d[4].content[100] ^= 1
			d[4].content[ChunkSize+100] ^= 1
			return d
		}, ErrChecksum, "member 4 (drive4)"},
		{"version", func(_ *testing.T, d []*drive) []*drive {
			for at := 0; at <= ChunkSize; at += ChunkSize {
				chunk := d[4].content[at : at+ChunkSize]
				chunk[8] = 9
				sum := checksumOf(chunk, 12)
				chunk[12], chunk[13], chunk[14], chunk[15] = byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)
			}
			return d
		}, ErrVersion, "the version is 9"},
		{"geometry", func(t *testing.T, d []*drive) []*drive {
			rewrite(t, d[2], func(b *superblock) { b.geometry.Stripes-- })
			return d
		}, ErrGeometry, "member 2 (drive2)"},
		{"three missing", func(_ *testing.T, d []*drive) []*drive {
			d[0], d[2], d[5] = nil, nil, nil
			return d
		}, ErrMissing, "[0 2 5]"},
		{"all missing", func(_ *testing.T, d []*drive) []*drive { return make([]*drive, len(d)) }, nil, "no members"},
		{"too few", func(_ *testing.T, d []*drive) []*drive { return d[:4] }, nil, "4 members are given, but the array has 6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			drives, _ := written(t)
			drives = test.spoil(t, drives)
			before := imagesOf(drives)
			_, err := Open(membersOf(drives), testOptions(policy.Normal))
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want %v: …%s…", err, test.want, test.text)
			}
			if !bytes.Equal(imagesOf(drives), before) {
				t.Error("members were written to")
			}
		})
	}
}

// TestAdviceFitsTheOptions: the advice to leave out a member names --degraded only if the array is not
// yet opened with this option. Examine has no such option.
func TestAdviceFitsTheOptions(t *testing.T) {
	drives, _ := written(t)
	clear(drives[4].content[:8])
	clear(drives[4].content[ChunkSize : ChunkSize+8])
	o := testOptions(policy.Normal)
	for degraded, want := range map[bool]string{false: "write \"missing\" instead of its name, add --degraded, and rebuild this member", true: "write \"missing\" instead of its name, and rebuild this member"} {
		o.Degraded = degraded
		if _, err := Open(membersOf(drives), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("degraded %v: %v", degraded, err)
		}
	}
	if _, err := Examine(membersOf(drives)); err == nil || strings.Contains(err.Error(), "--degraded") {
		t.Errorf("Examine: %v", err)
	}
}

// rewrite changes a member's superblocks, checksums and all.
func rewrite(t *testing.T, d *drive, edit func(*superblock)) {
	t.Helper()
	for at := 0; at <= ChunkSize; at += ChunkSize {
		b, err := decodeSuperblock(d.content[at : at+ChunkSize])
		if err != nil {
			t.Fatal(err)
		}
		edit(&b)
		b.encode(d.content[at : at+ChunkSize])
	}
}

func imagesOf(drives []*drive) []byte {
	var all []byte
	for _, d := range drives {
		if d != nil {
			all = append(all, d.content...)
		}
	}
	return all
}

func TestMissingIsRefusedUnlessDegraded(t *testing.T) {
	drives, want := written(t)
	drives[2] = nil
	o := testOptions(policy.Normal)
	o.Degraded = false
	if _, err := Open(membersOf(drives), o); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "member 2") {
		t.Fatalf("got %v, want that member 2 is missing", err)
	}
	a := openDrives(t, drives, policy.Normal)
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("degraded array holds something else")
	}
}

// TestOneSuperblock: one of the two may be spoilt, whichever.
func TestOneSuperblock(t *testing.T) {
	for at := 0; at <= ChunkSize; at += ChunkSize {
		drives, want := written(t)
		clear(drives[1].content[at : at+ChunkSize])
		a := openDrives(t, drives, policy.Normal)
		if !bytes.Equal(readAll(t, a), want) {
			t.Error("array holds something else")
		}
		a.Close()
	}
}

func TestCreateRefuses(t *testing.T) {
	drives, _ := written(t)
	before := imagesOf(drives)
	if _, err := Create(membersOf(drives), CreateOptions{Journal: 1}); !errors.Is(err, ErrTaken) {
		t.Errorf("over an array: %v", err)
	}
	if _, err := Create(membersOf(drives)[:3], DefaultCreateOptions()); err == nil {
		t.Error("three members were taken")
	}
	small := []*drive{newDrive("a", 1), newDrive("b", 1), newDrive("c", 1), newDrive("d", 1)}
	if _, err := Create(membersOf(small), DefaultCreateOptions()); err == nil {
		t.Error("members of one byte were taken")
	}
	if !bytes.Equal(imagesOf(drives), before) {
		t.Error("members were written to")
	}
	o := CreateOptions{Journal: testGeometry.Journal, Force: true}
	if _, err := Create(membersOf(drives), o); err != nil {
		t.Fatal(err)
	}
	a := openDrives(t, drives, policy.Normal)
	if !bytes.Equal(readAll(t, a), make([]byte, a.Size())) {
		t.Error("a new array is not zero")
	}
	checkScrub(t, a)
}
