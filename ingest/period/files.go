package period

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// File has the properties of a file that are known without opening it.
type File struct {
	Path    string
	Written time.Time // modification time; zero where unknown
}

// doubt is the tolerance of names and times: a name may be a local date, and
// the clock of the writing machine may be wrong.
const doubt = 24 * time.Hour

// Outside reports whether a file certainly has no data of the period: by its
// name it begins after the period or ends before it, or it was last modified
// before the period. A name with enough information takes precedence over the
// modification time, which copying changes.
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

// Files of limpet-record begin at an instant and cover at most a day. Files of
// sysstat with a date cover that day. Files of other programs with a date in
// their name may cover a month from that date.
var (
	recorded = regexp.MustCompile(`^.+-(\d{8}T\d{6}Z)\.sa(?:\.(?:xz|zst|gz|bz2))?$`)
	daily    = regexp.MustCompile(`^sa(\d{8})(?:\.(?:xz|zst|gz|bz2))?$`)
	dated    = regexp.MustCompile(`(?:^|\D)(\d{4}-\d{2}-\d{2}|(?:19|20)\d{6})(?:\D|$)`)
)

// Begin returns the time at which a file begins by its name, and the longest
// time that it may cover; 0 if that time is unknown. It returns false for a
// name without a date or with two dates, since either date could be the
// beginning.
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
