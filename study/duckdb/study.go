package duckdb

import (
	"context"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// Study reduces the fleet in a directory with limpet, with one worker.
func Study(ctx context.Context, dir string) (*study.Reduction, error) {
	o := source.DefaultOptions()
	o.Workers = 1
	src, err := source.Open(ctx, []string{dir}, o)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var parts []*study.Reduction
	for _, hours := range src.Streams(ctx) {
		r, err := study.Reduce(hours, src.Fleet(), study.DefaultOptions())
		if err != nil {
			return nil, err
		}
		parts = append(parts, r)
	}
	return study.Merge(src.Fleet(), parts...)
}

// Count returns the Counts of a reduction, by kind.
func Count(r *study.Reduction) map[string]Counts {
	all := map[string]Counts{}
	for _, s := range r.Spreads {
		var c Counts
		for _, n := range s.Slowdown {
			if n > 0 {
				c.Bins++
			}
		}
		all[s.Kind.String()] = c
	}
	for i := range r.Cells {
		cell := &r.Cells[i]
		c := all[cell.Kind.String()]
		c.DriveHours += cell.DriveHours
		c.GroupHours += cell.Hours
		c.Busy += cell.Busy
		c.Large += cell.Large
		all[cell.Kind.String()] = c
	}
	countSlow(r, all)
	return all
}

// An hour is an hour of a cell.
type hour struct{ cell, hour int32 }

func countSlow(r *study.Reduction, all map[string]Counts) {
	mild, slow, drives := map[hour]bool{}, map[hour]int{}, map[[2]int32]bool{}
	for _, s := range r.Slow {
		kind := r.Cells[s.Cell].Kind.String()
		c, at := all[kind], hour{s.Cell, s.Hour}
		c.Slow15++
		c.Tail15 += first(mild[at])
		mild[at] = true
		if s.S >= study.Slow {
			c.Slow2++
			c.SlowDrives += first(drives[[2]int32{s.Cell, s.Drive}])
			drives[[2]int32{s.Cell, s.Drive}] = true
			slow[at]++
			switch slow[at] {
			case 1:
				c.Tail1++
			case 2:
				c.Tail2++
			case 3:
				c.Tail3++
			}
		}
		all[kind] = c
	}
}

// first returns 1 if seen is false, else 0.
func first(seen bool) int64 {
	if seen {
		return 0
	}
	return 1
}
