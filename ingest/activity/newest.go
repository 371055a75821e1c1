package activity

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// Newest returns the time at which a file below the paths was last written; zero if there is no
// file. It returns an error if a path cannot be read.
func Newest(paths []string) (newest time.Time, err error) {
	var errs []error
	for _, path := range paths {
		err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return nil //nolint:nilerr // the file was removed meanwhile
			}
			if info.Mode().IsRegular() && info.ModTime().After(newest) {
				newest = info.ModTime()
			}
			return nil
		})
		errs = append(errs, err)
	}
	return newest, errors.Join(errs...)
}
