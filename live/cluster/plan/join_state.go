package plan

import (
	"bytes"
	"encoding/gob"
	"errors"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/journal"
)

// joinState is the saved state of a Join.
type joinState struct {
	Given, Late int64
	Last, Spoke []int64
	Rows        [][]byte
	Has         [][]bool
}

// Save encodes the incomplete rows of the Join, the end of each server's newest step, and the time
// of each server's last message.
func (j *Join) Save() ([]byte, error) {
	k := joinState{Given: j.lastEnd, Late: j.Late, Last: j.last, Spoke: j.lastMessage}
	form := journal.FormOf(j.schema)
	for _, o := range j.open {
		k.Rows, k.Has = append(k.Rows, form.AppendRow(nil, o.row)), append(k.Has, o.hasStep)
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(k)
	return b.Bytes(), err
}

// Restore sets the Join to a state that Save encoded. It returns an error if the state belongs to
// another system.
func (j *Join) Restore(data []byte) error {
	var k joinState
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&k); err != nil {
		return err
	}
	if len(k.Last) != len(j.servers) || len(k.Spoke) != len(j.servers) || len(k.Rows) != len(k.Has) {
		return errOther
	}
	form := journal.FormOf(j.schema)
	j.open = nil
	for i, text := range k.Rows {
		o := &incompleteRow{table.NewRow(j.schema), make([]bool, len(j.servers))}
		j.open = append(j.open, o)
		if len(text) < minRowBytes-1+j.schema.Servers || !form.GetRow(text, o.row, make([]bool, j.schema.Servers)) || len(k.Has[i]) != len(o.hasStep) {
			return errOther
		}
		copy(o.hasStep, k.Has[i])
	}
	j.lastEnd, j.Late, j.last, j.lastMessage = k.Given, k.Late, k.Last, k.Spoke
	return nil
}

var errOther = errors.New("the saved incomplete time steps belong to another topology: the diagnosis must start again from the beginning")
