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

// A Selection is the part of the data that is read: a period, and the data of some
// servers. The zero value selects all.
//
// A file outside the selection is not opened if its name or the time of its last
// write shows that it is outside. Of the other files, rows outside the period are
// dropped.
type Selection struct {
	Period  period.Period
	Servers topology.Set
	Zone    *time.Location // zone of times in messages
}

// Files returns the files of roots, which are files and directories, that may have
// selected data. The function host returns the server of a file from its first
// bytes. It is called only for files without the server in their name; nil: files
// do not contain the server.
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

// excluded counts the files without selected data.
type excluded struct {
	times   int      // files of other times
	servers []string // servers of the files of other servers
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
		found = append(found, fmt.Sprintf("%s of %s", english.Count(n, "file")+english.Verb(n, " is", " are"), topology.Fold(slices.Compact(out.servers))))
	}
	if n := out.times; n > 0 {
		found = append(found, fmt.Sprintf("%s of other times, by name and last writing", english.Count(n, "file")+english.Verb(n, " is", " are")))
	}
	return Nothing("%s: none of %s has data %s; %s",
		strings.Join(roots, ", "), english.Count(files, "file"), strings.Join(asked, ", "), strings.Join(found, ", and "))
}

// written returns the time of the last write of a file; zero: unknown.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// recorderFile matches the names of files that limpet record writes: host and begin.
var recorderFile = regexp.MustCompile(`^(.+)-\d{8}T\d{6}Z\.sa(?:\.(?:xz|zst|gz|bz2))?$`)

// serverOf returns the server of a file, and whether the server may be selected. A
// file that cannot be read counts as selected: its reader reports the error.
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
