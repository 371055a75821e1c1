package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// ErrNoBackupYet is the error of [Watch.Backup] for a watch that begins anew because it could not use
// the state, and has no row yet.
var ErrNoBackupYet = errors.New("no backup is possible yet, because limpet could not use the saved state, and no data have arrived since: try again after the first data")

// Backup copies the journal, the ledger and the history into a directory that does not exist yet.
// The watch continues to run during the copy. A watch that is opened on the copy continues from the
// moment of the copy. Rows that are not in the files of the history yet are in the copied journal.
// Before the first row of the sources there is no diagnosis. If nothing was ever diagnosed, the journal
// is empty and is not copied: the copy has only the ledger and the history. Otherwise the watch begins
// anew, because it could not use the state, and Backup returns [ErrNoBackupYet]: the journal does not
// belong to the ledger, and a copy without it would look damaged.
func (w *Watch) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return w.runBetweenRows(ctx, func() error {
		if w.d == nil && (w.anew || w.journal.HasSnapshot()) {
			return ErrNoBackupYet
		}
		if w.d != nil {
			w.settle(due{})
			if err := w.journal.Backup(filepath.Join(dir, journalDir)); err != nil {
				return err
			}
		}
		return w.store.Backup(ctx, dir)
	})
}
