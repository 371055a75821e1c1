package raid

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestHang has any two members hang, or one hang and one fail, in reads of a
// chunk, of some and of many stripes. Whoever stands in for one may be the
// other; no reader waits for them.
func TestHang(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Reactive, policy.Adaptive, policy.Sitout, policy.Hedge} {
		for pair := range 36 {
			hangs, other := pair/6, pair%6
			if testing.Short() && (hangs+other)%2 == 1 {
				continue
			}
			synctest.Test(t, func(t *testing.T) { hang(t, kind, hangs, other) })
		}
	}
}

func hang(t *testing.T, kind policy.Kind, hangs, other int) {
	drives, want := written(t)
	a := openDrives(t, drives, kind)
	for _, d := range drives {
		d.lag = time.Millisecond
	}
	if other < hangs {
		drives[other].faults = func(string) (time.Duration, error) { return 0, errDrive }
	} else {
		drives[other].faults = func(string) (time.Duration, error) { return time.Hour, nil }
	}
	drives[hangs].faults = func(string) (time.Duration, error) { return time.Hour, nil }
	for _, n := range []int{1, 2, 3, 4, 4 * 24} {
		p, begun := make([]byte, n*ChunkSize), time.Now()
		if _, err := a.ReadAt(p, 0); err != nil || !bytes.Equal(p, want[:len(p)]) {
			t.Errorf("%s, %d and %d: %d chunks: not what was written: %v", kind, hangs, other, n, err)
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("%s, %d and %d: %d chunks took %v", kind, hangs, other, n, took)
		}
	}
	for _, d := range drives {
		d.faults = nil
	}
	time.Sleep(2 * time.Hour)
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
