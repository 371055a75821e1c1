//go:build linux

package history

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/lab/faultfs"
)

// TestDiskFull: while the disk is full, the store reports it and goes on. Its rows are there afterwards,
// unless they took too much memory meanwhile.
func TestDiskFull(t *testing.T) {
	for _, small := range []bool{false, true} {
		f := faultfs.Mount(t)
		o := DefaultOptions()
		if small {
			o.BufferBytes = 3_000
		}
		w := newTwinAt(t, 13, o, f.Dir)
		said, lost := 0, 0
		for n := range 1500 {
			switch n {
			case 300:
				f.Inject("write: enospc")
			case 700:
				f.Inject("write from 2 to 2: enospc") // the first and the last tier are written
			case 900:
				f.Inject("write from 3: enospc")
			case 1000:
				f.Inject("fsync: eio")
			case 1100:
				f.Inject("")
			}
			if !small && n%97 == 0 && n > 0 {
				w.ask(t, 2, 0, w.now)
			}
			if err := w.pushErr(); err != nil {
				if said++; !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), f.Dir) {
					t.Fatal(err)
				}
				if strings.Contains(err.Error(), "the history lacks the data") {
					lost++
				}
			}
		}
		must(t, w.store.Flush())
		if said < 5 || said > 100 || (lost > 0) != small {
			t.Errorf("small %t: %d failures were told, %d losses", small, said, lost)
		}
		if !small {
			w.ask(t, 20, 0, w.now)
		}
	}
}
