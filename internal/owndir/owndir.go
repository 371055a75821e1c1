package owndir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of directories that are not ours alone.
var (
	ErrOwner  = errors.New("it belongs to somebody else")
	ErrOthers = errors.New("everyone may write there")
	ErrNoFile = errors.New("it is a link, a pipe or a device, and neither a file nor a directory")
)

// Make makes a directory, or takes one that is there if nobody else but root has
// a hand in it. The path itself may be a link: it is the user's own.
func Make(path string) error {
	if err := os.MkdirAll(path, 0o750); err != nil {
		return err
	}
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
			err = check(info)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: what stands there is not believed; remove it, or name a directory that is yours alone", name, err)
		}
		return nil
	})
}

// check is of one file or directory.
func check(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular() && !mode.IsDir():
		return ErrNoFile
	case !mine(info):
		return ErrOwner
	case mode.Perm()&0o002 != 0:
		return ErrOthers
	}
	return nil
}
