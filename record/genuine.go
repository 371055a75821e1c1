package record

import (
	"io"
	"os"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Files are counted and removed by their content, not by their name. Anybody can give a file any
// name, and files of invented days would make real files look old.

// nameLag is by how much the time in a name may be later than the beginning of its file: if a name
// is taken, the recorder tries the name of the next second.
const nameLag = time.Hour

// A seal is the size and time of a file when its content was checked, with the result of the check.
type seal struct {
	size     int64
	modified time.Time
	genuine  bool
}

// genuine returns the files that the recorder of this host wrote, by their headers. It logs each
// other file once.
func (k *keeper) genuine(files []file) []file {
	var kept []file
	for _, f := range files {
		if k.isGenuine(f) {
			kept = append(kept, f)
		}
	}
	return kept
}

func (k *keeper) isGenuine(f file) bool {
	s, seen := k.seals[f.path]
	if !seen || s.size != f.size || !s.modified.Equal(f.modified) {
		s = seal{f.size, f.modified, f.holdsOwn(k.host)}
		k.seals[f.path] = s
	}
	if !s.genuine {
		k.passOver(f.path)
	}
	return s.genuine
}

// passOver logs once that a file is ignored.
func (k *keeper) passOver(path string) {
	if !k.foreign[path] {
		k.foreign[path] = true
		k.log.Warn("the recorder found a file that it did not write, and does not compress or remove this file: move the file to another directory", "file", path)
	}
}

// holdsOwn reports whether the content of a file matches its name: the host, and the time of the
// beginning.
func (f file) holdsOwn(host string) bool {
	h, err := f.header()
	if err != nil || h.Hostname != host {
		return false
	}
	lag := f.begin.Sub(time.Unix(h.Created, 0))
	return lag >= 0 && lag < nameLag
}

// header reads the header of a file.
func (f file) header() (*sysstat.Header, error) {
	src, err := openOwn(f.path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var plain io.Reader = src
	if f.packing != Plain {
		unpacked, err := compressors[f.packing].unpack(src)
		if err != nil {
			return nil, err
		}
		defer unpacked.Close()
		plain = unpacked
	}
	r, err := sysstat.NewReader(plain, f.path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Header(), nil
}
