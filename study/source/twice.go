package source

import (
	"fmt"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/english"
)

// tellApart sets the times of records whose local time is ambiguous because clocks were put
// back. It takes the later time if the drive's earlier records show this. If they do not show
// which time is right, the record may fall into the hour of the drive's previous record; merged
// counts these records.
func (r *reader) tellApart(c *tabular.Column, drives []int32) {
	for i, ns := range c.Times[:r.block.Rows] {
		later := int64(0)
		if c.LaterTimes != nil {
			later = c.LaterTimes[i]
		}
		ns, unsure := r.walls.TimeOf(drives[i], ns, later, r.unit)
		c.Times[i] = ns
		if later == 0 {
			continue
		}
		hour := hourOf(ns + r.into())
		if unsure && hour == r.folded[drives[i]] {
			r.merged++
		}
		r.folded[drives[i]] = hour
	}
}

// warnMerged returns the warning about n records whose ambiguous time is uncertain.
func warnMerged(n int64) Warning {
	return Warning{Text: fmt.Sprintf(
		"%s have a time in the hour that occurs twice when clocks are put back, so the true hour is uncertain. Each of these records counts for the hour of the previous record of the same drive. Write the records of each drive in order of time, or write times in UTC", english.Count(int(n), "record"))}
}
