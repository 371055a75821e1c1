package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
)

// Names in the directory of a fleet, without extension.
const (
	recordsName   = "records" // a directory, or one file
	inventoryName = "inventory"
	eventsName    = "events"
)

// Files holds the files of a fleet.
type Files struct {
	paths.Found       // records, in natural order
	Inventory, Events []string
}

// Find finds the files of a fleet. Each root is a file or a directory.
func (d *Description) Find(roots []string) (*Files, error) {
	f := &Files{}
	var names []string
	for _, root := range roots {
		found, err := f.list(root)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	found, err := d.Files.Pick(slices.Compact(names), topology.Compare)
	if err != nil {
		return nil, err
	}
	f.Found = *found
	f.Inventory, f.Events = paths.OneFormat(f.Inventory), paths.OneFormat(f.Events)
	if len(f.Files) == 0 {
		return nil, f.none(roots, d)
	}
	return f, nil
}

// list returns the files that may be records, and adds inventory and events to f. If root has a
// directory "records", only its files are records; inventory and events are next to it.
func (f *Files) list(root string) ([]string, error) {
	if sub := filepath.Join(root, recordsName); isDir(sub) {
		entries, err := os.ReadDir(root)
		for _, e := range entries {
			f.known(filepath.Join(root, e.Name()))
		}
		if err != nil {
			return nil, paths.FileFirst(err)
		}
		root = sub
	}
	names, err := paths.List([]string{root})
	return slices.DeleteFunc(names, func(name string) bool { return name != root && f.known(name) }), err
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// known adds a file of inventory or events, which it recognises by the name. It reports whether
// the file is one of them.
func (f *Files) known(name string) bool {
	switch paths.Stem(name) {
	case inventoryName:
		f.Inventory = append(f.Inventory, name)
	case eventsName:
		f.Events = append(f.Events, name)
	default:
		return false
	}
	return true
}

func (f *Files) none(roots []string, d *Description) error {
	where := strings.Join(roots, ", ")
	if len(f.Strange) > 0 {
		return fmt.Errorf("no file under %s matches %s; there are %d files, such as %s. Correct the setting \"files\" in the description file", where, d.Files, len(f.Strange), f.Strange[0])
	}
	return fmt.Errorf("there are no records under %s; name files that match %s, or a directory with these files", where, d.Files)
}
