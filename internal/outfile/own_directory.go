// This file opens directories that a program has for itself, and refuses a directory into
// which another user may write.
//
// A user who may write into the directory of a program's state could put links there in
// the place of files, and so have the program write over any file that its own user may
// write. A check of each file as it is opened leaves a moment between the check and the
// opening. So MakeOwnDir checks the directory as a whole, once, before anything in it is
// opened: where no other user may write anywhere in it, no other user can change that.

package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of directories that are not ours alone.
var (
	errOwner  = errors.New("the file or directory belongs to another user")
	errOthers = errors.New("every user may write to the file or directory")
	ErrNoFile = errors.New("this is a link, a pipe or a device, not a file or a directory")
)

// MakeOwnDir makes a directory, or takes one that is there if nobody else but root has
// a hand in it. The path itself may be a link: it is the user's own.
func MakeOwnDir(path string) error {
	if err := os.MkdirAll(path, 0o750); err != nil {
		return err
	}
	return checkDir(path, ownedByUs)
}

// CheckOwnDir returns the error that MakeOwnDir returns for the owner of a directory. It changes
// nothing.
func CheckOwnDir(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return checkDir(path, func(other fs.FileInfo) bool { return sameOwner(info, other) })
}

// checkDir checks all files and directories below a path.
func checkDir(path string, owned func(fs.FileInfo) bool) error {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file whose program ended it
		}
		if err == nil {
			err = check(info, owned)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: limpet does not use this path, because other users could change its files; remove the path, or name a directory that only you can write to", name, err)
		}
		return nil
	})
}

// check is of one file or directory.
func check(info fs.FileInfo, owned func(fs.FileInfo) bool) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular() && !mode.IsDir():
		return ErrNoFile
	case !owned(info):
		return errOwner
	case mode.Perm()&0o002 != 0:
		return errOthers
	}
	return nil
}
