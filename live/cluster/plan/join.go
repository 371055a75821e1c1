// An ingest node sends a step of a server as one message, as soon as it has read the step. A log
// stores the messages. The process that diagnoses a partition reads the log, and joins the steps of
// the partition's servers into rows. The rows depend only on the order of the messages in the log,
// and on the times at which the log stored the messages. The rows do not depend on the clock of
// this process. So every process that reads the log makes the same rows, even after a crash.
//
//	rows ── Cut ── messages ── a log ── Join ── rows

package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Join joins messages into rows.
//
// A row is complete when every server for which the Join waits has sent the step of this row or a
// later step. The Join does not wait for a server that has sent nothing for the time Join.maxWait. To
// find such a server, the Join does not read a clock, but compares the times at which the log
// stored messages. These times are the same for every reader.
type Join struct {
	generation int
	system     *topology.System
	servers    []server
	older      map[int]*earlierForm // by generation: form of the steps that were sent before the system changed
	schema     table.Schema
	maxWait    time.Duration // longest time for which the Join waits for a server that sends no steps
	maxRows    int           // largest number of incomplete rows

	lastEnd int64   // end of the last row that was passed on, as Unix time
	last    []int64 // by server: end of the server's newest step
	// lastMessage has, by server, the time at which the log stored the last message of the server,
	// in Unix nanoseconds. If the server has sent no message yet, it is the time of the first
	// message of any server.
	lastMessage []int64
	open        []*incompleteRow // incomplete rows, in order of time
	spare       []*incompleteRow
	Late        int64 // number of steps that came twice, or came after their row was passed on
}

// mostOpenBytes limits the memory of incomplete rows, in bytes. The limit can be reached if the
// steps of some servers arrive much earlier than the steps of others. The Join then passes on the
// oldest row without the missing steps.
const mostOpenBytes = 256 << 20

// A step may end at most maxAhead after the time at which the log stored the step. Suppose that a
// step ends far in the future, and its row is passed on. Then all steps of all servers would count
// as late until that time. Ingest nodes leave out a server whose clock is more than an hour ahead.
const maxAhead = 24 * time.Hour

// incompleteRow is a row that lacks the steps of some servers.
type incompleteRow struct {
	row     *table.Row
	hasStep []bool // by server: true if the row has the step of the server
}

// NewJoin returns a Join for the system s of the given generation. If a server sends no steps, the Join
// waits for the server, but no longer than maxWait.
func NewJoin(generation int, s *topology.System, schema table.Schema, maxWait time.Duration) *Join {
	j := &Join{maxWait: maxWait}
	j.set(generation, s, schema)
	j.last, j.lastMessage = make([]int64, len(s.Servers)), make([]int64, len(s.Servers))
	return j
}

func (j *Join) set(generation int, s *topology.System, schema table.Schema) {
	rowBytes := 8*len(schema.Metrics)*schema.Components + len(s.Servers)
	j.generation, j.system, j.schema, j.servers, j.older = generation, s, schema, newServers(s, schema), map[int]*earlierForm{}
	j.maxRows = 2 + mostOpenBytes/max(rowBytes, 1)
}

// Take processes a message. The parameter `taken` is the time at which the log stored the message.
// Take calls the function `give` with each row that the message completes. A row is valid only
// until `give` returns.
func (j *Join) Take(message []byte, taken time.Time, give func(*table.Row)) error {
	h, err := parseStep(message)
	if err != nil {
		return err
	}
	from, at, err := j.sender(h)
	if err != nil || at < 0 {
		return err
	}
	if limit := taken.Add(maxAhead); h.end > limit.Unix() {
		return fmt.Errorf("data of server number %d have the time %s, which is after the time when NATS received these data: correct the clock of the node that sent the data, or check which other program writes to NATS", at, time.Unix(h.end, 0).UTC())
	}
	now := taken.UnixNano()
	for s := range j.lastMessage {
		if j.lastMessage[s] == 0 {
			j.lastMessage[s] = now
		}
	}
	j.lastMessage[at] = now
	if h.end <= j.lastEnd || h.end <= j.last[at] {
		j.Late++
		j.last[at] = max(j.last[at], h.end)
		return nil
	}
	if err := j.put(from, at, h.end, message[headBytes:]); err != nil {
		return err
	}
	j.last[at] = h.end
	for len(j.open) > 0 && (j.isComplete(j.open[0].row.End, now) || len(j.open) > j.maxRows) {
		j.passOldest(give)
	}
	return nil
}

// sender returns the description of the server that a message is about, and the index of the
// server. The index is -1 if the system does not have the server any more.
func (j *Join) sender(h head) (*server, int, error) {
	if h.generation == j.generation {
		if err := h.checkServer(len(j.servers)); err != nil {
			return nil, 0, err
		}
		return &j.servers[h.server], h.server, nil
	}
	o := j.older[h.generation]
	if o == nil {
		return nil, 0, fmt.Errorf("data from NATS belong to topology number %d of the cluster, but this node has topology number %d: run the same version of limpet on all nodes", h.generation, j.generation)
	}
	if err := h.checkServer(len(o.servers)); err != nil {
		return nil, 0, err
	}
	return &o.servers[h.server], o.newIndexes[h.server], nil
}

// put copies a step into the row with the same end time.
func (j *Join) put(s *server, at int, end int64, b []byte) error {
	s.row.Heard = s.heard
	if len(b) < minRowBytes || !s.form.GetRow(b, s.row, s.heard) {
		return fmt.Errorf("the components in the data of server number %d differ from the components of this server in the topology: give all nodes the same topology file", at)
	}
	o := j.openRow(end)
	for m, values := range s.row.Values {
		for i, component := range s.components {
			if component >= 0 {
				o.row.Values[m][component] = values[i]
			}
		}
	}
	for i, component := range s.components {
		if component < 0 {
			continue
		}
		o.row.Upkeep[component] = s.row.Upkeep[i]
		if o.row.Latency != nil && s.row.Latency[i] != nil {
			o.row.LatencyOf(component).Add(s.row.Latency[i])
		}
	}
	if o.row.Gauges != nil && s.row.Gauges != nil {
		o.row.Gauges[at] = s.row.Gauges[0].ForSystem(func(c int) int { return s.components[c] })
	}
	o.hasStep[at] = true
	if o.row.Heard != nil {
		o.row.Heard[at] = s.heard[0]
	}
	return nil
}

// openRow returns the incomplete row with the given end time. If there is no such row, it adds one.
func (j *Join) openRow(end int64) *incompleteRow {
	i, found := slices.BinarySearchFunc(j.open, end, func(o *incompleteRow, end int64) int { return int(o.row.End - end) })
	if found {
		return j.open[i]
	}
	var o *incompleteRow
	if n := len(j.spare); n > 0 {
		o, j.spare = j.spare[n-1], j.spare[:n-1]
		o.row.Clear()
		clear(o.hasStep)
	} else {
		o = &incompleteRow{table.NewRow(j.schema), make([]bool, len(j.servers))}
	}
	o.row.End = end
	j.open = slices.Insert(j.open, i, o)
	return o
}

// isComplete reports whether the row with the given end time can be passed on. The parameter `now`
// is the time at which the log stored the present message, in Unix nanoseconds.
func (j *Join) isComplete(end, now int64) bool {
	for s, last := range j.last {
		if last < end && time.Duration(now-j.lastMessage[s]) < j.maxWait {
			return false
		}
	}
	return true
}

// passOldest removes the oldest row from the incomplete rows and passes the row to the function
// `give`.
func (j *Join) passOldest(give func(*table.Row)) {
	o := j.open[0]
	j.open = slices.Delete(j.open, 0, 1)
	j.lastEnd = o.row.End
	give(o.row)
	j.spare = append(j.spare, o)
}

// End returns the end of the last row that was passed on.
func (j *Join) End() int64 { return j.lastEnd }
