package ledger_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/ledger/ledgertest"
)

// filled returns the path of a closed ledger with some incidents.
func filled(t *testing.T) string {
	l, v := ledgertest.Open(t), ledgertest.Voice()
	for n := range 40 {
		step(t, l, v, int64(n+1), opened(v, n, began+int64(n)))
	}
	l.Close()
	return l.Path()
}

func TestALedgerIsReadAgain(t *testing.T) {
	path := filled(t)
	l, err := ledger.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the ledger: %v", info.Mode())
	}
	if l.LastEvent() != 40 || len(l.Identity()) < 20 {
		t.Errorf("the last event is %d, the identity %q", l.LastEvent(), l.Identity())
	}
}

func TestADamagedLedgerIsRefused(t *testing.T) {
	whole, err := os.ReadFile(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string]func([]byte) []byte{
		"no database":    func([]byte) []byte { return bytes.Repeat([]byte("limpet "), 1000) },
		"cut in half":    func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"pages of noise": func(b []byte) []byte { copy(b[4096*3:], bytes.Repeat([]byte{0xa5}, 4096*8)); return b },
	}
	for name, spoil := range damage {
		path := filepath.Join(t.TempDir(), "ledger.db")
		spoilt := spoil(bytes.Clone(whole))
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Open(t.Context(), path)
		if l != nil || !errors.Is(err, ledger.ErrDamaged) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "put a backup in its place") {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, spoilt) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestForeignAndNewerFilesAreRefused(t *testing.T) {
	for pragma, want := range map[string]error{
		"CREATE TABLE things (a)":                                             ledger.ErrForeign,
		"PRAGMA application_id = 7":                                           ledger.ErrForeign,
		"PRAGMA application_id = 1282240628; PRAGMA user_version = 1000":      ledger.ErrNewer,
		"PRAGMA application_id = 1282240628; CREATE TABLE more (of_the_same)": nil, // begun, and not ended: it goes on
	} {
		path := filepath.Join(t.TempDir(), "ledger.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(pragma); err != nil {
			t.Fatal(err)
		}
		db.Close()
		l, err := ledger.Open(t.Context(), path)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", pragma, err, want)
		}
		if l != nil {
			l.Close()
		}
	}
}

// TestDiskFullForAWhile fills a small disk: the step fails as a whole, and goes
// through when there is space.
func TestDiskFullForAWhile(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small tmpfs")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	l, err := ledger.Open(t.Context(), filepath.Join(dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	v := ledgertest.Voice()
	step(t, l, v, 1, opened(v, 1, began))
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	write := func(seq int64) error {
		return l.Step(t.Context(), func(tx *ledger.Tx) error {
			for i := range int64(50) {
				if _, err := tx.Event(seq+i, opened(v, int(seq+i), began+seq+i), v); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := write(2); !errors.Is(err, ledger.ErrFull) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("on a full disk a step returns %v", err)
	}
	if _, total, err := l.Incidents(t.Context(), ledger.Query{}); err != nil || total != 1 || l.LastEvent() != 1 {
		t.Errorf("on a full disk there are %d incidents, last event %d, %v", total, l.LastEvent(), err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := write(2); err != nil {
		t.Fatalf("with space again: %v", err)
	}
	if _, total, _ := l.Incidents(t.Context(), ledger.Query{}); total != 51 || l.LastEvent() != 51 {
		t.Errorf("with space again there are %d incidents, last event %d", total, l.LastEvent())
	}
}

func TestBackupWhileItRuns(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.Voice()
	step(t, l, v, 1, opened(v, 1, began))
	path := filepath.Join(t.TempDir(), "backup.db")
	if err := l.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the backup: %v", info.Mode())
	}
	step(t, l, v, 2, opened(v, 2, began))
	b, err := ledger.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if r, err := b.Incident(t.Context(), ledgertest.ID(1)); err != nil || b.LastEvent() != 1 || b.Identity() != l.Identity() || len(r.Events) != 1 {
		t.Errorf("the backup has event %d of %s, %v", b.LastEvent(), b.Identity(), err)
	}
	if err := l.Backup(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the file exists") {
		t.Errorf("over a file: %v", err)
	}
}

// Retention by age: open and labelled incidents stay.
func TestRetentionByAge(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.Voice()
	year := int64(365 * 86400)
	step(t, l, v, 1, opened(v, 1, began), cleared(v, 1, began, began+7200), opened(v, 2, began), cleared(v, 2, began, began+7200),
		opened(v, 3, began), opened(v, 4, began+year), cleared(v, 4, began+year, began+year+7200))
	err := l.Step(t.Context(), func(tx *ledger.Tx) error {
		return tx.Feedback(ledger.Feedback{ID: ledgertest.ID(2), Time: began, Who: "ann", Verb: ledger.Label, Cause: "a cable"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Retain(t.Context(), began+year+10000, ledger.Retention{Seconds: year / 2, Bytes: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	list, _, _ := l.Incidents(t.Context(), ledger.Query{Order: ledger.Oldest})
	var left []string
	for _, in := range list {
		left = append(left, in.ID)
	}
	if want := []string{ledgertest.ID(2), ledgertest.ID(3), ledgertest.ID(4)}; fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	if _, err := l.Incident(t.Context(), ledgertest.ID(1)); !errors.Is(err, ledger.ErrUnknown) {
		t.Errorf("what has left: %v", err)
	}
	if n := step(t, l, v, 1, opened(v, 1, began)); n != 0 {
		t.Error("an event that has left the ledger is taken for a new one")
	}
}

func TestRetentionBySize(t *testing.T) {
	l, v := ledgertest.Open(t), ledgertest.Voice()
	for n := range 300 {
		at := began + int64(n)*86400
		step(t, l, v, int64(2*n+1), opened(v, n, at), cleared(v, n, at, at+7200))
	}
	before := l.Bytes()
	if err := l.Retain(t.Context(), began+400*86400, ledger.Retention{Seconds: 1 << 40, Bytes: 700_000}); err != nil {
		t.Fatal(err)
	}
	list, total, err := l.Incidents(t.Context(), ledger.Query{Phases: []incident.Phase{incident.Cleared}, Limit: 1000})
	if err != nil || total == 0 || total == 300 || list[0].ID != ledgertest.ID(299) {
		t.Fatalf("%d of 300 are left, %v", total, err)
	}
	l.Close()
	if info, _ := os.Stat(l.Path()); info.Size() > 700_000 {
		t.Errorf("%d bytes became %d, want at most 700,000", before, info.Size())
	}
}
