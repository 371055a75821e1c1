package wire

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Join makes rows of messages.
//
// A row is given out when every server that is waited for has sent its step or a later
// one, or when some server is so many seconds ahead of it. A server that a row was given
// out without is not waited for until it catches up.
type Join struct {
	servers     []server
	schema      table.Schema
	lateSeconds int64

	given  int64   // end of the last row that was given out
	newest int64   // end of the newest step
	last   []int64 // by server: end of its newest step
	absent []bool  // by server: it is not waited for
	open   []*open // in order of time
	spare  []*open
	Late   int64 // steps that came after their row, or twice
}

// open is a row in the making.
type open struct {
	row *table.Row
	has []bool // by server
}

// NewJoin returns one for a system. A step is waited for until another is so many
// seconds ahead.
func NewJoin(s *topology.System, schema table.Schema, lateSeconds int64) *Join {
	return &Join{servers: forms(s, schema), schema: schema, lateSeconds: lateSeconds, last: make([]int64, len(s.Servers)), absent: make([]bool, len(s.Servers))}
}

// Take takes a message, and hands the rows that it completes on. A row is valid until
// give returns.
func (j *Join) Take(message []byte, give func(*table.Row)) error {
	at, end, err := parse(message, len(j.servers))
	if err != nil {
		return err
	}
	if end <= j.given || end <= j.last[at] {
		j.Late++
		if end > j.last[at] {
			j.last[at] = end
		}
		return nil
	}
	if err := j.put(at, end, message[headBytes:]); err != nil {
		return err
	}
	j.last[at], j.newest = end, max(j.newest, end)
	j.absent[at] = false
	for len(j.open) > 0 && j.isComplete(j.open[0].row.End) {
		j.give(give)
	}
	return nil
}

// put reads a step into its row.
func (j *Join) put(at int, end int64, b []byte) error {
	s := &j.servers[at]
	s.row.Heard = s.heard
	if len(b) < rowBytes || !s.form.GetRow(b, s.row, s.heard) {
		return fmt.Errorf("a step of server %d is none of its components: give all nodes the same topology", at)
	}
	o := j.at(end)
	for m, values := range s.row.Values {
		for i, component := range s.components {
			o.row.Values[m][component] = values[i]
		}
	}
	for i, component := range s.components {
		if o.row.Latency != nil && s.row.Latency[i] != nil {
			o.row.LatencyOf(component).Add(s.row.Latency[i])
		}
	}
	o.has[at] = true
	if o.row.Heard != nil {
		o.row.Heard[at] = s.heard[0]
	}
	return nil
}

// at is the row in the making of a time.
func (j *Join) at(end int64) *open {
	i, found := slices.BinarySearchFunc(j.open, end, func(o *open, end int64) int { return int(o.row.End - end) })
	if found {
		return j.open[i]
	}
	var o *open
	if n := len(j.spare); n > 0 {
		o, j.spare = j.spare[n-1], j.spare[:n-1]
		o.row.Clear()
		clear(o.has)
	} else {
		o = &open{table.NewRow(j.schema), make([]bool, len(j.servers))}
	}
	o.row.End = end
	j.open = slices.Insert(j.open, i, o)
	return o
}

// isComplete says whether a row is given out.
func (j *Join) isComplete(end int64) bool {
	if j.newest-end >= j.lateSeconds {
		return true
	}
	for s, last := range j.last {
		if last < end && !j.absent[s] {
			return false
		}
	}
	return true
}

// give gives the first row out.
func (j *Join) give(give func(*table.Row)) {
	o := j.open[0]
	j.open = slices.Delete(j.open, 0, 1)
	for s, last := range j.last {
		j.absent[s] = last < o.row.End
	}
	j.given = o.row.End
	give(o.row)
	j.spare = append(j.spare, o)
}

// End is the end of the last row that was given out.
func (j *Join) End() int64 { return j.given }
