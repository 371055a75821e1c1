package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// fetchFiles writes readings (the content of records) into the activity files of a directory. It
// drops readings that the files already contain.
type fetchFiles struct {
	*exporter.Spool
	lastReadings map[string]time.Time // for each server: time of the last reading that its files had at the call of Recall

	records uint64 // number of readings that were written
}

// Recall reads the [exporter.Memory] of a server from its files. It stores the time of the last
// reading for Write.
func (f *fetchFiles) Recall(server string) (exporter.Memory, error) {
	m, err := f.Spool.Recall(server)
	f.lastReadings[server] = m.Time
	return m, err
}

// Write writes a reading, unless the files already contain it.
func (f *fetchFiles) Write(r *exporter.Reading) error {
	if !r.Time.After(f.lastReadings[r.Server]) {
		return nil
	}
	err := f.Spool.Write(r)
	if err == nil {
		f.records++
	}
	return err
}

// noteFile is the file that records from which store the data in its directory were fetched.
const noteFile = ".limpet-store.json"

// note is the content of noteFile.
type note struct {
	Store string `json:"store"`
	From  int64  `json:"from_ms"` // start of the period of the first fetch, in ms since 1970
}

// claim checks whether data of a store can be added to a directory. It returns an error if the
// directory has data of another store. It also returns an error if the data begin after the time
// `from`, because limpet cannot add earlier data. In a new directory, claim writes noteFile.
func claim(ctx context.Context, dir, address string, from int64) error {
	path := filepath.Join(dir, noteFile)
	data, err := bounded.ReadFile(path, bounded.MaxYAML, "the file that describes fetched data")
	if errors.Is(err, fs.ErrNotExist) {
		text, err := json.Marshal(note{address, from})
		if err != nil {
			return err
		}
		return outfile.Write(ctx, path, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err })
	}
	if err != nil {
		return err
	}
	var was note
	switch err := json.Unmarshal(data, &was); {
	case err != nil:
		return fmt.Errorf("file %s cannot be read: name another directory for the fetched data (%w)", path, err)
	case was.Store != address:
		return fmt.Errorf("directory %s contains data of another store (%s): name another directory", dir, was.Store)
	case was.From > from:
		return fmt.Errorf("directory %s contains data since %s, and limpet cannot add earlier data: name another directory, or choose a start at this time or later",
			dir, time.UnixMilli(was.From).UTC().Format(time.RFC3339))
	}
	return nil
}

// bytesOf returns the size of all files of a directory, in bytes.
func bytesOf(dir string) (sum int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
