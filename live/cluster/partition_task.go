// The task of a partition runs an engine (package engine). Any worker can continue the task from
// its saved state.
//
// Steps of servers, operators' commands and changes of the system come from one log, in the order
// of the log. The task joins steps into rows, and the engine judges the rows. The output is events,
// with component indexes of the whole system.

package cluster

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/commoncause"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// partitionTask is the engine of one partition. It implements [Task].
type partitionTask struct {
	name      string
	options   engine.Options
	stages    plan.Reader
	stage     *plan.Stage
	partition *plan.Partition // this partition in the present stage of the plan
	join      *plan.Join
	engine.Session
	counter       *commoncause.Counter
	olderReported bool               // true if steps of an older version were already reported
	writeOutput   func(Kind, []byte) // writes an output that the present record causes
	err           error              // first error of writeOutput
}

// memory is the saved state of a partitionTask.
type memory struct {
	Generation int
	Join       []byte
	engine.Saved
}

// newPartitionTask returns the task of a partition. The task continues with the saved state. If
// there is no saved state (nil), the task begins with the first stage (version of the plan) that
// has the partition.
func newPartitionTask(name string, stages plan.Reader, o engine.Options, saved []byte) (*partitionTask, error) {
	m := &partitionTask{name: name, options: o, stages: stages, writeOutput: func(Kind, []byte) {}}
	var was memory
	var stage *plan.Stage
	var err error
	if saved == nil {
		stage, err = stages.First(name)
	} else if was, err = Decode[memory](saved); err == nil {
		stage, err = stages.StageOf(was.Generation)
	}
	if err != nil {
		return nil, err
	}
	schema, err := m.enter(stage)
	if err != nil {
		return nil, err
	}
	m.join = plan.NewJoin(stage.Generation, m.partition.System, schema, stage.LateTime())
	if saved != nil {
		if err := m.join.Restore(was.Join); err != nil {
			return nil, err
		}
	}
	if err := m.remember(); err != nil {
		return nil, err
	}
	return m, m.start(schema, was.Saved)
}

// enter sets the fields that depend on the stage (version of the plan), and returns the schema of
// the partition's rows.
func (m *partitionTask) enter(stage *plan.Stage) (table.Schema, error) {
	of := stage.Find(m.name)
	if of == nil {
		return table.Schema{}, fmt.Errorf("topology number %d of the cluster has no partition %s", stage.Generation, m.name)
	}
	m.stage, m.partition, m.counter = stage, of, commoncause.NewCounter(of.System, of.WholeIndexes)
	return stage.Schema(of.System)
}

func (m *partitionTask) start(schema table.Schema, saved engine.Saved) error {
	o := m.options
	o.FitTo(schema)
	return m.Start(o, m.partition.System, schema, saved, m)
}

// remember makes m.join accept steps of earlier generations (versions) of the system. An ingest
// node sends steps of the old generation until it sees the new generation.
func (m *partitionTask) remember() error {
	for g := range m.stage.Generation {
		was, err := m.stages.StageOf(g)
		if err != nil {
			return err
		}
		if p := was.Find(m.name); p != nil {
			schema, err := was.Schema(p.System)
			if err != nil {
				return err
			}
			m.join.AcceptEarlier(g, p.System, schema)
		}
	}
	return nil
}

// Save encodes the state of the task: the generation (version) of the system, the incomplete rows,
// and the engine.
func (m *partitionTask) Save() ([]byte, error) {
	join, err := m.join.Save()
	if err != nil {
		return nil, err
	}
	engine, err := m.Session.Save()
	if err != nil {
		return nil, err
	}
	return Encode(memory{m.stage.Generation, join, engine})
}

// Take processes a record: a step of a server, an operator's command, or a change of the system.
func (m *partitionTask) Take(r bus.Record, say func(Kind, []byte)) error {
	m.writeOutput, m.err = say, nil
	var err error
	switch r.Subject {
	case commandSubject:
		err = m.apply(r.Data)
	case stageSubject:
		err = m.change(r.Data)
	default:
		if isNewerSubject(r.Subject) {
			return fmt.Errorf("%w (records on the subject %s)", plan.ErrNewer, r.Subject)
		}
		err = m.step(r)
	}
	return cmp.Or(err, m.err)
}

// step processes a step of a server. After an upgrade, a log may have many steps of an older
// version that this version cannot read. Only the first of these steps is reported.
func (m *partitionTask) step(r bus.Record) error {
	err := m.join.Take(r.Data, r.Time, m.Push)
	if !errors.Is(err, plan.ErrOlder) {
		return err
	}
	if m.olderReported {
		return nil
	}
	m.olderReported = true
	return fmt.Errorf("%w; limpet does not repeat this message", err)
}

// change makes the task continue with another generation (version) of the system. Components are
// matched by name. The engine has no state about a new component, and incidents at removed
// components end.
func (m *partitionTask) change(data []byte) error {
	generation, err := Decode[int](data)
	if err != nil || generation <= m.stage.Generation {
		return err // every ingest node announces the change, so the task may already use this generation: then there is nothing to do
	}
	stage, err := m.stages.StageOf(generation)
	if err != nil {
		return err
	}
	saved, err := m.Session.Save()
	if err != nil {
		return err
	}
	schema, err := m.enter(stage)
	if err != nil {
		return err
	}
	m.join.Change(generation, m.partition.System, schema)
	if err := m.remember(); err != nil {
		return err
	}
	m.write(stageKind, generation)
	if failed := m.start(schema, saved); failed != nil {
		return cmp.Or(m.start(schema, engine.Saved{Mutes: saved.Mutes}), fmt.Errorf("%w; the diagnosis starts again from the beginning", failed))
	}
	return nil
}

// write encodes a value and writes it as an output of the given kind.
func (m *partitionTask) write(k Kind, v any) {
	data, err := Encode(v)
	m.err = cmp.Or(m.err, err)
	if err == nil {
		m.writeOutput(k, data)
	}
}

// Event writes a change of an incident, with component indexes of the whole system.
func (m *partitionTask) Event(e *incident.Event) {
	in := e.Incident.Clone()
	in.Renumber(m.partition.WholeIndexes)
	m.write(EventKind, Event{m.stage.Generation, e.Time, e.Change, in})
}

// Count writes the numbers of judged and slow components. The common task reads these counts.
func (m *partitionTask) Count(of *engine.Census) {
	counts := m.counter.Count(of)
	counts.Generation = m.stage.Generation
	m.write(countsKind, counts)
}

// Recall is called before the task gets its first record, with earlier commands of operators.
// Recall executes the commands that mute, unmute or resolve. It makes no output. If the log of the
// partition still has a command, the task executes this command again, in the order of the log.
func (m *partitionTask) Recall(commands []command.Command) {
	for i := range commands {
		if c := &commands[i]; c.Verb == command.Mute || c.Verb == command.Unmute || c.Verb == command.Resolve {
			m.Apply(c)
		}
	}
}

// apply executes an operator's command, and passes the command on to the nodes.
func (m *partitionTask) apply(data []byte) error {
	c, err := Decode[command.Command](data)
	if err == nil {
		err = checkCommand(&c)
	}
	if err != nil {
		return err
	}
	m.Apply(&c)
	m.write(commandKind, c)
	return nil
}
