package plan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/journal"
	"github.com/limpet-storage/limpet/topology"
)

// A message is one step of one server:
//
//	1 byte   version
//	4 bytes  generation of the system, little-endian
//	4 bytes  index of the server in its partition, little-endian
//	…        a row with the components of this server only, in the encoding of package journal
//
// From headVersion on, the messages of all versions begin with the same fields, up to the end time
// of the row. So the end time can be read even from a message of an older version. The values in a
// message before oldestVersion cannot be read. When formVersion is raised, oldestVersion becomes
// the previous formVersion, because nodes of both versions send messages while a cluster is
// upgraded.
//
// Version 4 has traffic by client (table.ClientTraffic). A message without traffic by client has
// version 3, so that a node with the previous version of limpet can read it. Cut.WithoutClients is
// set while such nodes run.
const (
	formVersion   = 4
	plainVersion  = 3 // version of a message without traffic by client
	oldestVersion = 3
	headVersion   = 2
	// firstNotVersion is larger than the version of any message, even of a later limpet. If another
	// program writes text to NATS, the first byte of the text is at least as large. So limpet does
	// not mistake the text for a message of a later version.
	firstNotVersion = ' '
	placeAt         = 5
	headBytes       = 9
	minRowBytes     = 17 // size of the smallest row: end time (8 bytes), flags (8 bytes), table.Row.Heard of one server (1 byte)
)

// FormVersion is the latest version of messages that this version of limpet reads.
const FormVersion = formVersion

// server describes the messages with the steps of one server, and has buffers for one step.
type server struct {
	components []int // indexes of the server's components in the system; -1 if the component was removed
	form       journal.Form
	row        *table.Row
	heard      []bool
}

// newServers returns one description for each server of a system (type server): which values the
// messages of this server contain. It leaves out components without a server, because their values
// are not sent to other nodes.
func newServers(s *topology.System, schema table.Schema) []server {
	list := make([]server, len(s.Servers))
	for c, at := range s.ServerOf() {
		if at >= 0 {
			list[at].components = append(list[at].components, c)
		}
	}
	for i := range list {
		small := schema
		small.Components, small.Servers = len(list[i].components), 1
		list[i].form, list[i].row, list[i].heard = journal.FormOf(small), table.NewRow(small), make([]bool, 1)
		list[i].row.Heard = list[i].heard
	}
	return list
}

// Cut cuts rows into messages, one message for each server.
type Cut struct {
	WithoutClients bool // true: leave out traffic by client, because some nodes of the cluster cannot read it

	generation int
	servers    []server
}

// NewCut returns a Cut for rows about the system s of the given generation.
func NewCut(generation int, s *topology.System, schema table.Schema) *Cut {
	return &Cut{generation: generation, servers: newServers(s, schema)}
}

// Step returns one step of a server as a message. The parameter `at` is the server's index in the
// system, and `place` is the server's index in its partition.
func (c *Cut) Step(row *table.Row, at, place int) []byte {
	one := &c.servers[at]
	out := one.row
	out.End, out.Heard = row.End, one.heard
	for m, values := range row.Values {
		for i, component := range one.components {
			out.Values[m][i] = values[component]
		}
	}
	if out.Latency != nil {
		for i, component := range one.components {
			out.Latency[i] = row.Latency[component]
		}
	}
	clear(out.Upkeep)
	if row.Upkeep != nil {
		for i, component := range one.components {
			out.Upkeep[i] = row.Upkeep[component]
		}
	}
	clear(out.Gauges)
	if row.Gauges != nil && out.Gauges != nil {
		out.Gauges[0] = row.Gauges[at].ForSystem(func(c int) int { return slices.Index(one.components, c) })
	}
	if c.WithoutClients && out.HasClients() {
		out.Gauges[0].Clients = nil
	}
	one.heard[0] = row.Heard == nil || row.Heard[at]
	version := byte(plainVersion)
	if out.HasClients() {
		version = formVersion
	}
	b := append(make([]byte, 0, 64), version)
	b = binary.LittleEndian.AppendUint32(b, uint32(c.generation))
	b = binary.LittleEndian.AppendUint32(b, uint32(place))
	return one.form.AppendRow(b, out)
}

// head is the beginning of a message.
type head struct {
	version    byte
	generation int
	server     int // index of the server
	end        int64
}

// ErrOlder means that a step was written by an older version of limpet, so its values cannot be
// read.
var ErrOlder = errors.New("data that an older version of limpet sent are left out")

// ErrNewer means that a step was written by a later version of limpet. A node of this version must
// leave the partition to nodes of that version, so that no step is lost in a rolling upgrade.
var ErrNewer = errors.New("a newer version of limpet sent the data")

func parseWire(b []byte) (h head, err error) {
	if len(b) < headBytes+minRowBytes {
		return h, fmt.Errorf("data of a time step from NATS have only %d bytes and are incomplete: check which other program writes to NATS", len(b))
	}
	if b[0] > formVersion && b[0] < firstNotVersion {
		return h, fmt.Errorf("%w (the data have format %d, this version reads format %d)", ErrNewer, b[0], formVersion)
	}
	if b[0] < headVersion || b[0] > formVersion {
		return h, fmt.Errorf("data from NATS have format %d, but this version of limpet reads format %d: run the same version of limpet on all nodes", b[0], formVersion)
	}
	h.version = b[0]
	h.generation, h.server = int(binary.LittleEndian.Uint32(b[1:])), int(binary.LittleEndian.Uint32(b[placeAt:]))
	h.end = int64(binary.LittleEndian.Uint64(b[headBytes:]))
	if h.end <= 0 {
		return h, fmt.Errorf("data from NATS have the time %d (Unix seconds), which is not possible: check which other program writes to NATS", h.end)
	}
	return h, nil
}

// parseStep parses the head of a message. It returns [ErrOlder] if the values cannot be read,
// because an older version of limpet wrote the message.
func parseStep(b []byte) (head, error) {
	h, err := parseWire(b)
	if err == nil && h.version < oldestVersion {
		err = fmt.Errorf("%w (the data have format %d, this version reads format %d): run the same version of limpet on all nodes", ErrOlder, h.version, formVersion)
	}
	return h, err
}

func (h head) checkServer(servers int) error {
	if h.server >= servers {
		return fmt.Errorf("data from NATS belong to server number %d, but the topology has %d servers: give all nodes the same topology file", h.server, servers)
	}
	return nil
}

// End returns the end time of the step in a message.
func End(message []byte) (int64, error) {
	h, err := parseWire(message)
	return h.end, err
}

// Generation returns the generation of the system to which a message belongs.
func Generation(message []byte) (int, error) {
	h, err := parseWire(message)
	return h.generation, err
}

// Moved returns a copy of a message in which the index of the server is replaced. For server s,
// to[s] is the new index of the server.
func Moved(message []byte, to []int) ([]byte, error) {
	h, err := parseStep(message)
	if err == nil {
		err = h.checkServer(len(to))
	}
	if err != nil {
		return nil, err
	}
	out := append([]byte(nil), message...)
	binary.LittleEndian.PutUint32(out[placeAt:], uint32(to[h.server]))
	return out, nil
}
