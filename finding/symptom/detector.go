package symptom

import (
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/onset"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
)

// Detector finds servers with a resource at fault by the symptoms that they
// show.
type Detector struct {
	opts     Options
	places   *place.Map
	metrics  []metric.Metric // of the schema
	examiner *examiner
	history  *onset.History
	spells   []spell         // by server
	judged   []bool          // by server, in the last window
	examined int             // windows in which something was judged
	known    [NumKinds]bool  // kinds that were judged in some window
	unlike   [NumKinds]int   // windows in which half of the servers showed it
	shows    []signs         // by server, in this window
	tallies  []finding.Tally // by server, in this window: its components
	all      finding.Tally   // of this window
}

// New returns a detector for the rows of a schema.
func New(o Options, m *place.Map, schema table.Schema) (*Detector, error) {
	x, err := newExaminer(o, m, schema)
	if err != nil {
		return nil, err
	}
	servers := len(m.System.Servers)
	latency := o.WinSeconds + int64(o.memory())*o.ShiftSeconds
	return &Detector{
		opts: o, places: m, metrics: schema.Metrics, examiner: x,
		history: onset.New(o.Onset, m.System, schema, shownBy, latency),
		spells:  make([]spell, servers), judged: make([]bool, servers),
		shows: make([]signs, servers), tallies: make([]finding.Tally, servers),
	}, nil
}

// Push takes the next row. For each window that the row completes it calls emit
// with the end of the window and what it finds, the strongest first: one finding
// for each server that is suspect and shows something odd. Of servers that are
// idle a window says nothing. There is no window where more than half of the
// rows are lacking.
func (d *Detector) Push(row *table.Row, idle func(server int) bool, emit func(end int64, found []finding.Finding)) {
	d.history.Push(row)
	d.examiner.push(row, func(w *window) { emit(w.end, d.weigh(w, idle)) })
}

// weigh adds a window to the spells of all servers.
func (d *Detector) weigh(w *window, idle func(server int) bool) []finding.Finding {
	d.count(w)
	var found []finding.Finding
	for server := range d.spells {
		show := &d.shows[server]
		d.judged[server] = show.judged() && !idle(server)
		if !d.judged[server] || !d.take(server, show) {
			continue
		}
		if kind, ok := d.spells[server].fault(&d.opts); ok {
			found = append(found, d.finding(server, kind))
		}
	}
	finding.StrongestFirst(found)
	return found
}

// count sorts the signs of a window by server.
func (d *Detector) count(w *window) {
	if len(w.signs) > 0 {
		d.examined++
	}
	for _, kind := range w.unlike {
		d.unlike[kind]++
	}
	clear(d.shows)
	for i := range w.signs {
		s := &w.signs[i]
		d.known[s.kind] = true
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.shows[server].keep(s)
		}
	}
	d.tally(w)
}

// tally counts components, each once: the signs of a component stand together.
func (d *Detector) tally(w *window) {
	clear(d.tallies)
	d.all = finding.Tally{}
	judged, odd := -1, -1
	for i := range w.signs {
		s := &w.signs[i]
		var of finding.Tally
		if s.Component != judged {
			judged, of.Judged = s.Component, 1
		}
		if s.odd && s.Component != odd {
			odd, of.Odd = s.Component, 1
		}
		d.all.Add(of)
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.tallies[server].Add(of)
		}
	}
}

// take adds a window to the spell of a server, and says whether anything is odd
// in it. Calm windows end the spell, and what comes later is another matter.
func (d *Detector) take(server int, show *signs) bool {
	s := &d.spells[server]
	if !show.odd() {
		if s.calm++; s.calm == d.opts.memory() {
			*s = spell{}
		}
		return false
	}
	s.odd++
	s.calm = 0
	for kind, seen := range show {
		if seen != nil {
			d.note(&s.of[kind], seen)
		}
	}
	return true
}

// note adds a sign to what its symptom has come to.
func (d *Detector) note(of *shown, s *sign) {
	of.strengths += s.Strength()
	if of.strongest.Take(s.Evidence) {
		of.doubt = s.doubt
	}
	if !s.odd {
		return
	}
	of.oddEnds = append(of.oddEnds, s.To)
	if over := len(of.oddEnds) - d.opts.memory(); over > 0 {
		of.oddEnds = of.oddEnds[over:]
	}
	if !s.suspect {
		return
	}
	if !of.isSuspect() {
		of.onset = d.history.Onset(metric.Index(d.metrics, s.Metric), s.Component, d.places.GroupOf(s.Component), of.oddEnds[0], s.To)
	}
	of.suspect.Take(s.Evidence)
}

// finding is what the spell of a server has come to.
func (d *Detector) finding(server int, kind finding.Kind) finding.Finding {
	s := &d.spells[server]
	var all []finding.Suspicion
	for _, symptom := range byMetric {
		of, now := &s.of[symptom], d.shows[server][symptom]
		if !of.isSuspect() {
			continue
		}
		e := of.suspect
		e.Decides = faults[symptom] == kind
		all = append(all, finding.Suspicion{Evidence: e, Onset: of.onset, Odd: now != nil && now.odd, Windows: s.odd})
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
