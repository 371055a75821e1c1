// This file creates directories that only one program uses. It refuses a directory if a file or
// directory in it belongs to another user, or if every user may write to it.
//
// A user who may write into the directory of a program's state could replace files by links. The
// program would then overwrite any file that its own user may write. It is not enough to check each
// file when it is opened: the file could be replaced between the check and the opening. So
// MakeOwnDir checks the whole directory once, before anything in it is opened.

package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of directories that other users can change.
var (
	errOwner  = errors.New("the file or directory belongs to another user")
	errOthers = errors.New("every user may write to the file or directory")
	ErrNoFile = errors.New("this is a link, a pipe or a device, not a file or a directory")
)

// MakeOwnDir creates a directory. If the directory exists, MakeOwnDir returns an error unless
// everything in it belongs to this user or root. The path itself may be a link of the user.
func MakeOwnDir(path string) error {
	if err := MakeDirs(path, 0o750); err != nil {
		return err
	}
	return checkDir(path, ownedByUs)
}

// CheckOwnDir returns the error that MakeOwnDir would return to the owner of a directory. It
// changes nothing.
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
			return nil // a temporary file that its program has removed
		}
		if err == nil {
			err = check(info, owned)
		}
		if err != nil {
			return fmt.Errorf("%[1]s: %[2]w. Other users could change files of limpet there: name a directory that only you can write to, or remove %[1]s", name, err)
		}
		return nil
	})
}

// check checks one file or directory.
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
