package history

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/outfile"
)

// The tiers, which are directories.
const (
	stepsTier    = "steps"
	quartersTier = "quarters"
	windowsTier  = "windows"
)

// tier is a directory of segments. Their rows are in order of time, and no row is
// in two.
type tier struct {
	name    string
	dir     string
	keep    Retention
	entries []*entry // by time
}

// entry is a segment on the disk.
type entry struct {
	path     string
	from, to int64 // times of its first row and its last
	bytes    int64
}

const (
	nameLayout = "20060102-150405"
	suffix     = ".parquet"
	tempPrefix = ".unfinished-"
)

// fileName names a segment by its rows.
func fileName(from, to int64) string {
	return time.Unix(from, 0).UTC().Format(nameLayout) + "_" + time.Unix(to, 0).UTC().Format(nameLayout) + suffix
}

// parseName reads what fileName writes.
func parseName(name string) (from, to int64, ok bool) {
	first, last, found := strings.Cut(strings.TrimSuffix(name, suffix), "_")
	a, errA := time.Parse(nameLayout, first)
	b, errB := time.Parse(nameLayout, last)
	from, to = a.Unix(), b.Unix()
	return from, to, found && errA == nil && errB == nil && fileName(from, to) == name
}

// openTier makes or reads a directory. What a killed process had not finished is
// removed.
func openTier(dir, name string, keep Retention) (*tier, error) {
	t := &tier{name: name, dir: filepath.Join(dir, name), keep: keep}
	if err := os.MkdirAll(t.dir, 0o750); err != nil {
		return nil, err
	}
	files, err := os.ReadDir(t.dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), tempPrefix) {
			os.Remove(filepath.Join(t.dir, f.Name()))
		}
		info, err := f.Info()
		if from, to, ok := parseName(f.Name()); ok && err == nil {
			t.entries = append(t.entries, &entry{filepath.Join(t.dir, f.Name()), from, to, info.Size()})
		}
	}
	t.sort()
	return t, nil
}

func (t *tier) sort() {
	slices.SortFunc(t.entries, func(a, b *entry) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(b.to - a.to)
	})
}

// end is the time of the last row on the disk.
func (t *tier) end() (end int64) {
	for _, e := range t.entries {
		end = max(end, e.to)
	}
	return end
}

func (t *tier) bytes() (bytes int64) {
	for _, e := range t.entries {
		bytes += e.bytes
	}
	return bytes
}

func (t *tier) span() Range {
	if len(t.entries) == 0 {
		return Range{}
	}
	return Range{t.entries[0].from, t.end()}
}

// within lists the segments that have rows after one time and not after another.
func (t *tier) within(from, to int64) []*entry {
	var out []*entry
	for _, e := range t.entries {
		if e.to > from && e.from <= to {
			out = append(out, e)
		}
	}
	return out
}

// contained lists the segments whose rows are all in another: those that a killed
// process had joined and not yet removed.
func (t *tier) contained() []*entry {
	var out []*entry
	for _, e := range t.entries {
		for _, other := range t.entries {
			if other != e && other.from <= e.from && e.to <= other.to {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// expired lists the segments that retention has no room for at a time.
func (t *tier) expired(now int64) []*entry {
	cutoff := now - int64(t.keep.Days*86400)
	left := t.bytes()
	var out []*entry
	for _, e := range t.entries[:max(len(t.entries)-1, 0)] {
		if e.to >= cutoff && left <= t.keep.Bytes {
			break
		}
		out, left = append(out, e), left-e.bytes
	}
	return out
}

// without returns the segments that are not among some.
func without(entries, some []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return slices.Contains(some, e) })
}

// place writes a file whole: under another name, to the disk, then renamed.
func (t *tier) place(from, to int64, write func(*os.File) error) (*entry, error) {
	path := filepath.Join(t.dir, fileName(from, to))
	f, err := os.OpenFile(filepath.Join(t.dir, tempPrefix+fileName(from, to)), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o640)
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
	return &entry{path, from, to, info.Size()}, outfile.SyncDir(t.dir)
}

// stamp is a time as people read it.
func stamp(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

func spoken(r Range) string { return fmt.Sprintf("%s to %s", stamp(r.From), stamp(r.To)) }
