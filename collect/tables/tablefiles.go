package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/tabular/paths"
	"github.com/limpet-storage/limpet/topology"
)

// A tableFile is one file of a set of tables.
type tableFile struct {
	path   string            // as it was named
	place  string            // its absolute path, with slashes
	fields map[string]string // taken from its path
	// size is that at the beginning: what is appended while the file is
	// read is left for the next time.
	size int64
	at   int // its place among the files
	scan tableScan
}

// findTables lists the files under roots that the description is for, in the
// natural order of their absolute paths, so that how they were named and in
// which order makes no difference.
func (d *Description) findTables(roots []string) ([]*tableFile, []collect.Warning, error) {
	names, err := paths.List(roots)
	if err != nil {
		return nil, nil, paths.FileFirst(err)
	}
	var files []*tableFile
	var strange []string
	for _, name := range names {
		f, err := d.tableFile(name)
		if err != nil {
			return nil, nil, err
		}
		if f == nil {
			strange = append(strange, name)
			continue
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, nil, d.noTables(roots, strange)
	}
	return ordered(files), d.strangeFiles(strange), nil
}

// tableFile returns nil for a file that no pattern matches.
func (d *Description) tableFile(name string) (*tableFile, error) {
	place, err := filepath.Abs(name)
	if err != nil {
		return nil, paths.FileFirst(err)
	}
	place = filepath.ToSlash(place)
	for i := range d.files {
		fields, ok := d.files[i].match(place)
		if !ok {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, paths.FileFirst(err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: not a file that can be read twice; write it to disk first, and name directories behind links themselves", name)
		}
		return &tableFile{path: name, place: place, fields: fields, size: info.Size()}, nil
	}
	return nil, nil
}

func ordered(files []*tableFile) []*tableFile {
	slices.SortStableFunc(files, func(a, b *tableFile) int { return topology.Compare(a.place, b.place) })
	files = slices.CompactFunc(files, func(a, b *tableFile) bool { return a.place == b.place })
	for i, f := range files {
		f.at = i
	}
	return files
}

// patterns prints what the files are to match.
func (d *Description) patterns() string {
	var texts []string
	for _, p := range d.files {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, " or ")
}

func (d *Description) noTables(roots, strange []string) error {
	where := strings.Join(roots, ", ")
	if len(strange) == 0 {
		return fmt.Errorf("no file under %s matches %s; name another directory", where, d.patterns())
	}
	return fmt.Errorf("no file under %s matches %s, of %d such as %s; correct files: in the description",
		where, d.patterns(), len(strange), strange[0])
}

func (d *Description) strangeFiles(strange []string) []collect.Warning {
	if len(strange) == 0 {
		return nil
	}
	return []collect.Warning{{File: strange[0], Text: fmt.Sprintf("%s left out, this one first, as the path does not match %s; correct files: in the description if it should",
		count(len(strange), "file"), d.patterns())}}
}
