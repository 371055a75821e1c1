package symptom

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/table"
)

// Detector finds two kinds of servers by their symptoms: servers with a faulty resource,
// and servers that get more requests than their peers.
type Detector struct {
	opts       Options
	places     *blame.Map
	metrics    []metric.Metric // metrics of the schema
	examiner   *examiner
	history    *onset.History
	episodes   [len(Classes)][]episode   // by class and server: the present episode
	compared   []bool                    // by server: whether it was compared in the last window
	examined   int                       // number of windows with at least one sign (type Sign)
	known      [finding.NumSymptoms]bool // by symptom: whether at least one window had a sign of it
	widespread [finding.NumSymptoms]int  // by symptom: number of windows in which the symptom was widespread: so many servers showed the symptom that it is not a fault of one server
	signsOf    []signs                   // by server: its signs in this window
	tallies    []finding.Tally           // by server: numbers of its compared and anomalous components in this window
	all        finding.Tally             // numbers of all compared and anomalous components in this window
}

// Classes are the classes of findings that the detector returns: Resource is a faulty resource, and
// Imbalance means that a server gets more requests than its peers. A server with a finding of class
// Resource gets no second finding of class Imbalance.
var Classes = [...]finding.Class{finding.Resource, finding.Imbalance}

// symptomMetrics are the names of the metrics that show symptoms. The other metrics only
// confirm or contradict a symptom.
var symptomMetrics = []string{
	metric.Await.Name, metric.RdSec.Name, metric.WrSec.Name, metric.RxByt.Name, metric.TxByt.Name,
	metric.RetrIn.Name, metric.RetrOut.Name,
}

// New returns a detector for the rows of a schema.
func New(o Options, c criteria.Options, change onset.Options, m *blame.Map, schema table.Schema) (*Detector, error) {
	x, err := newExaminer(o, c, m, schema)
	if err != nil {
		return nil, err
	}
	servers := len(m.System.Servers)
	latency := o.WinSeconds + int64(o.memory())*o.ShiftSeconds
	d := &Detector{
		opts: o, places: m, metrics: schema.Metrics, examiner: x,
		history:  onset.New(change, m.System, schema, symptomMetrics, latency),
		compared: make([]bool, servers), signsOf: make([]signs, servers), tallies: make([]finding.Tally, servers),
	}
	for class := range d.episodes {
		d.episodes[class] = make([]episode, servers)
	}
	return d, nil
}

// Push takes the next row. For each window that the row completes, Push calls the function `emit`
// with the end of the window and the findings, the strongest finding first. There is one finding
// for each server that has a suspect symptom and an anomalous sign in the window. Push makes no
// findings about idle servers: servers for which idle(server) is true. It skips windows with too
// few rows (Window.HasEnoughSteps).
func (d *Detector) Push(row *table.Row, idle func(server int) bool, emit func(end int64, found []finding.Finding)) {
	d.history.Push(row)
	d.examiner.push(row, func() { emit(d.examiner.window.End, d.update(d.examiner.window.Signs, d.examiner.widespread, idle)) })
}

// update adds a window to the episodes of all servers, and returns the findings of the window. An
// episode (type episode) is a time in which a server has anomalous signs.
func (d *Detector) update(all []Sign, widespread []finding.Symptom, idle func(server int) bool) []finding.Finding {
	d.countSigns(all, widespread)
	var found []finding.Finding
	var exchanging []int // servers that exchange data with other servers
	for server := range d.signsOf {
		if d.compared[server] = d.signsOf[server].hasAny() && !idle(server); !d.compared[server] {
			continue
		}
		foundOne := false
		for class := range Classes {
			switch kind, ok := d.addWindow(server, class); {
			case !ok || foundOne:
			case kind == finding.SystemUpkeep:
				exchanging = append(exchanging, server)
			default:
				found, foundOne = append(found, d.finding(server, class, kind)), true
			}
		}
	}
	if len(exchanging) > 0 {
		found = append(found, d.exchangeFinding(exchanging, slices.Index(Classes[:], finding.Imbalance)))
	}
	finding.StrongestFirst(found)
	return found
}

// countSigns groups the signs of a window (symptoms of components) by server, and updates the
// counts of windows (examined, widespread) and of components (tally).
func (d *Detector) countSigns(all []Sign, widespread []finding.Symptom) {
	if len(all) > 0 {
		d.examined++
	}
	for _, symptom := range widespread {
		d.widespread[symptom]++
	}
	clear(d.signsOf)
	for i := range all {
		s := &all[i]
		d.known[s.Symptom] = true
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.signsOf[server].keepFirst(s)
		}
	}
	d.tally(all)
}

// tally counts the compared and the anomalous components. A component may have several signs, but
// counts only once. This works because the signs of one component follow each other in the list.
func (d *Detector) tally(all []Sign) {
	clear(d.tallies)
	d.all = finding.Tally{}
	compared, odd := -1, -1
	for i := range all {
		s := &all[i]
		var of finding.Tally
		if s.Component != compared {
			compared, of.Judged = s.Component, 1
		}
		if s.Anomalous && s.Component != odd {
			odd, of.Odd = s.Component, 1
		}
		d.all.Add(of)
		if server := d.places.ServerOf[s.Component]; server >= 0 {
			d.tallies[server].Add(of)
		}
	}
}

// addWindow adds a window to a server's episode of one class, and returns the kind of fault. It
// returns false if the server has no anomalous sign in this window, or no suspect symptom. After
// Options.memory windows without an anomalous sign, addWindow ends the episode.
func (d *Detector) addWindow(server, class int) (finding.Kind, bool) {
	s, show := &d.episodes[class][server], &d.signsOf[server]
	if !show.hasAnomalous(Classes[class]) {
		if s.calmWindows++; s.anomalousWindows == 0 || s.calmWindows == d.opts.memory() {
			s.clear(show)
		}
		return "", false
	}
	s.anomalousWindows++
	s.calmWindows = 0
	for symptom, seen := range show {
		if seen != nil {
			d.addSign(&s.symptoms[symptom], seen)
		}
	}
	if waits := show[finding.Waits]; waits != nil && waits.Anomalous {
		s.requests.take(waits.requests)
	}
	return s.fault(Classes[class])
}

// addSign adds a sign (a symptom in one window) to the record of its symptom in an episode.
func (d *Detector) addSign(of *symptomRecord, s *Sign) {
	of.strengths += s.Strength()
	of.Take(d.history, &onset.WindowResult{
		Evidence: s.Evidence, Doubt: s.Doubt, Anomalous: s.Anomalous, Suspect: s.Suspect,
		Metric: metric.Index(d.metrics, s.Metric), Group: d.places.GroupOf(s.Component),
	}, d.opts.memory())
}

// finding makes a finding from the episode of a server: the time in which it has had anomalous
// signs.
func (d *Detector) finding(server, class int, kind finding.Kind) finding.Finding {
	s := &d.episodes[class][server]
	var all []finding.Suspicion
	for _, symptom := range byMetric[Classes[class]] {
		of, now := &s.symptoms[symptom], d.signsOf[server][symptom]
		if !of.IsSuspect() {
			continue
		}
		e := of.Suspect
		e.Decides = symptom.Kind() == kind
		all = append(all, finding.Suspicion{Evidence: e, Onset: of.Onset, Anomalous: now != nil && now.Anomalous, Windows: s.anomalousWindows})
	}
	f := finding.ServerFinding(d.places.System.Servers[server], kind, all)
	d.addDrives(&f, server)
	own := d.tallies[server]
	f.Judged = own.Judged
	f.Elsewhere = finding.Tally{Odd: d.all.Odd - own.Odd, Judged: d.all.Judged - own.Judged}
	if next := s.nextBest(kind); next != nil {
		f.RuledOut = append(f.RuledOut, *next)
	}
	d.examiner.doubtRequests(&f, &s.requests, s.symptoms[finding.Waits].Suspect)
	return f
}

// WorksAsMuchAsPeers looks at the windows of a server's present episode in which requests to one of
// its drives wait too long. It reports whether this drive does at least as much work as its peers
// in these windows.
func (d *Detector) WorksAsMuchAsPeers(server int) bool {
	r, known := d.episodes[slices.Index(Classes[:], finding.Resource)][server].requests.mean()
	return known && r.work >= 1
}

// addDrives adds drives to the members of a finding about the disks of a server. It adds every suspect
// drive of this server that shows a symptom of the finding's kind in this window. The evidence of the
// finding is only about the drive with the strongest symptom.
func (d *Detector) addDrives(f *finding.Finding, server int) {
	if f.Kind != finding.DiskBusy && f.Kind != finding.DiskHog {
		return
	}
	for i := range d.examiner.window.Signs {
		s := &d.examiner.window.Signs[i]
		if !s.Anomalous || !s.Suspect || s.Symptom.Kind() != f.Kind || d.places.ServerOf[s.Component] != server ||
			slices.ContainsFunc(f.Members, func(m finding.Member) bool { return m.Component == s.Component }) {
			continue
		}
		f.Members = append(f.Members, finding.Member{
			Component: s.Component, Role: finding.AtFault, Odd: true, Windows: 1, Worst: s.Strength(), Own: s.Own, Peers: s.Peers, Since: s.From,
		})
	}
}
