// This file is the engine of a diagnosis as a machine that any node of a cluster
// can go on with: one for each part of the system, and one for what the parts have in
// common.
//
// Steps of servers and words of operators come in one log, in one order. Rows are made of
// the steps, the engine judges them, and what becomes of incidents is said with numbers
// of components in the whole system. It stands behind scale/wire and before whatever
// runs it (scale/replica) and whoever shows it (scale/gather).

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

// partitionTask is the engine of one partition. It implements replica.Machine.
type partitionTask struct {
	name    string
	options engine.Options
	stages  plan.Reader
	stage   *plan.Stage
	of      *plan.Partition // of the stage
	join    *plan.Join
	engine.Session
	counter *commoncause.Counter
	older   bool               // it was said that the log has steps of an older limpet
	say     func(Kind, []byte) // of the record that is being taken
	err     error              // of what was said
}

// memory is a machine as it is written down.
type memory struct {
	Generation int
	Join       []byte
	engine.Saved
}

// newPartitionTask returns the machine of a partition, which goes on from a state where there is one,
// and else from the first stage that has the partition.
func newPartitionTask(name string, stages plan.Reader, o engine.Options, saved []byte) (*partitionTask, error) {
	m := &partitionTask{name: name, options: o, stages: stages, say: func(Kind, []byte) {}}
	var was memory
	var stage *plan.Stage
	var err error
	if saved == nil {
		stage, err = stages.First(name)
	} else if was, err = Decode[memory](saved); err == nil {
		stage, err = stages.Of(was.Generation)
	}
	if err != nil {
		return nil, err
	}
	schema, err := m.enter(stage)
	if err != nil {
		return nil, err
	}
	m.join = plan.NewJoin(stage.Generation, m.of.System, schema, stage.LateTime())
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

// enter sets what belongs to a stage.
func (m *partitionTask) enter(stage *plan.Stage) (table.Schema, error) {
	of := stage.Find(m.name)
	if of == nil {
		return table.Schema{}, fmt.Errorf("generation %d of the system has no partition %s", stage.Generation, m.name)
	}
	m.stage, m.of, m.counter = stage, of, commoncause.NewCounter(of.System, of.Was)
	return stage.Schema(of.System)
}

func (m *partitionTask) start(schema table.Schema, saved engine.Saved) error {
	o := m.options
	o.Settle(schema)
	return m.Start(o, m.of.System, schema, saved, m)
}

// remember has the join read steps of earlier systems: a node that has not heard of a
// change yet sends them.
func (m *partitionTask) remember() error {
	for g := range m.stage.Generation {
		was, err := m.stages.Of(g)
		if err != nil {
			return err
		}
		if p := was.Find(m.name); p != nil {
			schema, err := was.Schema(p.System)
			if err != nil {
				return err
			}
			m.join.Older(g, p.System, schema)
		}
	}
	return nil
}

// Save writes down all that the machine remembers.
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

// Take takes a step of a server, an operator's command, or another system.
func (m *partitionTask) Take(r bus.Record, say func(Kind, []byte)) error {
	m.say, m.err = say, nil
	var err error
	switch r.Subject {
	case commandSubject:
		err = m.apply(r.Data)
	case stageSubject:
		err = m.change(r.Data)
	default:
		err = m.step(r)
	}
	return cmp.Or(err, m.err)
}

// step takes a step of a server. A log has many of an older limpet after an upgrade, and
// the first of them tells of all.
func (m *partitionTask) step(r bus.Record) error {
	err := m.join.Take(r.Data, r.Time, m.Push)
	if !errors.Is(err, plan.ErrOlder) {
		return err
	}
	if m.older {
		return nil
	}
	m.older = true
	return fmt.Errorf("%w; this is said once", err)
}

// change goes on with another system, by the names of its components, as a process that
// stands alone does: what is new begins anew, and what is gone ends its incidents.
func (m *partitionTask) change(data []byte) error {
	generation, err := Decode[int](data)
	if err != nil || generation <= m.stage.Generation {
		return err // who sends steps says it, each of them
	}
	stage, err := m.stages.Of(generation)
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
	m.join.Change(generation, m.of.System, schema)
	if err := m.remember(); err != nil {
		return err
	}
	m.tell(saidStage, generation)
	if failed := m.start(schema, saved); failed != nil {
		return cmp.Or(m.start(schema, engine.Saved{Mutes: saved.Mutes}), fmt.Errorf("%w; the diagnosis begins anew", failed))
	}
	return nil
}

// tell says something.
func (m *partitionTask) tell(k Kind, v any) {
	data, err := Encode(v)
	m.err = cmp.Or(m.err, err)
	if err == nil {
		m.say(k, data)
	}
}

// Event tells of a change, with numbers of the whole system.
func (m *partitionTask) Event(e *incident.Event) {
	in := e.Incident.Clone()
	in.Renumber(m.of.Was)
	m.tell(SaidEvent, Event{m.stage.Generation, e.Time, e.Change, in})
}

// Count tells what was counted.
func (m *partitionTask) Count(of *engine.Census) {
	counts := m.counter.Count(of)
	counts.Generation = m.stage.Generation
	m.tell(saidCounts, counts)
}

// apply executes an operator's command, and passes it on to the nodes.
func (m *partitionTask) apply(data []byte) error {
	c, err := Decode[command.Command](data)
	if err != nil {
		return err
	}
	m.Apply(&c)
	m.tell(saidCommand, c)
	return nil
}
