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

// modeOf is that of the temporary file. What is to replace a file is secret
// until it has that file's mode and owner.
func modeOf(t target) fs.FileMode {
	if t.there == nil && !t.isPrivate {
		return 0o666 // less the umask
	}
	return 0o600
}

// complete fills the temporary file and gives it its name.
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

// overwrite copies the whole content into a file that belongs to somebody
// else: only so it stays theirs.
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

// Temporary names are not like those that people give, so that what a killed
// run left can be told from a user's own.
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

// makeTemp makes a temporary file that is locked for as long as it is open.
// One that another run swept away before it was locked is made again.
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

// Sync brings a file that is whole to the disk. It is for files that are
// placed by their directory's owner and not by Write.
func Sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncDir makes the names in a directory last. One that may not be read, or
// whose file system has no such call, is left to the system.
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
