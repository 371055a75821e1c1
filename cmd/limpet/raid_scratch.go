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

// raidScratch describes an array of files that is created only for a replay.
type raidScratch struct {
	dir  string
	size int64
	keep bool
}

// defaultScratch returns an array that holds a few splits of a word count, and can be written in
// seconds.
func defaultScratch() raidScratch { return raidScratch{dir: "limpet-raid", size: 256 << 20} }

// replayMembers holds the members of a replay.
type replayMembers struct {
	members []raid.Member
	made    []string // files that were created for the replay
	done    func()   // removes the created files and directory, unless --keep is set
}

// members opens the members that the user named. Without names, it uses files in the scratch
// directory.
func (f *raidReplayFlags) members(cmd *cobra.Command, paths []string) (replayMembers, error) {
	if len(paths) > 0 {
		return openReplayMembers(paths)
	}
	return f.scratch.open(cmd, f.options.Layout.Data)
}

// openReplayMembers opens members that exist.
func openReplayMembers(paths []string) (replayMembers, error) {
	members, err := openMembers(paths, true)
	return replayMembers{members: members, done: func() {}}, err
}

// open opens the members in the scratch directory, or creates them if the directory has none.
func (s *raidScratch) open(cmd *cobra.Command, data int) (replayMembers, error) {
	names := make([]string, data+2)
	for i := range names {
		names[i] = filepath.Join(s.dir, fmt.Sprintf("member%d", i))
	}
	there, absent := present(names)
	switch {
	case len(absent) == 0:
		return openReplayMembers(names)
	case len(there) > 0:
		return replayMembers{}, fmt.Errorf("%s exists, but %s does not exist: name another directory with --dir, or remove the old files", there[0], absent[0])
	}
	return s.make(cmd, names, data)
}

// present returns which files exist and which do not. A file that cannot be examined counts as
// existing.
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

// make creates the members and, if needed, their directory.
func (s *raidScratch) make(cmd *cobra.Command, names []string, data int) (replayMembers, error) {
	_, stat := os.Stat(s.dir)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return replayMembers{}, err
	}
	made, err := s.create(cmd, names, data)
	c := replayMembers{made: made}
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
		c.members, err = openMembers(names, true)
	}
	if err != nil {
		c.done()
		return replayMembers{}, err
	}
	return c, nil
}

// create creates the files, returns their names, and fills the array: blocks that were never
// written would be read without the drive.
func (s *raidScratch) create(cmd *cobra.Command, names []string, data int) (made []string, err error) {
	if err := raidRoom(s.size, data); err != nil {
		return nil, usageError{err}
	}
	stripes := (s.size + int64(data)*raid.ChunkSize - 1) / (int64(data) * raid.ChunkSize)
	o := raid.DefaultCreateOptions()
	g := raid.Geometry{Data: data, Stripes: stripes, Journal: o.Journal}
	if err := member.CheckSpace(names, g.MemberSize()); err != nil {
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

// fillNew creates an array of members, fills the array, and closes it.
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

// leastScratch is the size of a few requests.
const leastScratch = 1 << 20

// raidRoom returns an error if the size or the number of data members is out of bounds.
func raidRoom(size int64, data int) error {
	if size < leastScratch || data < 2 || data > raid.MaxData {
		return fmt.Errorf("an array of %s bytes on %d data members is not possible: choose a --size of at least %s bytes, and --data from 2 to %d",
			bounded.FormatBytes(size), data, bounded.FormatBytes(leastScratch), raid.MaxData)
	}
	return nil
}

// fill writes random bytes to the whole array.
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
