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

// Names are as the paper's: the host, and in UTC when the file begins. They
// end in none of the forms that sysstat's sa2 removes and compresses, which
// are saDD, saYYYYMMDD, sarDD and the like.

// lockSuffix ends the name of the file whose lock is a recorder's claim on the
// directory.
const lockSuffix = ".lock"

// A file is one of this host's in the directory.
type file struct {
	path     string
	begin    time.Time
	packing  string // Zstd, XZ or Plain
	size     int64
	modified time.Time
}

// ofDay says whether t is in the day of the file.
func (f file) ofDay(t time.Time) bool { return dayOf(f.begin).covers(t) }

// parseName takes the name of a file of a host apart.
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

// lockName is the file whose lock keeps a second recorder of a host away. It
// stays when no recorder runs.
func lockName(host string) string { return dayfile.HiddenPrefix + host + lockSuffix }

// isPart says whether a name is that of a file of the host being made.
func isPart(host, base string) bool {
	base, ok := dayfile.CutPart(base)
	_, _, ours := parseName(host, base)
	return ok && ours
}

// list is the files of a host, in the order of their beginning, but for those
// that others put there.
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
			continue // it was removed meanwhile, or is another's
		}
		files = append(files, file{filepath.Join(dir, e.Name()), begin, packing, info.Size(), info.ModTime()})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.begin.Compare(b.begin), strings.Compare(a.path, b.path))
	})
	return files, nil
}

// removeParts removes what a crash left of files being made.
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
