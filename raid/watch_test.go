package raid

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// failsAt fails one kind of I/O.
func failsAt(op string) func(string) (time.Duration, error) {
	return func(o string) (time.Duration, error) {
		if o == op {
			return 0, errDrive
		}
		return 0, nil
	}
}

// A listener keeps what an array reports.
type listener struct {
	mu   sync.Mutex
	said []string
}

func (l *listener) report(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, err.Error())
}

func openHeard(t *testing.T, drives []*drive, kind policy.Kind) (*Array, *listener) {
	t.Helper()
	l, o := &listener{}, testOptions(kind)
	o.Report = l.report
	a, err := Open(membersOf(drives), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a, l
}

// TestReadErrorsAreSeen: a member whose reads fail goes on as a member, and
// readers get their bytes; it is reported once, counted, and warned of.
func TestReadErrorsAreSeen(t *testing.T) {
	for _, kind := range policy.Kinds() {
		drives, want := written(t)
		a, heard := openHeard(t, drives, kind)
		drives[2].faults = failsAt("read")
		for range 3 {
			if got := readAll(t, a); string(got) != string(want) {
				t.Error("the array holds something else")
			}
		}
		if len(heard.said) != 1 || !strings.Contains(heard.said[0], "member 2 (drive2): a read failed: drive2: read: drive is ill: ") {
			t.Errorf("%s: reported %q", kind, heard.said)
		}
		m := a.Status().Members[2]
		if m.State != Active || m.Errors.Reads < 1 || m.Errors.Writes+m.Errors.Syncs != 0 || !errors.Is(m.Err, errDrive) {
			t.Errorf("%s: %+v", kind, m)
		}
		if w := a.Status().Warnings; len(w) != 1 || !strings.Contains(w[0], "member 2 (drive2) failed, the last with this error: ") {
			t.Errorf("%s: warnings %q", kind, w)
		}
		var b strings.Builder
		if err := a.WriteMetrics(&b); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.Contains(text, `errors_total{member="2",name="drive2",op="read"} 0`) ||
			!strings.Contains(text, `limpet_raid_member_errors_total{member="3",name="drive3",op="read"} 0`) ||
			!strings.Contains(text, `limpet_raid_member_active{member="2",name="drive2"} 1`) {
			t.Errorf("%s: %s", kind, text)
		}
	}
}

// TestLossesAreSeen: members that fail a write or a sync are reported lost, and
// so is an array that stops.
func TestLossesAreSeen(t *testing.T) {
	drives, _ := written(t)
	a, heard := openHeard(t, drives, policy.Normal)
	lose := func(i int, op string) error {
		drives[i].faults = failsAt(op)
		_, err := a.WriteAt([]byte("x"), 5)
		return err
	}
	if err := errors.Join(lose(1, "write"), lose(4, "sync")); err != nil {
		t.Fatal(err)
	}
	if err := lose(5, "write"); !errors.Is(err, ErrStopped) {
		t.Fatalf("three lost: %v", err)
	}
	want := []string{
		"member 1 (drive1): the member is lost: drive1: write: drive is ill: replace and rebuild the member",
		"member 4 (drive4): the member is lost: drive4: sync: drive is ill: replace and rebuild the member",
	}
	if len(heard.said) != 3 || !slices.Equal(heard.said[:2], want) || !strings.Contains(heard.said[2], ErrStopped.Error()) {
		t.Errorf("reported %q", heard.said)
	}
	s := a.Status()
	if s.Members[1].Errors != (Errors{Writes: 1}) || s.Members[4].Errors.Syncs != 1 || !errors.Is(s.Members[4].Err, errDrive) {
		t.Errorf("%+v", s.Members)
	}
}

// TestReplacedMemberCountsAnew: what a member failed at goes with it.
func TestReplacedMemberCountsAnew(t *testing.T) {
	drives, _ := written(t)
	a, heard := openHeard(t, drives, policy.Normal)
	drives[0].faults = failsAt("write")
	if _, err := a.WriteAt([]byte("x"), 5); err != nil {
		t.Fatal(err)
	}
	n := newDrive("new", testGeometry.MemberSize())
	if err := a.Replace(0, n, false); err != nil {
		t.Fatal(err)
	}
	if m := a.Status().Members[0]; m.Errors != (Errors{}) || m.Err != nil {
		t.Errorf("%+v", m)
	}
	n.faults = failsAt("write")
	if err := a.Rebuild(t.Context(), RebuildOptions{}); !errors.Is(err, errDrive) {
		t.Errorf("rebuilt: %v", err)
	}
	if len(heard.said) != 2 || !strings.Contains(heard.said[1], "member 0 (new): the member is lost: new: write") {
		t.Errorf("reported %q", heard.said)
	}
}
