package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// Backup copies the snapshot in use and the logs after it into a directory that holds no journal.
// Rows can be logged during the copy. The last record of the copy is the last record that was
// logged before the call of Backup. [Open] opens the copy.
func (j *Journal) Backup(dir string) error {
	if err := j.backup(dir); err != nil {
		return fmt.Errorf("the journal in %s cannot be copied to %s: %w", j.dir, dir, withoutPath(err))
	}
	return nil
}

func (j *Journal) backup(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	for _, suffix := range []string{snapshotSuffix, logSuffix} {
		if there, err := list(dir, suffix); err != nil || len(there) > 0 {
			return errors.Join(err, errors.New("the directory already has a journal: choose an empty directory"))
		}
	}
	parts, err := j.parts()
	for _, p := range parts {
		defer p.file.Close()
	}
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := p.copyTo(dir); err != nil {
			return err
		}
	}
	return outfile.SyncDir(dir)
}

// part is an open file of the journal. The field `size` is the number of bytes that Backup copies,
// from the beginning of the file.
type part struct {
	file *os.File
	size int64
	err  error
}

// parts opens the snapshot in use and the logs after it. The open files stay readable even if a
// later snapshot removes these files from the directory. The snapshot is last in the list, so
// Backup copies it last. So if the copy has a snapshot, it also has the logs, even if Backup was
// interrupted.
func (j *Journal) parts() (parts []part, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return nil, j.broken
	}
	logs, err := list(j.dir, logSuffix)
	if err != nil {
		return nil, err
	}
	for _, g := range logs {
		if g >= j.base && g <= j.generation {
			parts = append(parts, open(j.path(g, logSuffix)))
		}
	}
	parts[len(parts)-1].size = j.size
	parts = append(parts, open(j.path(j.base, snapshotSuffix)))
	for _, p := range parts {
		err = errors.Join(err, p.err)
	}
	return parts, err
}

// open opens a file and sets part.size to the size of the file, so that Backup copies the whole
// file.
func open(path string) (p part) {
	if p.file, p.err = os.Open(path); p.err != nil {
		return p
	}
	info, err := p.file.Stat()
	if p.err = err; err == nil {
		p.size = info.Size()
	}
	return p
}

func (p *part) copyTo(dir string) error {
	to, err := os.OpenFile(filepath.Join(dir, filepath.Base(p.file.Name())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.NewSectionReader(p.file, 0, p.size))
	if err == nil && n != p.size {
		err = errCut
	}
	return errors.Join(err, to.Sync(), to.Close())
}
