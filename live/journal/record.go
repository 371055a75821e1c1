package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// A record is stored as follows. All numbers are little-endian:
//
//	4 bytes  kind: a row or a note
//	4 bytes  length of the content
//	8 bytes  number of the record, counted from the first record of the journal
//	4 bytes  CRC-32C of the content
//	4 bytes  CRC-32C of the 20 bytes before
//	…        content
//
// The head has a separate checksum. So an incomplete record can be distinguished from a record with
// a damaged length.
//
// The content of a row is
//
//	8 bytes  Unix time at which the row ends (the field End)
//	8 bytes  bit 0: the row has the field Heard; bit 1: the row has gauges; bit 2: it has traffic by client
//	…        Heard, one byte for each server
//	…        Values, metric by metric, in blocks of 64 components (values.go)
//	…        Upkeep, in the form of table.Row.AppendUpkeep
//	…        Gauges, if bit 1 is set, in the form of table.Row.AppendGauges
//	…        traffic by client, if bit 2 is set, in the form of table.Row.AppendClients
//	…        latencies, if Form.Latencies is true, in the form of table.Row.AppendLatencies
const rowHeadBytes = 16

// The bits of the second field of a row.
const (
	hasHeard   = 1
	hasGauges  = 2
	hasClients = 4
)

// recordHeadBytes is the size of the head of a record, in bytes.
const recordHeadBytes = 24

// MaxNoteBytes is the largest size of a note, in bytes. A note is a record whose content the caller
// defines, such as an operator's command. With this limit, a damaged length cannot exhaust the
// memory.
const MaxNoteBytes = 1 << 20

// Kind is the kind of a record.
type Kind uint32

// The kinds of records.
const (
	Row  Kind = 1
	Note Kind = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal writes the head of a record. The caller has already written the content into the slice,
// after recordHeadBytes bytes of free space for the head.
func seal(record []byte, k Kind, number uint64) {
	le := binary.LittleEndian
	le.PutUint32(record, uint32(k))
	le.PutUint32(record[4:], uint32(len(record)-recordHeadBytes))
	le.PutUint64(record[8:], number)
	le.PutUint32(record[16:], crc32.Checksum(record[recordHeadBytes:], castagnoli))
	le.PutUint32(record[20:], crc32.Checksum(record[:20], castagnoli))
}

type head struct {
	kind   Kind
	length int // length of the content, in bytes
	number uint64
}

// parseHead parses the head of a record. The result `ok` is true if the head is undamaged and a
// record of the form f can have this length.
func parseHead(b []byte, f *Form) (h head, ok bool) {
	le := binary.LittleEndian
	h = head{Kind(le.Uint32(b)), int(le.Uint32(b[4:])), le.Uint64(b[8:])}
	switch h.kind {
	case Row:
		ok = h.length >= rowHeadBytes+f.Servers && h.length <= f.MaxRowBytes()+table.MaxUpkeepBytes(f.Components)+table.MaxGaugeBytes(f.Servers, f.Components)+table.MaxClientBytes(f.Servers)+f.maxLatencyBytes()
	case Note:
		ok = h.length <= MaxNoteBytes
	}
	return h, ok && le.Uint32(b[20:]) == crc32.Checksum(b[:20], castagnoli)
}

// intact reports whether the content of a record is undamaged.
func intact(record []byte) bool {
	return binary.LittleEndian.Uint32(record[16:]) == crc32.Checksum(record[recordHeadBytes:], castagnoli)
}

// MaxRowBytes returns the largest size of the first part of a row's content, in bytes. This part ends
// with the values.
func (f *Form) MaxRowBytes() int {
	return rowHeadBytes + f.Servers + len(f.Metrics)*maxValuesBytes(f.Components)
}

// maxLatencyBytes returns the largest size of a row's latencies, in bytes.
func (f *Form) maxLatencyBytes() int {
	if !f.Latencies {
		return 0
	}
	return min(f.Components*table.MaxLatencyBytes, maxRowBytes)
}

// Fits returns an error with the reason why a row cannot be logged. It returns nil if the row can
// be logged.
func (f *Form) Fits(r *table.Row) error {
	if len(r.Values) != len(f.Metrics) {
		return fmt.Errorf("internal error: a time step has %d metrics, but the log has %d metrics; make a snapshot when the topology changes", len(r.Values), len(f.Metrics))
	}
	for _, values := range r.Values {
		if len(values) != f.Components {
			return fmt.Errorf("internal error: a time step has %d components, but the log has %d components; make a snapshot when the topology changes", len(values), f.Components)
		}
	}
	if r.Upkeep != nil && len(r.Upkeep) != f.Components {
		return fmt.Errorf("internal error: a time step has the rebuild state of %d components, but the log has %d components; make a snapshot when the topology changes", len(r.Upkeep), f.Components)
	}
	if r.Heard != nil && len(r.Heard) != f.Servers {
		return fmt.Errorf("internal error: a time step has %d servers, but the log has %d servers; make a snapshot when the topology changes", len(r.Heard), f.Servers)
	}
	if (r.Latency != nil) != f.Latencies || f.Latencies && len(r.Latency) != f.Components {
		return errors.New("internal error: either the time step or the log has no latencies of requests; make a snapshot when the topology changes")
	}
	return nil
}

// AppendRow appends the content of a row to b.
func (f *Form) AppendRow(b []byte, r *table.Row) []byte {
	from := len(b)
	most := f.MaxRowBytes()
	b = slices.Grow(b, most)
	n := f.putRow(b[from:from+most], r)
	b = b[:from+n]
	b = r.AppendUpkeep(b)
	if r.HasGauges() {
		b[from+8] |= hasGauges
		b = r.AppendGauges(b)
	}
	if r.HasClients() {
		b[from+8] |= hasClients
		b = r.AppendClients(b)
	}
	if f.Latencies {
		b = r.AppendLatencies(b)
	}
	return b
}

// putRow writes the first part of a row's content into b. This part ends with the values. putRow
// returns the size of the part in bytes. The length of b is [Form.MaxRowBytes].
func (f *Form) putRow(b []byte, r *table.Row) int {
	le := binary.LittleEndian
	le.PutUint64(b, uint64(r.End))
	le.PutUint64(b[8:], 0)
	heard := b[rowHeadBytes:][:f.Servers]
	clear(heard)
	if r.Heard != nil {
		b[8] = hasHeard
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

// GetRow decodes b into the row r, which must have this form. If b has the field Heard, GetRow
// stores it in the slice `heard` and sets r.Heard to this slice. GetRow returns false if b is not
// the content of a row.
func (f *Form) GetRow(b []byte, r *table.Row, heard []bool) bool {
	le := binary.LittleEndian
	r.End, r.Heard = int64(le.Uint64(b)), nil
	flags := b[8]
	if flags&hasHeard != 0 {
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
	clear(r.Gauges)
	if r.Gauges == nil && flags&(hasGauges|hasClients) != 0 {
		r.Gauges = make([]table.ServerGauges, f.Servers)
	}
	if ok && flags&hasGauges != 0 {
		b, ok = r.TakeGauges(b, f.Components)
	}
	if ok && flags&hasClients != 0 {
		b, ok = r.TakeClients(b)
	}
	if ok && f.Latencies {
		return r.TakeLatencies(b)
	}
	return ok && len(b) == 0
}
