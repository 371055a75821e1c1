// The two kinds of file of a journal, snapshots and logs, begin with the same head. In a log,
// records follow after the head (record.go).
//
// Checksums cover all bytes, so that damaged data are never used. Every length has a limit, so that
// a damaged file cannot exhaust the memory.

package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// A snapshot and a log begin with
//
//	16 bytes  "limpet journal" and the kind of the file
//	4 bytes   version of the file format
//	4 bytes   CRC-32C of the 20 bytes before
//	8 bytes   generation
//	8 bytes   number of the first record after the snapshot
//	8 bytes   end time of the last row before the snapshot; 0: there is no row
//	8 bytes   length of the first block: the form of rows in a log, the caller's meta in a snapshot
//	8 bytes   length of the second block: empty in a log, the caller's blob in a snapshot
//	4 bytes   CRC-32C of the 40 bytes before
//	…         the two blocks
//	4 bytes   CRC-32C of the two blocks
//
// In a log, records follow. From version 4 on, rows have the traffic between servers and clients
// (table.ClientTraffic). limpet reads a log of version 3, but appends nothing to it. It makes a
// snapshot first, and the snapshot begins a log of version 4. So every log with such traffic has
// version 4, and an older version of limpet refuses the whole log.
const (
	logMagic      = "limpet journal\nL"
	snapshotMagic = "limpet journal\nS"
	version       = 4
	oldestVersion = 3 // the oldest version that is read
	versionBytes  = 24
	headBytes     = versionBytes + 40 + 4
	maxFormBytes  = 1 << 20
)

// Suffixes of file names.
const (
	snapshotSuffix = ".snapshot"
	logSuffix      = ".log"
	tempSuffix     = ".tmp"
	asideSuffix    = ".damaged"
)

// name returns the name of the file with the given generation and suffix.
func name(generation uint64, suffix string) string { return fmt.Sprintf("%08d%s", generation, suffix) }

// generationOf returns the generation in the name of a file. The second result is false if the name
// does not consist of a generation and the given suffix.
func generationOf(file, suffix string) (uint64, bool) {
	digits, ok := strings.CutSuffix(file, suffix)
	if !ok {
		return 0, false
	}
	g, err := strconv.ParseUint(digits, 10, 64)
	return g, err == nil && name(g, suffix) == file
}

// fileHead holds the values at the beginning of a journal file. The two blocks of bytes follow
// after these values.
type fileHead struct {
	Generation    uint64
	Next          uint64 // number of the first record after the snapshot
	Last          int64  // end time of the last row before the snapshot
	first, second int64  // lengths of the two blocks
	version       uint32 // version of the file format; set only if the head was read from a file
}

// Defects of a file. errDamaged means that some bytes are wrong. errCut means that bytes are
// missing at the end. errDirectory means that a directory has the name of the file.
var (
	errDamaged   = errors.New("a checksum is wrong")
	errCut       = errors.New("the file is incomplete")
	errDirectory = errors.New("there is a directory with the name of the file")
)

// isDamage reports whether an error means that a file is damaged. Other errors mean that the file
// may be whole, but this process cannot read it.
func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || errors.Is(err, errCut) || errors.Is(err, errDirectory)
}

type versionError struct{ version uint32 }

func (e versionError) Error() string {
	wrote := "an older"
	if e.version > version {
		wrote = "a newer"
	}
	return fmt.Sprintf("%s version of limpet wrote the file (format %d; this version reads formats %d to %d): use the version that wrote the file, or move the journal to another directory. Without the journal, limpet reads all data again; incidents and mutes are kept", wrote, e.version, oldestVersion, version)
}

func (h *fileHead) bytes(magic string) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte(magic), version)
	b = le.AppendUint32(b, crc32.Checksum(b, castagnoli))
	for _, n := range []uint64{h.Generation, h.Next, uint64(h.Last), uint64(h.first), uint64(h.second)} {
		b = le.AppendUint64(b, n)
	}
	return le.AppendUint32(b, crc32.Checksum(b[versionBytes:], castagnoli))
}

func parseFileHead(b []byte, magic string) (h fileHead, err error) {
	le := binary.LittleEndian
	if string(b[:len(magic)]) != magic || le.Uint32(b[len(magic)+4:]) != crc32.Checksum(b[:len(magic)+4], castagnoli) {
		return h, errDamaged
	}
	wrote := le.Uint32(b[len(magic):])
	if wrote < oldestVersion || wrote > version {
		return h, versionError{wrote}
	}
	n := b[versionBytes:]
	if le.Uint32(n[40:]) != crc32.Checksum(n[:40], castagnoli) {
		return h, errDamaged
	}
	h = fileHead{le.Uint64(n), le.Uint64(n[8:]), int64(le.Uint64(n[16:])), int64(le.Uint64(n[24:])), int64(le.Uint64(n[32:])), wrote}
	return h, nil
}

// writeSnapshot writes a snapshot and syncs the file.
func writeSnapshot(path string, h fileHead, meta, blob []byte) error {
	f, err := write(path, snapshotMagic, h, meta, blob)
	if err != nil {
		return err
	}
	return f.Close()
}

// writeLog writes a log without records and syncs the file. It returns the open file and the size
// of the file in bytes.
func writeLog(path string, h fileHead, f *Form) (*os.File, int64, error) {
	log, err := write(path, logMagic, h, f.Text(), nil)
	return log, int64(headBytes + len(f.Text()) + 4), err
}

// write writes the head and the blocks of a file, and syncs the file.
func write(path, magic string, h fileHead, first, second []byte) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return nil, err
	}
	h.first, h.second = int64(len(first)), int64(len(second))
	sum := crc32.Update(crc32.Checksum(first, castagnoli), castagnoli, second)
	for _, b := range [][]byte{h.bytes(magic), first, second, binary.LittleEndian.AppendUint32(nil, sum)} {
		if err == nil {
			_, err = f.Write(b)
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	return f, nil
}

// readSnapshot reads a snapshot and checks its checksums.
func readSnapshot(path string) (h fileHead, meta, blob []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return h, nil, nil, err
	}
	defer f.Close()
	return read(f, snapshotMagic, math.MaxInt64)
}

// read reads the head and the blocks of a file. The parameter `limit` is the largest size of the
// two blocks together, in bytes.
func read(f *os.File, magic string, limit int64) (h fileHead, first, second []byte, err error) {
	info, err := f.Stat()
	if err != nil {
		return h, nil, nil, err
	}
	if info.IsDir() {
		return h, nil, nil, errDirectory
	}
	b := make([]byte, headBytes)
	if err := readFull(f, b); err != nil {
		return h, nil, nil, err
	}
	if h, err = parseFileHead(b, magic); err != nil {
		return h, nil, nil, err
	}
	room := min(info.Size()-headBytes-4, limit)
	if h.first < 0 || h.second < 0 || h.first > room || h.second > room-h.first {
		return h, nil, nil, errCut
	}
	b = make([]byte, h.first+h.second+4)
	if err := readFull(f, b); err != nil {
		return h, nil, nil, err
	}
	blocks := b[:h.first+h.second]
	if binary.LittleEndian.Uint32(b[len(blocks):]) != crc32.Checksum(blocks, castagnoli) {
		return h, nil, nil, errDamaged
	}
	return h, blocks[:h.first:h.first], blocks[h.first:], nil
}

// readFull reads bytes until b is full. It returns errCut if the file is too short.
func readFull(f *os.File, b []byte) error {
	_, err := io.ReadFull(f, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// list returns the numbers of the generations that have a file with the given suffix, in ascending
// order.
func list(dir, suffix string) ([]uint64, error) {
	entries, err := os.ReadDir(dir) // sorted by name, and so by generation
	if err != nil {
		return nil, err
	}
	var out []uint64
	for _, e := range entries {
		if g, ok := generationOf(e.Name(), suffix); ok {
			out = append(out, g)
		}
	}
	return out, nil
}

// withoutPath returns an error without the path of the file, because the caller adds a path.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
