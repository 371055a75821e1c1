package activity

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// longestFile is the longest time that one activity file covers: one day, plus one hour for late
// records.
const longestFile = 25 * time.Hour

// Newest returns the time of the last record in the activity files below the paths. It returns the
// zero time if there is no activity file, and an error if a path cannot be read.
//
// While a recorder writes the files, Newest returns the latest modification time. But the
// modification time of a copied file may be long after its last record. In that case Newest reads
// the last record of the file with the latest start time.
func Newest(paths []string) (time.Time, error) {
	var errs []error
	var modified time.Time
	var last string
	var all []string
	for _, path := range paths {
		errs = append(errs, filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil || !info.Mode().IsRegular() || isReport(path) {
				return nil // not an activity file, or removed meanwhile
			}
			all = append(all, path)
			if info.ModTime().After(modified) {
				modified, last = info.ModTime(), path
			}
			return nil
		}))
	}
	if err := errors.Join(errs...); err != nil || last == "" {
		return time.Time{}, err
	}
	if begun := begunAt(last); !begun.IsZero() && modified.Sub(begun) < longestFile {
		return modified, nil
	}
	var latest time.Time
	for _, path := range all {
		if begun := begunAt(path); begun.After(latest) {
			latest, last = begun, path
		}
	}
	return lastRecord(last), nil
}

// begunAt returns the start time in the header of a file. It returns the zero time if the file is
// not an activity file.
func begunAt(path string) time.Time {
	r, err := sysstat.Open(path)
	if err != nil {
		return time.Time{}
	}
	defer r.Close()
	return time.Unix(r.Header().Created, 0)
}

// lastRecord returns the time of the last record of a file. It returns the zero time if the file has no
// record.
func lastRecord(path string) (last time.Time) {
	r, err := sysstat.Open(path)
	if err != nil {
		return last
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil { // the file ends, or a record is damaged: records after a damaged record are not read
			return last
		}
		if rec.Type == sysstat.Stats {
			last = time.Unix(rec.Time, 0)
		}
	}
}

// Bytes returns the approximate unpacked size, in bytes, of the activity files below the paths. For
// a packed file, Bytes adds the size of the file multiplied by unpackedTimes. It leaves out files
// that cannot be read.
func Bytes(paths []string) (sum int64) {
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // ignore the error: it is reported later, when the file is read
			}
			info, err := d.Info()
			if err != nil || !info.Mode().IsRegular() || isReport(path) {
				return nil // not an activity file, or removed meanwhile
			}
			size := info.Size()
			switch filepath.Ext(path) {
			case ".zst", ".xz", ".gz":
				size *= unpackedTimes
			}
			sum += size
			return nil
		})
	}
	return sum
}

// unpackedTimes is the usual size of an unpacked activity file, divided by the size of its packed
// file.
const unpackedTimes = 6
