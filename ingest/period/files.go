package period

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// File is what is known of a file without opening it.
type File struct {
	Path    string
	Written time.Time // last; zero where nobody knows
}

// doubt is how far names and clocks may be off: a name may be of the local day,
// and the clock that a file was written by may be wrong.
const doubt = 24 * time.Hour

// Outside says whether a file certainly holds nothing of the period: by its name
// it begins after it or ends before it, or it was last written before it. Where a
// name says enough it goes before the time of writing, which copies change.
func (p Period) Outside(f File) bool {
	begin, length, named := Begin(f.Path)
	if named && !p.Until.IsZero() && begin.Add(-doubt).After(p.Until) {
		return true
	}
	switch {
	case p.Since.IsZero(), named && !begin.Before(p.Since):
		return false
	case named && length > 0:
		return begin.Add(length + doubt).Before(p.Since)
	}
	return !f.Written.IsZero() && f.Written.Add(doubt).Before(p.Since)
}

// Recorder's files begin at an instant and are turned every day; sysstat's sa
// files with a date are of a day. What other programs call by a date may hold a
// month from there on.
var (
	recorded = regexp.MustCompile(`^.+-(\d{8}T\d{6}Z)\.sa(?:\.(?:xz|zst|gz|bz2))?$`)
	daily    = regexp.MustCompile(`^sa(\d{8})(?:\.(?:xz|zst|gz|bz2))?$`)
	dated    = regexp.MustCompile(`(?:^|\D)(\d{4}-\d{2}-\d{2}|(?:19|20)\d{6})(?:\D|$)`)
)

// Begin tells from a file's name when it begins, and for how long its data go on
// at the most; 0 where that is not known. It wants one date in a name: of two,
// nobody can say which counts.
func Begin(path string) (begin time.Time, length time.Duration, ok bool) {
	const day = 24 * time.Hour
	base := filepath.Base(path)
	if m := recorded.FindStringSubmatch(base); m != nil {
		t, err := time.Parse("20060102T150405Z", m[1])
		return t, day, err == nil
	}
	if m := daily.FindStringSubmatch(base); m != nil {
		t, err := time.Parse("20060102", m[1])
		return t, day, err == nil
	}
	found := dated.FindAllStringSubmatch(base, -1)
	if len(found) != 1 {
		return time.Time{}, 0, false
	}
	t, err := time.Parse("20060102", strings.ReplaceAll(found[0][1], "-", ""))
	return t, 0, err == nil
}
