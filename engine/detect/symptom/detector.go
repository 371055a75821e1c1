package symptom

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/table"
)

// Detector finds servers with a resource at fault, and servers that are asked for
// more than their peers, by the symptoms that they show.
type Detector struct {
	opts     Options
	places   *blame.Map
	metrics  []metric.Metric // of the schema
	examiner *examiner
	history  *onset.History
	spells   [len(Classes)][]spell     // by class and server
	judged   []bool                    // by server, in the last window
	examined int                       // windows in which something was judged
	known    [finding.NumSymptoms]bool // that were judged in some window
	unlike   [finding.NumSymptoms]int  // windows in which half of the servers showed it
	shows    []signs                   // by server, in this window
	tallies  []finding.Tally           // by server, in this window: its components
	all      finding.Tally             // of this window
}

// Classes are those of the findings. A server that is at fault is told for that,
// and not for what it is asked for.
var Classes = [...]finding.Class{finding.Resource, finding.Imbalance}

// shownBy are the metrics that show symptoms. The others confirm them or speak
// against them.
var shownBy = []string{
	metric.Await.Name, metric.RdSec.Name, metric.WrSec.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrIn.Name, metric.RetrOut.Name,
}

// New returns a detector for the rows of a schema.
func New(o Options, m *blame.Map, schema table.Schema) (*Detector, error) {
	x, err := newExaminer(o, m, schema)
	if err != nil {
		return nil, err
	}
	servers := len(m.System.Servers)
	latency := o.WinSeconds + int64(o.memory())*o.ShiftSeconds
	d := &Detector{
		opts: o, places: m, metrics: schema.Metrics, examiner: x,
		history: onset.New(o.Onset, m.System, schema, shownBy, latency),
		judged:  make([]bool, servers), shows: make([]signs, servers), tallies: make([]finding.Tally, servers),
	}
	for class := range d.spells {
		d.spells[class] = make([]spell, servers)
	}
	return d, nil
}

// Push takes the next row. For each window that the row completes it calls emit
// with the end of the window and what it finds, the strongest first: one finding
// for each server that is suspect and shows something odd. Of servers that are
// idle a window says nothing. There is no window where more than half of the
// rows are lacking.
func (d *Detector) Push(row *table.Row, idle func(server int) bool, emit func(end int64, found []finding.Finding)) {
	d.history.Push(row)
	d.examiner.push(row, func() { emit(d.examiner.window.End, d.weigh(d.examiner.window.Signs, d.examiner.unlike, idle)) })
}

// weigh adds a window to the spells of all servers.
func (d *Detector) weigh(all []Sign, unlike []finding.Symptom, idle func(server int) bool) []finding.Finding {
	d.count(all, unlike)
	var found []finding.Finding
	for server := range d.shows {
		if d.judged[server] = d.shows[server].judged() && !idle(server); !d.judged[server] {
			continue
		}
		told := false
		for class := range Classes {
			if kind, ok := d.take(server, class); ok && !told {
				found, told = append(found, d.finding(server, class, kind)), true
			}
		}
	}
	finding.StrongestFirst(found)
	return found
}

// count sorts the signs of a window by server.
func (d *Detector) count(all []Sign, unlike []finding.Symptom) {
	if len(all) > 0 {
		d.examined++
	}
	for _, symptom := range unlike {
		d.unlike[symptom]++
	}
	clear(d.shows)
	for i := range all {
		s := &all[i]
		d.known[s.Symptom] = true
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.shows[server].keep(s)
		}
	}
	d.tally(all)
}

// tally counts components, each once: the signs of a component stand together.
func (d *Detector) tally(all []Sign) {
	clear(d.tallies)
	d.all = finding.Tally{}
	judged, odd := -1, -1
	for i := range all {
		s := &all[i]
		var of finding.Tally
		if s.Component != judged {
			judged, of.Judged = s.Component, 1
		}
		if s.Odd && s.Component != odd {
			odd, of.Odd = s.Component, 1
		}
		d.all.Add(of)
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.tallies[server].Add(of)
		}
	}
}

// take adds a window to the spell of a server in one of the classes, and says
// what the server is found for. Calm windows end the spell, and what comes later
// is another matter.
func (d *Detector) take(server, class int) (finding.Kind, bool) {
	s, show := &d.spells[class][server], &d.shows[server]
	if !show.odd(Classes[class]) {
		if s.calm++; s.odd == 0 || s.calm == d.opts.memory() {
			s.end(show)
		}
		return "", false
	}
	s.odd++
	s.calm = 0
	for symptom, seen := range show {
		if seen != nil {
			d.note(&s.of[symptom], seen)
		}
	}
	return s.fault(Classes[class], d.opts.HogRatio)
}

// note adds a sign to what its symptom has come to.
func (d *Detector) note(of *shown, s *Sign) {
	of.strengths += s.Strength()
	of.Take(d.history, &onset.Seen{
		Evidence: s.Evidence, Doubt: s.Doubt, Odd: s.Odd, Suspect: s.Suspect,
		Metric: metric.Index(d.metrics, s.Metric), Group: d.places.GroupOf(s.Component),
	}, d.opts.memory())
}

// finding is what the spell of a server has come to.
func (d *Detector) finding(server, class int, kind finding.Kind) finding.Finding {
	s := &d.spells[class][server]
	var all []finding.Suspicion
	for _, symptom := range byMetric[Classes[class]] {
		of, now := &s.of[symptom], d.shows[server][symptom]
		if !of.IsSuspect() {
			continue
		}
		e := of.Suspect
		e.Decides = symptom.Kind() == kind
		all = append(all, finding.Suspicion{Evidence: e, Onset: of.Onset, Odd: now != nil && now.Odd, Windows: s.odd})
	}
	f := finding.AtServer(d.places.System.Servers[server], kind, all)
	own := d.tallies[server]
	f.Judged = own.Judged
	f.Elsewhere = finding.Tally{Odd: d.all.Odd - own.Odd, Judged: d.all.Judged - own.Judged}
	if next := s.next(kind); next != nil {
		f.RuledOut = append(f.RuledOut, *next)
	}
	return f
}
