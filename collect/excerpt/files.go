package excerpt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/period"
	"github.com/limpet-storage/limpet/tabular/paths"
	"github.com/limpet-storage/limpet/topology/names"
)

// Excerpt says what is read. The zero value reads all.
type Excerpt struct {
	Period  period.Period
	Servers names.Set
	Zone    *time.Location // of what is said
}

// Files are those of roots, which may be files and directories, that may hold
// something of the excerpt. Host tells whose a file is from its first bytes; it is
// asked only of files whose name does not tell, and is nil where files do not know.
func (e *Excerpt) Files(roots []string, host func(path string) (string, error)) ([]string, error) {
	if e.Period.IsOpen() && (e.Servers.IsAll() || host == nil) {
		return roots, nil
	}
	all, err := paths.List(roots)
	if err != nil {
		return nil, err
	}
	var inside []string
	for _, path := range all {
		if !e.Period.Outside(period.File{Path: path, Written: written(path)}) && e.isOfServer(path, host) {
			inside = append(inside, path)
		}
	}
	if len(inside) == 0 && len(all) > 0 {
		return nil, &NothingError{e.nothing(roots, len(all))}
	}
	return inside, nil
}

// NothingError says that what was asked for is not among the files.
type NothingError struct{ error }

func (e *NothingError) Unwrap() error { return e.error }

func (e *Excerpt) nothing(roots []string, files int) error {
	asked := e.Period.Text(e.Zone)
	if !e.Servers.IsAll() {
		asked = "of " + e.Servers.String() + ", " + asked
	}
	return fmt.Errorf("%s: none of %d files has data %s; they are of other times or servers by their names and the time of their last writing",
		strings.Join(roots, ", "), files, asked)
}

// written is when a file was last written; zero where nobody can say.
func written(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// recorded is what the recorder calls its files: by host and begin.
var recorded = regexp.MustCompile(`^(.+)-\d{8}T\d{6}Z\.sa(?:\.(?:xz|zst|gz|bz2))?$`)

// isOfServer says whether a file may be of a server that was asked for. What
// cannot be read is left to whoever reads files, and says what is wrong.
func (e *Excerpt) isOfServer(path string, host func(path string) (string, error)) bool {
	if e.Servers.IsAll() || host == nil {
		return true
	}
	if m := recorded.FindStringSubmatch(filepath.Base(path)); m != nil {
		return e.Servers.HasHost(m[1])
	}
	name, err := host(path)
	return err != nil || e.Servers.HasHost(name)
}
