package sqlfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var form = Form{Name: "book", ApplicationID: 0xb00c, Migrations: []string{`CREATE TABLE lines (n INTEGER PRIMARY KEY, text TEXT) STRICT`}}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(t.Context(), path, form)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// fill writes lines in one transaction.
func fill(ctx context.Context, f *File, lines int) error {
	_, err := f.Write(ctx, func(tx *Tx) error {
		for range lines {
			if err := tx.Exec(`INSERT INTO lines (text) VALUES (?)`, strings.Repeat("limpet ", 100)); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

func count(t *testing.T, f *File) (n int) {
	t.Helper()
	if err := f.Readers().QueryRowContext(t.Context(), `SELECT count(*) FROM lines`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestATransactionIsWholeOrNothing(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "a book? of #1.db"))
	stop := errors.New("stop")
	_, err := f.Write(t.Context(), func(tx *Tx) error {
		if err := tx.Exec(`INSERT INTO lines (text) VALUES ('a')`); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) || count(t, f) != 0 {
		t.Errorf("%v, %d lines", err, count(t, f))
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = f.Write(ctx, func(tx *Tx) error {
		cancel()
		return tx.Exec(`INSERT INTO lines (text) VALUES ('a')`)
	})
	if !errors.Is(err, context.Canceled) || count(t, f) != 0 {
		t.Errorf("cancelled: %v, %d lines", err, count(t, f))
	}
	if err := fill(t.Context(), f, 3); err != nil || count(t, f) != 3 {
		t.Errorf("after that: %v, %d lines", err, count(t, f))
	}
	if wrote, err := f.Write(t.Context(), func(tx *Tx) error { return tx.Row(`SELECT 1`).Err() }); wrote || err != nil {
		t.Errorf("what writes nothing wrote: %v, %v", wrote, err)
	}
	if info, _ := os.Stat(f.Path()); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the file: %v", info.Mode())
	}
}

// TestPathsOfAFile: a file can be opened and copied at relative paths, and at paths with characters
// that have a meaning in the URIs of SQLite.
func TestPathsOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"srv/activity.limpet", "./here", "file:here", "a b", "a?mode=memory", "a#1", "100%25", "50%", "a&b;c=d", "ä", "a+b", "host:80"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f := open(t, dir+"/book.db")
		if err := fill(t.Context(), f, 3); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if err := f.Backup(t.Context(), dir+"/copy.db"); err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		if c := open(t, dir+"/copy.db"); count(t, c) != 3 || c.Unchecked() != "" {
			t.Errorf("%s: the copy has %d lines, unchecked: %s", dir, count(t, c), c.Unchecked())
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), "book.db") && !strings.HasPrefix(e.Name(), "copy.db") {
				t.Errorf("%s: there is also %s", dir, e.Name())
			}
		}
	}
}

// What survives a loss of power is what SQLite was told to sync.
func TestTheWriterSyncsEachTransaction(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "book.db"))
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "auto_vacuum": "2"} {
		var got string
		if err := f.writer.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, want %s, %v", pragma, got, want, err)
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "book.db"))
	if _, err := f.Readers().ExecContext(t.Context(), `INSERT INTO lines (text) VALUES ('a')`); err == nil {
		t.Error("a reader has written")
	}
}

func TestADamagedFileIsRefused(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "book.db"))
	if err := fill(t.Context(), f, 200); err != nil {
		t.Fatal(err)
	}
	f.Close()
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"no database":    func([]byte) []byte { return bytes.Repeat([]byte("limpet "), 1000) },
		"cut in half":    func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"pages of noise": func(b []byte) []byte { copy(b[4096*3:], bytes.Repeat([]byte{0xa5}, 4096*8)); return b },
	} {
		path := filepath.Join(t.TempDir(), "book.db")
		spoilt := spoil(bytes.Clone(whole))
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(t.Context(), path, form)
		if f != nil || !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "book "+path+": the file is damaged; restore the file from a backup") {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, spoilt) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestForeignAndNewerFilesAreRefused(t *testing.T) {
	for statements, want := range map[string]error{
		"CREATE TABLE things (a)":                                       ErrForeign,
		"PRAGMA application_id = 7":                                     ErrForeign,
		"PRAGMA application_id = 45068; PRAGMA user_version = 2":        ErrNewer,
		"PRAGMA application_id = 45068; CREATE TABLE more (about_it)":   nil, // begun, and not ended: it goes on
		"PRAGMA application_id = 45068; PRAGMA user_version = 1; BEGIN": nil,
	} {
		path := filepath.Join(t.TempDir(), "book.db")
		db, err := connect(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(statements); err != nil {
			t.Fatal(err)
		}
		db.Close()
		f, err := Open(t.Context(), path, form)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", statements, err, want)
		}
		if f != nil {
			f.Close()
		}
	}
}

func TestAFileIsBroughtUpToDate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.db")
	f := open(t, path)
	if err := fill(t.Context(), f, 2); err != nil {
		t.Fatal(err)
	}
	f.Close()
	next := form
	next.Migrations = append(next.Migrations, `ALTER TABLE lines ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'`)
	f, err := Open(t.Context(), path, next)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var authors int
	if err := f.Readers().QueryRow(`SELECT count(*) FROM lines WHERE author = 'nobody'`).Scan(&authors); err != nil || authors != 2 {
		t.Errorf("%d lines have the new column, %v", authors, err)
	}
	if _, err := Open(t.Context(), path, form); !errors.Is(err, ErrNewer) {
		t.Errorf("the older version says %v", err)
	}
}

// TestDiskFullForAWhile fills a small disk: a transaction fails as a whole, and goes
// through when there is space.
func TestDiskFullForAWhile(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small tmpfs")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	f := open(t, filepath.Join(dir, "book.db"))
	defer f.Close()
	if err := fill(t.Context(), f, 10); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	for _, lines := range []int{1, 100} {
		if err := fill(t.Context(), f, lines); !errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n") || count(t, f) != 10 {
			t.Errorf("%d lines on a full disk: %v, and there are %d", lines, err, count(t, f))
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := fill(t.Context(), f, 100); err != nil || count(t, f) != 110 {
		t.Errorf("with space again: %v, %d lines", err, count(t, f))
	}
}

func TestBackupWhileItRuns(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "book.db"))
	if err := fill(t.Context(), f, 5); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "backup.db")
	_, err := f.Write(t.Context(), func(tx *Tx) error { // a transaction under way is not in it
		if err := tx.Exec(`INSERT INTO lines (text) VALUES ('a')`); err != nil {
			return err
		}
		return f.Backup(t.Context(), path)
	})
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the backup: %v", info.Mode())
	}
	if b := open(t, path); count(t, b) != 5 || count(t, f) != 6 {
		t.Errorf("the backup has %d lines, the file %d", count(t, b), count(t, f))
	}
	if err := f.Backup(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the file exists; name another") {
		t.Errorf("over a file: %v", err)
	}
}

func TestWhatIsFreeIsGivenBack(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "book.db"))
	if err := fill(t.Context(), f, 500); err != nil {
		t.Fatal(err)
	}
	before, _ := f.Used(t.Context())
	if _, err := f.Write(t.Context(), func(tx *Tx) error { return tx.Exec(`DELETE FROM lines`) }); err != nil {
		t.Fatal(err)
	}
	if err := f.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := f.Used(t.Context())
	f.Close()
	if err != nil || before < 300_000 || after > 50_000 || f.Bytes() > 50_000 {
		t.Errorf("%d bytes in use became %d, the file has %d, %v", before, after, f.Bytes(), err)
	}
}

func TestPackedColumns(t *testing.T) {
	p, err := NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	text, got := []byte(fmt.Sprintf(`{"a":%q}`, strings.Repeat("slow ", 1000))), json.RawMessage(nil)
	small := p.Pack(text)
	if err := p.Into(&got).Scan(small); err != nil || !bytes.Equal(got, text) || len(small) > 200 {
		t.Errorf("%d bytes became %d, %v", len(text), len(small), err)
	}
	if err := p.Into(&got).Scan([]byte("no frame")); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged column: %v", err)
	}
}
