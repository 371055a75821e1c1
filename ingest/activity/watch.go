package activity

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
)

// A Kind shows what has happened to a file.
type Kind uint8

// Kinds of changes.
const (
	appeared  Kind = iota // a new file
	changed               // a file that was written, repaired or replaced
	movedFile             // a file that was renamed or compressed
	Gone                  // a file that was removed
)

// A change describes one file that has changed.
type change struct {
	Kind Kind
	Path string // present path
	From string // path of a moved file before the move
	Info fs.FileInfo
}

// A fileWatch finds the files that appear, change, move and disappear below
// some paths. It reads the sizes and times of files, but not their content.
//
// A fileWatch checks the files again and again, since network file systems do
// not notify of changes. Checking a hundred files takes a millisecond. This is
// short compared with a step.
type fileWatch struct {
	roots    []string
	files    map[string]fs.FileInfo // state of each file at its last check
	dirs     map[string]fs.FileInfo // state of each directory at the last Scan
	local    map[string]fs.FileInfo // directories on local file systems, to which no other machine writes
	existing map[string]bool        // roots that exist
	// failed is true if the last Scan could not read all files and directories.
	failed bool
}

// newFileWatch returns a watch of files and directories. These files and
// directories need not exist yet.
func newFileWatch(roots []string) *fileWatch {
	return &fileWatch{roots: roots, files: map[string]fs.FileInfo{}, existing: map[string]bool{}}
}

func (w *fileWatch) Len() int { return len(w.files) }

// Awaited is a path that the user named and that has no activity files yet.
type Awaited struct {
	Path   string
	Exists bool
	Text   string // reason and advice for the user
}

// Awaited returns the roots (the paths that the user named) that did not exist at the last Scan,
// and the roots without any file that limpet reads. The function `used` reports whether limpet
// reads a file.
func (w *fileWatch) Awaited(used func(path string) bool) (list []Awaited) {
	for _, root := range w.roots {
		switch {
		case !w.existing[root]:
			list = append(list, Awaited{root, false, TextNotThere(root)})
		case !w.holdsUsedFile(root, used):
			list = append(list, Awaited{root, true, root + ": no activity files yet; let recorders write activity files to this directory, or copy activity files to this directory"})
		}
	}
	return list
}

// TextNotThere returns what a user reads about a directory that does not exist.
func TextNotThere(dir string) string {
	return dir + ": the directory does not exist yet; create the directory, or name the directory that recorders write to; limpet reads the directory as soon as it exists"
}

// holdsUsedFile reports whether the path `root` is a file that limpet reads, or a directory with
// such a file (see Awaited).
func (w *fileWatch) holdsUsedFile(root string, used func(path string) bool) bool {
	clean := filepath.Clean(root)
	below := clean + "/"
	for path := range w.files {
		if used(path) && (path == root || strings.HasPrefix(path, below) || clean == ".") {
			return true
		}
	}
	return false
}

// Scan checks all files and returns the changes since the last Scan or Poll, in natural order of
// the paths (sa2 before sa10). If some files cannot be read, Scan returns an error and the changes
// of the readable files. It then reports no file as removed.
func (w *fileWatch) Scan() ([]change, error) {
	now, dirs, err := w.list()
	if err != nil {
		for path, info := range w.files {
			if now[path] == nil {
				now[path] = info
			}
		}
	}
	fresh, gone := missingKeys(now, w.files), missingKeys(w.files, now)
	var changes []change
	comparable := len(gone) <= mostComparisons/max(len(fresh), 1)
	for _, path := range fresh {
		c := change{Kind: appeared, Path: path, Info: now[path]}
		if !comparable { // too many pairs to compare: a moved file counts as a new file and is read again
			changes = append(changes, c)
			continue
		}
		if from := slices.IndexFunc(gone, func(old string) bool { return isMoved(old, path, w.files[old], now[path]) }); from >= 0 {
			c.Kind, c.From = movedFile, gone[from]
			gone = slices.Delete(gone, from, from+1)
		}
		changes = append(changes, c)
	}
	for _, path := range gone {
		changes = append(changes, change{Kind: Gone, Path: path})
	}
	for path, info := range now {
		if was := w.files[path]; was != nil && differs(was, info) {
			changes = append(changes, change{Kind: changed, Path: path, Info: info})
		}
	}
	w.files, w.dirs, w.failed = now, dirs, err != nil
	w.local = map[string]fs.FileInfo{}
	for dir, info := range dirs {
		if isLocal(dir) {
			w.local[filepath.Clean(dir)] = info
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return topology.Compare(a.Path, b.Path) })
	return changes, err
}

// mostComparisons is the largest number of pairs of files that a Scan compares, to find moved
// files. It is enough for a thousand servers if one file of each server is moved at the same time
// (1,000 × 1,000 pairs).
const mostComparisons = 1 << 20

// missingKeys returns the keys that the first map has and the second map lacks, in
// natural order.
func missingKeys(one, other map[string]fs.FileInfo) []string {
	var list []string
	for path := range one {
		if other[path] == nil {
			list = append(list, path)
		}
	}
	slices.SortFunc(list, topology.Compare)
	return list
}

// isMoved reports whether a file was renamed or compressed. The caller passes the old and the new
// path, and then the old and the new properties of the file.
func isMoved(from, to string, was, now fs.FileInfo) bool {
	return os.SameFile(was, now) || stem(from) == from && from != to && stem(to) == from
}

func differs(was, now fs.FileInfo) bool {
	return was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) || !os.SameFile(was, now)
}

// stem returns a path without the suffix of a compressed file.
func stem(path string) string {
	for _, ending := range []string{".xz", ".zst", ".gz", ".bz2"} {
		if stem, ok := strings.CutSuffix(path, ending); ok {
			return stem
		}
	}
	return path
}

// list returns all files and their directories. If a file and its compressed
// copy both exist, the file is still being compressed, and list returns only
// the original.
func (w *fileWatch) list() (files, dirs map[string]fs.FileInfo, err error) {
	files, dirs = map[string]fs.FileInfo{}, map[string]fs.FileInfo{}
	for _, root := range w.roots {
		_, absent := os.Stat(root)
		w.existing[root] = absent == nil
		failed := paths.Walk(root, func(path string, isDir bool) {
			if isDir {
				note(dirs, path) // stored before the files of the directory are listed, so that no change is missed
			} else {
				note(files, path)
			}
		})
		if failed != nil && absent == nil {
			err = errors.Join(err, failed)
		}
	}
	for path := range files {
		if stem := stem(path); stem != path && files[stem] != nil {
			delete(files, path)
		}
	}
	return files, dirs, err
}

// note stores the state of a path, if it exists.
func note(into map[string]fs.FileInfo, path string) {
	if into[path] != nil {
		return
	}
	if info, err := os.Stat(path); err == nil {
		into[path] = info
	}
}

// DirsChanged reports whether files may have appeared or disappeared since the
// last Scan, because a directory was changed. It needs one call of stat for each directory that has
// files.
func (w *fileWatch) DirsChanged() bool {
	if w.failed {
		return true
	}
	for path, was := range w.dirs {
		if info, err := os.Stat(path); err != nil || differs(was, info) {
			return true
		}
	}
	return slices.ContainsFunc(w.roots, func(root string) bool {
		_, err := os.Stat(root)
		return err == nil && !w.existing[root]
	})
}

// Poll checks the files at the given paths, and returns their changes since the
// last Scan or Poll.
func (w *fileWatch) Poll(some []string) []change {
	var changes []change
	for _, path := range some {
		was := w.files[path]
		info, err := w.stat(path)
		if was == nil || err != nil || !differs(was, info) {
			continue // if the file was removed, the next Scan reports this
		}
		w.files[path] = info
		changes = append(changes, change{Kind: changed, Path: path, Info: info})
	}
	return changes
}

// stat returns the state of a file. It opens the file if the file is on a network file system or
// behind a link. To open a file, a network file system requests the present size and time from its
// server. For other files, the system call stat returns the present state, and takes a third of the
// time.
func (w *fileWatch) stat(path string) (fs.FileInfo, error) {
	if dir := w.local[filepath.Dir(path)]; dir != nil {
		if info, err := os.Stat(path); err != nil || onOneDevice(dir, info) {
			return info, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // O_NONBLOCK, because the file may have been replaced by a pipe
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}
