package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// Backup copies all files into an empty or new directory. The store can be used during the copy. If
// the directory is on the same file system, the files are linked and take no additional space. Rows
// in memory are not copied. The journal has these rows, and the caller copies the journal before
// the history.
func (s *Store) Backup(dir string) error {
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return fmt.Errorf("the history cannot be copied to %s: the directory is not empty; choose an empty directory", dir)
	}
	err := read(func() error { // if a file disappears, the store has removed it: start again with a new list
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		return s.backup(dir)
	})
	if err != nil {
		return fmt.Errorf("the history in %s cannot be copied to %s: %w", s.dir, dir, withoutPath(err))
	}
	return nil
}

func (s *Store) backup(dir string) error {
	s.mu.RLock()
	files := map[*fileTier][]*entry{}
	for _, t := range s.tiers() {
		files[t] = t.Entries
	}
	s.mu.RUnlock()
	for _, t := range s.tiers() {
		to := filepath.Join(dir, t.Name)
		if err := os.MkdirAll(to, 0o750); err != nil {
			return err
		}
		for _, e := range files[t] {
			if err := copyFile(e.Path, filepath.Join(to, filepath.Base(e.Path))); err != nil {
				return s.copyError(e, err)
			}
		}
		if err := outfile.SyncDir(to); err != nil {
			return err
		}
	}
	return nil
}

// copyError returns the error of a failed copy. If the store has removed the file during the copy,
// copyError returns fs.ErrNotExist, and Backup starts again. If the file is missing although the
// store still lists it, copyError returns another error, and Backup fails.
func (s *Store) copyError(e *entry, err error) error {
	if errors.Is(err, fs.ErrNotExist) && s.hasFile(e) {
		return fmt.Errorf("file %s no longer exists", e.Path)
	}
	return err
}

// copyFile links a file. If a link is not possible, it copies the file. A link is safe, because a
// file never changes after it has got its final name.
func copyFile(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return outfile.Write(context.Background(), to, func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
}
