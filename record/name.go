package record

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

// The names of files follow the paper: the host, and the time in UTC at which the file begins. They
// do not match the names that sysstat's sa2 removes and compresses (saDD, saYYYYMMDD, sarDD and so
// on).

// lockSuffix is the end of the name of the lock file of a directory.
const lockSuffix = ".lock"

// A file is an activity file of this host in the directory.
type file struct {
	path     string
	begin    time.Time
	packing  string // Zstd, XZ or Plain
	size     int64
	modified time.Time
}

// ofDay reports whether t is in the day of the file.
func (f file) ofDay(t time.Time) bool { return dayOf(f.begin).covers(t) }

// parseName splits the name of a file of a host into its parts.
func parseName(host, base string) (begin time.Time, packing string, ok bool) {
	packing = Plain
	for _, p := range []string{Zstd, XZ} {
		if plain, found := strings.CutSuffix(base, "."+p); found {
			base, packing = plain, p
		}
	}
	of, begin, ok := dayfile.ParseName(base)
	return begin, packing, ok && of == host
}

// lockName returns the name of the lock file, which prevents a second recorder of a host. The file
// remains when no recorder runs.
func lockName(host string) string { return dayfile.HiddenPrefix + host + lockSuffix }

// isPart reports whether a name is the name of an unfinished file of the host.
func isPart(host, base string) bool {
	base, ok := dayfile.CutPart(base)
	_, _, ours := parseName(host, base)
	return ok && ours
}

// list returns the files of a host, in the order of their beginning, without files that others have
// created.
func list(dir, host string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		begin, packing, ok := parseName(host, e.Name())
		if !ok {
			continue
		}
		info, err := e.Info()
		if err != nil || !isOwn(info) {
			continue // removed in the meantime, or created by others
		}
		files = append(files, file{filepath.Join(dir, e.Name()), begin, packing, info.Size(), info.ModTime()})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.begin.Compare(b.begin), strings.Compare(a.path, b.path))
	})
	return files, nil
}

// removeParts removes the unfinished files that a crash has left.
func removeParts(dir, host string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if isPart(host, e.Name()) {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}
