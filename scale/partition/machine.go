package partition

import (
	"cmp"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/machine"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/common"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/replica"
	"github.com/limpet-storage/limpet/scale/wire"
)

// Machine is the engine of one partition. It implements replica.Machine.
type Machine struct {
	of   *plan.Partition
	join *wire.Join
	machine.Machine
	counter *common.Counter
	say     func(replica.Kind, []byte) // of the record that is being taken
	err     error                      // of what was said
}

// memory is a machine as it is written down.
type memory struct {
	Join []byte
	machine.Saved
}

// New returns the machine of a partition, which goes on from a state where there is one.
func New(p *plan.Plan, of *plan.Partition, o diagnose.Options, saved []byte) (*Machine, error) {
	schema, err := p.Schema(of.System)
	if err != nil {
		return nil, err
	}
	o.Settle(schema)
	m := &Machine{
		of: of, join: wire.NewJoin(of.System, schema, p.LateTime()), counter: common.NewCounter(of.System, of.Was),
		say: func(replica.Kind, []byte) {},
	}
	var was memory
	if saved != nil {
		if was, err = Decode[memory](saved); err == nil {
			err = m.join.Restore(was.Join)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, m.Start(o, of.System, schema, was.Saved, m)
}

// Save writes down all that the machine remembers.
func (m *Machine) Save() ([]byte, error) {
	join, err := m.join.Save()
	if err != nil {
		return nil, err
	}
	engine, err := m.Machine.Save()
	if err != nil {
		return nil, err
	}
	return Encode(memory{join, engine})
}

// Take takes a step of a server, or a word.
func (m *Machine) Take(r bus.Record, say func(replica.Kind, []byte)) error {
	m.say, m.err = say, nil
	if r.Subject == WordSubject {
		return cmp.Or(m.hear(r.Data), m.err)
	}
	err := m.join.Take(r.Data, r.Time, m.Push)
	return cmp.Or(err, m.err)
}

// tell says something.
func (m *Machine) tell(k replica.Kind, v any) {
	data, err := Encode(v)
	m.err = cmp.Or(m.err, err)
	if err == nil {
		m.say(k, data)
	}
}

// Event tells of a change, with numbers of the whole system.
func (m *Machine) Event(e *incident.Event) {
	in := e.Incident.Clone()
	in.Renumber(m.of.Was)
	m.tell(SaidEvent, Event{e.Time, e.Change, in})
}

// Count tells what was counted.
func (m *Machine) Count(of *diagnose.Census) { m.tell(SaidCounts, m.counter.Count(of)) }

// hear carries a word out.
func (m *Machine) hear(data []byte) error {
	one, err := Decode[machine.Word](data)
	if err != nil {
		return err
	}
	m.Hear(&one)
	m.tell(SaidWord, one)
	return nil
}
