package tables

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/internal/paths"
)

// Many sites have one table for each server (and day), and the path names the server:
//
//	cluster_A/host_1/2022-07-18.csv
//	cluster_A/host_2/2022-07-18.csv
//
// The drives of all servers may have the same names: disk1, disk2. A draft without the server would
// mix the drives of all servers. So the draft compares its table with sister files. A sister file has
// the same columns, and its path differs in one part. A sister file may have components with the same
// names at the same times, but other values. These are then other components, and this part of the
// path is a field of the draft.

// placeFields are the fields that a draft takes from the path of its table. All fields of
// placeFields are empty if no part of the path is needed.
type placeFields struct {
	pattern string   // setting `files`
	fields  []string // names of the fields, in the order of the path
	sister  string   // a sister file with components of the same names
	dated   string   // a sister file in the same folder, if the name of the table contains a date
}

// prefix returns the text for the beginning of names: "{cluster}/{host}".
func (p *placeFields) prefix() string {
	if len(p.fields) == 0 {
		return ""
	}
	return "{" + strings.Join(p.fields, "}/{") + "}"
}

const (
	folderLevels = 2 // number of folders above the table that may be fields of the draft
	mostSisters  = 6 // largest number of sister files that are read for one part of the path
)

// date matches the date in the name of a file, such as 2022-07-18 or 20220718.
var date = lazyregexp.New(`\d{4}-?\d\d-?\d\d`)

// findPlace sets t.place: it finds out which parts of the path differ between files with components
// of the same names.
func (t *draftTable) findPlace() {
	place, err := filepath.Abs(t.path)
	stem := paths.Stem(place)
	if err != nil || stem == "" {
		return
	}
	base := filepath.Base(place)
	format := ".csv"
	if strings.Contains(base[len(stem):], ".parquet") {
		format = ".parquet"
	}
	pattern, rest := "*"+format, []string{base}
	parent := filepath.Dir(place)
	if names, sister := t.otherNames(parent, base, nil); sister != "" {
		if date.MatchString(stem) {
			t.place.dated = t.asGiven(sister)
		} else {
			pattern = "{" + t.addField(stem, names, sister) + "}" + format
			t.place.pattern = pattern
		}
	}
	for range folderLevels {
		folder := filepath.Base(parent)
		parent = filepath.Dir(parent)
		if filepath.Dir(parent) == parent {
			return // the folder above is the root of the file system
		}
		if names, sister := t.otherNames(parent, folder, rest); sister != "" {
			pattern = "{" + t.addField(folder, names, sister) + "}/" + pattern
			t.place.pattern = pattern
		} else {
			pattern = "*/" + pattern
		}
		rest = append([]string{folder}, rest...)
	}
}

// addField adds a field before the other fields, and returns its name. The name is the word with
// which this part of the path begins in all files: host for host_1 and host_2.
func (t *draftTable) addField(own string, others []string, sister string) string {
	name := wordOf(own)
	for _, other := range others {
		if wordOf(other) != name {
			name = ""
		}
	}
	if len(name) < 3 && len(t.place.fields) == 0 && t.find(serverWords) < 0 {
		name = "host"
	} else if len(name) < 3 {
		name = "folder"
	}
	isTaken := func() bool {
		return slices.Contains(t.place.fields, name) || slices.ContainsFunc(t.columns, func(c draftColumn) bool { return c.name == name })
	}
	for isTaken() {
		name += "_folder"
	}
	t.place.fields = append([]string{name}, t.place.fields...)
	t.place.sister = t.asGiven(sister)
	return name
}

// asGiven returns the path of a sister file. The parameter `sister` is its absolute path. The result
// is relative to the current directory if the path of the table is relative, and absolute otherwise.
func (t *draftTable) asGiven(sister string) string {
	folder, err := filepath.Abs(filepath.Dir(t.path))
	if err != nil || filepath.IsAbs(t.path) {
		return sister
	}
	if rest, err := filepath.Rel(folder, sister); err == nil {
		return filepath.Join(filepath.Dir(t.path), rest)
	}
	return sister
}

// wordOf returns the letters at the beginning of a name, in lower case.
func wordOf(name string) string {
	end := strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	if end < 0 {
		return "" // a name of letters alone, such as "berlin", does not begin with a common word, as host_1 does
	}
	return strings.ToLower(name[:end])
}

// otherNames looks for a sister file with other components of the same names. The path of a sister
// file differs from the path of the table in a part of the folder `parent`. The caller passes this
// part of the table's path, and the parts after it. The first result has the names of the parts that
// were compared. The result `sister` is empty if there is no such sister file.
func (t *draftTable) otherNames(parent, own string, rest []string) (names []string, sister string) {
	for _, entry := range entries(parent) {
		name := entry.Name()
		if name == own || strings.HasPrefix(name, ".") || entry.IsDir() != (len(rest) > 0) {
			continue
		}
		if stem := paths.Stem(name); len(rest) == 0 && (stem == "" || stem == paths.Stem(own)) {
			continue // not a table, or the same table in another format
		}
		if len(names) == mostSisters {
			break
		}
		file := sisterIn(filepath.Join(parent, name), rest)
		if file == "" {
			continue
		}
		names = append(names, name)
		if sister == "" && t.isMixedWith(file) {
			sister = file
		}
	}
	return names, sister
}

// sisterIn returns a table in a folder: the table whose path below the folder is `rest`, or the first
// table in folders of the same depth. The result is empty if there is none.
func sisterIn(folder string, rest []string) string {
	if len(rest) == 0 {
		return folder
	}
	if same := filepath.Join(append([]string{folder}, rest...)...); isFile(same) {
		return same
	}
	for _, entry := range entries(folder) {
		name := filepath.Join(folder, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case len(rest) == 1:
			if paths.Stem(name) != "" && isFile(name) {
				return name
			}
		case entry.IsDir():
			if file := sisterIn(name, rest[1:]); file != "" {
				return file
			}
		}
	}
	return ""
}

// entries returns the entries of a folder, sorted by name. The list is empty if the folder cannot be
// read.
func entries(folder string) []os.DirEntry {
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	return list
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// isMixedWith reports whether a file has the columns of the table, and rows of the same components and
// times with other values. If the values of fewer than a tenth of these rows differ, the file counts
// as a copy with corrections, and the result is false.
func (t *draftTable) isMixedWith(file string) bool {
	other, err := readDraft(file)
	if err != nil || !slices.EqualFunc(t.columns, other.columns, func(a, b draftColumn) bool { return a.name == b.name }) {
		return false
	}
	shared, differ := 0, 0
	for key, values := range t.rows {
		if others, ok := other.rows[key]; ok {
			shared++
			if others != values {
				differ++
			}
		}
	}
	return differ > 0 && 10*differ >= shared
}

// keepRows stores the rows in t.rows, and in t.mixed whether rows have the same name and time and other
// values. A row without a name or a time is left out.
func (t *draftTable) keepRows(b *tabular.Block, words []tabular.Lexicon) {
	names := []int{t.timeColumn(), t.find(serverWords), t.find(deviceWords)}
	if names[0] < 0 || names[1] < 0 && names[2] < 0 {
		return
	}
	for row := range b.Rows {
		var key, values []string
		for i := range t.columns {
			if text := textOf(b, words, i, row); slices.Contains(names, i) {
				key = append(key, text)
			} else {
				values = append(values, text)
			}
		}
		name, all := strings.Join(key, "\x00"), strings.Join(values, "\x00")
		if before, ok := t.rows[name]; ok && before != all {
			t.mixed = true
		}
		t.rows[name] = all
	}
}
