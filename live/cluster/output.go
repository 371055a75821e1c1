package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// Kind is the kind of an output.
type Kind byte

// ClaimKind is the kind of a claim. A claim is the first record that a new replica writes. A
// replica is a process that runs a task. After the claim, the log refuses all records of the old
// replica, because the old replica has not seen the claim.
const ClaimKind Kind = 0

// Output is one record of the output log. Task is the name of the task that wrote the record. The
// records of the log of alerts have the same form, with their subject as Task.
type Output struct {
	Task   string
	Number uint64 // number of the output; the first output of a task has the number 1; a claim has the number of the output before it
	Fence  uint64 // fence of the writer's lease (bus.Lease)
	Kind   Kind
	Cause  time.Time // time of the input record that caused this output
	Data   []byte

	Seq  uint64    // number of this record in the output log
	Time time.Time // time at which the log stored this record
}

const outputVersion = 1

// encode returns an output as the bytes of a log record.
func (s *Output) encode() []byte {
	b := []byte{outputVersion, byte(s.Kind)}
	b = binary.AppendUvarint(b, s.Number)
	b = binary.AppendUvarint(b, s.Fence)
	b = binary.AppendVarint(b, s.Cause.UnixNano())
	return append(b, s.Data...)
}

var errNotOutput = errors.New("an event record in NATS cannot be read: check which other program writes to NATS")

// errNewerOutput means that a newer version of limpet wrote a record. Records of later versions
// begin with a byte up to maxOutputVersion. Text of other programs begins with a larger byte.
var errNewerOutput = errors.New("a newer version of limpet wrote an event record in NATS")

const maxOutputVersion = ' ' - 1

// ParseOutput parses a record of the output log.
func ParseOutput(r bus.Record) (Output, error) {
	s := Output{Task: r.Subject, Seq: r.Seq, Time: r.Time}
	b := r.Data
	if len(b) > 0 && b[0] > outputVersion && b[0] <= maxOutputVersion {
		return s, fmt.Errorf("%w (format %d; this version reads format %d)", errNewerOutput, b[0], outputVersion)
	}
	if len(b) < 2 || b[0] != outputVersion {
		return s, errNotOutput
	}
	s.Kind, b = Kind(b[1]), b[2:]
	for _, to := range []*uint64{&s.Number, &s.Fence} {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return s, errNotOutput
		}
		*to, b = v, b[n:]
	}
	nanos, n := binary.Varint(b)
	if n <= 0 {
		return s, errNotOutput
	}
	s.Cause, s.Data = time.Unix(0, nanos), b[n:]
	return s, nil
}
