package paths

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A File is a file that a pattern matches.
type File struct {
	Path   string            // path that the user gave
	Fields map[string]string // fields of the path
	place  string            // absolute path, with slashes
}

// Found is the result of [Patterns.Pick].
type Found struct {
	Files   []File
	Strange []string // files that no pattern matches
	Double  []string // CSV files that were left out, because the same table is there as Parquet
}

// Pick selects the files that a pattern matches. The result has each file once, in the order of
// absolute paths, so it does not depend on the form and the order of the names.
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

// Stem returns the name of a CSV or Parquet file without directories and endings; empty for other
// files.
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

// dropDoubles drops the CSV file of a table if there is also a Parquet file: otherwise each row
// would come twice.
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

// OneFormat returns the names without CSV files for which there is a Parquet file of the same name.
func OneFormat(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), doubleOf(names))
}

// doubleOf returns a function that reports whether a name is a CSV file for which there is a
// Parquet file of the same name.
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
