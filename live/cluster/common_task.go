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

// commonIDPrefix is the prefix of the incident IDs of the common task, which finds causes that
// several partitions share. A partition may have its own incident at the same place, with members
// of this partition only. The prefix makes the IDs of the two incidents different.
const commonIDPrefix = "all-"

// commonTask finds causes that several partitions share. Its input is the output of all other
// tasks.
type commonTask struct {
	stages  plan.Reader
	stage   *plan.Stage
	reducer *commoncause.Reducer
	write   func(Kind, []byte)
	err     error
}

// reduced is the saved state of a commonTask.
type reduced struct {
	Generation int
	State      []byte
}

// newCommonTask returns the task that finds causes which several partitions share. The task
// continues with the saved state. If there is no saved state (nil), the task begins without a
// state.
func newCommonTask(stages plan.Reader, o engine.Options, saved []byte) (*commonTask, error) {
	var was reduced
	var err error
	if saved != nil {
		if was, err = Decode[reduced](saved); err != nil {
			return nil, err
		}
	}
	stage, err := stages.StageOf(was.Generation)
	if err != nil {
		return nil, err
	}
	schema, err := stage.WholeSchema()
	if err != nil {
		return nil, err
	}
	o.FitTo(schema)
	r := &commonTask{stages: stages, stage: stage, write: func(Kind, []byte) {}}
	r.reducer = commoncause.NewReducer(o, blame.NewMap(stage.System), stage.Names(), stage.LateTime(), r.event)
	if saved == nil {
		return r, nil
	}
	return r, r.reducer.Restore(was.State)
}

// Take processes one record from the output of the partitions: an operator's command, a change of
// the system, or the counts of a partition. It passes the output of this task to the function
// `say`.
func (r *commonTask) Take(record bus.Record, say func(Kind, []byte)) error {
	out, err := ParseOutput(record)
	r.write, r.err = say, nil
	switch {
	case err != nil:
	case out.Kind == commandKind:
		err = r.apply(out.Data)
	case out.Kind == stageKind:
		var generation int
		if generation, err = Decode[int](out.Data); err == nil {
			err = r.change(generation)
		}
	case out.Kind == countsKind:
		err = r.count(&out, record.Time)
	}
	return cmp.Or(err, r.err)
}

// count processes the counts of a partition: how many components its engine has judged, and which
// are slow. If the partition still uses an earlier generation (version) of the system, count first
// converts the component indexes.
func (r *commonTask) count(out *Output, taken time.Time) error {
	counts, err := commoncause.Decode(out.Data)
	if err != nil {
		return err
	}
	of, err := r.stages.StageOf(counts.Generation)
	if err != nil {
		return err
	}
	if !counts.Valid(len(of.System.Components)) {
		return foreign("the numbers of judged components of %s from NATS do not fit the topology of the cluster", out.Task)
	}
	if err := checkTimes(taken, counts.Time); err != nil {
		return err
	}
	if err := r.change(counts.Generation); err != nil { // a new partition sends no record about its generation; its counts show the generation
		return err
	}
	if counts.Generation != r.stage.Generation {
		if !counts.Move(r.stage.Generation, of.System.PlacesIn(r.stage.System)) {
			return nil
		}
	}
	return r.reducer.Take(out.Task, counts, taken)
}

// change makes the task continue with a later generation (version) of the system. The task changes
// as soon as the first partition uses the later generation.
func (r *commonTask) change(generation int) error {
	if generation <= r.stage.Generation {
		return nil
	}
	next, err := r.stages.StageOf(generation)
	if err != nil {
		return err
	}
	to := r.stage.System.PlacesIn(next.System)
	r.stage = next
	return r.reducer.Change(generation, blame.NewMap(next.System), next.Names(), to)
}

// apply executes a command on the incidents of this task. A partition has sent the command to this
// task, after it executed the command on its own incidents.
func (r *commonTask) apply(data []byte) error {
	c, err := Decode[command.Command](data)
	if err == nil {
		err = checkCommand(&c)
	}
	if err != nil || c.Verb == command.Label {
		return err
	}
	r.reducer.Apply(&c, c.Numbers(r.stage.System))
	return r.err
}

func (r *commonTask) event(e *incident.Event) {
	in := e.Incident.Clone()
	in.ID = commonIDPrefix + in.ID
	data, err := Encode(Event{r.stage.Generation, e.Time, e.Change, in})
	if err != nil {
		r.err = err
		return
	}
	r.write(EventKind, data)
}

// Save encodes the state of the task: the generation (version) of the system, and the reducer.
func (r *commonTask) Save() ([]byte, error) {
	state, err := r.reducer.Save()
	if err != nil {
		return nil, err
	}
	return Encode(reduced{r.stage.Generation, state})
}

// OpenIncidents returns the time of the last evaluation of counts, and the open incidents of the
// task.
func (r *commonTask) OpenIncidents() (row int64, list []Event) {
	for _, in := range r.reducer.Incidents() {
		if in.Phase != incident.Cleared {
			in.ID = commonIDPrefix + in.ID
			list = append(list, Event{Generation: r.stage.Generation, Time: r.reducer.Time(), Incident: in})
		}
	}
	return r.reducer.Time(), list
}

// View returns the present incidents of the task.
func (r *commonTask) View() ([]byte, error) {
	s := View{Version: viewVersion, Generation: r.stage.Generation, Row: r.reducer.Time()}
	s.Summary.Incidents = r.reducer.Incidents()
	for i := range s.Summary.Incidents {
		s.Summary.Incidents[i].ID = commonIDPrefix + s.Summary.Incidents[i].ID
	}
	return Encode(s)
}
