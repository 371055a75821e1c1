package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/journal"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// memory is the saved state of a watch, except for the state of its diagnosis.
type memory struct {
	row            int64           // end time of the last row
	events         int64           // number of the last event
	since          int64           // rows before this time cause no notification
	commands       int64           // number of the last command of an operator
	lastUnexecuted int64           // number of the last command in Watch.unexecuted
	found          []topology.Seen // components that were found in the files
}

// metaVersion is the version of the JSON format of meta.
const metaVersion = 1

// meta is one part of a snapshot: the memory of a watch, the mutes, and the number of opened
// incidents. It also has the system and the schema of the rows in the log after the snapshot. The
// other part of the snapshot is the state of the engine.
type meta struct {
	Version  int             `json:"version"`
	Ledger   string          `json:"ledger,omitempty"`  // identity of the ledger that has the events of this state
	Position ledger.Position `json:"position,omitzero"` // position of the ledger when the snapshot was made
	History  int64           `json:"history,omitempty"` // end of the last step that the history has on disk, in Unix time
	Files    []string        `json:"files,omitempty"`   // files that the history had when the snapshot was made
	Row      int64           `json:"row"`
	Events   int64           `json:"events"`
	Opened   int64           `json:"opened"`
	Since    int64           `json:"since"`
	Words    int64           `json:"words"`
	Owes     int64           `json:"owes,omitempty"` // memory.lastUnexecuted; this field has an older name, because existing saved states have this name
	Retold   *knownRange     `json:"retold,omitempty"`
	Mutes    []engine.Mute   `json:"mutes,omitempty"`
	Found    []topology.Seen `json:"found,omitempty"`
	System   json.RawMessage `json:"system"`
	Step     int64           `json:"step_seconds"`
	Metrics  []string        `json:"metrics"`
	Servers  int             `json:"servers"`
	Load     int             `json:"load"`
	Sparse   bool            `json:"sparse"`
	Times    bool            `json:"latencies,omitempty"`
}

func (w *Watch) meta() ([]byte, error) {
	s := w.d.Subject.Schema
	system, err := w.d.Subject.System.Keep()
	if err != nil {
		return nil, err
	}
	m := meta{
		Version: metaVersion, Ledger: w.store.Ledger.Identity(), History: w.store.History.Written(), Row: w.row, Events: w.events, Opened: w.store.Opened, Since: w.since, Words: w.commands, Mutes: w.d.Mutes, Found: w.found,
		System: system, Step: s.StepSeconds, Servers: s.Servers, Load: s.Load, Sparse: s.Sparse, Times: s.Latencies,
	}
	if m.Position, err = w.store.Ledger.Position(context.Background()); err != nil {
		return nil, err
	}
	m.Files = w.store.History.Files()
	if len(w.unexecuted) > 0 {
		m.Owes = w.lastUnexecuted
	}
	if w.known != nil {
		m.Retold = &w.known.knownRange
	}
	for _, one := range s.Metrics {
		m.Metrics = append(m.Metrics, one.Name)
	}
	return json.Marshal(m)
}

// recall parses the meta of a snapshot.
func recall(data []byte) (*meta, error) {
	var m meta
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	if m.Version > metaVersion {
		return nil, fmt.Errorf("%w (the saved state has format %d; this version reads format %d)", engine.ErrNewer, m.Version, metaVersion)
	}
	if m.Version != metaVersion {
		return nil, fmt.Errorf("the saved state has format %d, but this version of limpet reads format %d", m.Version, metaVersion)
	}
	return &m, nil
}

// memory returns the memory of a watch from a snapshot. The watch continues with these values after a
// restart.
func (m *meta) memory() memory {
	return memory{row: m.Row, events: m.Events, since: m.Since, commands: m.Words, lastUnexecuted: m.Owes, found: m.Found}
}

// subject returns the system and the schema that a snapshot holds.
func (m *meta) subject() (*topology.System, table.Schema, error) {
	system, err := topology.Kept(m.System)
	if err != nil {
		return nil, table.Schema{}, err
	}
	schema := table.Schema{StepSeconds: m.Step, Components: len(system.Components), Servers: m.Servers, Load: m.Load, Sparse: m.Sparse, Latencies: m.Times}
	for _, name := range m.Metrics {
		one, err := metric.Lookup(name)
		if err != nil {
			return nil, schema, err
		}
		schema.Metrics = append(schema.Metrics, one)
	}
	return system, schema, nil
}

// snapshot saves the state. It flushes the history and the ledger first, because after a kill both
// are rebuilt from the log, and the snapshot discards the log.
func (w *Watch) snapshot() {
	if w.d == nil {
		return
	}
	w.saved = w.o.Now()
	w.store.CheckHistory(w.store.History.Flush())
	w.settle(due{})
	if len(w.pending) > 0 {
		return // no snapshot now: after a kill, the present log is needed to make the unwritten events again
	}
	if src := w.source.Load(); src != nil {
		w.found = src.Found()
	}
	w.unsaved = w.save()
	w.checkJournal(nil)
}

func (w *Watch) save() error {
	about, err := w.meta()
	if err != nil {
		return err
	}
	state, err := w.d.save()
	if err != nil {
		return err
	}
	return w.journal.Snapshot(w.d.Subject.Schema, about, state.Engine)
}

// recover continues from the state in the journal. The parameter ranInCluster is true if limpet ran as
// a node of a cluster after the state was saved. The ledger then has events of the cluster. If
// ranInCluster is true, or if the state cannot be used, recover begins without the state. The watch
// then reads the files of the last days again (Options.RereadSeconds).
func (w *Watch) recover(r *journal.Recovered, ranInCluster bool) (err error) {
	for _, text := range r.Troubles {
		w.store.Troubles.Damaged(text)
	}
	if !r.Found {
		if err := w.beginAnew(0); err != nil {
			return err
		}
		if text := journalMissing(w.o.StateDir, w.events, len(w.unexecuted), w.store.History.Written()); text != "" && len(r.Troubles) == 0 && !ranInCluster {
			w.store.Troubles.Damaged(text)
		}
		return nil
	}
	if ranInCluster {
		w.o.Warn(fmt.Sprintf("a cluster has written events after this state was saved, so limpet does not use the saved state: the diagnosis starts again with the files of the last %d hours", w.o.RereadSeconds/3600))
		return w.beginAnew(r.Last)
	}
	err = w.resume(r)
	var broken replayError
	var refused refusal
	if err == nil || errors.As(err, &broken) || errors.As(err, &refused) {
		return err
	}
	if errors.Is(err, engine.ErrNewer) {
		return newerState(w.o.StateDir, err)
	}
	tell := w.o.Warn
	if errors.Is(err, engine.ErrOlder) {
		tell = w.o.Report // this is normal after an upgrade
	}
	tell(fmt.Sprintf("the saved state cannot be used: %v; the diagnosis starts again with the files of the last %d hours", err, w.o.RereadSeconds/3600))
	return w.beginAnew(r.Last)
}

// newerState returns the error about a state that a newer version of limpet has saved. This version
// cannot use the state. Without the state, this version would have to read all data again. Later the
// newer version would also have to read all data again. So limpet refuses to start.
func newerState(stateDir string, err error) error {
	return fmt.Errorf("the saved state in %s cannot be used: %w; install the newer version again, or move the journal (%s) to another directory. limpet then reads all data again; incidents and mutes are kept",
		stateDir, err, filepath.Join(stateDir, journalDir))
}

// journalMissing returns the sentence about a state that has lost its journal. The ledger has the
// given numbers of events and commands, and the history has steps up to the given time. The text is
// empty if the state never had a journal.
func journalMissing(stateDir string, events int64, commands int, history int64) string {
	var has []string
	if events > 0 || commands > 0 {
		has = append(has, fmt.Sprintf("the ledger has %s and %s", english.Count(int(events), "event"), english.Count(commands, "command")))
	}
	if history > 0 {
		has = append(has, "the history ends at "+stamp(history))
	}
	if len(has) == 0 {
		return ""
	}
	return fmt.Sprintf("the journal in %s is missing, but %s: the diagnosis starts again from the beginning of all files, and limpet reads the commands from the ledger",
		filepath.Join(stateDir, journalDir), english.List(has))
}

// replayError means that the engine was restored from the snapshot, but that the log after the
// snapshot cannot be replayed into the engine.
type replayError struct{ error }

func (w *Watch) resume(r *journal.Recovered) error {
	m, err := recall(r.Meta)
	if err != nil {
		return err
	}
	system, schema, err := m.subject()
	if err != nil {
		return err
	}
	if err := w.o.checkTopologyKept(system); err != nil {
		return err
	}
	if err := w.checkLedger(m); err != nil {
		return err
	}
	w.checkHistory(m)
	w.memory, w.store.Opened = m.memory(), m.Opened
	if m.Retold != nil {
		if w.known, err = newKnownEvents(w.store.Ledger, *m.Retold); err != nil {
			return err
		}
		w.anew = m.Retold.Anew
	}
	d, err := w.newDiagnosis(system, schema, engine.Saved{Engine: r.Blob, Mutes: m.Mutes})
	if err != nil {
		return err
	}
	w.d = d
	if err := w.store.History.Begin(system, schema); err != nil {
		return err
	}
	err = r.Replay(schema, func(row *table.Row) error { w.push(row); return nil }, w.replayCommand)
	if err != nil {
		return replayError{fmt.Errorf("the log of the journal in %s cannot be used: %w", w.o.StateDir, err)}
	}
	return w.catchUp()
}

// beginAnew drops the diagnosis and keeps the ledger. The numbers of new events begin above the last
// number in the ledger. The commands in the ledger are executed again.
func (w *Watch) beginAnew(last int64) (err error) {
	w.d, w.pending, w.repaired = nil, nil, false
	found, row := w.found, max(0, last-w.o.RereadSeconds)
	w.journal.Rewind(row)
	w.store.Opened = 0
	w.memory = memory{row: row, events: w.store.Ledger.LastEvent(), since: cmp.Or(w.o.Alert.QuietBefore, w.o.Now().Unix()), found: found}
	w.anew = w.events > 0
	if err := w.readUnexecuted(); err != nil {
		return err
	}
	until, err := w.knownUntil(w.events)
	if err != nil {
		return err
	}
	w.known, err = newKnownEvents(w.store.Ledger, knownRange{UpTo: w.events, Anew: true, Until: max(until, last)})
	return err
}
