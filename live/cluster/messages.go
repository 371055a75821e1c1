package cluster

import (
	"bytes"
	"encoding/gob"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// Kinds of output of a task.
const (
	EventKind   Kind = 1 // an Event
	countsKind  Kind = 2 // a commoncause.Counts
	commandKind Kind = 3 // a command that was executed
	stageKind   Kind = 4 // the generation (version) of the system with which the task continues
)

// commandSubject is the subject of commands in the log of a partition.
const commandSubject = "word"

// stageSubject is the subject of changes of the system in the log of a partition. Steps after a
// record on this subject may belong to the new system.
const stageSubject = "stage"

// isNewerSubject reports whether a newer version of limpet has written a record into the log of a
// partition, in a form that this version cannot read. The record is a command or a change of the
// system. The subject of such a form is the subject of the first form, a dash and the number of the
// form.
func isNewerSubject(subject string) bool {
	return strings.HasPrefix(subject, commandSubject+"-") || strings.HasPrefix(subject, stageSubject+"-")
}

// CommonTask is the name of the task that searches for causes that several partitions share.
const CommonTask = "common"

// Event is a change of an incident, with component indexes of the whole system.
type Event struct {
	Generation int // the indexes are valid for this generation of the system
	Time       int64
	Change     incident.Change
	Incident   incident.Incident
}

// View is the present result of a task, with component indexes of the whole system.
type View struct {
	Version    int // version of the view's format: viewVersion; 0 if an earlier limpet made the view
	Generation int
	Row        int64 // end time of the last row, in Unix seconds
	Late       int64 // number of steps that were ignored because they came twice, or after their row was complete
	Summary    engine.Summary
	Windows    []persistence.Window
	Mutes      map[string]int64 // by incident ID: Unix time at which the mute ends
}

// viewVersion is the version of the form of views. A node does not use a view of a newer version.
const viewVersion = 1

// Encode encodes a message in gob.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// Decode decodes a message that Encode encoded.
func Decode[T any](data []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&v)
	return v, err
}
