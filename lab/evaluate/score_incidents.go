// This file counts how often a diagnosis is right, from its incidents and the truth.
//
// The counts are those of the papers: indictments and causes of an experiment (F10
// footnote 5), the hours until an operator sees an event in the lists (L13 §5.1), and
// incidents at components that are right, wrong or late. No other file decides what
// counts as right.

package evaluate

import (
	"cmp"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// Incidents held against the truth.
//
// A device is a component with a fault; faults of one kind at one component are
// one device. It is found by an incident at that component and of that kind
// that is confirmed while the fault lasts, or as soon after as verdicts still
// speak of it. Any other incident needs an excuse as well: it is a double of a
// device that was found, in the place of one that was not, a server's own work
// where the truth has it, what it says itself that it may be instead, or false.

// Verdict states whether an incident is right, by the truth.
type Verdict string

// The verdicts on incidents.
const (
	Right          Verdict = "right"
	Doubled        Verdict = "doubled"                 // another incident of a device that was found
	wrongKind      Verdict = "wrong kind"              // at a device, but of another kind
	wrongPlace     Verdict = "wrong component"         // shows on what a device's fault hits, and blames something else
	excused        Verdict = "harmless"                // says itself that nothing is wrong, and that is so
	doubtful       Verdict = "rightly called doubtful" // says itself what it may be instead, and that is so
	falseIncidents Verdict = "false"
)

// Device is a component with a fault, with the incidents about it.
type Device struct {
	Component string
	Kind      simulate.Kind
	From, To  time.Time
	Text      string
	// Named reports whether an incident was at the component, and Found whether it
	// was of the kind, too.
	Named, Found bool
	// Latency is from the fault's begin to when the first incident at the
	// component was confirmed; Never where none was.
	Latency time.Duration
	// OnsetError is how far outside of the interval that the incident gives the
	// fault began.
	OnsetError time.Duration

	shows []int // components, ascending
}

// Found is an incident with its verdict by the truth.
type Found struct {
	incident.Incident
	Verdict Verdict
	Of      string // the device that it has to do with, or what the truth calls harmless; empty where nothing has to
}

// IncidentScores is a diagnosis held against the truth.
type IncidentScores struct {
	Devices   []Device // in the order of the truth
	Incidents []Found  // in order of confirmation
}

// Exact reports whether every device was named, and nothing else.
func (r *IncidentScores) Exact() bool { return r.Named() == len(r.Devices) && len(r.Wrong()) == 0 }

// Named counts the devices that were.
func (r *IncidentScores) Named() int { return r.count(func(d *Device) bool { return d.Named }) }

// Found counts the devices that were named with their kind.
func (r *IncidentScores) Found() int { return r.count(func(d *Device) bool { return d.Found }) }

func (r *IncidentScores) count(is func(*Device) bool) (n int) {
	for i := range r.Devices {
		if is(&r.Devices[i]) {
			n++
		}
	}
	return n
}

// Wrong are the incidents that name no device: doubles at other components,
// misplaced and false ones. Those of a wrong kind name the right component, and
// a second one there is a double.
func (r *IncidentScores) Wrong() []Found {
	return slices.DeleteFunc(slices.Clone(r.Incidents), func(f Found) bool {
		return slices.Contains([]Verdict{Right, excused, doubtful, wrongKind}, f.Verdict)
	})
}

// Doubtful counts the incidents that say themselves what they may be instead, and are.
func (r *IncidentScores) Doubtful() (n int) {
	for i := range r.Incidents {
		if r.Incidents[i].Verdict == doubtful {
			n++
		}
	}
	return n
}

// judgeIncidents compares incidents with the truth.
func judgeIncidents(o *persistence.Options, system *topology.System, truth *simulate.Truth, list []incident.Incident) (*IncidentScores, error) {
	j := &judge{memory: memory(o), truth: truth, system: system}
	for i := range truth.Faults {
		if err := j.add(&truth.Faults[i]); err != nil {
			return nil, err
		}
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b incident.Incident) int {
		return cmp.Or(cmp.Compare(a.Confirmed, b.Confirmed), cmp.Compare(a.ID, b.ID))
	})
	for _, in := range list {
		j.out.Incidents = append(j.out.Incidents, Found{Incident: in})
	}
	j.name()
	for i := range j.out.Incidents {
		if f := &j.out.Incidents[i]; f.Verdict == "" {
			f.Verdict, f.Of = j.excuse(f)
		}
	}
	return &j.out, nil
}

// judge is a judgement under way.
type judge struct {
	memory int64 // seconds for which incidents may still speak of what is over
	truth  *simulate.Truth
	system *topology.System
	out    IncidentScores
}

// add takes up a fault, with others at its component that are of its kind.
func (j *judge) add(f *simulate.Fault) error {
	shows, err := showsOn(j.system, f)
	if err != nil {
		return err
	}
	all := slices.Concat(shows.Expected, shows.Allowed)
	for i := range j.out.Devices {
		d := &j.out.Devices[i]
		if d.Component == f.Component && d.Kind == f.Kind {
			d.shows = append(d.shows, all...)
			slices.Sort(d.shows)
			if f.To.After(d.To) {
				d.To = f.To
			}
			return nil
		}
	}
	slices.Sort(all)
	j.out.Devices = append(j.out.Devices, Device{
		Component: f.Component, Kind: f.Kind, From: f.From, To: f.To, Text: f.Text, Latency: never, shows: all,
	})
	return nil
}

// name finds the incident of every device. One of the right kind goes before
// others at its component, and the first before later ones.
func (j *judge) name() {
	for i := range j.out.Devices {
		d := &j.out.Devices[i]
		named := -1
		for n := range j.out.Incidents {
			f := &j.out.Incidents[n]
			if !f.IsAt(d.Component) || f.Verdict != "" || !j.during(d, f) {
				continue
			}
			if is := kindOf(d.Kind, f.Kind); named < 0 || is && !d.Found {
				named, d.Found = n, is
			}
		}
		if named >= 0 {
			d.note(&j.out.Incidents[named])
		}
	}
}

// note takes an incident for that of the device.
func (d *Device) note(f *Found) {
	f.Verdict, f.Of = wrongKind, d.Component
	if d.Found {
		f.Verdict = Right
	}
	d.Named = true
	d.Latency = time.Unix(f.Confirmed, 0).Sub(d.From)
	if o := f.Onset; !o.Earlier {
		early, late := time.Unix(o.Early, 0), time.Unix(o.Late, 0)
		d.OnsetError = max(early.Sub(d.From), d.From.Sub(late), 0)
	}
}

// during reports whether an incident was confirmed while a device's fault lasted.
func (j *judge) during(d *Device, f *Found) bool {
	return f.Confirmed >= d.From.Unix() && f.Confirmed <= d.To.Unix()+j.memory
}

// kinds are what incidents may call a fault where that is not its own name. A
// server that is down is silent, and has lost its attachments.
var kinds = map[simulate.Kind][]finding.Kind{
	simulate.LUNReset:     {finding.StalledRequests},
	simulate.SilentServer: {finding.SilentServer, finding.LostAttachment},
}

func kindOf(fault simulate.Kind, found finding.Kind) bool {
	if allowed, ok := kinds[fault]; ok {
		return slices.Contains(allowed, found)
	}
	return string(fault) == string(found)
}

// excuse returns the verdict about an incident that belongs to no device.
func (j *judge) excuse(f *Found) (Verdict, string) {
	if f.Harmless() {
		if work := j.harmless(f, simulate.ServerIssued); work != nil {
			return excused, work.Component
		}
		return falseIncidents, ""
	}
	doubled := ""
	for i := range j.out.Devices {
		switch d := &j.out.Devices[i]; {
		case !j.during(d, f) || !d.touches(f):
		case !d.Named:
			return wrongPlace, d.Component
		case doubled == "":
			doubled = d.Component
		}
	}
	if doubled != "" {
		return Doubled, doubled
	}
	if chore := j.harmless(f, simulate.Upkeep); chore != nil {
		if f.MayBe == finding.ArrayUpkeep {
			return doubtful, chore.Text
		}
		return falseIncidents, chore.Text
	}
	if passes := j.harmless(f, simulate.Transient); passes != nil {
		return falseIncidents, passes.Text
	}
	return falseIncidents, ""
}

// touches reports whether an incident shows on what a fault does, or names it.
func (d *Device) touches(f *Found) bool {
	return f.IsAt(d.Component) || slices.ContainsFunc(f.Members, func(m finding.Member) bool {
		_, ok := slices.BinarySearch(d.shows, m.Component)
		return ok
	})
}

// harmless is what happens to the component of an incident and is no fault;
// nil where nothing does.
func (j *judge) harmless(f *Found, kind simulate.Kind) *simulate.Fault {
	for i := range j.truth.Harmless {
		h := &j.truth.Harmless[i]
		if s := spanOf(h); h.Kind == kind && h.Component == f.Place.Name && f.Onset.Early <= s.to && f.Confirmed >= s.from {
			return h
		}
	}
	return nil
}
