package fleet

import (
	"context"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// Names of files in the directory of a fleet. Tables have a dot and their format appended. There is
// one file of records for each day, sorted by hour, then group, then slot. In the order of their
// names, the files are in the order of time.
const (
	InventoryFile = "inventory"
	EventsFile    = "events"
	TruthFile     = simulate.TruthFile
	RecordsDir    = "records" // 2026-01-01.parquet, 2026-01-02.parquet, …
)

// Write draws a fleet and writes its records, inventory, events and truth into dir, and creates dir
// if needed. It replaces the files of an earlier run when all new files are complete. If an error
// occurs before, or ctx ends, dir stays unchanged. Write calls progress with the number of drive
// hours that are written, of how many; progress may be nil.
func Write(ctx context.Context, dir string, o Options, progress func(done, total int64)) (*Summary, error) {
	f, err := New(o)
	if err != nil {
		return nil, err
	}
	s, err := simulate.NewStage(dir, o.fileNames()...)
	if err != nil {
		return nil, err
	}
	defer s.Discard()
	if err := f.write(ctx, s, progress); err != nil {
		return nil, err
	}
	summary := f.Summary()
	truth, err := summary.YAML()
	if err != nil {
		return nil, err
	}
	if err := s.Write(TruthFile, truth); err != nil {
		return nil, err
	}
	return summary, s.Place()
}

func (o *Options) formats() []Format {
	if o.Format == Both {
		return []Format{Parquet, CSV}
	}
	return []Format{o.Format}
}

func (o *Options) fileNames() []string {
	names := []string{TruthFile}
	for _, format := range o.formats() {
		ext := "." + string(format)
		names = append(names, InventoryFile+ext, EventsFile+ext)
		for d := range o.Days {
			names = append(names, recordsName(o.Start.UTC().AddDate(0, 0, d))+ext)
		}
	}
	return names
}

// recordsName returns the name of the records of a day, without its format.
func recordsName(day time.Time) string {
	return filepath.Join(RecordsDir, day.UTC().Format(time.DateOnly))
}
