package cluster

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// Kind is what a machine says something about. Each user of the package has its own.
type Kind byte

// Claim is the kind of the record that a new runner begins with.
const Claim Kind = 0

// Said is a record of the log of what machines say.
type Said struct {
	Machine string
	Number  uint64 // from 1 on; a claim has that of the last record before it
	Fence   uint64 // of the lease under which it was said
	Kind    Kind
	Cause   time.Time // when the record came that it was said upon
	Data    []byte

	Seq  uint64    // in the log
	Time time.Time // at which it was said
}

const saidVersion = 1

// bytes is a record as it stands in the log.
func (s *Said) bytes() []byte {
	b := []byte{saidVersion, byte(s.Kind)}
	b = binary.AppendUvarint(b, s.Number)
	b = binary.AppendUvarint(b, s.Fence)
	b = binary.AppendVarint(b, s.Cause.UnixNano())
	return append(b, s.Data...)
}

var errNotSaid = errors.New("a record in the log of what was said is not understood: run the same version on all nodes")

// Parse reads a record of the log.
func Parse(r bus.Record) (Said, error) {
	s := Said{Machine: r.Subject, Seq: r.Seq, Time: r.Time}
	b := r.Data
	if len(b) < 2 || b[0] != saidVersion {
		return s, errNotSaid
	}
	s.Kind, b = Kind(b[1]), b[2:]
	for _, to := range []*uint64{&s.Number, &s.Fence} {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return s, errNotSaid
		}
		*to, b = v, b[n:]
	}
	nanos, n := binary.Varint(b)
	if n <= 0 {
		return s, errNotSaid
	}
	s.Cause, s.Data = time.Unix(0, nanos), b[n:]
	return s, nil
}
