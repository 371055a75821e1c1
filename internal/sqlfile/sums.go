package sqlfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// SQLite stores no checksums of pages, so that a disk can change a letter of a text and nobody
// notices. SQLite appends transactions to the write-ahead log, whose frames have checksums. It
// writes to the file itself only when it copies the log into the file, and here this happens only
// in [File.checkpoint] and when the file is opened or closed. After each of these the checksums of
// all pages are written into a file of their own:
//
//	"limpet sums 1\n"  what this is
//	8 bytes            size of the SQLite file
//	8 bytes            time of its last change, in nanoseconds since 1970
//	4 bytes a page     CRC-32C of the page
//	4 bytes            CRC-32C of all before
//
// The checksums are removed before SQLite writes to the file. A file with another size or time than
// the checksums say was restored from a backup or changed by another program, so that the checksums
// do not belong to it. Disks that change a bit do not change this time.
const (
	sumsMagic  = "limpet sums 1\n"
	sumsSuffix = "-sum"
	sumsHead   = len(sumsMagic) + 16
	pageBytes  = 4096
)

// checkpointBytes is the size of the write-ahead log at which it is copied into the file. Tests have
// smaller ones.
var checkpointBytes int64 = 4 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sums returns the checksums of a file, in the form in which they are stored.
func sums(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	b := []byte(sumsMagic)
	b = binary.LittleEndian.AppendUint64(b, uint64(info.Size()))
	b = binary.LittleEndian.AppendUint64(b, uint64(info.ModTime().UnixNano()))
	in, page := io.NewSectionReader(file, 0, info.Size()), make([]byte, pageBytes)
	for {
		n, err := io.ReadFull(in, page)
		if n > 0 {
			b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(page[:n], castagnoli))
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkSums returns ErrDamaged if a page of the file has changed since its checksums were written.
// The second result is true if the checksums belong to the file.
func (f *File) checkSums() (current bool, err error) {
	want, err := bounded.ReadFile(f.path+sumsSuffix, bounded.MaxResult, "checksums of a file")
	if err != nil || len(want) < sumsHead+4 || crc32.Checksum(want[:len(want)-4], castagnoli) != binary.LittleEndian.Uint32(want[len(want)-4:]) {
		return false, nil // there are none, or they are damaged: new ones are written
	}
	has, err := sums(f.raw)
	if err != nil || !bytes.Equal(has[:sumsHead], want[:sumsHead]) {
		return false, err
	}
	for at := sumsHead; at+4 < len(has); at += 4 {
		if !bytes.Equal(has[at:at+4], want[at:at+4]) {
			return false, fmt.Errorf("%w (the checksum of page %d is wrong)", ErrDamaged, (at-sumsHead)/4+1)
		}
	}
	return true, nil
}

// writeSums writes the checksums of the file. Without them the file can be used, so that a full
// disk is no error.
func (f *File) writeSums() {
	b, err := sums(f.raw)
	if err != nil {
		return
	}
	next := f.path + sumsSuffix + ".tmp"
	if err := os.WriteFile(next, b, 0o600); err == nil {
		err = os.Rename(next, f.path+sumsSuffix)
		if err == nil {
			return
		}
	}
	os.Remove(next)
}

// removeSums removes the checksums before SQLite writes to the file.
func (f *File) removeSums() error {
	err := os.Remove(f.path + sumsSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return outfile.SyncDir(filepath.Dir(f.path))
}

// checkpoint copies the write-ahead log into the file if the log is large. The caller holds
// File.writing. If it fails, the log grows, and the next transaction tries again.
func (f *File) checkpoint(ctx context.Context) {
	info, err := os.Stat(f.path + "-wal")
	if err != nil || info.Size() < max(f.checkpointAt, checkpointBytes) || f.removeSums() != nil {
		return
	}
	var busy, all, copied int64
	err = f.writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &all, &copied)
	f.checkpointAt = 0 // the next transaction begins the log anew
	if err != nil || copied < all {
		f.checkpointAt = info.Size() + checkpointBytes // a reader needs the log
	}
	f.writeSums()
}
