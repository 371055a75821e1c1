package top

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// mostMessages is the number of messages that are kept.
const mostMessages = 200

// verdicts runs an engine in memory, and keeps its suspects and incidents.
type verdicts struct {
	engine.Session
	writer    *sentence.Writer
	stamp     func(at int64) string
	resume    engine.Saved // state with which the first engine begins; zero if it begins without a state
	messages  []Message
	known     map[string]bool // suspects about which there was a message
	problems  []problem
	steps     int64
	due       bool // true if an event has come since the problems were last listed
	suspects  int
	incidents int
}

// A problem is a suspect or an incident.
type problem struct {
	level    Level
	id       string
	place    string
	since    int64
	before   bool // true if the problem already existed in the first data; problem.since is then the time of the first data
	members  []int
	times    []float64          // by member: ratio of its latency to the latency of its peers since the onset; 0 if unknown
	gone     []bool             // by member: true if its server has lost the device
	incident *incident.Incident // the suspect or incident; nil if another process runs the diagnosis
	// sentences are the sentences about the problem from the process that runs the diagnosis. The
	// slice is empty if this process runs the diagnosis.
	sentences []string
}

// start makes the engine of a system. If there was an engine before, the new engine continues with
// the state of the old engine.
func (v *verdicts) start(o engine.Options, system *topology.System, schema table.Schema) error {
	saved := v.resume
	if v.Engine != nil {
		var err error
		if saved, err = v.Save(); err != nil {
			return err
		}
	}
	v.problems = nil
	if v.known == nil {
		v.known = map[string]bool{}
	}
	v.due = true
	return v.Start(o, system, schema, saved, v)
}

// push passes the next row to the engine. It updates the list of problems after an event, and
// regularly every TickSteps steps.
func (v *verdicts) push(row *table.Row) {
	if v.Engine == nil {
		return
	}
	v.Push(row)
	v.steps++
	if v.due || v.steps%v.Engine.Options().Criteria.TickSteps == 0 {
		v.due = false
		v.list(row.End)
	}
}

// Event adds a message about a change of an incident. The engine calls this method.
func (v *verdicts) Event(e *incident.Event) {
	v.due = true
	if change, ok := changes[e.Change]; ok {
		v.addMessage(Message{Time: e.Time, ID: e.Incident.ID, Text: v.stamp(e.Time) + " incident " + e.Incident.ID + change + ": " + v.writer.Headline(e.Incident)})
	}
}

// A message about a change of an incident has the ID of the incident, followed by the text of the
// change in this map. A change that is not in the map gets no message.
var changes = map[incident.Change]string{
	incident.Opened: "", incident.Reopened: " is back", incident.Recovers: " recovers", incident.Clears: " is over",
}

func (v *verdicts) addMessage(m Message) {
	if len(v.messages) == mostMessages {
		v.messages = append(v.messages[:0], v.messages[1:]...)
	}
	v.messages = append(v.messages, m)
}

// list gets the suspects and the open incidents from the engine. Harmless incidents get a message, but
// no mark.
func (v *verdicts) list(now int64) {
	s := v.Engine.Open(incident.Combined)
	v.problems, v.suspects, v.incidents = v.problems[:0], 0, 0
	for i := range s.Incidents {
		if in := &s.Incidents[i]; in.Cleared == 0 && in.Into == "" && !in.Harmless() {
			v.incidents++
			v.add(in, Confirmed)
		}
	}
	known := map[string]bool{}
	for i := range s.Suspects {
		in := &s.Suspects[i].Incident
		if in.Harmless() {
			continue
		}
		v.suspects++
		v.add(in, Suspected)
		key := string(in.Class) + " " + string(in.Kind) + " " + in.Place.Name
		known[key] = true
		if !v.known[key] {
			v.addMessage(Message{Time: now, Text: v.stamp(now) + " suspect: " + v.writer.Headline(in)})
		}
	}
	v.known = known
}

func (v *verdicts) add(in *incident.Incident, level Level) {
	p := problem{level: level, since: in.PresentOnset().At, before: in.PresentOnset().Earlier, incident: in}
	if level == Confirmed {
		p.id = in.ID
	}
	for i := range in.Members {
		name := v.writer.System.Components[in.Members[i].Component].Name
		if finding.StandsForServer(in.Class, in.Place.Name, name) {
			continue // the server pauses, so its drive gets no mark
		}
		if role := in.Members[i].Role; role != finding.TookOver && role != finding.AskedMore {
			p.members = append(p.members, in.Members[i].Component)
			p.times = append(p.times, in.Members[i].Effect.Times)
			p.gone = append(p.gone, role == finding.Gone)
		}
	}
	if isWide(in.Place, len(p.members)) {
		p.place = sentence.Placed(in)
	}
	v.problems = append(v.problems, p)
}

// mark writes suspects and incidents into the given lines. The line of a component has the index of
// the component.
func (v *verdicts) mark(lines []Line) {
	for i := range v.problems {
		p := &v.problems[i]
		for k, c := range p.members {
			if l := &lines[c]; p.level > l.Level {
				l.Level, l.Since, l.Before, l.ID, l.Place = p.level, p.since, p.before, p.id, p.place
				l.Missing = p.gone[k] && math.IsNaN(float64(l.Latency))
				if l.SinceTimes = nan; p.times[k] > 0 {
					l.SinceTimes = Number(p.times[k])
				}
			}
		}
	}
}

// present returns the problems that last at present, incidents first.
func (v *verdicts) present() []PresentProblem {
	list := make([]PresentProblem, 0, len(v.problems))
	for i := range v.problems {
		p := &v.problems[i]
		s := PresentProblem{Level: p.level, ID: p.id, Since: p.since, Before: p.before, Members: len(p.members)}
		switch {
		case p.incident != nil:
			s.Text = v.writer.Headline(p.incident)
		case len(p.sentences) > 0:
			s.Text = p.sentences[0]
		}
		list = append(list, s)
	}
	return list
}

// sentencesAbout returns the sentences about the worst problem of a component.
func (v *verdicts) sentencesAbout(component int) (list []string) {
	var worst *problem
	for i := range v.problems {
		if p := &v.problems[i]; slices.Contains(p.members, component) && (worst == nil || p.level > worst.level) {
			worst = p
		}
	}
	if worst == nil {
		return nil
	}
	sentences := worst.sentences
	if worst.incident != nil {
		sentences = append([]string{v.writer.Headline(worst.incident)}, v.writer.Because(worst.incident)...)
	}
	if len(sentences) == 0 {
		return nil
	}
	headline := worst.level.String() + ": " + sentences[0]
	if worst.id != "" {
		headline = worst.level.String() + " " + worst.id + ": " + sentences[0]
	}
	return append([]string{headline}, sentences[1:]...)
}
