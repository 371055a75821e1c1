package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/limpet-storage/limpet/table"
)

// A record is stored as, all numbers little-endian,
//
//	4 bytes  kind: a row or a note
//	4 bytes  length of the content
//	8 bytes  number of the record, from the journal's first on
//	4 bytes  CRC-32C of the content
//	4 bytes  CRC-32C of all before
//	…        content
//
// The head has a checksum of its own, so that a record that is cut short is told
// from one whose length is damaged.
//
// The content of a row is
//
//	8 bytes  End
//	8 bytes  1 where Heard is known, 0 where it is nil
//	…        Heard, a byte for each server
//	…        Values, 8 bytes each, metric by metric
const rowHeadBytes = 16

// RecordHeadBytes is how long the head of a record is.
const RecordHeadBytes = 24

// MaxNoteBytes bounds a note, so that a damaged length cannot take all memory.
const MaxNoteBytes = 1 << 20

// Kind tells records apart.
type Kind uint32

// The kinds of record.
const (
	Row  Kind = 1
	Note Kind = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Seal fills in the head of a record whose content stands behind it.
func Seal(record []byte, k Kind, number uint64) {
	le := binary.LittleEndian
	le.PutUint32(record, uint32(k))
	le.PutUint32(record[4:], uint32(len(record)-RecordHeadBytes))
	le.PutUint64(record[8:], number)
	le.PutUint32(record[16:], crc32.Checksum(record[RecordHeadBytes:], castagnoli))
	le.PutUint32(record[20:], crc32.Checksum(record[:20], castagnoli))
}

// head is the beginning of a record.
type head struct {
	kind   Kind
	length int // of the content
	number uint64
}

// parseHead reads a head; ok says that it is as it was written, and that a record
// of the form may have it.
func parseHead(b []byte, f *Form) (h head, ok bool) {
	le := binary.LittleEndian
	h = head{Kind(le.Uint32(b)), int(le.Uint32(b[4:])), le.Uint64(b[8:])}
	switch h.kind {
	case Row:
		ok = h.length == f.RowBytes()
	case Note:
		ok = h.length <= MaxNoteBytes
	}
	return h, ok && le.Uint32(b[20:]) == crc32.Checksum(b[:20], castagnoli)
}

// intact says whether the content of a record is as it was written.
func intact(record []byte) bool {
	return binary.LittleEndian.Uint32(record[16:]) == crc32.Checksum(record[RecordHeadBytes:], castagnoli)
}

// RowBytes is the length of the content of a row.
func (f *Form) RowBytes() int {
	return rowHeadBytes + f.Servers + 8*len(f.Metrics)*f.Components
}

// Fits says why a row cannot be logged.
func (f *Form) Fits(r *table.Row) error {
	if len(r.Values) != len(f.Metrics) {
		return fmt.Errorf("the row has %d metrics and the log %d: make a snapshot when the system changes", len(r.Values), len(f.Metrics))
	}
	for _, values := range r.Values {
		if len(values) != f.Components {
			return fmt.Errorf("the row has %d components and the log %d: make a snapshot when the system changes", len(values), f.Components)
		}
	}
	if r.Heard != nil && len(r.Heard) != f.Servers {
		return fmt.Errorf("the row has %d servers and the log %d: make a snapshot when the system changes", len(r.Heard), f.Servers)
	}
	return nil
}

// PutRow writes the content of a row.
func (f *Form) PutRow(b []byte, r *table.Row) {
	le := binary.LittleEndian
	le.PutUint64(b, uint64(r.End))
	le.PutUint64(b[8:], 0)
	heard := b[rowHeadBytes:][:f.Servers]
	clear(heard)
	if r.Heard != nil {
		b[8] = 1
		for s, yes := range r.Heard {
			if yes {
				heard[s] = 1
			}
		}
	}
	b = b[rowHeadBytes+f.Servers:]
	for _, values := range r.Values {
		for _, v := range values {
			le.PutUint64(b, math.Float64bits(v))
			b = b[8:]
		}
	}
}

// GetRow reads the content of a row into one of the same form.
func (f *Form) GetRow(b []byte, r *table.Row, heard []bool) {
	le := binary.LittleEndian
	r.End, r.Heard = int64(le.Uint64(b)), nil
	if b[8] == 1 {
		r.Heard = heard
		for s := range heard {
			heard[s] = b[rowHeadBytes+s] == 1
		}
	}
	b = b[rowHeadBytes+f.Servers:]
	for _, values := range r.Values {
		for c := range values {
			values[c] = math.Float64frombits(le.Uint64(b))
			b = b[8:]
		}
	}
}
