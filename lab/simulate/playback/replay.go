package playback

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// Replay is a directory of plain activity files that are written again, with the position reached.
type Replay struct {
	to    string
	parts []part // by time
	at    int    // index of the next part
	first int64
}

// part is the bytes of a record. The first part of a file includes the header.
type part struct {
	time     int64
	name     string // path of the file, relative to the directory
	from, to int64  // bytes
	source   string
}

// Open finds the records of all files in a directory. It writes nothing yet.
func Open(from, to string) (*Replay, error) {
	r := &Replay{to: to}
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return r.add(name, path)
	})
	if err != nil {
		return nil, err
	}
	if len(r.parts) == 0 {
		return nil, errors.New(from + ": the activity files have no records, so limpet cannot play back any data")
	}
	slices.SortStableFunc(r.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.name, b.name), cmp.Compare(a.from, b.from))
	})
	r.first = r.parts[0].time
	return r, nil
}

// add adds the records of a file. Files that are no activity files are left out.
func (r *Replay) add(name, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	reader, err := sysstat.Open(path)
	if err != nil {
		return nil // not an activity file: a topology or a truth
	}
	defer reader.Close()
	var starts, times []int64
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		starts, times = append(starts, rec.Offset), append(times, rec.Time)
	}
	begin := int64(0) // the header comes with the first record
	for i := range starts {
		end := info.Size()
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if i > 0 {
			times[i] = max(times[i], times[i-1])
		}
		r.parts = append(r.parts, part{times[i], name, begin, end, path})
		begin = end
	}
	return nil
}

// Span returns the times of the first and the last record.
func (r *Replay) Span() (first, last int64) { return r.first, r.parts[len(r.parts)-1].time }

// Write writes all records up to a time, each with one write, and reports whether more follow.
func (r *Replay) Write(until int64) (more bool, err error) {
	for r.at < len(r.parts) && r.parts[r.at].time <= until {
		if err := r.copy(&r.parts[r.at]); err != nil {
			return false, err
		}
		r.at++
	}
	return r.at < len(r.parts), nil
}

func (r *Replay) copy(p *part) error {
	from, err := os.Open(p.source)
	if err != nil {
		return err
	}
	defer from.Close()
	data := make([]byte, p.to-p.from)
	if _, err := from.ReadAt(data, p.from); err != nil {
		return err
	}
	name := filepath.Join(r.to, p.name)
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	to, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	_, err = to.Write(data)
	return errors.Join(err, to.Close())
}
