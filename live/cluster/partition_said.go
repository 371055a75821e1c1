package cluster

import (
	"bytes"
	"encoding/gob"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// What machines say.
const (
	SaidEvent   Kind = 1 // an Event
	saidCounts  Kind = 2 // a common.Counts
	saidCommand Kind = 3 // a command.Command that was executed
	saidStage   Kind = 4 // the generation of a system that was gone on with
)

// commandSubject is the subject of operators' commands in the log of a partition.
const commandSubject = "word"

// stageSubject is where generations of the system stand in the log of a partition: what
// follows may be about it.
const stageSubject = "stage"

// Common is the name of the machine that looks for what partitions have in common.
const Common = "common"

// Event is a change of an incident of the whole system.
type Event struct {
	Generation int // of the system whose numbers it has
	Time       int64
	Change     incident.Change
	Incident   incident.Incident
}

// Shown is how things stand in a partition, by numbers of the whole system.
type Shown struct {
	Generation int
	Row        int64 // end of the last row
	Late       int64 // steps of servers that came too late
	Summary    engine.Summary
	Windows    []persistence.Window
	Mutes      map[string]int64 // when they end, by the incident's ID
}

// Encode writes what is said or shown.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// Decode reads what Encode wrote.
func Decode[T any](data []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&v)
	return v, err
}
