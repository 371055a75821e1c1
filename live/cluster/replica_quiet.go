// A replica begins with a snapshot. An earlier replica may have processed records after this
// snapshot. The log then has output of these records. This output is called the tail. The new
// replica processes these records again. The version of limpet decides whether the output is the
// same:
//
//   - The same version makes the same output again. The replica compares each output with the next
//     output of the tail, and does not write it again.
//   - Another version may make other output. At the first difference the replica becomes quiet.
//   - If the replica cannot use the snapshot, it is quiet from the beginning. The task begins
//     without a state at the oldest record of its input, and the log already has the output of all
//     records so far.
//
// A quiet replica processes records whose output is in the log. Of its own output, it writes only
// the events of an incident that the log does not have, or that has come back after its end in the
// log. After the last of these records, the replica compares the open incidents in the log with the
// open incidents of the task (endQuiet):
//
//   - If the log has an open incident that the task does not have, the replica writes the end of
//     the incident.
//   - If the task has an open incident that is over in the log, the replica writes that the
//     incident is open again.
//   - If the phase, the mute or the comments of an open incident differ, the replica writes these
//     changes.
//
// So an event is never reported twice. Two versions of limpet may judge an incident differently.
// But the incident does not stay open, recovering or muted in the log for ever.
//
// A snapshot includes the quiet mode (type quiet). So a replica that continues from the snapshot
// continues to be quiet, whatever version of limpet it has, and however often replicas are killed.

package cluster

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
)

// A quiet replica does not write the output that the log already has. The type quiet is the state
// of such a replica.
type quiet struct {
	// The log has the output of all records up to the number Until. Cause is the time of the record
	// that caused the last output in the log. The log also has the output of the records between
	// Until and Cause. But some output of the record at Cause itself may be missing in the log.
	// LastKinds has, for each kind of output except events, how many outputs of the record at Cause
	// are in the log.
	Until     uint64
	Cause     time.Time
	LastKinds map[Kind]int
	// Told has the last event of each incident in the log, by incident ID. Held has, for these
	// incidents, the last event that the task has made and that the replica did not write.
	Told, Held map[string]Event
}

// lister is a task that can list its open incidents. If a task is not a lister, endQuiet finds the
// open incidents of the task in the events that the task has made.
type lister interface {
	// OpenIncidents returns the Unix time of the task's last row, and one event for each open
	// incident. The field Change of these events is empty.
	OpenIncidents() (row int64, list []Event)
}

// readTail reads the output that the log has after the snapshot.
func (r *runningReplica) readTail(ctx context.Context) error {
	if r.position.Number >= r.written {
		r.position.LogSeq = r.lastSeq
		return nil
	}
	return r.readLog(ctx, r.position.LogSeq, func(s *Output) {
		if s.Number > r.position.Number {
			r.tail = append(r.tail, *s)
		}
	})
}

// recaller is a task that can execute earlier commands of operators.
type recaller interface {
	// Recall is called before the task gets its first record. It executes the commands and makes no
	// output.
	Recall(commands []command.Command)
}

// beginAnew makes the replica quiet, because the task begins without its snapshot. The new output
// may differ from the output in the log, so its numbers begin above the last number in the log. The
// task gets the operators' commands that the output log has. The input of the task may have dropped
// these commands already, but a mute may last for weeks.
func (r *runningReplica) beginAnew(ctx context.Context) error {
	q := &quiet{Until: r.position.Seq, Told: map[string]Event{}, Held: map[string]Event{}}
	if was := r.position.Quiet; was != nil {
		q.Until = max(q.Until, was.Until)
	}
	r.position = snapshot{Number: r.written, LogSeq: r.lastSeq, Quiet: q}
	var commands []command.Command
	err := r.readLog(ctx, 0, func(s *Output) {
		q.note(s)
		if s.Kind == commandKind {
			if c, err := Decode[command.Command](s.Data); err == nil && checkCommand(&c) == nil {
				commands = append(commands, c)
			}
		}
	})
	if task, ok := r.task.(recaller); ok && err == nil {
		task.Recall(commands)
	}
	return err
}

// readLog reads the output of this task in the log, after the given sequence number.
func (r *runningReplica) readLog(ctx context.Context, after uint64, each func(*Output)) error {
	if after >= r.lastSeq { // NATS has lost the log, and numbers the records of the new log from 1
		after = 0
	}
	in, err := r.Out.Read(ctx, after)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		one, err := in.Next(ctx)
		if err != nil {
			return err
		}
		if one.Seq >= r.lastSeq { // this record is the claim that this replica has written
			return nil
		}
		if one.Subject != r.Name {
			continue
		}
		if s, err := ParseOutput(one); err == nil && s.Kind != ClaimKind {
			each(&s)
		} else if isNewer(err) {
			return leftToNewer(err)
		}
	}
}

// note is called for each output in the log. If the output is an event, note stores the event in
// Told. Otherwise it counts the output in LastKinds.
func (q *quiet) note(s *Output) {
	if s.Cause.After(q.Cause) {
		q.Cause, q.LastKinds = s.Cause, map[Kind]int{}
	}
	if s.Kind != EventKind {
		if s.Cause.Equal(q.Cause) {
			q.LastKinds[s.Kind]++
		}
		return
	}
	if e, err := Decode[Event](s.Data); err == nil {
		q.Told[e.Incident.ID] = e
	}
}

// has reports whether the log may have the output of a record.
func (q *quiet) has(next *bus.Record) bool {
	return q != nil && (next.Seq <= q.Until || !next.Time.After(q.Cause))
}

// emit writes an output of a record into the log, unless the log already has this output.
func (r *runningReplica) emit(ctx context.Context, next *bus.Record, s *Output) error {
	if r.position.Quiet.has(next) && r.position.Quiet.holds(next, s) {
		return nil
	}
	if len(r.tail) > 0 {
		if r.tail[0].isSame(s) {
			r.position.Number, r.position.LogSeq = r.tail[0].Number, r.tail[0].Seq
			r.tail = r.tail[1:]
			r.position.Quiet.forget(s)
			return nil
		}
		r.leaveTail()
		if r.position.Quiet.has(next) && r.position.Quiet.holds(next, s) {
			return nil
		}
	}
	s.Number = r.position.Number + 1
	if err := r.write(ctx, s); err != nil {
		return err
	}
	r.position.Number = s.Number
	r.position.Quiet.forget(s)
	return nil
}

// forget is called when the log has got an output of this task. If the output is an event, the log
// now has the present state of the incident. So forget removes the incident from Told and Held, and
// the next events of the incident are written.
func (q *quiet) forget(s *Output) {
	if q == nil || s.Kind != EventKind {
		return
	}
	if e, err := Decode[Event](s.Data); err == nil {
		delete(q.Told, e.Incident.ID)
		delete(q.Held, e.Incident.ID)
	}
}

// isSame reports whether an output in the log is an output that the task has made again. The bytes may
// differ, because gob writes maps in any order.
func (s *Output) isSame(again *Output) bool {
	if s.Kind != again.Kind || !s.Cause.Equal(again.Cause) {
		return false
	}
	if s.Kind != EventKind || bytes.Equal(s.Data, again.Data) {
		return true
	}
	a, err1 := Decode[Event](s.Data)
	b, err2 := Decode[Event](again.Data)
	return err1 == nil && err2 == nil && a.Time == b.Time && a.Change == b.Change && a.Incident.ID == b.Incident.ID
}

// The tail is the output that an earlier replica wrote after its last snapshot. leaveTail makes the
// replica quiet for the rest of the tail, because the task has made an output that differs from the
// tail.
func (r *runningReplica) leaveTail() {
	q := r.position.Quiet
	if q == nil {
		q = &quiet{Told: map[string]Event{}, Held: map[string]Event{}}
		r.position.Quiet = q
	}
	for i := range r.tail {
		q.note(&r.tail[i])
	}
	last := &r.tail[len(r.tail)-1]
	r.position.Number, r.position.LogSeq, r.tail = last.Number, last.Seq, nil
}

// holds reports whether a quiet replica must not write an output, because the log has this output,
// perhaps in a different form. If the output is an event, holds stores the event in Held, for
// endQuiet.
func (q *quiet) holds(next *bus.Record, s *Output) bool {
	if s.Kind != EventKind {
		if next.Seq > q.Until && next.Time.Equal(q.Cause) {
			q.LastKinds[s.Kind]--
			return q.LastKinds[s.Kind] >= 0
		}
		return true
	}
	e, err := Decode[Event](s.Data)
	if err != nil {
		return true
	}
	told, ok := q.Told[e.Incident.ID]
	if !ok || told.isOver() && e.begun() > told.Incident.Cleared && told.Incident.Cleared > 0 {
		return false // the log does not have the incident, or the incident has come back since
	}
	q.Held[e.Incident.ID] = e
	return true
}

// isOver reports whether an incident is over after an event.
func (e *Event) isOver() bool {
	return e.Change == incident.Clears || e.Incident.Phase == incident.Cleared
}

// begun returns the time at which the incident began, or at which it last came back.
func (e *Event) begun() int64 { return max(e.Incident.Onset.At, e.Incident.Spell.At) }

// endQuiet ends the quiet mode before the first record whose output is not in the log.
func (r *runningReplica) endQuiet(ctx context.Context, next *bus.Record) error {
	q := r.position.Quiet
	if q == nil || q.has(next) {
		return nil
	}
	for _, e := range q.differences(r.task) {
		data, err := Encode(e)
		if err != nil {
			return err
		}
		if err := r.emit(ctx, next, &Output{Kind: EventKind, Cause: next.Time, Data: data, Fence: r.fence}); err != nil {
			return err
		}
	}
	if !q.has(next) { // emit makes the replica quiet for longer if an output differs from the tail
		r.position.Quiet = nil
	}
	return nil
}

// differences returns the events that must be written so that the log has the same open incidents
// as the task.
func (q *quiet) differences(task Task) (list []Event) {
	open, row := map[string]Event{}, int64(0)
	of, isKnown := task.(lister)
	if isKnown {
		var all []Event
		row, all = of.OpenIncidents()
		for _, e := range all {
			open[e.Incident.ID] = e
		}
	}
	for _, id := range slices.Sorted(maps.Keys(q.Told)) {
		told := q.Told[id]
		held, wasHeld := q.Held[id]
		e, isOpen := open[id]
		if !isKnown {
			if !wasHeld {
				continue
			}
			e, isOpen = held, !held.isOver()
		}
		switch {
		case told.isOver() && isOpen:
			e.Change = incident.Reopened
			if e.Incident.Onset.At != told.Incident.Onset.At {
				e.Change = incident.Opened
			}
			list = append(list, e)
		case !told.isOver() && !isOpen && wasHeld && held.isOver():
			list = append(list, held)
		case !told.isOver() && isOpen:
			for _, change := range changesBetween(&told.Incident, &e.Incident) {
				e.Change = change
				list = append(list, e)
			}
		case !told.isOver() && !isOpen:
			told.Time, told.Change = max(row, told.Time), incident.Clears
			told.Incident.Phase, told.Incident.Ending, told.Incident.Cleared = incident.Cleared, ledger.Lost, told.Time
			list = append(list, told)
		}
	}
	return list
}

// changesBetween returns the changes that must be written for an open incident so that the log has
// the same phase, mute and comments as the task. The parameter `told` is the incident in the log,
// and `now` is the incident of the task.
func changesBetween(told, now *incident.Incident) (list []incident.Change) {
	switch {
	case told.Phase == now.Phase:
	case now.Phase == incident.Recovering:
		list = append(list, incident.Recovers)
	default:
		list = append(list, incident.Changed)
	}
	switch {
	case now.Muted && !told.Muted:
		list = append(list, incident.Mutes)
	case told.Muted && !now.Muted:
		list = append(list, incident.Unmutes)
	}
	if !slices.Equal(told.Comments, now.Comments) {
		list = append(list, incident.Commented)
	}
	return list
}
