package source

import "github.com/limpet-storage/limpet/ingest/tabular"

// A file keeps the file open that units are read of one after the other.
type file struct {
	*tabular.File
	Index int
}

// Open opens a file, unless it is the one that is open.
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

// Close closes the file that is open.
func (f *file) Close() {
	if f.File != nil {
		f.File.Close()
		f.File = nil
	}
}
