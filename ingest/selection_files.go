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

// Selection says what is read. The zero value reads all.
type Selection struct {
	Period  period.Period
	Servers topology.Set
	Zone    *time.Location // of what is said
}

// Files are those of roots, which may be files and directories, that may hold
// something of the excerpt. Host tells whose a file is from its first bytes; it is
// asked only of files whose name does not tell, and is nil where files do not know.
func (e *Selection) Files(roots []string, host func(path string) (string, error)) ([]string, error) {
	if e.Period.IsOpen() && (e.Servers.IsAll() || host == nil) {
		return roots, nil
	}
	all, err := paths.List(roots)
	if err != nil {
		return nil, err
	}
	var inside []string
	out := excluded{}
	for _, path := range all {
		if e.Period.Outside(period.File{Path: path, Written: written(path)}) {
			out.times++
		} else if server, isOurs := e.serverOf(path, host); isOurs {
			inside = append(inside, path)
		} else {
			out.servers = append(out.servers, server)
		}
	}
	if len(inside) == 0 && len(all) > 0 {
		return nil, e.nothing(roots, len(all), out)
	}
	return inside, nil
}

// excluded counts the files that hold nothing of an excerpt.
type excluded struct {
	times   int      // files of other times
	servers []string // whose the files of other servers are
}

func (e *Selection) nothing(roots []string, files int, out excluded) error {
	var asked, found []string
	if !e.Servers.IsAll() {
		asked = append(asked, "of "+e.Servers.String())
	}
	if !e.Period.IsOpen() {
		asked = append(asked, e.Period.Text(e.Zone))
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

// written is when a file was last written; zero where nobody can say.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// recorderFile is what the recorder calls its files: by host and begin.
var recorderFile = regexp.MustCompile(`^(.+)-\d{8}T\d{6}Z\.sa(?:\.(?:xz|zst|gz|bz2))?$`)

// serverOf says whose a file is, and whether that may be a server that was asked for.
// What cannot be read is left to whoever reads files, and says what is wrong.
func (e *Selection) serverOf(path string, host func(path string) (string, error)) (server string, isOurs bool) {
	if e.Servers.IsAll() || host == nil {
		return "", true
	}
	if m := recorderFile.FindStringSubmatch(filepath.Base(path)); m != nil {
		return m[1], e.Servers.HasHost(m[1])
	}
	name, err := host(path)
	return name, err != nil || e.Servers.HasHost(name)
}
