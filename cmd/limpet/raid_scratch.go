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

	"github.com/limpet-storage/limpet/raid"
)

// raidScratch is an array of files that is made to be tried.
type raidScratch struct {
	dir  string
	size byteSize
	keep bool
}

// defaultScratch holds a few splits of a word count, and is written in seconds.
func defaultScratch() raidScratch { return raidScratch{dir: "limpet-raid", size: 256 << 20} }

// members are those named, or of files that are made; done removes what need
// not be kept.
func (f *raidReplayFlags) members(cmd *cobra.Command, paths []string) (members []raid.Member, done func(), err error) {
	if len(paths) > 0 {
		members, err = openMembers(paths)
		return members, func() {}, err
	}
	return f.scratch.open(cmd, f.options.Layout.Data)
}

func (s *raidScratch) open(cmd *cobra.Command, data int) (members []raid.Member, done func(), err error) {
	names := make([]string, data+2)
	for i := range names {
		names[i] = filepath.Join(s.dir, fmt.Sprintf("member%d", i))
	}
	_, stat := os.Stat(s.dir)
	made := errors.Is(stat, fs.ErrNotExist)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(names[0]); err == nil {
		members, err = openMembers(names)
		return members, func() {}, err
	}
	done = func() {
		if s.keep {
			return
		}
		remove(names)
		if made {
			os.Remove(s.dir)
		}
	}
	if err = s.create(cmd, names, data); err == nil {
		members, err = openMembers(names)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return members, done, nil
}

// create makes the files and fills the array, since what was never written is
// read without a drive.
func (s *raidScratch) create(cmd *cobra.Command, names []string, data int) error {
	if err := raidRoom(s.size, data); err != nil {
		return usageError{err}
	}
	stripes := (int64(s.size) + int64(data)*raid.ChunkSize - 1) / (int64(data) * raid.ChunkSize)
	o := raid.DefaultCreateOptions()
	g := raid.Geometry{Data: data, Stripes: stripes, Journal: o.Journal}
	members := make([]raid.Member, len(names))
	for i, name := range names {
		m, err := raid.CreateFile(name, g.MemberSize())
		if err != nil {
			closeMembers(members)
			return err
		}
		members[i] = m
	}
	if _, err := raid.Create(members, o); err != nil {
		closeMembers(members)
		return err
	}
	a, err := raid.Open(members, raid.DefaultOptions())
	if err != nil {
		closeMembers(members)
		return err
	}
	return errors.Join(fill(cmd, a), a.Close())
}

// raidRoom is at least what a few requests need.
func raidRoom(size byteSize, data int) error {
	if least := byteSize(1 << 20); size < least || data < 2 || data > raid.MaxData {
		return fmt.Errorf("an array of %v on %d data members: give --size of at least %v, and --data from 2 to %d", &size, data, &least, raid.MaxData)
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
