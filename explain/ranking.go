package explain

import (
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/symptom"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Ranking indicts servers by their symptoms, and lets the strength of each
// decide which cause they have (F10 §14). Every window in which a server shows
// anything odd counts, so that what is made up for afterwards is none: a disk
// that was busy and then works off what has piled up has had no more to do
// than its peers. Once a server has shown nothing odd for as long as the filter
// remembers, that is over, and what comes later is another matter.
type Ranking struct {
	system  *topology.System
	metrics []metric.Metric
	memory  int // windows that the filter remembers
	trials  map[string]*trial
	closed  []Indictment
	history *history
}

// trial is what one server shows.
type trial struct {
	windows int // in which something was odd
	calm    int // windows since the last of them
	of      [symptom.NumKinds]testimony
}

// testimony is what one symptom of a server came to.
type testimony struct {
	sum      float64  // of its strength, over those windows
	strong   Evidence // the strongest of them
	suspect  bool
	evidence Evidence // the strongest of those in which it was suspect
	odd      []int64  // ends of the windows in which it was odd, as far as the filter remembers
	onset    Onset
}

// NewRanking returns one without charges, for windows of symptoms with the
// given settings and rows of a schema.
func NewRanking(system *topology.System, schema table.Schema, o symptom.Options) *Ranking {
	r := &Ranking{system: system, metrics: schema.Metrics, memory: 2*o.K - 1, trials: map[string]*trial{}}
	r.history = newHistory(system, schema, symptom.Metrics(), o.WinSeconds+int64(r.memory)*o.ShiftSeconds)
	for _, s := range system.Servers {
		r.trials[s] = &trial{}
	}
	return r
}

// Row takes the row before the windows that end with it.
func (r *Ranking) Row(row *table.Row) { r.history.push(row) }

// Window takes what a window shows, but for servers that are excused.
func (r *Ranking) Window(w *symptom.Window, excused func(server string) bool) {
	all := r.byServer(w)
	for _, server := range r.system.Servers {
		if signs := all[server]; signs != nil && !excused(server) {
			r.hear(server, w, signs)
		}
	}
}

// byServer picks for each server and kind the component that shows it most.
func (r *Ranking) byServer(w *symptom.Window) map[string]*[symptom.NumKinds]*symptom.Sign {
	all := map[string]*[symptom.NumKinds]*symptom.Sign{}
	for i := range w.Signs {
		s := &w.Signs[i]
		server := r.system.Components[s.Component].Server
		if all[server] == nil {
			all[server] = &[symptom.NumKinds]*symptom.Sign{}
		}
		if known := all[server][s.Kind]; known == nil || above(s, known) {
			all[server][s.Kind] = s
		}
	}
	return all
}

// above prefers suspects, then what is odd, then what is stronger.
func above(a, b *symptom.Sign) bool {
	switch {
	case a.Suspect != b.Suspect:
		return a.Suspect
	case a.Odd != b.Odd:
		return a.Odd
	}
	return a.Strength() > b.Strength()
}

func (r *Ranking) hear(server string, w *symptom.Window, signs *[symptom.NumKinds]*symptom.Sign) {
	t := r.trials[server]
	odd := slices.ContainsFunc(signs[:], func(s *symptom.Sign) bool { return s != nil && s.Odd })
	if !odd {
		if t.calm++; t.calm == r.memory {
			r.close(server)
		}
		return
	}
	t.windows++
	t.calm = 0
	for kind, s := range signs {
		if s != nil {
			r.testify(&t.of[kind], w, s)
		}
	}
}

// close ends the trial of a server, which is then as one of whom nothing is
// known.
func (r *Ranking) close(server string) {
	if in, ok := r.trials[server].verdict(); ok {
		in.Server = server
		r.closed = append(r.closed, in)
	}
	r.trials[server] = &trial{}
}

func (r *Ranking) testify(of *testimony, w *symptom.Window, s *symptom.Sign) {
	seen := Evidence{
		Metric: s.Metric, Component: r.system.Components[s.Component].Name, Unit: s.Unit,
		Score: s.Score, Threshold: s.Threshold, Scale: s.Scale, Doubt: s.Doubt,
		Median: s.Own, Peers: s.Peers, From: w.Start, To: w.End,
	}
	of.sum += s.Strength()
	of.strong = stronger(of.strong, seen)
	if !s.Odd {
		return
	}
	of.odd = append(of.odd, w.End)
	if over := len(of.odd) - r.memory; over > 0 {
		of.odd = of.odd[over:]
	}
	if !s.Suspect {
		return
	}
	if !of.suspect {
		of.suspect = true
		c := &r.system.Components[s.Component]
		of.onset = r.history.onset(metric.Index(r.metrics, s.Metric), s.Component, c.Group-1, of.odd[0], w.End)
	}
	of.evidence = stronger(of.evidence, seen)
}

// causes maps symptoms to what they are symptoms of.
var causes = [symptom.NumKinds]Cause{
	symptom.Slow: DiskBusy, symptom.Loaded: DiskHog,
	symptom.Receives: NetworkHog, symptom.Sends: NetworkHog,
	symptom.LosesIn: PacketLoss, symptom.LosesOut: PacketLoss,
}

// List gives the indictments so far, the strongest first. A server that was
// at fault twice stands there twice.
func (r *Ranking) List() []Indictment {
	list := slices.Clone(r.closed)
	for _, server := range r.system.Servers {
		if in, ok := r.trials[server].verdict(); ok {
			in.Server = server
			list = append(list, in)
		}
	}
	strongestFirst(list)
	return list
}

// verdict ranks the causes of one server. A disk that has more to do than its
// peers makes requests wait, however much stronger the waiting shows.
func (t *trial) verdict() (Indictment, bool) {
	chosen := t.strongest(func(kind symptom.Kind) bool { return t.of[kind].suspect })
	if chosen < 0 {
		return Indictment{}, false
	}
	if causes[chosen] == DiskBusy && t.of[symptom.Loaded].suspect && t.mean(symptom.Loaded) >= 1 {
		chosen = int(symptom.Loaded)
	}
	in := Indictment{Cause: causes[chosen]}
	found, onsets := map[string]Evidence{}, map[string]Onset{}
	for kind := range t.of {
		if of := &t.of[kind]; of.suspect {
			found[of.evidence.Metric] = of.evidence
			onsets[of.evidence.Metric] = of.onset
		}
	}
	in.Metrics = inOrder(found)
	in.span(onsets)
	in.Next = t.next(in.Cause)
	return in, true
}

// next is the cause that comes after the one chosen: another that its server
// is suspect of, or else the one that shows most.
func (t *trial) next(chosen Cause) *Alternative {
	other := func(kind symptom.Kind) bool { return causes[kind] != chosen && t.of[kind].strong.Metric != "" }
	kind := t.strongest(func(kind symptom.Kind) bool { return other(kind) && t.of[kind].suspect })
	if kind < 0 {
		kind = t.strongest(other)
	}
	if kind < 0 {
		return nil
	}
	return &Alternative{Cause: causes[kind], Evidence: t.of[kind].strong, Holds: t.of[kind].suspect}
}

// strongest is the kind whose mean strength is largest among those wanted,
// -1 where none is.
func (t *trial) strongest(wanted func(symptom.Kind) bool) int {
	best := -1
	for kind := range symptom.NumKinds {
		if wanted(kind) && (best < 0 || t.mean(kind) > t.mean(symptom.Kind(best))) {
			best = int(kind)
		}
	}
	return best
}

func (t *trial) mean(kind symptom.Kind) float64 { return t.of[kind].sum / float64(t.windows) }
