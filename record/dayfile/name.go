package dayfile

import (
	"path/filepath"
	"strings"
	"time"
)

// Parts of file names. None of the names has a form that sysstat's sa2 removes
// or compresses (saDD, saYYYYMMDD, sarDD).
const (
	nameTime = "20060102T150405Z"
	Suffix   = ".sa"
	// HiddenPrefix begins the names of files that readers pass over.
	HiddenPrefix = "."
	PartSuffix   = ".part"
)

// Name returns the name of the file of a host that begins at t.
func Name(host string, t time.Time) string {
	return host + "-" + t.UTC().Format(nameTime) + Suffix
}

// ParseName returns the host and the first second of the file with the name
// base. It is the inverse of Name.
func ParseName(base string) (host string, begin time.Time, ok bool) {
	stem, ok := strings.CutSuffix(base, Suffix)
	at := len(stem) - len(nameTime) - 1
	if !ok || at < 1 || stem[at] != '-' {
		return "", begin, false
	}
	begin, err := time.Parse(nameTime, stem[at+1:])
	return stem[:at], begin, err == nil && begin.Format(nameTime) == stem[at+1:]
}

// PartPath returns the path of a file while its header is being written.
func PartPath(path string) string {
	dir, base := filepath.Split(path)
	return dir + HiddenPrefix + base + PartSuffix
}

// CutPart returns the final name of the file whose part has the name base.
func CutPart(base string) (final string, ok bool) {
	base, hidden := strings.CutPrefix(base, HiddenPrefix)
	base, part := strings.CutSuffix(base, PartSuffix)
	return base, hidden && part
}
