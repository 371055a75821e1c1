package record

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Names are as the paper's: the host, and in UTC when the file begins. They
// end in none of the forms that sysstat's sa2 removes and compresses, which
// are saDD, saYYYYMMDD, sarDD and the like.

const (
	nameTime   = "20060102T150405Z"
	suffix     = ".sa"
	partPrefix = "."
	partSuffix = ".part"
	lockSuffix = ".lock"
)

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

// name is that of a file that begins at t and is not compressed.
func name(host string, t time.Time) string {
	return host + "-" + t.UTC().Format(nameTime) + suffix
}

// parseName takes the name of a file of a host apart.
func parseName(host, base string) (begin time.Time, packing string, ok bool) {
	rest, ok := strings.CutPrefix(base, host+"-")
	stamp, ext, found := strings.Cut(rest, suffix)
	if !ok || !found {
		return begin, "", false
	}
	switch ext {
	case "":
		packing = Plain
	case "." + Zstd, "." + XZ:
		packing = ext[1:]
	default:
		return begin, "", false
	}
	begin, err := time.Parse(nameTime, stamp)
	return begin, packing, err == nil && begin.Format(nameTime) == stamp
}

// part is the name of a file while it is being made.
func part(path string) string {
	dir, base := filepath.Split(path)
	return dir + partPrefix + base + partSuffix
}

// lockName is the file whose lock keeps a second recorder of a host away. It
// stays when no recorder runs.
func lockName(host string) string { return partPrefix + host + lockSuffix }

// isPart says whether a name is that of a file of the host being made.
func isPart(host, base string) bool {
	base, a := strings.CutPrefix(base, partPrefix)
	base, b := strings.CutSuffix(base, partSuffix)
	_, _, ok := parseName(host, base)
	return a && b && ok
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
