package table

import (
	"encoding/binary"

	"github.com/limpet-storage/limpet/record/blklat"
)

// AppendLatencies appends the latencies of a row to dst, for a log of rows. Numbers are unsigned
// varints. Components without requests are left out. A component with requests has this form:
//
//	number of components that were left out since the previous component
//	for each operation: bytes, histogram of Device, histogram of Queue
func (r *Row) AppendLatencies(dst []byte) []byte {
	last := -1
	for c, l := range r.Latency {
		if l == nil || l.isEmpty() {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(c-last-1))
		last = c
		for op := range l {
			dst = binary.AppendUvarint(dst, l[op].Bytes)
			dst = blklat.AppendHistogram(dst, l[op].Device)
			dst = blklat.AppendHistogram(dst, l[op].Queue)
		}
	}
	return dst
}

// TakeLatencies reads the output of AppendLatencies into a row of the same schema. It
// returns false if the bytes are damaged.
func (r *Row) TakeLatencies(b []byte) bool {
	for _, l := range r.Latency {
		if l != nil {
			l.Clear()
		}
	}
	for next := uint64(0); len(b) > 0; next++ {
		gap, size := binary.Uvarint(b)
		if size <= 0 || gap >= uint64(len(r.Latency)) {
			return false
		}
		if next += gap; next >= uint64(len(r.Latency)) {
			return false
		}
		var ok bool
		if b, ok = r.LatencyOf(int(next)).take(b[size:]); !ok {
			return false
		}
	}
	return true
}

func (l *Latency) take(b []byte) (rest []byte, ok bool) {
	for op := range l {
		bytes, size := binary.Uvarint(b)
		if size <= 0 {
			return nil, false
		}
		x := &l[op]
		x.Bytes = bytes
		if x.Device, b, ok = blklat.TakeHistogram(b[size:], x.Device); !ok {
			return nil, false
		}
		if x.Queue, b, ok = blklat.TakeHistogram(b, x.Queue); !ok {
			return nil, false
		}
	}
	return b, true
}

func (l *Latency) isEmpty() bool {
	for op := range l {
		if l[op].Bytes > 0 || len(l[op].Device) > 0 || len(l[op].Queue) > 0 {
			return false
		}
	}
	return true
}

// MaxLatencyBytes is the greatest number of bytes of one component in the output of
// AppendLatencies.
const MaxLatencyBytes = binary.MaxVarintLen64 + LatencyOps*(binary.MaxVarintLen64+2*(binary.MaxVarintLen16+blklat.Buckets*(binary.MaxVarintLen16+binary.MaxVarintLen32)))
