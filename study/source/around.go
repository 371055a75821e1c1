package source

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
)

const nsPerHour = int64(time.Hour)

// settleHours decides which hours the records belong to, and counts the rows of each hour.
func (s *Source) settleHours(v *sourceSurvey) {
	if s.finer && v.quarters.AroundFullHours() {
		s.shift = nsPerHour / 2
		if s.description.Time.AtEnd() {
			s.shift = -s.shift
		}
		s.warned = append(s.warned, Warning{Text: "the times of records are a little before or after full hours, so each record counts for the nearest hour. If this is wrong, write the full hour as the time of each record"})
	}
	v.hours = v.quarters.Hours(s.shift)
}

// Folding returns the counts of the records that were folded so far.
func (s *Source) Folding() Folding {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folding
}

// warnUneven returns a warning if hours may be missing because records come at uneven times.
func (s *Source) warnUneven(f Folding) []Warning {
	const cure = "The records seem to be about an hour apart, but not at full hours. Hours between two records may be lost. To avoid this, write the full hour as the time of each record"
	if f.Uneven() {
		return []Warning{{Text: fmt.Sprintf("%d of %d drive hours have two records, and most other drive hours have one record. %s", f.Double, f.Hours, cure)}}
	}
	if drives := f.UnevenDrives(); len(drives) > 0 {
		return []Warning{{Text: fmt.Sprintf("%s (the first is %s) %s two records in some hours, but one record in most other hours. %s", english.Count(len(drives), "drive"), s.fleet.Drives[drives[0]].Name, english.Verb(len(drives), "has", "have"), cure)}}
	}
	return nil
}

// hourOf returns the hour of the records at a time.
func (s *Source) hourOf(ns int64) int32 { return hourOf(ns + s.shift) }
