package partition

import (
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/machine"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/scale/bus"
	"github.com/limpet-storage/limpet/scale/common"
	"github.com/limpet-storage/limpet/scale/plan"
	"github.com/limpet-storage/limpet/scale/replica"
	"github.com/limpet-storage/limpet/topology"
)

// everywhere is what IDs of incidents of several partitions begin with: one partition
// may have an incident at the same place, with members of its own.
const everywhere = "all-"

// Reducer is the machine that looks for what partitions have in common. It reads what
// the others say.
type Reducer struct {
	system  *topology.System
	reducer *common.Reducer
	say     func(replica.Kind, []byte)
	err     error
}

// NewReducer returns it, as it was saved where it was.
func NewReducer(p *plan.Plan, d *plan.Division, o diagnose.Options, saved []byte) (*Reducer, error) {
	schema, err := p.Schema(d.System)
	if err != nil {
		return nil, err
	}
	o.Settle(schema)
	r := &Reducer{system: d.System, say: func(replica.Kind, []byte) {}}
	var names []string
	for i := range d.Partitions {
		names = append(names, d.Partitions[i].Name)
	}
	r.reducer = common.NewReducer(o, place.NewMap(d.System), names, p.LateTime(), r.event)
	if saved == nil {
		return r, nil
	}
	return r, r.reducer.Restore(saved)
}

// Take takes what a partition says.
func (r *Reducer) Take(record bus.Record, say func(replica.Kind, []byte)) error {
	said, err := replica.Parse(record)
	r.say, r.err = say, nil
	switch {
	case err != nil:
		return err
	case said.Kind == SaidWord:
		return r.hear(said.Data)
	case said.Kind != SaidCounts:
		return nil
	}
	counts, err := common.Decode(said.Data)
	if err != nil {
		return err
	}
	if err := r.reducer.Take(said.Machine, counts, record.Time); err != nil {
		return err
	}
	return r.err
}

// hear carries a word out that a partition has, about its components.
func (r *Reducer) hear(data []byte) error {
	w, err := Decode[machine.Word](data)
	if err != nil || w.Verb == feedback.Label {
		return err
	}
	f := feedback.Feedback{Time: w.Time, Verb: w.Verb, Name: w.Name, Text: w.Text}
	for _, name := range w.Components {
		if c, ok := r.system.Lookup(name); ok {
			f.Components = append(f.Components, c)
		}
	}
	r.reducer.Apply(f)
	return r.err
}

func (r *Reducer) event(e *incident.Event) {
	in := e.Incident.Clone()
	in.ID = everywhere + in.ID
	data, err := Encode(Event{e.Time, e.Change, in})
	if err != nil {
		r.err = err
		return
	}
	r.say(SaidEvent, data)
}

// Save writes down all that it remembers.
func (r *Reducer) Save() ([]byte, error) { return r.reducer.Save() }

// Show is how things stand.
func (r *Reducer) Show() ([]byte, error) {
	s := Shown{Row: r.reducer.Time()}
	s.Summary.Incidents = r.reducer.Incidents()
	for i := range s.Summary.Incidents {
		s.Summary.Incidents[i].ID = everywhere + s.Summary.Incidents[i].ID
	}
	return Encode(s)
}
