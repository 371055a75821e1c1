package activity

import (
	"path/filepath"
	"slices"
	"strings"
)

// Awaited is a path that was named and has no activity files yet, and what is the
// matter.
type Awaited struct {
	Path  string
	There bool // it exists
	Text  string
}

// awaited are the paths without files, in the order in which they were named.
func (f *Following) awaited() (list []Awaited) {
	absent := f.watch.Absent()
	for _, root := range f.roots {
		switch {
		case slices.Contains(absent, root):
			list = append(list, Awaited{root, false, root + ": not there yet; make it, or name the directory that recorders write to; it is looked for again and again"})
		case !f.hasFiles(root):
			list = append(list, Awaited{root, true, root + ": no activity files yet; have recorders write or copy them there"})
		}
	}
	return list
}

// hasFiles says whether an activity file is known at or below a path.
func (f *Following) hasFiles(root string) bool {
	root = filepath.Clean(root)
	for path, file := range f.files {
		if file.refused == nil && (path == root || root == "." || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")) {
			return true
		}
	}
	return false
}
