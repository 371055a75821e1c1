package watch

import (
	"context"
	"os"
	"path/filepath"
)

// Backup copies the journal, the ledger and the history into a directory that does not exist yet.
// The watch continues to run during the copy. A watch that is opened on the copy continues from the
// moment of the copy. Rows that are not in the files of the history yet are in the copied journal.
// Before the first row of the sources there is no diagnosis, and the journal is not copied. The copy
// then has only the ledger and the history.
func (w *Watch) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return w.runBetweenRows(ctx, func() error {
		if w.d != nil {
			w.settle(due{})
			if err := w.journal.Backup(filepath.Join(dir, journalDir)); err != nil {
				return err
			}
		}
		return w.store.Backup(ctx, dir)
	})
}
