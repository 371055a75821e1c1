package sqlfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// The write-ahead log of SQLite (https://www.sqlite.org/fileformat.html, The Write-Ahead Log). All
// numbers are big-endian. The magic number decides in which byte order the checksums are computed:
//
//	32 bytes  magic, version, page size, sequence, two salts, two checksums of the 24 bytes before
//	for each frame:
//	24 bytes  page, pages of the file after a commit or 0, the two salts, two checksums
//	          of the 8 bytes at the beginning, the page, and all frames before
//	a page
const (
	walHead      = 32
	walFrameHead = 24
	walMagic     = 0x377f0682 // +1: big-endian checksums
	walVersion   = 3007000
)

// walPages holds the pages of the committed transactions of a write-ahead log.
type walPages struct {
	pages map[uint32]bool
	size  uint32 // pages of the file after the last transaction; 0: the log has no transaction
}

// readLog reads the pages of a write-ahead log, as SQLite does when it recovers: up to the first
// frame that is not valid, and without the frames after the last commit. If there is no log, the
// result is empty.
func readLog(path string) (*walPages, error) {
	log := &walPages{pages: map[uint32]bool{}}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return log, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	head, be := make([]byte, walHead), binary.BigEndian
	if _, err := io.ReadFull(in, head); err != nil {
		return log, ignoreEnd(err)
	}
	sum := walSum{order: binary.LittleEndian}
	if be.Uint32(head)&1 == 1 {
		sum.order = be
	}
	if sum.add(head[:24]); be.Uint32(head)&^1 != walMagic || be.Uint32(head[4:]) != walVersion || be.Uint32(head[8:]) != pageBytes || !sum.is(head[24:]) {
		return log, nil
	}
	frame, open := make([]byte, walFrameHead+pageBytes), []uint32(nil)
	for {
		if _, err := io.ReadFull(in, frame); err != nil {
			return log, ignoreEnd(err)
		}
		page, size := be.Uint32(frame), be.Uint32(frame[4:])
		sum.add(frame[:8])
		sum.add(frame[walFrameHead:])
		if page == 0 || string(frame[8:16]) != string(head[16:24]) || !sum.is(frame[16:]) {
			return log, nil
		}
		open = append(open, page)
		if size == 0 {
			continue
		}
		for _, page := range open {
			log.pages[page] = true
		}
		log.size, open = size, open[:0]
	}
}

// ignoreEnd returns nil if err means the end of the file, and err otherwise.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// walSum is the running checksum of a write-ahead log.
type walSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (s *walSum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s.s0 += s.order.Uint32(b) + s.s1
		s.s1 += s.order.Uint32(b[4:]) + s.s0
	}
}

// is reports whether the stored checksums in b are equal to the running checksum.
func (s *walSum) is(b []byte) bool {
	return binary.BigEndian.Uint32(b) == s.s0 && binary.BigEndian.Uint32(b[4:]) == s.s1
}
