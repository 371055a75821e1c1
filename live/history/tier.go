// A tier is a directory of files. Each file holds the rows of one period. The name of a file
// contains the times of its first and last row. A file is written under a temporary name and then
// renamed. A file is removed when it is too old or the tier is too large. The code below does not
// depend on the content of the files.

package history

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/outfile"
)

// Retention limits the age and the size of the files in a tier (a directory). Files are removed
// when one of the two limits is exceeded.
type Retention struct {
	Days  float64 `json:"days" above:"0"`  // largest age of a file in days, measured in the time of rows
	Bytes int64   `json:"bytes" least:"1"` // largest size of the tier, in bytes; the oldest files are removed first
}

// Range is the time from the first row to the last row. From and To are 0 if there are no rows.
type Range struct {
	From, To int64 // Unix times of the ends of the first and the last row
}

// Union returns the smallest range that covers both ranges.
func (r Range) Union(other Range) Range {
	switch (Range{}) {
	case r:
		return other
	case other:
		return r
	}
	return Range{min(r.From, other.From), max(r.To, other.To)}
}

// fileTier is a directory of segments. A segment is a file with rows. The segments are in order of
// time. Normally no two segments have the same row. But a process may be killed after it has joined
// segments into a larger segment, and before it has removed the joined segments. Open then removes
// the joined segments.
type fileTier struct {
	Name    string
	Dir     string
	Keep    Retention
	Entries []*entry // in order of time
}

// entry is a segment on disk: a file with rows.
type entry struct {
	Path     string
	From, To int64 // times of the first and the last row
	Bytes    int64
}

const (
	nameLayout = "20060102-150405"
	suffix     = ".parquet"
	tempPrefix = ".unfinished-"
)

func fileName(from, to int64) string {
	return time.Unix(from, 0).UTC().Format(nameLayout) + "_" + time.Unix(to, 0).UTC().Format(nameLayout) + suffix
}

// parseName parses a name that fileName returned.
func parseName(name string) (from, to int64, ok bool) {
	first, last, found := strings.Cut(strings.TrimSuffix(name, suffix), "_")
	a, errA := time.Parse(nameLayout, first)
	b, errB := time.Parse(nameLayout, last)
	from, to = a.Unix(), b.Unix()
	return from, to, found && errA == nil && errB == nil && fileName(from, to) == name
}

// open reads or creates the directory of a tier. It removes unfinished files that a killed process
// has left.
func open(dir, name string, keep Retention) (*fileTier, error) {
	t := &fileTier{Name: name, Dir: filepath.Join(dir, name), Keep: keep}
	if err := outfile.MakeDirs(t.Dir, 0o750); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(t.Dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), tempPrefix) {
			os.Remove(filepath.Join(t.Dir, f.Name()))
		}
	}
	return t, t.list()
}

// list sets the segments of a tier to the files in its directory.
func (t *fileTier) list() error {
	files, err := os.ReadDir(t.Dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if from, to, ok := parseName(f.Name()); ok && err == nil {
			t.Entries = append(t.Entries, &entry{filepath.Join(t.Dir, f.Name()), from, to, info.Size()})
		}
	}
	t.Sort()
	return nil
}

// Sort orders segments by time.
func (t *fileTier) Sort() {
	slices.SortFunc(t.Entries, func(a, b *entry) int {
		if a.From != b.From {
			return int(a.From - b.From)
		}
		return int(b.To - a.To)
	})
}

// End returns the time of the last row on disk. It returns 0 if there are no rows.
func (t *fileTier) End() (end int64) {
	for _, e := range t.Entries {
		end = max(end, e.To)
	}
	return end
}

// Bytes returns the size of all files.
func (t *fileTier) Bytes() (bytes int64) {
	for _, e := range t.Entries {
		bytes += e.Bytes
	}
	return bytes
}

// Span returns the range from the first row to the last row.
func (t *fileTier) Span() Range {
	if len(t.Entries) == 0 {
		return Range{}
	}
	return Range{t.Entries[0].From, t.End()}
}

// SegmentsAround returns the segments that may hold the row for the given Unix time. They are
// consecutive: from the first segment that ends at this time or later, to the first segment that
// begins after this time.
func (t *fileTier) SegmentsAround(at int64) []*entry {
	for i, e := range t.Entries {
		if e.To >= at {
			n := i
			for n < len(t.Entries) && t.Entries[n].From <= at {
				n++
			}
			return t.Entries[i:min(n+1, len(t.Entries))]
		}
	}
	return nil
}

// SegmentsWithin returns the segments that may have rows of a time range. A row is in the range if
// its end time t, in Unix seconds, satisfies `from` < t ≤ `to`.
func (t *fileTier) SegmentsWithin(from, to int64) []*entry {
	var out []*entry
	for _, e := range t.Entries {
		if e.To > from && e.From <= to {
			out = append(out, e)
		}
	}
	return out
}

// Contained returns the segments whose rows are all in another segment. Such segments exist if a
// process was killed after it had joined the segments of a day, and before it removed the separate
// segments.
func (t *fileTier) Contained() []*entry {
	var out []*entry
	for _, e := range t.Entries {
		for _, other := range t.Entries {
			if other != e && other.From <= e.From && e.To <= other.To {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// Expired returns the segments that must be removed. It starts with the segments that are too old.
// If the other segments are still too large together, it adds the oldest of them. The parameter
// `now` is the end time of the newest row in the files, which counts as the present time. Expired
// never returns the last segment.
func (t *fileTier) Expired(now int64) []*entry {
	cutoff := now - int64(t.Keep.Days*86400)
	left := t.Bytes()
	var out []*entry
	for _, e := range t.Entries[:max(len(t.Entries)-1, 0)] {
		if e.To >= cutoff && left <= t.Keep.Bytes {
			break
		}
		out, left = append(out, e), left-e.Bytes
	}
	return out
}

// difference returns a copy of the first list that lacks the segments of the second list.
func difference(entries, some []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return slices.Contains(some, e) })
}

// Place creates a segment. It calls the function `write`, which writes the content into a file with
// a temporary name. Place then syncs the file and gives it its final name. The parameters `from`
// and `to` are the times of the first and the last row.
func (t *fileTier) Place(from, to int64, write func(*os.File) error) (*entry, error) {
	path := filepath.Join(t.Dir, fileName(from, to))
	f, err := os.OpenFile(filepath.Join(t.Dir, tempPrefix+fileName(from, to)), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var info fs.FileInfo
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err == nil {
		info, err = f.Stat()
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return nil, err
	}
	return &entry{path, from, to, info.Size()}, outfile.SyncDir(t.Dir)
}

// stamp formats a time for people.
func stamp(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

func (r Range) String() string { return fmt.Sprintf("%s to %s", stamp(r.From), stamp(r.To)) }
