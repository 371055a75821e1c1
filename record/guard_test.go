package record

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// TestTwoRecorders: the second is refused, and the first not disturbed, also
// where the clock has gone on to another day.
func TestTwoRecorders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.run(func() {
			time.Sleep(10 * time.Second)
			for _, wrong := range []time.Duration{0, 18 * time.Hour, -18 * time.Hour} {
				o := h.opts
				o.Clock = newClock(at("2026-03-01 12:00:10").Add(wrong))
				second, err := New(o, &fakeMachine{clock: o.Clock, booted: -time.Hour})
				if err != nil {
					t.Fatal(err)
				}
				if err := second.Run(t.Context()); !errors.Is(err, errBusy) || !strings.Contains(err.Error(), "stop the other recorder") {
					t.Errorf("a second recorder: %v", err)
				}
			}
			time.Sleep(10500 * time.Millisecond)
		})
		h.wantNames("fs1-20260301T120000Z.sa")
		if got := h.read("fs1-20260301T120000Z.sa"); len(got.times) != 20 {
			t.Errorf("%d samples", len(got.times))
		}
	})
}

// TestStartTogether: of recorders that start in the same instant one records,
// from the first sample on.
func TestStartTogether(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t, at("2026-03-01 12:00:00"))
			ctx, cancel := context.WithCancel(t.Context())
			var running sync.WaitGroup
			refused := make(chan error, 4)
			begin := make(chan struct{})
			for range cap(refused) {
				r, err := New(h.opts, &fakeMachine{clock: h.clock, booted: -time.Hour})
				if err != nil {
					t.Fatal(err)
				}
				h.prepare(r)
				running.Go(func() {
					<-begin
					refused <- r.Run(ctx)
				})
			}
			close(begin)
			time.Sleep(3500 * time.Millisecond)
			if n := len(refused); n != cap(refused)-1 {
				t.Errorf("%d are refused", n)
			}
			cancel()
			running.Wait()
			h.wantNames("fs1-20260301T120000Z.sa")
			if got := h.read("fs1-20260301T120000Z.sa"); !slices.Equal(got.ios, []uint64{1, 2, 3}) {
				t.Errorf("samples %v", got.ios)
			}
		})
	}
}

// TestCreateIsAlone: a file that someone else is making stays as it is.
func TestCreateIsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fs1-20260301T120000Z.sa")
	o := DefaultOptions().File
	o.Created = at("2026-03-01 12:00:00")
	if err := os.WriteFile(dayfile.PartPath(path), []byte("another's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := create(path, o, false); err == nil {
		out.close()
		t.Error("it was taken over")
	}
	if b, _ := os.ReadFile(dayfile.PartPath(path)); string(b) != "another's" {
		t.Errorf("it has %q now", b)
	}
}

// TestSpoilt: what others do to the file is noticed with the next sample, or
// within a minute where it was moved; another is begun, and says so.
func TestSpoilt(t *testing.T) {
	const first = "fs1-20260301T120000Z.sa"
	for name, c := range map[string]struct {
		do     func(path string) error
		remark string
		want   []string
		lost   int // samples, at least
	}{
		"removed": {os.Remove, "gap 31.0s at most: file removed", []string{"fs1-20260301T120031Z.sa"}, 30},
		"emptied": {
			func(path string) error { return os.Truncate(path, 0) },
			"gap 31.0s at most: file truncated",
			[]string{"fs1-20260301T120031Z.sa"},
			30,
		},
		"cut": {
			func(path string) error { return os.Truncate(path, 4000) },
			"gap 31.0s at most: file truncated",
			[]string{first, "fs1-20260301T120031Z.sa"},
			1,
		},
		"written": {
			func(path string) error { return appendTo(path, "hello") },
			"gap 31.0s at most: file written by others",
			[]string{first, "fs1-20260301T120031Z.sa"},
			0,
		},
		"replaced": {
			func(path string) error {
				if err := os.WriteFile(path+".new", nil, 0o600); err != nil {
					return err
				}
				return os.Rename(path+".new", path)
			},
			"gap 31.0s at most: file removed",
			[]string{first, "fs1-20260301T120031Z.sa"},
			30,
		},
		"moved": {
			func(path string) error { return os.Rename(path, filepath.Join(filepath.Dir(path), "moved")) },
			"file moved",
			[]string{"fs1-20260301T120100Z.sa", "moved"},
			0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t, at("2026-03-01 12:00:00"))
				h.run(func() {
					time.Sleep(30500 * time.Millisecond)
					if err := c.do(filepath.Join(h.opts.Dir, first)); err != nil {
						t.Fatal(err)
					}
					time.Sleep(60 * time.Second)
				})
				h.wantNames(c.want...)
				checkSpoilt(t, h, c.remark, c.lost)
			})
		})
	}
}

// checkSpoilt: the file that follows tells of it and of the devices, and no
// sample is lost that was not taken away.
func checkSpoilt(t *testing.T, h *host, remark string, lost int) {
	t.Helper()
	found := map[uint64]bool{}
	for _, name := range h.names() {
		path := filepath.Join(h.opts.Dir, name)
		if info := stat(t, path); info.Size() == 0 {
			continue
		}
		got := readTorn(t, path)
		for _, ios := range got.ios {
			found[ios] = true
		}
		if slices.Contains(got.comments, remark) {
			remark = ""
			if !slices.Contains(got.comments, "dev 8:0=sda") {
				t.Errorf("%s does not tell of devices: %q", name, got.comments)
			}
		}
	}
	if remark != "" {
		t.Errorf("nothing says %q", remark)
	}
	if missing := int(h.machine.taken) - len(found); missing > 30 || missing < lost || !found[31] {
		t.Errorf("%d samples are missing", missing)
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
