package layout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// What files are called in a directory of a fleet, before the ending of their
// format.
const (
	recordsName   = "records" // a directory, or one file
	inventoryName = "inventory"
	eventsName    = "events"
)

// A RecordFile is one with records.
type RecordFile struct {
	Path   string            // as it was named
	Fields map[string]string // taken from its path
	place  string            // its absolute path, with slashes
}

// Files are those of a fleet.
type Files struct {
	Records           []RecordFile // in natural order
	Inventory, Events []string
	Strange           []string // that no pattern matches
	Double            []string // that stand there in another format too
}

// Find sorts out what is under paths: files, and directories of them.
func (d *Description) Find(paths []string) (*Files, error) {
	f := &Files{}
	for _, p := range paths {
		if err := f.walk(p, d); err != nil {
			return nil, plain(err)
		}
	}
	slices.SortStableFunc(f.Records, func(a, b RecordFile) int { return topology.Compare(a.place, b.place) })
	f.Records = slices.CompactFunc(f.Records, func(a, b RecordFile) bool { return a.place == b.place })
	f.dropDoubles()
	if len(f.Records) == 0 {
		return nil, f.none(paths, d)
	}
	return f, nil
}

// walk follows a link that was named, and none below. Hidden files are passed
// over.
func (f *Files) walk(root string, d *Description) error {
	if info, err := os.Stat(root); err == nil && info.IsDir() {
		root = filepath.Clean(root) + string(filepath.Separator)
		if sub := filepath.Join(root, recordsName); isDir(sub) {
			if err := f.walkAll(sub+string(filepath.Separator), d); err != nil {
				return err
			}
			return f.beside(root)
		}
	}
	return f.walkAll(root, d)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// beside takes the inventory and events that stand beside records.
func (f *Files) beside(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		f.known(filepath.Join(dir, e.Name()))
	}
	return err
}

// known takes a file that its name tells.
func (f *Files) known(name string) bool {
	switch base := stem(name); base {
	case inventoryName:
		f.Inventory = append(f.Inventory, name)
	case eventsName:
		f.Events = append(f.Events, name)
	default:
		return false
	}
	return true
}

// stem is the name of a file without directories and endings of formats; of
// other files it is empty.
func stem(name string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".gz"), ".zst")
	if ext := path.Ext(base); ext == ".csv" || ext == ".parquet" {
		return strings.TrimSuffix(base, ext)
	}
	return ""
}

func (f *Files) walkAll(root string, d *Description) error {
	return filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		hidden := name != root && strings.HasPrefix(filepath.Base(name), ".")
		switch {
		case err != nil:
			return err
		case hidden && e.IsDir():
			return filepath.SkipDir
		case hidden || e.IsDir() || name != root && f.known(name):
			return nil
		}
		return f.take(name, d)
	})
}

func (f *Files) take(name string, d *Description) error {
	place, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	place = filepath.ToSlash(place)
	for i := range d.files {
		if fields, ok := d.files[i].match(place); ok {
			f.Records = append(f.Records, RecordFile{name, fields, place})
			return nil
		}
	}
	f.Strange = append(f.Strange, name)
	return nil
}

// dropDoubles keeps Parquet where a table stands there in both formats: the
// same records twice would all be duplicates.
func (f *Files) dropDoubles() {
	parquet := make(map[string]bool)
	key := func(name string) string { return filepath.Join(filepath.Dir(name), stem(name)) }
	isParquet := func(name string) bool { return path.Ext(name) == ".parquet" }
	for _, r := range f.Records {
		parquet[key(r.place)] = parquet[key(r.place)] || isParquet(r.place)
	}
	f.Records = slices.DeleteFunc(f.Records, func(r RecordFile) bool {
		double := stem(r.place) != "" && !isParquet(r.place) && parquet[key(r.place)]
		if double {
			f.Double = append(f.Double, r.Path)
		}
		return double
	})
	f.Inventory, f.Events = oneFormat(f.Inventory), oneFormat(f.Events)
}

// oneFormat leaves out CSV files that stand beside Parquet of their name.
func oneFormat(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		twin := filepath.Join(filepath.Dir(name), stem(name)+".parquet")
		return path.Ext(name) != ".parquet" && slices.Contains(names, twin)
	})
}

func (f *Files) none(paths []string, d *Description) error {
	var texts []string
	for _, p := range d.files {
		texts = append(texts, p.text)
	}
	where, what := strings.Join(paths, ", "), strings.Join(texts, " or ")
	if len(f.Strange) > 0 {
		return fmt.Errorf("no file under %s matches %s, of %d such as %s; correct files: in the description", where, what, len(f.Strange), f.Strange[0])
	}
	return fmt.Errorf("no records under %s; name files that match %s, or a directory of them", where, what)
}

// plain makes the errors of the operating system name the file first, as all
// others do.
func plain(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
