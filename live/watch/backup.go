package watch

import (
	"context"
	"os"
	"path/filepath"
)

// Backup copies the state into a directory that does not exist yet, while everything
// goes on: a watch that is opened there goes on from now. The journal is copied first,
// since it holds what the history has not written.
func (w *Watch) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return w.ask(ctx, func() error {
		w.settle(due{})
		if err := w.journal.Backup(filepath.Join(dir, journalDir)); err != nil {
			return err
		}
		return w.tell.Backup(ctx, dir)
	})
}
