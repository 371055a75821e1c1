package sqlfile

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/outfile"
)

// SQLite stores no checksums of pages, so nobody notices if a disk changes a letter of a text. This
// file adds checksums. SQLite appends transactions to the write-ahead log, whose frames have
// checksums. It writes to the file itself only when it copies the log into the file. This happens
// only in [File.checkpoint], and when the file is opened or closed. Then the checksums of all pages
// are written into a file of their own:
//
//	"limpet sums 1\n"  kind of the file
//	8 bytes            size of the SQLite file
//	8 bytes            time of its last change, in nanoseconds since 1970
//	4 bytes a page     CRC-32C of the page
//	4 bytes            CRC-32C of all before
//
// At every moment, each page has the checksum in this file, or is in the write-ahead log. New
// checksums are on disk before the next transaction overwrites the log, and before the log is
// removed. A kill or a power failure therefore never causes a wrong checksum. If a checksum is
// wrong, a disk or another program has changed the page. A page in the log is not compared, because
// SQLite copies the log into the file again.
//
// The time of the last change is only for the error: another program changes this time, and a disk
// does not.
const (
	sumsMagic  = "limpet sums 1\n"
	sumsSuffix = "-sum"
	sumsHead   = len(sumsMagic) + 16
	pageBytes  = 4096
)

// checkpointBytes is the size of the write-ahead log at which it is copied into the file. Tests use
// smaller sizes.
var checkpointBytes int64 = 4 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sums returns the content of the file of checksums for a file.
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

// pageSum returns the checksum of a page. The number of the first page is 1. has is false if there
// is no checksum for the page.
func pageSum(sums []byte, page uint32) (sum uint32, has bool) {
	at := sumsHead + 4*(int(page)-1)
	if at+8 > len(sums) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(sums[at:]), true
}

var zeroPage = crc32.Checksum(make([]byte, pageBytes), castagnoli)

// checkSums compares all pages that are not in the write-ahead log with their checksums. It returns
// ErrDamaged if a page differs. It sets f.unchecked if there are no checksums. current is true if
// the checksums need not be written again.
func (f *File) checkSums(log *walPages) (current bool, err error) {
	has, err := sums(f.raw)
	if err != nil {
		return false, err
	}
	pages := uint32((len(has) - sumsHead - 4) / 4)
	if log.size > 0 {
		pages = log.size // the file has this size after SQLite has copied the log
	}
	want, why := readSums(f.path + sumsSuffix)
	if want == nil {
		for page := uint32(1); page <= pages; page++ {
			if !log.pages[page] {
				f.unchecked = why
			}
		}
		return false, nil
	}
	current = bytes.Equal(has, want)
	for page := uint32(1); page <= pages; page++ {
		is, there := pageSum(has, page)
		was, known := pageSum(want, page)
		switch {
		case log.pages[page] || there && known && is == was:
		case !known && log.size > 0 && (!there || is == zeroPage): // SQLite leaves out a page that was added and removed in one transaction
		default:
			return false, f.changed(page, want, has)
		}
	}
	if _, more := pageSum(want, pages+1); more && log.size == 0 {
		return false, f.changed(pages+1, want, has)
	}
	return current, nil
}

// readSums reads a file of checksums. After an error, sums is nil and why is the reason.
func readSums(path string) (sums []byte, why string) {
	b, err := bounded.ReadFile(path, bounded.MaxResult, "a file of checksums")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "its checksums are missing (file " + path + ")"
	case err != nil:
		return nil, fmt.Sprintf("its checksums cannot be read (file %s: %v)", path, err)
	case len(b) < sumsHead+4 || string(b[:len(sumsMagic)]) != sumsMagic ||
		crc32.Checksum(b[:len(b)-4], castagnoli) != binary.LittleEndian.Uint32(b[len(b)-4:]):
		return nil, "its checksums are damaged (file " + path + ")"
	}
	return b, ""
}

// changed returns the error for a page whose content differs from the content that limpet wrote.
func (f *File) changed(page uint32, want, has []byte) error {
	if bytes.Equal(has[:sumsHead], want[:sumsHead]) {
		return fmt.Errorf("%w (the checksum of page %d is wrong)", ErrDamaged, page)
	}
	at := time.Unix(0, int64(binary.LittleEndian.Uint64(has[sumsHead-8:]))).UTC()
	return fmt.Errorf("%w (the checksum of page %d is wrong; another program changed the file at %s). If you have put this file here yourself, remove its file of checksums, %s, and start limpet again",
		ErrDamaged, page, at.Format("2006-01-02 15:04:05 UTC"), f.path+sumsSuffix)
}

// writeSums writes the checksums of the file. After an error, such as a full disk, it removes the
// old checksums, which would be wrong. It returns no error, because the file can be used without
// checksums.
func (f *File) writeSums() {
	b, err := sums(f.raw)
	if err == nil {
		err = outfile.WritePrivate(context.Background(), f.path+sumsSuffix, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}
	if err != nil {
		_ = f.removeSums()
	}
}

// removeSums removes the checksums.
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
	if err != nil || info.Size() < max(f.checkpointAt, checkpointBytes) {
		return
	}
	f.checkpointAt = 0 // if the copy succeeds, the next transaction starts a new log
	if !f.copyLog(ctx, f.writer) {
		f.checkpointAt = info.Size() + checkpointBytes // a reader needs the log
	}
}

// rower is a connection or a pool of connections.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// copyLog copies the write-ahead log into the file, and writes the checksums. whole is true if the
// whole log was copied. SQLite keeps the log until the next transaction.
func (f *File) copyLog(ctx context.Context, db rower) (whole bool) {
	var busy, all, copied int64
	err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &all, &copied)
	f.writeSums()
	return err == nil && copied == all
}
