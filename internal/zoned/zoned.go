// Package zoned parses times that are written with their time zone. Flags, files of commands and
// requests of the API accept the same forms.
package zoned

import "time"

// layouts are the accepted forms: RFC 3339, also without seconds, and with a space in place of T.
var layouts = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00",
}

// Parse parses a time with a zone, such as 2026-05-09T08:00:00Z, 2026-05-09T08:00Z or
// 2026-05-09T10:00+02:00.
func Parse(text string) (t time.Time, err error) {
	for _, layout := range layouts {
		if t, err = time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return t, err
}
