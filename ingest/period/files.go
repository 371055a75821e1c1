package period

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// File has the properties of a file that are known without opening it.
type File struct {
	Path    string
	Written time.Time // modification time; zero if unknown
}

// doubt is the possible error of dates in names and of modification times. A date
// may be a local date, and the clock of the machine that wrote the file may be
// wrong.
const doubt = 24 * time.Hour

// Outside reports whether a file certainly has no data of the period. The name of the file may show
// that the file begins after the end of the period, or ends before the start of the period. If the
// name does not show when the file ends, Outside assumes that the file ends at its modification
// time. The name is preferred, because copying a file changes the modification time.
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

// Patterns of file names. A file of limpet-record (recorded) begins at the time in
// its name and covers at most a day. A file of sysstat with a date (daily) covers
// that day. A file of another program with a date (dated) begins at that date, and
// may cover a time of any length, for example a month.
var (
	recorded = lazyregexp.New(`^.+-(\d{8}T\d{6}Z)\.sa(?:\.(?:xz|zst|gz|bz2))?$`)
	daily    = lazyregexp.New(`^sa(\d{8})(?:\.(?:xz|zst|gz|bz2))?$`)
	dated    = lazyregexp.New(`(?:^|\D)(\d{4}-\d{2}-\d{2}|(?:19|20)\d{6})(?:\D|$)`)
)

// Begin returns the time at which a file begins. The result `length` is the longest time that the
// file can cover. Both results follow from the name of the file. The length is 0 if the name does
// not show it. The result `ok` is false for a name without a date. It is also false for a name with
// several dates, since each of these dates could be the beginning.
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
