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

// TestChangedBit: a bit that a disk or a program has changed is found, wherever it is, after a clean stop and after a kill,
// unless the write-ahead log has the page and repairs it. A copy with the same bytes is opened.
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
	texts := func(f *File) (sum string) {
		if err := f.Readers().QueryRowContext(t.Context(), `SELECT group_concat(text) FROM words`).Scan(&sum); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	want := ""
	for stop, from := range map[string]string{"clean": dir, "kill": killed} {
		whole, err := os.ReadFile(filepath.Join(from, "file.sqlite"))
		if err != nil {
			t.Fatal(err)
		}
		fresh := func() string {
			to := filepath.Join(t.TempDir(), "file.sqlite")
			for _, suffix := range []string{"", "-wal", sumsSuffix} {
				copyAs(t, filepath.Join(from, "file.sqlite"+suffix), to+suffix)
			}
			return to
		}
		log, err := readLog(filepath.Join(from, "file.sqlite-wal"))
		if err != nil || (len(log.pages) > 0) != (stop == "kill") {
			t.Fatalf("%s: the log has %d pages: %v", stop, len(log.pages), err)
		}
		path := fresh()
		if err := os.WriteFile(path, whole, 0o600); err != nil { // the same bytes, restored by a person
			t.Fatal(err)
		}
		got, err := open(path)
		if err != nil || got.Unchecked() != "" {
			t.Fatalf("%s: a copy in its place: %v", stop, err)
		}
		if has := texts(got); want == "" {
			want = has
		} else if has != want {
			t.Errorf("%s: other texts", stop)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
		for _, at := range []int{27, 120, len(whole) / 3, len(whole) / 2, len(whole) - 2} {
			for _, program := range []bool{false, true} {
				bad, path := bytes.Clone(whole), fresh()
				bad[at] ^= 4
				info, _ := os.Stat(path)
				if err := os.WriteFile(path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				if !program { // a disk does not change the time
					if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
						t.Fatal(err)
					}
				}
				got, err := open(path)
				switch {
				case err == nil && log.pages[uint32(at/pageBytes+1)]: // the log repairs the page
					if texts(got) != want {
						t.Errorf("%s, byte %d: other texts", stop, at)
					}
				case !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the checksum of page") || strings.Contains(err.Error(), "another program changed the file") != program:
					t.Errorf("%s, byte %d, changed by a program %v: %v", stop, at, program, err)
				}
				if err == nil {
					if err := got.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}
	}
}

// TestUnchecked: a file whose checksums are missing or damaged is opened, and this is said once. New checksums are
// written. A file that was being created when its process was killed has nothing to compare.
func TestUnchecked(t *testing.T) {
	form := Form{Name: "test", ApplicationID: 7, Migrations: []string{`CREATE TABLE words (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT; CREATE INDEX by_text ON words (text)`}}
	path := filepath.Join(t.TempDir(), "file.sqlite")
	open := func() *File {
		f, err := Open(t.Context(), path, form)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := open()
	if f.Unchecked() != "" {
		t.Errorf("a new file: %s", f.Unchecked())
	}
	if _, err := f.Write(t.Context(), func(tx *Tx) error { return tx.Exec(`INSERT INTO words (text) VALUES ('ticket 4711')`) }); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path + sumsSuffix)
	if err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]struct {
		do  func() error
		why string
	}{
		"missing":   {func() error { return os.Remove(path + sumsSuffix) }, "missing"},
		"empty":     {func() error { return os.Truncate(path+sumsSuffix, 0) }, "damaged"},
		"cut":       {func() error { return os.Truncate(path+sumsSuffix, int64(len(whole)-4)) }, "damaged"},
		"changed":   {func() error { whole[40] ^= 1; return os.WriteFile(path+sumsSuffix, whole, 0o600) }, "damaged"},
		"directory": {func() error { return errors.Join(os.Remove(path+sumsSuffix), os.Mkdir(path+sumsSuffix, 0o700)) }, "cannot be read"},
	} {
		if err := harm.do(); err != nil {
			t.Fatal(err)
		}
		f := open()
		if !strings.Contains(f.Unchecked(), harm.why) || !strings.Contains(f.Unchecked(), path+sumsSuffix) {
			t.Errorf("%s: %q", name, f.Unchecked())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		f = open()
		if f.Unchecked() != "" {
			t.Errorf("%s, opened again: %q", name, f.Unchecked())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}

	// Without checksums, an index that differs from its table is found: integrity_check reads more than quick_check.
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte("ticket 4711"))
	data[at] = 'T'
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.Remove(path+sumsSuffix)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, form); !errors.Is(err, ErrDamaged) {
		t.Errorf("an index that differs: %v", err)
	}

	// Checksums of a file that is gone do not refuse the next file, and a file that a kill left after its creation is no loss.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	f = open()
	defer f.Close()
	if f.Unchecked() != "" {
		t.Errorf("a new file in the place of another: %s", f.Unchecked())
	}
	killed := filepath.Join(t.TempDir(), "file.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		copyAs(t, path+suffix, killed+suffix)
	}
	left, err := Open(t.Context(), killed, form)
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	if left.Unchecked() != "" {
		t.Errorf("killed before the first checksums: %s", left.Unchecked())
	}
}

// TestBackupHasChecksums: a changed page of a backup is found.
func TestBackupHasChecksums(t *testing.T) {
	form := Form{Name: "test", ApplicationID: 7, Migrations: []string{`CREATE TABLE words (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`}}
	dir := t.TempDir()
	f, err := Open(t.Context(), filepath.Join(dir, "file.sqlite"), form)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(t.Context(), func(tx *Tx) error { return tx.Exec(`INSERT INTO words (text) VALUES ('ticket 4711')`) }); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "backup.sqlite")
	if err := f.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Replace(whole, []byte("ticket 4711"), []byte("ticket 4712"), 1)
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, form); !errors.Is(err, ErrDamaged) {
		t.Errorf("a changed backup: %v", err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	copied, err := Open(t.Context(), path, form)
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) || copied.Unchecked() != "" {
		t.Errorf("opening has changed the backup: %v, %s", err, copied.Unchecked())
	}
	if err := copied.Close(); err != nil {
		t.Error(err)
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
