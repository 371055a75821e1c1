package outfile

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// replace writes a temporary file and renames it to the target.
func replace(t target, write func(io.Writer) error) error {
	if err := mayReplace(t); err != nil {
		return err
	}
	dir := filepath.Dir(t.path)
	sweep(dir)
	f, err := makeTemp(dir, modeOf(t))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := complete(f, t, write); err != nil {
		os.Remove(f.Name())
		return err
	}
	return SyncDir(dir)
}

// modeOf returns the mode of the temporary file. If it will replace a file, only its owner may read
// it, until it has the mode and the owner of that file.
func modeOf(t target) fs.FileMode {
	if t.there == nil && !t.isPrivate {
		return 0o666 // without the bits of the umask
	}
	return 0o600
}

// complete writes the temporary file and renames it to the target.
func complete(f *os.File, t target, write func(io.Writer) error) error {
	if err := fill(f, write); err != nil {
		return err
	}
	if t.there != nil {
		if err := keepOwner(f, t.there); err != nil {
			return overwrite(f, t)
		}
		if err := f.Chmod(t.there.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), t.path)
}

// overwrite copies the complete content into a file of another user, because a renamed file would
// not keep this owner.
func overwrite(f *os.File, t target) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := t.same(os.OpenFile(t.path, os.O_WRONLY|nonBlocking|noFollow, 0))
	if err != nil {
		return err
	}
	if err = to.Truncate(0); err == nil {
		_, err = io.Copy(to, f)
	}
	return errors.Join(err, to.Sync(), to.Close(), os.Remove(f.Name()))
}

// Parts of temporary names. People do not give such names, so files of killed runs can be
// distinguished from files of users.
const (
	tempPrefix = ".limpet-"
	tempSuffix = ".tmp"
	tempDigits = 16
)

func tempName() string {
	const hex = 16
	digits := strconv.FormatUint(rand.Uint64()|1<<63, hex)
	return tempPrefix + digits + tempSuffix
}

// makeTemp creates a temporary file, which is locked while it is open. If another run removes the
// file before it is locked, makeTemp creates another one.
func makeTemp(dir string, mode fs.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(filepath.Join(dir, tempName()), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if claim(f) {
			return f, nil
		}
		f.Close()
	}
}

// Sync writes the data of a complete file to the disk. It is for files that are not written by
// Write.
func Sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// MakeDirs creates a directory and its missing parents, as os.MkdirAll does. When it returns, the
// names of new directories are on the disk: without this, a power cut could remove a directory with
// all files that were synced in it.
func MakeDirs(path string, perm os.FileMode) error {
	var parents []string // of directories that are missing
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		parents = append(parents, filepath.Dir(dir))
	}
	if err := os.MkdirAll(path, perm); err != nil {
		return err
	}
	for _, dir := range parents {
		if err := SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// SyncDir writes the names in a directory to the disk. It returns no error if the directory may not
// be read, or if its file system cannot sync directories.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !cannotSync(err) {
		return err
	}
	return nil
}
