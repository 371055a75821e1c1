package partition

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/common"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/replica"
	"github.com/limpet-storage/limpet/scale/wire"
	"github.com/limpet-storage/limpet/table"
)

// Machine is the engine of one partition. It implements replica.Machine.
type Machine struct {
	of      *plan.Partition
	join    *wire.Join
	engine  *diagnose.Engine
	counter *common.Counter
	windows map[windowKey]detect.Window // the last of each, copied
	mutes   []mute
	say     func(replica.Kind, []byte) // of the record that is being taken
	err     error                      // of what was said
}

type windowKey struct{ group, metric int }

// mute ends by itself at the time of a row.
type mute struct {
	Until int64
	Word  Word
}

// memory is a machine as it is written down.
type memory struct {
	Join, Engine []byte
	Mutes        []mute
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
		windows: map[windowKey]detect.Window{}, say: func(replica.Kind, []byte) {},
	}
	if saved == nil {
		m.engine, err = diagnose.New(o, of.System, schema, nil, m)
		return m, err
	}
	was, err := Decode[memory](saved)
	if err != nil {
		return nil, err
	}
	if err := m.join.Restore(was.Join); err != nil {
		return nil, err
	}
	m.mutes = was.Mutes
	m.engine, err = diagnose.Restore(was.Engine, o, of.System, schema, nil, m)
	return m, err
}

// Save writes down all that the machine remembers.
func (m *Machine) Save() ([]byte, error) {
	join, err := m.join.Save()
	if err != nil {
		return nil, err
	}
	engine, err := m.engine.Save()
	if err != nil {
		return nil, err
	}
	return Encode(memory{join, engine, m.mutes})
}

// Take takes a step of a server, or a word.
func (m *Machine) Take(r bus.Record, say func(replica.Kind, []byte)) error {
	m.say, m.err = say, nil
	if r.Subject == WordSubject {
		return cmp.Or(m.hear(r.Data), m.err)
	}
	err := m.join.Take(r.Data, r.Time, m.row)
	return cmp.Or(err, m.err)
}

func (m *Machine) row(row *table.Row) {
	m.endMutes(row.End)
	m.engine.Push(row)
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

// Window keeps what a window says.
func (m *Machine) Window(w *detect.Window) {
	kept := *w
	kept.Verdicts = slices.Clone(w.Verdicts)
	m.windows[windowKey{w.Group, w.Metric}] = kept
}

// List is of no interest: lists are those of reports that end.
func (m *Machine) List(*diagnose.List) {}

// hear carries a word out.
func (m *Machine) hear(data []byte) error {
	one, err := Decode[Word](data)
	if err != nil {
		return err
	}
	if one.Verb != feedback.Comment && one.Verb != labels {
		m.mutes = slices.DeleteFunc(m.mutes, func(x mute) bool { return slices.Equal(x.Word.Components, one.Components) })
	}
	if one.Verb == feedback.Mute && one.Until > 0 {
		m.mutes = append(m.mutes, mute{one.Until, one})
	}
	if one.Verb != labels {
		m.apply(&one)
	}
	m.tell(SaidWord, one)
	return nil
}

// labels is the verb of who says what an incident truly was: the engine does not learn
// of it (ledger.Label).
const labels feedback.Verb = "label"

func (m *Machine) apply(one *Word) {
	f := feedback.Feedback{Time: one.Time, Verb: one.Verb, Name: one.Name, Text: one.Text}
	for _, name := range one.Components {
		if c, ok := m.of.System.Lookup(name); ok {
			f.Components = append(f.Components, c)
		}
	}
	if len(f.Components) > 0 {
		m.engine.Apply(f)
	}
}

// endMutes ends the mutes whose time has come.
func (m *Machine) endMutes(now int64) {
	m.mutes = slices.DeleteFunc(m.mutes, func(x mute) bool {
		if x.Until > now {
			return false
		}
		over := x.Word
		over.Time, over.Verb, over.Text = x.Until, feedback.Unmute, ""
		m.apply(&over)
		return true
	})
}
