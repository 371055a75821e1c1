package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
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
//	…        Values, metric by metric, in blocks of 64 components (see block.go)
//	…        how long requests took, where the form has it, as table.Row writes it
const rowHeadBytes = 16

// recordHeadBytes is how long the head of a record is.
const recordHeadBytes = 24

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

// seal fills in the head of a record whose content stands behind it.
func seal(record []byte, k Kind, number uint64) {
	le := binary.LittleEndian
	le.PutUint32(record, uint32(k))
	le.PutUint32(record[4:], uint32(len(record)-recordHeadBytes))
	le.PutUint64(record[8:], number)
	le.PutUint32(record[16:], crc32.Checksum(record[recordHeadBytes:], castagnoli))
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
		ok = h.length >= rowHeadBytes+f.Servers && h.length <= f.MaxRowBytes()+table.MaxUpkeepBytes(f.Components)+f.maxLatencyBytes()
	case Note:
		ok = h.length <= MaxNoteBytes
	}
	return h, ok && le.Uint32(b[20:]) == crc32.Checksum(b[:20], castagnoli)
}

// intact says whether the content of a record is as it was written.
func intact(record []byte) bool {
	return binary.LittleEndian.Uint32(record[16:]) == crc32.Checksum(record[recordHeadBytes:], castagnoli)
}

// MaxRowBytes bounds the content of a row, without what follows its values.
func (f *Form) MaxRowBytes() int {
	return rowHeadBytes + f.Servers + len(f.Metrics)*maxValuesBytes(f.Components)
}

// maxLatencyBytes bounds what follows the values of a row.
func (f *Form) maxLatencyBytes() int {
	if !f.Latencies {
		return 0
	}
	return min(f.Components*table.MaxLatencyBytes, maxRowBytes)
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
	if r.Upkeep != nil && len(r.Upkeep) != f.Components {
		return fmt.Errorf("the row has the upkeep of %d components and the log has %d: make a snapshot when the system changes", len(r.Upkeep), f.Components)
	}
	if r.Heard != nil && len(r.Heard) != f.Servers {
		return fmt.Errorf("the row has %d servers and the log %d: make a snapshot when the system changes", len(r.Heard), f.Servers)
	}
	if (r.Latency != nil) != f.Latencies || f.Latencies && len(r.Latency) != f.Components {
		return errors.New("the row and the log differ in whether requests have latencies: make a snapshot when the system changes")
	}
	return nil
}

// AppendRow appends the content of a row.
func (f *Form) AppendRow(b []byte, r *table.Row) []byte {
	from := len(b)
	most := f.MaxRowBytes()
	b = slices.Grow(b, most)
	n := f.putRow(b[from:from+most], r)
	b = b[:from+n]
	b = r.AppendUpkeep(b)
	if f.Latencies {
		b = r.AppendLatencies(b)
	}
	return b
}

// putRow writes the content of a row into room for [Form.MaxRowBytes], and returns how
// long it is.
func (f *Form) putRow(b []byte, r *table.Row) int {
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
	at := rowHeadBytes + f.Servers
	for _, values := range r.Values {
		at += putValues(b[at:], values)
	}
	return at
}

// GetRow reads the content of a row into one of the same form. It returns false
// where it is none.
func (f *Form) GetRow(b []byte, r *table.Row, heard []bool) bool {
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
		var ok bool
		if b, ok = getValues(b, values); !ok {
			return false
		}
	}
	b, ok := r.TakeUpkeep(b)
	if ok && f.Latencies {
		return r.TakeLatencies(b)
	}
	return ok && len(b) == 0
}
