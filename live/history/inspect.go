package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/inspection"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// The names of the tiers.
const (
	stepsTier    = "steps"
	quartersTier = "quarters"
	windowsTier  = "windows"
)

// Files returns the names of all files on disk, such as steps/20110509-000015_20110509-010000.parquet.
func (s *Store) Files() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []string
	for _, t := range s.tiers() {
		for _, e := range t.Entries {
			list = append(list, t.Name+"/"+filepath.Base(e.Path))
		}
	}
	return list
}

// Lost returns the files of the given list that are missing although the store has not removed
// them. The list is an earlier result of Files.
func (s *Store) Lost(list []string) (lost []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return lostOf(s.tiers(), list)
}

// Lost returns the files of the given list that are missing in a directory. It uses the default
// options, because the directory does not contain the options of its store.
func Lost(dir string, list []string) []string {
	o := DefaultOptions()
	var tiers []*fileTier
	for name, keep := range map[string]Retention{stepsTier: o.Steps, quartersTier: o.Quarters, windowsTier: o.Windows} {
		t := &fileTier{Name: name, Dir: filepath.Join(dir, name), Keep: keep}
		_ = t.list() // if a tier cannot be read, it counts as empty
		tiers = append(tiers, t)
	}
	return lostOf(tiers, list)
}

func lostOf(tiers []*fileTier, list []string) (lost []string) {
	for _, name := range list {
		tier, base := filepath.Split(name)
		from, to, ok := parseName(base)
		at := slices.IndexFunc(tiers, func(t *fileTier) bool { return t.Name+"/" == tier })
		if ok && at >= 0 && tiers[at].isLost(from, to) {
			lost = append(lost, name)
		}
	}
	return lost
}

// isLost reports whether a file with rows of the given times was removed by another program. The
// store itself removes a file if another file has all of its rows, if the file is too old, or if
// the tier is too large. It removes the oldest files first.
func (t *fileTier) isLost(from, to int64) bool {
	older, largest := false, int64(0)
	for _, e := range t.Entries {
		if e.From <= from && to <= e.To {
			return false
		}
		older, largest = older || e.From < from, max(largest, e.Bytes)
	}
	isYoung := to >= max(t.End(), to)-int64(t.Keep.Days*daySeconds)
	return older || isYoung && t.Bytes()+largest < t.Keep.Bytes
}

// errOtherTimes means that the times of a file's rows differ from the times in the file's name.
var errOtherTimes = errors.New("the times of the data do not match the times in the name of the file")

// checkTimes returns an error if the times of a segment's rows differ from the times in the file's
// name.
func (e *entry) checkTimes(s *segment.Segment) error {
	if n := len(s.Times); n == 0 || s.Times[0] != e.From || s.Times[n-1] != e.To {
		return errOtherTimes
	}
	return nil
}

// Inspect reads every byte of a history and changes nothing. The second result is the time of the
// last step.
func Inspect(ctx context.Context, dir string) (files []inspection.File, end int64, err error) {
	reader, err := segment.NewReader()
	if err != nil {
		return nil, 0, err
	}
	tiers, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, tier := range tiers {
		path := filepath.Join(dir, tier.Name())
		if !slices.Contains([]string{stepsTier, quartersTier, windowsTier}, tier.Name()) {
			files = append(files, inspection.File{Path: path, Unknown: true})
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return files, end, err
		}
		for _, e := range entries {
			f, last := inspectFile(ctx, reader, path, e)
			if files = append(files, f); tier.Name() == stepsTier {
				end = max(end, last)
			}
		}
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	return files, end, nil
}

func inspectFile(ctx context.Context, reader *segment.Reader, dir string, d fs.DirEntry) (f inspection.File, end int64) {
	f.Path = filepath.Join(dir, d.Name())
	if info, err := d.Info(); err == nil && !d.IsDir() {
		f.Bytes = info.Size()
	}
	from, to, ok := parseName(d.Name())
	if !ok {
		f.Unknown = !strings.HasPrefix(d.Name(), tempPrefix)
		return f, 0
	}
	if err := inspectSegment(ctx, reader, &entry{Path: f.Path, From: from, To: to}); err != nil {
		f.Defect = gapSentence(f.Path, err, Range{from, to})
	}
	return f, to
}

// inspectSegment reads all pages of a segment.
func inspectSegment(ctx context.Context, reader *segment.Reader, e *entry) error {
	if err := segment.Check(e.Path); err != nil {
		return err
	}
	s, err := reader.Verify(ctx, e.Path)
	if err != nil {
		return err
	}
	return e.checkTimes(s)
}

// gapSentence returns the sentence about a file that cannot be read.
func gapSentence(path string, err error, r Range) string {
	return fmt.Sprintf("file %s cannot be read (%v), so the history has no data from %s", path, withoutPath(err), r)
}
