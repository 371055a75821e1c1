package faulty

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
)

var _ member.Member = (*Drive)(nil)

// TestPlan: a plan prints as the text that parses it.
func TestPlan(t *testing.T) {
	for _, text := range []string{"", "read:error/20", "read:short/3 write:hang/300 sync:error/1"} {
		p, err := Parse(text)
		if err != nil || p.String() != text {
			t.Errorf("%q becomes %q (%v)", text, p, err)
		}
	}
	for _, text := range []string{"read", "read:error", "read:error/0", "erase:error/1", "read:fire/1", "read:error/x"} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q becomes %q", text, p)
		}
	}
}

func plan(t *testing.T, text string) Plan {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFaults: each does what it says.
func TestFaults(t *testing.T) {
	d := NewDrive("d", 1<<16, &Power{}, 1)
	p := bytes.Repeat([]byte{7}, 4096)
	d.Follow(plan(t, "read:error/1 write:short/1 sync:hang/1"))
	if _, err := d.ReadAt(p, 0); !errors.Is(err, ErrMedium) {
		t.Errorf("read: %v", err)
	}
	if _, err := d.WriteAt(p, 0); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("write: %v", err)
	}
	ended := make(chan error)
	go func() { ended <- d.Sync() }()
	select {
	case err := <-ended:
		t.Errorf("a sync that hangs ended: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	d.Follow(nil)
	if err := <-ended; err != nil || d.Injured() != 3 {
		t.Errorf("%v, %d injured", err, d.Injured())
	}
	d.Truncate(4096)
	if _, err := d.ReadAt(p, 4096); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("beyond the cut: %v", err)
	}
}

// TestPower: what was synced stays, what was not may go, sector by sector.
func TestPower(t *testing.T) {
	kept, lost := 0, 0
	for seed := range uint64(50) {
		power := &Power{}
		d := NewDrive("d", 1<<16, power, seed)
		one, two := bytes.Repeat([]byte{1}, 4096), bytes.Repeat([]byte{2}, 4096)
		if _, err := d.WriteAt(one, 0); err != nil || d.Sync() != nil {
			t.Fatal(err)
		}
		if _, err := d.WriteAt(two, 0); err != nil {
			t.Fatal(err)
		}
		power.Cut()
		if err := d.Sync(); !errors.Is(err, ErrPower) {
			t.Fatalf("without power: %v", err)
		}
		again := d.Restored(rand.New(rand.NewPCG(seed, 2)), &Power{}, false)
		for at := 0; at < 4096; at += sector {
			switch got := again.content[at : at+sector]; {
			case bytes.Equal(got, one[:sector]):
				lost++
			case bytes.Equal(got, two[:sector]):
				kept++
			default:
				t.Fatal("a sector is torn")
			}
		}
		if killed := d.Restored(rand.New(rand.NewPCG(seed, 2)), &Power{}, true); !bytes.Equal(killed.content[:4096], two) {
			t.Error("a kill lost a write")
		}
	}
	if kept < 50 || lost < 50 {
		t.Errorf("%d sectors kept, %d lost", kept, lost)
	}
}
