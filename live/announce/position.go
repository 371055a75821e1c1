package announce

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/sealed"
	"github.com/limpet-storage/limpet/live/ledger"
)

// PositionFile stores the position of the ledger: the numbers of its last entries. With these
// numbers limpet detects that the ledger has lost entries. For example, a person may have replaced
// the ledger by an older copy, or removed its write-ahead log. No other file shows such a loss of
// the audit trail, because the audit trail is only in the ledger.
const PositionFile = "ledger.position"

var positionKind = sealed.Kind{Name: "limpet-ledger", Version: 1}

// position is the content of PositionFile.
type position struct {
	Ledger string `json:"ledger"` // identity of the ledger
	ledger.Position
}

// Audit writes an entry of the audit trail, and then the position of the ledger.
func (t *Store) Audit(ctx context.Context, a ledger.Audit) error {
	t.positioning.Lock()
	defer t.positioning.Unlock()
	if err := t.Ledger.Step(ctx, func(tx *ledger.Tx) error { return tx.Audit(a) }); err != nil {
		return err
	}
	t.Troubles.Check("position", t.writePosition(ctx, t.o.Dir)) // an error here is only reported, because the entry is on disk
	return nil
}

// writePosition writes the position of the ledger into a directory. The caller holds the mutex
// Store.positioning.
func (t *Store) writePosition(ctx context.Context, dir string) error {
	now, err := t.Ledger.Position(ctx)
	if err != nil {
		return err
	}
	return positionKind.Write(filepath.Join(dir, PositionFile), position{t.Ledger.Identity(), now})
}

// checkPosition compares the ledger with the position that was last written. The position has the
// numbers of the last entries at that time.
func (t *Store) checkPosition(ctx context.Context) error {
	text, err := OlderLedger(ctx, t.o.Dir, t.Ledger)
	if err != nil {
		return err
	}
	if text != "" {
		t.Troubles.Damaged(text)
		t.Troubles.Check("position", t.writePosition(ctx, t.o.Dir)) // write the position of the present ledger, so that the next start does not report the same loss again
	}
	return nil
}

// OlderLedger returns a sentence about a ledger that has lost entries since its position was
// written. It also returns a sentence if the position cannot be read. It returns an empty text if
// the ledger has lost no entries.
func OlderLedger(ctx context.Context, dir string, l *ledger.Ledger) (string, error) {
	path := filepath.Join(dir, PositionFile)
	var was position
	switch err := positionKind.Read(path, &was); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return fmt.Sprintf("file %s cannot be read (%v), so limpet cannot check whether the ledger has lost entries", path, err), nil
	}
	now, err := l.Position(ctx)
	if err != nil || was.Ledger != l.Identity() {
		return "", err
	}
	if lost := was.Lost(now); len(lost) > 0 {
		return fmt.Sprintf("the ledger (file %s) has lost %s: the ledger is older than the file %s, or the write-ahead log of the ledger is damaged; if you have a newer backup of the ledger, restore it", filepath.Join(dir, ledgerFile), english.List(lost), PositionFile), nil
	}
	return "", nil
}
