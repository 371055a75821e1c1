package dayfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Syncs are the functions that write a file to the disk.
type Syncs struct {
	Data func(*os.File) error   // syncs the content of a file
	Dir  func(dir string) error // syncs the names in a directory
}

// Sync syncs the content of the file. Until it has succeeded once, it also syncs the name of the
// file.
func (f *File) Sync(s Syncs) error {
	err := s.Data(f.f)
	if err == nil && !f.nameSynced.Load() {
		err = s.Dir(filepath.Dir(f.Path))
		f.nameSynced.Store(err == nil)
	}
	return err
}

// SyncAll syncs files of one directory. It syncs the directory once. It ignores closed files,
// because Close has synced them.
func SyncAll(files []*File, s Syncs) error {
	var errs []error
	var unnamed []*File
	for _, f := range files {
		if err := s.Data(f.f); !errors.Is(err, os.ErrClosed) {
			errs = append(errs, err)
		}
		if !f.nameSynced.Load() {
			unnamed = append(unnamed, f)
		}
	}
	if len(unnamed) > 0 {
		err := s.Dir(filepath.Dir(unnamed[0].Path))
		for _, f := range unnamed {
			f.nameSynced.Store(err == nil)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Close syncs and closes the file. Continue can open it again.
func (f *File) Close(s Syncs) error {
	return errors.Join(f.Sync(s), f.f.Close())
}
