package source

import "github.com/limpet-storage/limpet/ingest/tabular"

// A file keeps one file open while its units are read one after the other.
type file struct {
	*tabular.File
	Index int
}

// Open opens a file, unless it is already open. It closes the file that was open before.
func (f *file) Open(index int, path string, o tabular.Options) error {
	if f.File != nil && f.Index == index {
		return nil
	}
	f.Close()
	file, err := tabular.Open(path, o)
	if err != nil {
		return err
	}
	f.File, f.Index = file, index
	return nil
}

// Close closes the open file, if there is one.
func (f *file) Close() {
	if f.File != nil {
		f.File.Close()
		f.File = nil
	}
}
