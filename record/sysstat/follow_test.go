package sysstat

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const poll = time.Millisecond

// dribble writes a file by pieces, as sadc does.
func dribble(t *testing.T, path string, b []byte, piece int) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for len(b) > 0 {
		n := min(piece, len(b))
		if _, err := f.Write(b[:n]); err != nil {
			t.Error(err)
		}
		b = b[n:]
		time.Sleep(poll / 4)
	}
}

func TestFollow(t *testing.T) {
	file, _ := testFile(t, 20)
	path := filepath.Join(t.TempDir(), "sa14")
	dribble(t, path, file[:100], 100)
	go dribble(t, path, file[100:], 333)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Follow(ctx, path, poll)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i := range 20 {
		rec, err := r.Next()
		if err != nil || rec.Time != imageTime+int64(i) || len(rec.Disks(nil)) != 2 {
			t.Fatalf("record %d: %+v %v", i, rec, err)
		}
	}
	time.AfterFunc(5*poll, cancel)
	if _, err := r.Next(); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if w := r.Warnings(); len(w) > 0 {
		t.Error(w)
	}
}

func TestFollowRotated(t *testing.T) {
	file, at := testFile(t, 3)
	for _, c := range []struct {
		name   string
		rotate func(path string) error
	}{
		{"replaced", func(path string) error {
			if err := os.Rename(path, path+".1"); err != nil {
				return err
			}
			return os.WriteFile(path, file[:at[1]], 0o644)
		}},
		{"removed", os.Remove},
		{"cut short", func(path string) error { return os.Truncate(path, 10) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sa14")
			dribble(t, path, file, len(file))
			r, err := Follow(t.Context(), path, poll)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			time.AfterFunc(5*poll, func() {
				if err := c.rotate(path); err != nil {
					t.Error(err)
				}
			})
			n := 0
			for ; err == nil; n++ {
				_, err = r.Next()
			}
			if err != io.EOF || n-1 != 3 {
				t.Errorf("%d records, then %v", n-1, err)
			}
		})
	}
}
