package raid

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// spoil changes a byte of a member's chunk.
func spoil(d *drive, stripe int64, at int64) {
	d.content[testGeometry.offset(stripe)+at] ^= 0x40
}

// TestScrubFindsAndMends, without checksums: whichever one member of a stripe is wrong is found
// and mended; two wrong ones are found and left alone.
func TestScrubFindsAndMends(t *testing.T) {
	drives, want := writtenOf(t, plainGeometry)
	for i, d := range drives {
		spoil(d, int64(2*i), int64(100*i))
	}
	spoil(drives[0], 20, 3)
	spoil(drives[5], 20, 4)
	a := openDrives(t, drives, policy.Normal)
	for _, repair := range []bool{false, true} {
		s, err := a.Scrub(t.Context(), ScrubOptions{Repair: repair})
		if err != nil || len(s.Faults) != 7 || s.Faulty != 7 || s.Next != testGeometry.Stripes {
			t.Fatalf("repair %v: %+v, %v", repair, s, err)
		}
		for i, f := range s.Faults {
			wantFault := Fault{Stripe: int64(2 * i), Member: i, Repaired: repair}
			if i == 6 {
				wantFault = Fault{Stripe: 20, Member: -1}
			}
			if f != wantFault {
				t.Errorf("repair %v: got %v, want %v", repair, f, wantFault)
			}
		}
	}
	s, err := a.Scrub(t.Context(), ScrubOptions{From: 3})
	if err != nil || len(s.Faults) != 1 || s.Checked != testGeometry.Stripes-3 {
		t.Errorf("after repair: %+v, %v", s, err)
	}
	spoil(drives[0], 20, 3)
	spoil(drives[5], 20, 4)
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("repair changed what the array holds")
	}
	checkScrub(t, a)
}

// TestScrubReadErrors: chunks that cannot be read are written again.
func TestScrubReadErrors(t *testing.T) {
	drives, want := written(t)
	a := openDrives(t, drives, policy.Normal)
	errMedium := errors.New("medium error")
	drives[1].faults = func(op string) (time.Duration, error) {
		if op == "read" {
			return 0, errMedium
		}
		return 0, nil
	}
	for i := range testGeometry.Stripes {
		clear(drives[1].content[testGeometry.offset(i):][:ChunkSize])
	}
	s, err := a.Scrub(t.Context(), ScrubOptions{Repair: true})
	if err != nil || s.Faulty != testGeometry.Stripes || s.Repaired != s.Faulty || !errors.Is(s.Faults[3].Err, errMedium) {
		t.Fatalf("%+v, %v", s, err)
	}
	if text := s.Faults[3].String(); !strings.Contains(text, "stripe 3: member 1 cannot be read") || !strings.HasSuffix(text, "repaired") {
		t.Error(text)
	}
	drives[1].faults = nil
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("repair changed what the array holds")
	}
	checkScrub(t, a)
}

// TestScrubDegraded, without checksums: with one member lost a wrong stripe is found and not
// mended; with two nothing can be said.
func TestScrubDegraded(t *testing.T) {
	drives, _ := writtenOf(t, plainGeometry)
	spoil(drives[3], 7, 9)
	drives[0] = nil
	a := openDrives(t, drives, policy.Normal)
	s, err := a.Scrub(t.Context(), ScrubOptions{Repair: true})
	if err != nil || s.Faulty != 1 || s.Repaired != 0 || s.Faults[0] != (Fault{Stripe: 7, Member: -1}) {
		t.Errorf("%+v, %v", s, err)
	}
	a.Close()
	drives = append(cloneAll(drives[1:5]), nil)
	b := openDrives(t, append([]*drive{nil}, drives...), policy.Normal)
	if s, err := b.Scrub(t.Context(), ScrubOptions{}); err != nil || s.Faulty != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}
