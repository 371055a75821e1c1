package sqlfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestChangedBit: a bit that a disk has changed is found, wherever it is, after a clean stop and after a kill. A copy of
// the file that another program has put in its place is opened.
func TestChangedBit(t *testing.T) {
	form := Form{Name: "test", ApplicationID: 7, Migrations: []string{`CREATE TABLE words (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`}}
	dir := t.TempDir()
	path := filepath.Join(dir, "file.sqlite")
	open := func(path string) (*File, error) { return Open(t.Context(), path, form) }
	f, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(n int) {
		for i := range n {
			if _, err := f.Write(t.Context(), func(tx *Tx) error {
				return tx.Exec(`INSERT INTO words (text) VALUES (?)`, fmt.Sprint(i, strings.Repeat(" ticket", 500)))
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(1500) // more than one checkpoint
	info, err := os.Stat(path)
	if err != nil || info.Size() < 4<<20 {
		t.Fatalf("the write-ahead log was not copied: %v, %v", info.Size(), err)
	}
	killed := t.TempDir()
	for _, suffix := range []string{"", "-wal", sumsSuffix} {
		copyAs(t, path+suffix, filepath.Join(killed, "file.sqlite"+suffix))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = open(path); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for stop, from := range map[string]string{"clean": dir, "kill": killed} {
		whole, err := os.ReadFile(filepath.Join(from, "file.sqlite"))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{120, len(whole) / 3, len(whole) / 2, len(whole) - 2} {
			to := t.TempDir()
			for _, suffix := range []string{"", "-wal", sumsSuffix} {
				copyAs(t, filepath.Join(from, "file.sqlite"+suffix), filepath.Join(to, "file.sqlite"+suffix))
			}
			bad, path := bytes.Clone(whole), filepath.Join(to, "file.sqlite")
			bad[at] ^= 4
			info, _ := os.Stat(path)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
			if got, err := open(path); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the checksum of page") {
				t.Errorf("%s, byte %d: %v", stop, at, err)
				if err == nil {
					got.Close()
				}
			}
			if err := os.WriteFile(path, whole, 0o600); err != nil { // restored by a person
				t.Fatal(err)
			}
			got, err := open(path)
			if err != nil {
				t.Errorf("%s: a copy in its place: %v", stop, err)
				continue
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// copyAs copies a file with its time.
func copyAs(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	info, statErr := os.Stat(from)
	if err := errors.Join(err, statErr); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(to, data, 0o600), os.Chtimes(to, time.Time{}, info.ModTime())); err != nil {
		t.Fatal(err)
	}
}
