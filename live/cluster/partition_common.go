package cluster

import (
	"cmp"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/commoncause"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// everywhere is what IDs of incidents of several partitions begin with: one partition
// may have an incident at the same place, with members of its own.
const everywhere = "all-"

// reducer is the machine that looks for what partitions have in common. It reads what
// the others say.
type reducer struct {
	stages  plan.Reader
	stage   *plan.Stage
	reducer *commoncause.Reducer
	say     func(Kind, []byte)
	err     error
}

// reduced is a reducer as it is written down.
type reduced struct {
	Generation int
	State      []byte
}

// newReducer returns it, as it was saved where it was.
func newReducer(stages plan.Reader, o engine.Options, saved []byte) (*reducer, error) {
	var was reduced
	var err error
	if saved != nil {
		if was, err = Decode[reduced](saved); err != nil {
			return nil, err
		}
	}
	stage, err := stages.Of(was.Generation)
	if err != nil {
		return nil, err
	}
	schema, err := stage.Whole()
	if err != nil {
		return nil, err
	}
	o.Settle(schema)
	r := &reducer{stages: stages, stage: stage, say: func(Kind, []byte) {}}
	r.reducer = commoncause.NewReducer(o, blame.NewMap(stage.System), stage.Names(), stage.LateTime(), r.event)
	if saved == nil {
		return r, nil
	}
	return r, r.reducer.Restore(was.State)
}

// Take takes what a partition says.
func (r *reducer) Take(record bus.Record, say func(Kind, []byte)) error {
	said, err := Parse(record)
	r.say, r.err = say, nil
	switch {
	case err != nil:
	case said.Kind == saidCommand:
		err = r.apply(said.Data)
	case said.Kind == saidStage:
		var generation int
		if generation, err = Decode[int](said.Data); err == nil {
			err = r.change(generation)
		}
	case said.Kind == saidCounts:
		err = r.count(&said, record.Time)
	}
	return cmp.Or(err, r.err)
}

// count takes counts, of a partition that may not have heard of a change yet.
func (r *reducer) count(said *Said, taken time.Time) error {
	counts, err := commoncause.Decode(said.Data)
	if err != nil {
		return err
	}
	if err := r.change(counts.Generation); err != nil { // a partition that is new does not say so
		return err
	}
	if counts.Generation != r.stage.Generation {
		was, err := r.stages.Of(counts.Generation)
		if err != nil || !counts.Move(r.stage.Generation, was.System.PlacesIn(r.stage.System)) {
			return err
		}
	}
	return r.reducer.Take(said.Machine, counts, taken)
}

// change goes on with another system, as soon as the first partition does.
func (r *reducer) change(generation int) error {
	if generation <= r.stage.Generation {
		return nil
	}
	next, err := r.stages.Of(generation)
	if err != nil {
		return err
	}
	to := r.stage.System.PlacesIn(next.System)
	r.stage = next
	return r.reducer.Change(generation, blame.NewMap(next.System), next.Names(), to)
}

// apply executes a command that a partition has executed on its own components.
func (r *reducer) apply(data []byte) error {
	c, err := Decode[command.Command](data)
	if err != nil || c.Verb == command.Label {
		return err
	}
	r.reducer.Apply(&c, c.In(r.stage.System))
	return r.err
}

func (r *reducer) event(e *incident.Event) {
	in := e.Incident.Clone()
	in.ID = everywhere + in.ID
	data, err := Encode(Event{r.stage.Generation, e.Time, e.Change, in})
	if err != nil {
		r.err = err
		return
	}
	r.say(SaidEvent, data)
}

// Save writes down all that it remembers.
func (r *reducer) Save() ([]byte, error) {
	state, err := r.reducer.Save()
	if err != nil {
		return nil, err
	}
	return Encode(reduced{r.stage.Generation, state})
}

// Show is how things stand.
func (r *reducer) Show() ([]byte, error) {
	s := Shown{Generation: r.stage.Generation, Row: r.reducer.Time()}
	s.Summary.Incidents = r.reducer.Incidents()
	for i := range s.Summary.Incidents {
		s.Summary.Incidents[i].ID = everywhere + s.Summary.Incidents[i].ID
	}
	return Encode(s)
}
