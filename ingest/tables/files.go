package tables

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
)

// A tableFile is one of the files of a table.
type tableFile struct {
	paths.File
	// size is the size, in bytes, when the Source read the file for the first time. Lines that are
	// appended later are not read.
	size  int64
	index int // index of this file in the list of all files
	scan  tableScan
	kept  keptFile // all samples of the file, if the memory is enough; if tableFile.kept is empty, the file is read again
	// dates is the order of day and month with which ambiguous dates are parsed.
	dates tool.DateOrder
}

// findTables lists the files under the given roots that match the description, in the natural order
// of their absolute paths. The result does not depend on the order of the roots, or on whether the
// roots are relative or absolute paths.
func findTables(d *Description, roots []string) ([]*tableFile, []ingest.Warning, error) {
	names, err := paths.List(roots)
	if err != nil {
		return nil, nil, err
	}
	found, err := d.Files.Pick(names, topology.Compare)
	if err != nil {
		return nil, nil, err
	}
	if len(found.Files) == 0 {
		return nil, nil, noTables(d, roots, found.Strange)
	}
	var files []*tableFile
	for i, f := range found.Files {
		files = append(files, &tableFile{File: f, index: i})
	}
	return files, append(strangeFiles(d, found.Strange), doubleFiles(found.Double)...), nil
}

func noTables(d *Description, roots, strange []string) error {
	where := strings.Join(roots, ", ")
	if len(strange) == 0 {
		return ingest.Nothing("no file in %s matches %s; name another directory", where, d.Files)
	}
	n := len(strange)
	return fmt.Errorf("no file in %s matches %s; there %s, such as %s. Correct the setting \"files\" in the description file",
		where, d.Files, english.Verb(n, "is ", "are ")+english.Count(n, "file"), strange[0])
}

func strangeFiles(d *Description, strange []string) []ingest.Warning {
	if len(strange) == 0 {
		return nil
	}
	return []ingest.Warning{{File: strange[0], Text: fmt.Sprintf("%s left out, because the path does not match %s; if these files are tables, correct the setting \"files\" in the description file",
		countAre(len(strange), "file"), d.Files)}}
}

func doubleFiles(double []string) []ingest.Warning {
	if len(double) == 0 {
		return nil
	}
	return []ingest.Warning{{File: double[0], Text: fmt.Sprintf("%s left out, because the same table also exists as a Parquet file; if a file is a different table, rename the file",
		countAre(len(double), "file"))}}
}
