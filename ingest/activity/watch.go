// This file says which files come, change, move and go below some paths. It
// opens files only to learn their size, and knows nothing of what they hold.
//
// It looks again and again instead of being told: network file systems tell
// nothing, a look at a hundred files takes a millisecond, and rows wait longer
// than that anyway.

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

// A Kind is what became of a file.
type Kind uint8

// The kinds of changes.
const (
	appeared  Kind = iota // it is new
	changed               // it was written to, repaired or replaced
	movedFile             // it has another path: it was renamed, or compressed
	Gone                  // it was removed
)

// A change is what became of one file.
type change struct {
	Kind Kind
	Path string // as it is now
	From string // of Moved: as it was
	Info fs.FileInfo
}

// A fileWatch remembers what there was.
type fileWatch struct {
	roots []string
	files map[string]fs.FileInfo
	dirs  map[string]fs.FileInfo
	local map[string]fs.FileInfo // directories whose files nobody but this machine writes
	there map[string]bool        // roots that exist
	// failed says that the last Scan did not see everything.
	failed bool
}

// newFileWatch watches files and directories, which need not exist yet.
func newFileWatch(roots []string) *fileWatch {
	return &fileWatch{roots: roots, files: map[string]fs.FileInfo{}, there: map[string]bool{}}
}

// Len is how many files there are.
func (w *fileWatch) Len() int { return len(w.files) }

// Awaited is a path that was named and has no activity files yet, and what is the
// matter.
type Awaited struct {
	Path  string
	There bool // it exists
	Text  string
}

// Awaited are the paths that do not exist, as of the last Scan, and those at and below
// which there is no file that is used, in the order in which they were named.
func (w *fileWatch) Awaited(used func(path string) bool) (list []Awaited) {
	for _, root := range w.roots {
		switch {
		case !w.there[root]:
			list = append(list, Awaited{root, false, root + ": not there yet; make it, or name the directory that recorders write to; it is looked for again and again"})
		case !w.has(root, used):
			list = append(list, Awaited{root, true, root + ": no activity files yet; have recorders write or copy them there"})
		}
	}
	return list
}

// has says whether a file that is used is known at or below a path.
func (w *fileWatch) has(root string, used func(path string) bool) bool {
	for path := range w.files {
		if (path == root || strings.HasPrefix(path, filepath.Clean(root)+"/") || filepath.Clean(root) == ".") && used(path) {
			return true
		}
	}
	return false
}

// Scan looks at everything, and lists what is no longer as it was, in natural
// order. With an error it lists what it could find out; nothing is taken for
// gone then.
func (w *fileWatch) Scan() ([]change, error) {
	now, dirs, err := w.list()
	if err != nil {
		for path, info := range w.files {
			if now[path] == nil {
				now[path] = info
			}
		}
	}
	fresh, gone := missing(now, w.files), missing(w.files, now)
	var changes []change
	for _, path := range fresh {
		c := change{Kind: appeared, Path: path, Info: now[path]}
		if from := slices.IndexFunc(gone, func(old string) bool { return moved(old, path, w.files[old], now[path]) }); from >= 0 {
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

// missing lists what the one has and the other has not, in natural order.
func missing(one, other map[string]fs.FileInfo) []string {
	var list []string
	for path := range one {
		if other[path] == nil {
			list = append(list, path)
		}
	}
	slices.SortFunc(list, topology.Compare)
	return list
}

// moved says whether a file that is gone is the one that is new: under another
// name, or compressed.
func moved(from, to string, was, now fs.FileInfo) bool {
	return os.SameFile(was, now) || stem(from) == from && from != to && stem(to) == from
}

func differs(was, now fs.FileInfo) bool {
	return was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) || !os.SameFile(was, now)
}

// stem is a path without the ending that compression gives it.
func stem(path string) string {
	for _, ending := range []string{".xz", ".zst", ".gz", ".bz2"} {
		if stem, ok := strings.CutSuffix(path, ending); ok {
			return stem
		}
	}
	return path
}

// list finds all files, and the directories that they are in. Of a file that is
// being compressed only the file itself counts as long as it is there.
func (w *fileWatch) list() (files, dirs map[string]fs.FileInfo, err error) {
	files, dirs = map[string]fs.FileInfo{}, map[string]fs.FileInfo{}
	for _, root := range w.roots {
		_, absent := os.Stat(root)
		w.there[root] = absent == nil
		failed := paths.Walk(root, func(path string, isDir bool) {
			if isDir {
				note(dirs, path) // ahead of what it holds
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

// note takes what there is at a path, if anything.
func note(into map[string]fs.FileInfo, path string) {
	if into[path] != nil {
		return
	}
	if info, err := os.Stat(path); err == nil {
		into[path] = info
	}
}

// Stirred says whether files may have come or gone since Scan: a directory was
// written to. It costs one look at each directory that holds files.
func (w *fileWatch) Stirred() bool {
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
		return err == nil && !w.there[root]
	})
}

// Poll looks at some of the files, and lists those that are no longer as they
// were.
func (w *fileWatch) Poll(some []string) []change {
	var changes []change
	for _, path := range some {
		was := w.files[path]
		info, err := w.ask(path)
		if was == nil || err != nil || !differs(was, info) {
			continue // Scan finds what is gone
		}
		w.files[path] = info
		changes = append(changes, change{Kind: changed, Path: path, Info: info})
	}
	return changes
}

// ask looks at a file. It opens one that others may write, or that is a link to such a
// one, as a network file system then asks its server; to ask this machine costs a third
// of that.
func (w *fileWatch) ask(path string) (fs.FileInfo, error) {
	if dir := w.local[filepath.Dir(path)]; dir != nil {
		if info, err := os.Stat(path); err != nil || onOneDevice(dir, info) {
			return info, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}
