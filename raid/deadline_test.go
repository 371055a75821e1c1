package raid

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// hangAt has a drive hang at some kinds of I/O until it is released.
func hangAt(release <-chan struct{}, ops string) func(string) (time.Duration, error) {
	return func(op string) (time.Duration, error) {
		if strings.Contains(ops, op) {
			<-release
		}
		return time.Millisecond, nil
	}
}

// TestHungWrite: members that hang are waited for until the deadline. Then
// they are lost, which is recorded, and writes go on; a third is waited for.
func TestHungWrite(t *testing.T) {
	for _, ops := range []string{"write", "sync", "read write sync"} {
		synctest.Test(t, func(t *testing.T) { hungWrite(t, ops) })
	}
}

func hungWrite(t *testing.T, ops string) {
	drives, want := written(t)
	a, heard := openHeard(t, drives, policy.Adaptive)
	release := make(chan struct{})
	for _, i := range []int{1, 4} {
		drives[i].faults = hangAt(release, ops)
	}
	begun := time.Now()
	copy(want[5000:], noise(9, 9000))
	if _, err := a.WriteAt(noise(9, 9000), 5000); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < a.options.Deadline || took > 2*a.options.Deadline+time.Second {
		t.Errorf("%s: the write took %v", ops, took)
	}
	for _, i := range []int{1, 4} {
		if m := a.Status().Members[i]; m.State != Lost || !errors.Is(m.Err, ErrHung) {
			t.Errorf("%s: member %d is %s: %v", ops, i, m.State, m.Err)
		}
	}
	if b, err := readSuperblock(drives[0], a.pool); err != nil || !b.lost.has(1) || !b.lost.has(4) {
		t.Errorf("%s: recorded as lost are %v (%v)", ops, b.lost, err)
	}
	if said := strings.Join(heard.said, "\n"); strings.Count(said, "the member is lost: the member does not answer for 30s: replace and rebuild the member") != 2 {
		t.Errorf("%s: said is %q", ops, said)
	}
	third(t, a, drives[0], ops)
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("the array holds something else")
	}
	checkScrub(t, a)
	close(release)
	checkBuffers(t, a)
	a.Close()
	time.Sleep(time.Second)
}

// third has one more member hang than parity covers: it is waited for, and the
// array does not stop.
func third(t *testing.T, a *Array, d *drive, ops string) {
	t.Helper()
	release := make(chan struct{})
	d.faults = hangAt(release, ops)
	p, ended := readOf(t, d, a), make(chan error, 1)
	go func() {
		_, err := a.WriteAt(p, 0)
		ended <- err
	}()
	time.Sleep(10 * a.options.Deadline)
	select {
	case err := <-ended:
		t.Errorf("%s: a write ended though a third member hangs: %v", ops, err)
	default:
	}
	close(release)
	if err := <-ended; err != nil || a.Status().Stopped != nil || a.Status().Members[0].State != Active {
		t.Errorf("%s: when it answered again: %v, %+v", ops, err, a.Status().Members[0])
	}
	d.faults = nil
}

// readOf is what a drive holds of the first stripe, so that writing it changes
// nothing.
func readOf(t *testing.T, d *drive, a *Array) []byte {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.content[a.geometry.offset(0):][:ChunkSize])
}

// TestHungReadOfWrite: a write of a part of a stripe needs the rest of it,
// which parity has too.
func TestHungReadOfWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives, want := written(t)
		a := openDrives(t, drives, policy.Normal)
		readAll(t, a) // has checksums in memory
		release := make(chan struct{})
		drives[0].faults = hangAt(release, "read")
		drives[3].faults = hangAt(release, "read")
		for n := range 20 {
			begun := time.Now()
			copy(want[n*70000:], "written")
			if _, err := a.WriteAt([]byte("written"), int64(n)*70000%a.Size()); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("write %d took %v", n, took)
			}
			if n*70000+70000 > int(a.Size())-10 {
				break
			}
		}
		if s := a.Status(); s.Members[0].State != Active || s.Members[3].State != Active {
			t.Error("a member whose writes succeed was lost")
		}
		close(release)
		synctest.Wait()
		if !bytes.Equal(readAll(t, a), want) {
			t.Error("the array holds something else")
		}
		checkScrub(t, a)
		a.Close()
	})
}

// TestHungNormalRead: who waits for everybody waits no longer than the deadline,
// and a member that hangs when the array is opened is refused by name.
func TestHungNormalRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives, want := written(t)
		a := openDrives(t, drives, policy.Normal)
		release := make(chan struct{})
		drives[2].faults = hangAt(release, "read")
		begun := time.Now()
		got := make([]byte, 100_001)
		if _, err := a.ReadAt(got, 1); err != nil || !bytes.Equal(got, want[1:100_002]) {
			t.Errorf("the array holds something else: %v", err)
		}
		if took := time.Since(begun); took > 2*a.options.Deadline || a.Status().Members[2].State != Lost {
			t.Errorf("the read took %v, and the member is %v", took, a.Status().Members[2].State)
		}
		b := cloneAll(drives)
		b[1].faults = hangAt(release, "read")
		if _, err := Open(membersOf(b), testOptions(policy.Normal)); !errors.Is(err, ErrHung) || !strings.Contains(err.Error(), "member 1 (drive1): the member does not answer for 30s") {
			t.Errorf("opened with a member that hangs: %v", err)
		}
		close(release)
		a.Close()
		time.Sleep(time.Second)
	})
}
