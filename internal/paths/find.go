package paths

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A File is one that a pattern matches.
type File struct {
	Path   string            // as it was named
	Fields map[string]string // taken from its path
	place  string            // its absolute path, with slashes
}

// Found is what became of a list of files.
type Found struct {
	Files   []File
	Strange []string // that no pattern matches
	Double  []string // left out: the same table stands beside them as Parquet
}

// Pick sorts out which of the named files the patterns match. Files stand in
// the order of their absolute paths, each once, so that it makes no difference
// how they were named and in which order.
func (ps Patterns) Pick(names []string, compare func(a, b string) int) (*Found, error) {
	f := &Found{}
	for _, name := range names {
		place, err := filepath.Abs(name)
		if err != nil {
			return nil, FileFirst(err)
		}
		place = filepath.ToSlash(place)
		if fields, ok := ps.Match(place); ok {
			f.Files = append(f.Files, File{name, fields, place})
		} else {
			f.Strange = append(f.Strange, name)
		}
	}
	slices.SortStableFunc(f.Files, func(a, b File) int { return compare(a.place, b.place) })
	f.Files = slices.CompactFunc(f.Files, func(a, b File) bool { return a.place == b.place })
	f.dropDoubles()
	return f, nil
}

// Stem is the name of a table without directories and endings of formats; of
// other files it is empty.
func Stem(name string) string {
	base := filepath.Base(name)
	for _, ending := range []string{".gz", ".zst", ".xz"} {
		base = strings.TrimSuffix(base, ending)
	}
	if ext := path.Ext(base); ext == ".csv" || ext == ".parquet" {
		return strings.TrimSuffix(base, ext)
	}
	return ""
}

// dropDoubles keeps Parquet where a table stands there in both formats: the
// same rows twice would all be duplicates.
func (f *Found) dropDoubles() {
	var names []string
	for _, file := range f.Files {
		names = append(names, file.place)
	}
	isDouble := doubleOf(names)
	f.Files = slices.DeleteFunc(f.Files, func(file File) bool {
		if !isDouble(file.place) {
			return false
		}
		f.Double = append(f.Double, file.Path)
		return true
	})
}

// OneFormat leaves out the CSV files that stand beside Parquet of their name.
func OneFormat(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), doubleOf(names))
}

// doubleOf tells which of the names are CSV beside Parquet.
func doubleOf(names []string) func(name string) bool {
	key := func(name string) string { return filepath.Join(filepath.Dir(name), Stem(name)) }
	parquet := make(map[string]bool)
	for _, name := range names {
		if path.Ext(name) == ".parquet" {
			parquet[key(name)] = true
		}
	}
	return func(name string) bool {
		return Stem(name) != "" && path.Ext(name) != ".parquet" && parquet[key(name)]
	}
}
