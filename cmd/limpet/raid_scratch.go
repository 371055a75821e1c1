package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
)

// raidScratch is an array of files that is made to be tried.
type raidScratch struct {
	dir  string
	size int64
	keep bool
}

// defaultScratch holds a few splits of a word count, and is written in seconds.
func defaultScratch() raidScratch { return raidScratch{dir: "limpet-raid", size: 256 << 20} }

// A cast is the members that a replay runs on.
type cast struct {
	members []raid.Member
	made    []string // the files that were made for it
	done    func()   // removes those, and nothing else
}

// members are those named, or files in the scratch directory.
func (f *raidReplayFlags) members(cmd *cobra.Command, paths []string) (cast, error) {
	if len(paths) > 0 {
		return openCast(paths)
	}
	return f.scratch.open(cmd, f.options.Layout.Data)
}

// openCast opens members that were there before.
func openCast(paths []string) (cast, error) {
	members, err := openMembers(paths)
	return cast{members: members, done: func() {}}, err
}

// open uses the members that a directory has, or makes them where it has none.
func (s *raidScratch) open(cmd *cobra.Command, data int) (cast, error) {
	names := make([]string, data+2)
	for i := range names {
		names[i] = filepath.Join(s.dir, fmt.Sprintf("member%d", i))
	}
	there, absent := present(names)
	switch {
	case len(absent) == 0:
		return openCast(names)
	case len(there) > 0:
		return cast{}, fmt.Errorf("%s exists, but %s does not exist: name another directory with --dir, or remove the old files", there[0], absent[0])
	}
	return s.make(cmd, names, data)
}

// present tells which files are there; one that cannot be looked at is.
func present(names []string) (there, absent []string) {
	for _, name := range names {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			absent = append(absent, name)
		} else {
			there = append(there, name)
		}
	}
	return there, absent
}

// make makes the members and, where it is not there, their directory.
func (s *raidScratch) make(cmd *cobra.Command, names []string, data int) (cast, error) {
	_, stat := os.Stat(s.dir)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return cast{}, err
	}
	made, err := s.create(cmd, names, data)
	c := cast{made: made}
	c.done = func() {
		if s.keep && err == nil {
			return
		}
		remove(made)
		if errors.Is(stat, fs.ErrNotExist) {
			os.Remove(s.dir)
		}
	}
	if err == nil {
		c.members, err = openMembers(names)
	}
	if err != nil {
		c.done()
		return cast{}, err
	}
	return c, nil
}

// create makes the files, says which, and fills the array, since what was never
// written is read without a drive.
func (s *raidScratch) create(cmd *cobra.Command, names []string, data int) (made []string, err error) {
	if err := raidRoom(s.size, data); err != nil {
		return nil, usageError{err}
	}
	stripes := (s.size + int64(data)*raid.ChunkSize - 1) / (int64(data) * raid.ChunkSize)
	o := raid.DefaultCreateOptions()
	g := raid.Geometry{Data: data, Stripes: stripes, Journal: o.Journal}
	if err := member.Room(names, g.MemberSize()); err != nil {
		return nil, fmt.Errorf("%w: choose a smaller --size, or another --dir", err)
	}
	var members []raid.Member
	for _, name := range names {
		m, err := member.CreateFile(name, g.MemberSize())
		if err != nil {
			closeMembers(members)
			return made, err
		}
		made, members = append(made, name), append(members, m)
	}
	return made, fillNew(cmd, members, o)
}

// fillNew makes an array of members, fills it, and closes them.
func fillNew(cmd *cobra.Command, members []raid.Member, o raid.CreateOptions) error {
	_, err := raid.Create(members, o)
	var a *raid.Array
	if err == nil {
		a, err = raid.Open(members, raid.DefaultOptions())
	}
	if err != nil {
		closeMembers(members)
		return err
	}
	return errors.Join(fill(cmd, a), a.Close())
}

// leastScratch is room for a few requests.
const leastScratch = 1 << 20

// raidRoom is at least what a few requests need.
func raidRoom(size int64, data int) error {
	if size < leastScratch || data < 2 || data > raid.MaxData {
		return fmt.Errorf("an array of %s bytes on %d data members is not possible: choose a --size of at least %s bytes, and --data from 2 to %d",
			bounded.FormatBytes(size), data, bounded.FormatBytes(leastScratch), raid.MaxData)
	}
	return nil
}

// fill writes noise to all of an array.
func fill(cmd *cobra.Command, a *raid.Array) error {
	show, end := percent(cmd)
	defer end()
	noise := rand.NewChaCha8([32]byte{})
	buf := make([]byte, copyStep)
	for off := int64(0); off < a.Size(); off += copyStep {
		if cmd.Context().Err() != nil {
			return errors.New("interrupted")
		}
		p := buf[:min(copyStep, a.Size()-off)]
		if _, err := io.ReadFull(noise, p); err != nil {
			return err
		}
		if _, err := a.WriteAt(p, off); err != nil {
			return err
		}
		show(off, a.Size())
	}
	return nil
}
