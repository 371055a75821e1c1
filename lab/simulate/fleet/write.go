package fleet

import (
	"context"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// What a fleet is written as, in its directory. Tables have their format's
// name appended. Records are a file a day, by hour, then group, then slot: all
// of an hour stand together, and the files by name are in the order of time.
const (
	InventoryFile = "inventory"
	EventsFile    = "events"
	TruthFile     = simulate.TruthFile
	RecordsDir    = "records" // 2026-01-01.parquet, 2026-01-02.parquet, …
)

// Write draws a fleet and writes its records, inventory, events and truth into
// dir, which is made where it is not there. Files of an earlier run are
// replaced, but not before all of the new ones are whole: where that fails, or
// ctx ends meanwhile, dir stays as it was. Progress is called with how many of all
// hours of drives are written; it may be nil.
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

// recordsName is that of the records of a day, without its format.
func recordsName(day time.Time) string {
	return filepath.Join(RecordsDir, day.UTC().Format(time.DateOnly))
}
