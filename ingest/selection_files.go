package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
)

// A Selection is the part of the input that is read: the data of a period and of some servers. The
// zero value selects all data.
//
// [Selection.Files] leaves out a file if its name, its header or the time of its last write shows
// that it has no selected data. From the data of the other files, [Selection.Rows] drops the rows
// outside the period and the components of servers that are not selected.
type Selection struct {
	Period  period.Period
	Servers topology.Set
	Zone    *time.Location // time zone of the times in messages; nil means UTC
}

// Files returns the files that may have selected data. The roots are files, or directories with
// files. If every file is needed, Files returns the roots without change.
//
// The function `host` reads the name of the server from the start of a file. Files calls `host`
// only if the name of the file does not contain the name of the server. If `host` is nil, the files
// do not contain the name of a server.
func (s *Selection) Files(roots []string, host func(path string) (string, error)) ([]string, error) {
	if s.Period.IsOpen() && (s.Servers.IsAll() || host == nil) {
		return roots, nil
	}
	all, err := paths.List(roots)
	if err != nil {
		return nil, err
	}
	var inside []string
	out := excluded{}
	for _, path := range all {
		if s.Period.Outside(period.File{Path: path, Written: written(path)}) {
			out.times++
			out.note(path)
		} else if server, isOurs := s.serverOf(path, host); isOurs {
			inside = append(inside, path)
		} else {
			out.servers = append(out.servers, server)
		}
	}
	if len(inside) == 0 && len(all) > 0 {
		return nil, s.nothing(roots, len(all), out)
	}
	return inside, nil
}

// excluded describes the files that Selection.Files leaves out.
type excluded struct {
	times   int       // number of files outside the period
	first   time.Time // earliest date in the names of the files outside the period; zero if no name has a date
	last    time.Time // latest date in the names of the files outside the period; zero if no name has a date
	servers []string  // name of the server, for each file whose server is not selected
}

func (s *Selection) nothing(roots []string, files int, out excluded) error {
	var asked, found []string
	if !s.Servers.IsAll() {
		asked = append(asked, "of "+s.Servers.String())
	}
	if !s.Period.IsOpen() {
		asked = append(asked, s.Period.Text(s.Zone))
	}
	if n := len(out.servers); n > 0 {
		slices.Sort(out.servers)
		found = append(found, fmt.Sprintf("%s data of %s", english.Count(n, "file")+english.Verb(n, " has", " have"), topology.Fold(slices.Compact(out.servers))))
	}
	if n := out.times; n > 0 {
		dates := ""
		if !out.first.IsZero() {
			dates = fmt.Sprintf(" (the dates in the names are %s to %s)", out.first.Format(time.DateOnly), out.last.Format(time.DateOnly))
		}
		found = append(found, fmt.Sprintf("%s data of other times, according to the names and the modification times of the files%s", english.Count(n, "file")+english.Verb(n, " has", " have"), dates))
	}
	return Nothing("%s: none of %s has data %s; %s",
		strings.Join(roots, ", "), english.Count(files, "file"), strings.Join(asked, ", "), strings.Join(found, ", and "))
}

// note updates e.first and e.last with the date in the name of a file that is outside the period.
func (e *excluded) note(path string) {
	begin, _, named := period.Begin(path)
	if !named {
		return
	}
	if e.first.IsZero() || begin.Before(e.first) {
		e.first = begin
	}
	if begin.After(e.last) {
		e.last = begin
	}
}

// written returns the time of the last write of a file, or the zero time if that
// time is unknown.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// recorderFile matches the names of files that limpet-record writes: host and start
// time.
var recorderFile = regexp.MustCompile(`^(.+)-\d{8}T\d{6}Z\.sa(?:\.(?:xz|zst|gz|bz2))?$`)

// serverOf returns the server of a file, and whether the file may be in the selection. If the name
// of the server cannot be read, the file counts as selected. The code that reads the file then
// reports the error.
func (s *Selection) serverOf(path string, host func(path string) (string, error)) (server string, isOurs bool) {
	if s.Servers.IsAll() || host == nil {
		return "", true
	}
	if m := recorderFile.FindStringSubmatch(filepath.Base(path)); m != nil {
		return m[1], s.Servers.HasHost(m[1])
	}
	name, err := host(path)
	return name, err != nil || s.Servers.HasHost(name)
}
