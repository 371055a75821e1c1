package serve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// Result returns the result of the diagnosis, with the state of sources, receivers and actions.
func (s site) Result() *api.Result {
	now := s.watch.Result()
	subject := now.Subject
	subject.Policy, subject.Acted = s.policy.Load(), s.acted
	out := &api.Result{
		Subject: subject, Result: now.Result, Windows: now.Windows, Notes: s.notes(now),
		Sources: s.sources(now), Waiting: now.Waiting, Event: now.Event, Opened: now.Opened,
	}
	receivers := s.receivers()
	out.Troubles = s.troubles(now, receivers)
	name := ""
	if node, ok := s.watch.(*cluster.Node); ok {
		name, out.AlertsDecidedBy, out.AlertsDecidedTo = node.Name(), node.Decides(), node.DecidedTo()
	}
	for _, r := range receivers {
		one := api.Receiver{Name: r.Receiver, Node: r.Node, Here: r.Node == name, Queued: r.Queued, Oldest: document.Time(r.Oldest), Failures: r.Failures}
		if !r.Last.IsZero() {
			one.Last = document.Time(r.Last.Unix())
		}
		out.Receivers = append(out.Receivers, one)
	}
	out.ActionsStopped, out.Actions = s.actions.Switch().Stopped, map[string]int{}
	for _, a := range s.actions.Actions() {
		if !a.State.IsFinal() {
			out.Actions[string(a.State)]++
		}
	}
	return out
}

// notes returns the latest feedback of operators, by ID of the incident.
func (s site) notes(now *watch.Result) map[string]api.Note {
	notes := map[string]api.Note{}
	for id, until := range now.Mutes {
		notes[id] = api.Note{MutedUntil: document.Time(until)}
	}
	for i := range now.Incidents {
		in := &now.Incidents[i]
		if c := mutedBy(now, in); in.Muted && c != nil {
			notes[in.ID] = api.Note{MutedUntil: document.Time(c.Until), MutedBy: c.Who}
		}
	}
	for id, cause := range now.Causes {
		note, said := notes[id], api.SaidOf(&cause)
		note.Was = &said
		notes[id] = note
	}
	return notes
}

// mutedBy returns the last command that muted a component of an incident; nil: the command is
// unknown, because an earlier version of limpet executed it.
func mutedBy(now *watch.Result, in *incident.Incident) (last *command.Command) {
	for _, m := range in.Members {
		c, ok := now.Muted[now.Subject.System.Components[m.Component].Name]
		if ok && (last == nil || c.Time > last.Time) {
			last = &c
		}
	}
	return last
}

// sources returns the machines whose files are read, the senders, and the endpoints that are
// scraped.
func (s site) sources(now *watch.Result) []api.Source {
	var list []api.Source
	for i := range now.Progress.Machines {
		list = append(list, sourceOf(&now.Progress.Machines[i], now.Subject.Schema.StepSeconds))
	}
	sayOnce(list)
	for _, one := range now.Progress.Awaited {
		list = append(list, awaited(one))
	}
	for _, one := range s.intakeStatus() {
		if one.Kind != intake.Machine { // the files of a machine are already in the list
			list = append(list, sender(one, s.o.Now()))
		}
	}
	return list
}

// sayOnce shortens the texts of machines if none of them sends data. Then the data are old, and not a
// single recorder is at fault: the advice to check each server would be the same for all.
func sayOnce(machines []api.Source) {
	isSilent := func(one api.Source) bool { return one.State == api.SourceSilent }
	if len(machines) < 2 || slices.ContainsFunc(machines, func(one api.Source) bool { return !isSilent(one) }) {
		return
	}
	for i := range machines {
		one := &machines[i]
		one.Text = strings.Replace(one.Text, silentAdvice, ", like all other servers", 1)
	}
}

// silentAdvice is the advice in the text about a silent machine.
const silentAdvice = "; check whether the server and its recorder run"

// awaited returns the source for a directory without activity files.
func awaited(a activity.Awaited) api.Source {
	one := api.Source{Name: a.Path, Kind: "activity", State: api.SourceSilent, LagSeconds: document.Number(math.NaN()), Text: a.Text}
	if !a.Exists {
		one.State = api.SourceFailing
	}
	return one
}

var machineStates = map[activity.State]api.SourceState{
	activity.Reading: api.SourceReading, activity.Live: api.SourceLive, activity.Late: api.SourceLate, activity.Silent: api.SourceSilent,
}

// A machine is silent if its newest record is older than silentSeconds, than silentSteps steps, and
// than twice the interval between its records if limpet cannot judge the machine because of this
// interval. The watch finds a silent machine only when a row is closed without it. If all machines are
// silent, no row is closed.
const (
	silentSeconds = 600
	silentSteps   = 5
)

func sourceOf(m *activity.ServerProgress, stepSeconds int64) api.Source {
	if limit := max(silentSeconds, silentSteps*stepSeconds, 2*m.Coarse); m.LastRecord > 0 && m.LagSeconds > limit && (m.State == activity.Live || m.Coarse > 0) {
		silent := *m
		silent.State, silent.Trouble = activity.Silent, ""
		m = &silent
	} else if m.Coarse > 0 && m.State >= activity.Late {
		live := *m // no step has data of the machine, but it sends records as often as before
		live.State = activity.Live
		m = &live
	}
	one := api.Source{
		Name: m.Name, Kind: "activity", State: machineStates[m.State], Last: document.Time(m.LastRecord),
		LagSeconds: document.Number(m.LagSeconds), Samples: int64(m.Steps), Dropped: int64(m.LateSteps + m.AheadSteps), Text: cmp.Or(m.Trouble, keepsUp(m)),
	}
	if m.LastRecord == 0 {
		one.LagSeconds = document.Number(math.NaN())
		if one.State == api.SourceLive {
			one.State, one.Text = api.SourceReading, "no data of this server have arrived yet"
		}
	}
	if m.Trouble == "" {
		one.Text += unused(count{m.LateSteps, "arrived too late: their time step was already compared"}, count{m.AheadSteps, "from a machine whose clock is too far ahead"})
	}
	return one
}

// keepsUp returns a sentence about the delay of a machine's data.
func keepsUp(m *activity.ServerProgress) string {
	lag := english.Seconds(m.LagSeconds)
	switch m.State {
	case activity.Reading:
		return "limpet is reading the files of this server"
	case activity.Late:
		return fmt.Sprintf("the records of this server arrive %s late, so limpet compares time steps without this server; check the recorder, the transport of the files, and the clock of this server", lag)
	case activity.Silent:
		return fmt.Sprintf("the server has sent no data for %s", english.Age(m.LagSeconds)) + silentAdvice
	}
	if m.LagSeconds < 0 {
		return fmt.Sprintf("the clock of this server is %s ahead of the clock of this machine", english.Seconds(-m.LagSeconds))
	}
	return fmt.Sprintf("the last record of this server is %s old", lag)
}

func sender(st intake.SourceStatus, now time.Time) api.Source {
	one := api.Source{
		Name: st.Name, Kind: st.Kind, State: api.SourceLive, Samples: int64(st.Kept), Dropped: int64(st.Dropped + st.Late + st.Duplicate + st.Refused),
		LagSeconds: document.Number(math.NaN()), Text: st.Trouble,
	}
	last := st.Last
	if last.IsZero() {
		last = st.Heard // the time of the last sample is unknown for senders and endpoints
	}
	if !last.IsZero() {
		one.Last, one.LagSeconds = document.Time(last.Unix()), document.Number(now.Sub(last).Seconds())
	}
	switch {
	case st.Trouble != "":
		one.State = api.SourceFailing
	case last.IsZero():
		one.State, one.Text = api.SourceReading, "no data have arrived from this sender yet"
	case !st.Up:
		one.State, one.Text = api.SourceSilent, "the sender has sent no data for some time; check whether the sender runs and reaches this server"
	default:
		one.Text = "the sender sends data"
	}
	one.Text += unused(count{int(st.Dropped), "of series that limpet does not need"}, count{int(st.Late), "arrived too late"},
		count{int(st.Duplicate), "arrived twice"}, count{int(st.Refused), "with an invalid name, time or value"})
	return one
}

// count is a reason why samples were not used, and how many.
type count struct {
	n   int
	why string
}

// unused returns a text with the reasons why samples were not used; empty: all were used.
func unused(counts ...count) string {
	var whys []string
	for _, c := range counts {
		if c.n > 0 {
			whys = append(whys, fmt.Sprintf("%s %s", english.Thousands(c.n), c.why))
		}
	}
	if len(whys) == 0 {
		return ""
	}
	return "; not used: " + strings.Join(whys, ", ")
}

// troubles returns the problems of the watch, of the results that are written back, of actions, and
// of receivers.
func (s site) troubles(now *watch.Result, receivers []alert.ReceiverStatus) []api.Trouble {
	var list []api.Trouble
	for _, t := range now.Troubles {
		list = append(list, api.Trouble{Kind: t.Kind, Since: document.Time(t.Since.Unix()), Text: t.Text})
	}
	if s.results != nil && s.results.Trouble() != "" {
		list = append(list, api.Trouble{Kind: "results", Text: s.results.Trouble()})
	}
	for _, a := range s.actions.Actions() {
		if !a.State.IsFinal() && a.Trouble != "" {
			list = append(list, api.Trouble{Kind: "actions", Text: fmt.Sprintf("action %s on component %s: %s", a.ID, a.Component, a.Trouble)})
		}
	}
	for _, r := range receivers {
		if r.Trouble != "" {
			list = append(list, api.Trouble{Kind: "delivery", Text: r.Receiver + ": " + r.Trouble})
		}
	}
	return list
}
