package arrays

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// rotation is the time after midnight at which recorders begin a new file. It is five seconds, so
// that a clock that is set back over midnight does not begin a second file (L13 §4.1.1).
const rotation = 5 * time.Second

// back returns the time of the first record after an outage.
func (s *Scenario) back(o Span) time.Time {
	return s.blueprint().RecordAfter(o.To.Add(s.Interval))
}

// files returns the times at which a server begins a file: at the start of the scenario, every day,
// and after an outage.
func (s *Scenario) files(on *Server) []time.Time {
	begins := []time.Time{s.Start}
	for day := s.Start.UTC().Truncate(24 * time.Hour).Add(rotation); !day.After(s.End); day = day.Add(24 * time.Hour) {
		begins = append(begins, s.blueprint().RecordAfter(day))
	}
	for _, o := range on.Outages {
		begins = append(begins, s.back(o))
	}
	for i, at := range begins {
		begins[i] = s.recordOf(on, at)
	}
	slices.SortFunc(begins, time.Time.Compare)
	begins = slices.CompactFunc(begins, time.Time.Equal)
	return slices.DeleteFunc(begins, func(at time.Time) bool { return at.After(s.End) })
}

// recordOf returns the time of the first record that a server takes at the given time or later.
func (s *Scenario) recordOf(on *Server, at time.Time) time.Time {
	for {
		down := slices.IndexFunc(on.Outages, func(o Span) bool { return o.Overlaps(at.Add(-s.Interval), at) })
		switch {
		case down >= 0:
			at = s.back(on.Outages[down])
		case on.Clock.Misses(at):
			at = at.Add(s.Interval)
		default:
			return at
		}
	}
}

// fileName returns the name of a server's activity file, from the time that its clock shows at the
// first record (L13 §4.1.1).
func (s *Scenario) fileName(on *Server, begins time.Time) string {
	name := on.Name + "-" + on.Clock.Show(begins).UTC().Format("20060102T150405Z") + ".sa"
	if slices.Contains(s.Compressed, on.Name) {
		name += ".zst"
	}
	return filepath.Join(simulate.ActivityDir, name)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
