// This file counts how often a diagnosis is right, from its incidents and the truth.
//
// The counts are those of the papers: indictments and causes of an experiment (F10 footnote 5), the
// hours until an operator sees an event in the lists (L13 §5.1), and incidents at components that
// are right, wrong or late. No other file decides which incidents are right.

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

// The truth has devices: a device is a component with a fault. Faults of one kind at one component
// are one device. An incident names a device if it is at the component of the device, and if it is
// confirmed during the fault or within the memory of the verdicts after it. These are the verdicts
// on an incident:
//
//   - Right: it names a device, with the kind of the fault
//   - wrongKind: it names a device, with another kind
//   - Doubled: it is about a device that another incident names
//   - wrongPlace: it is about a device that no incident names, but it blames another component
//   - excused: it calls itself harmless, and the truth has work of the server's own
//   - doubtful: it may be the upkeep of an array, as it states itself, and the truth has upkeep
//   - falseIncidents: any other incident

// Verdict states whether an incident is right, by the truth.
type Verdict string

// The verdicts on incidents.
const (
	Right          Verdict = "right"
	Doubled        Verdict = "doubled"                   // another incident about a device that was named
	wrongKind      Verdict = "wrong kind"                // at a device, but of another kind
	wrongPlace     Verdict = "wrong component"           // on components that the fault of a device hits, but blames another component
	excused        Verdict = "harmless"                  // calls itself harmless, and is harmless
	doubtful       Verdict = "correctly called doubtful" // names another possible cause, and this cause is true
	falseIncidents Verdict = "false"
)

// Device is a component with a fault, with the incidents about it.
type Device struct {
	Component string
	Kind      simulate.Kind
	From, To  time.Time
	Text      string
	// Named reports whether an incident was at the component. Found reports whether this incident
	// was also of the kind of the fault.
	Named, Found bool
	// Latency is the time from the start of the fault to the confirmation of the incident at the
	// component; negative: there is no such incident.
	Latency time.Duration
	// OnsetError is the distance between the start of the fault and the interval in which the
	// incident began by its own account.
	OnsetError time.Duration

	shows []int // components on which the fault may show, ascending
}

// Found is an incident with its verdict by the truth.
type Found struct {
	incident.Incident
	Verdict Verdict
	Of      string // component of the device, or the harmless event; empty: neither
}

// IncidentScores compares the incidents of a diagnosis with the truth.
type IncidentScores struct {
	Devices   []Device // in the order of the truth
	Incidents []Found  // in order of confirmation
}

// Exact reports whether every device was named and no incident is wrong.
func (r *IncidentScores) Exact() bool { return r.Named() == len(r.Devices) && len(r.Wrong()) == 0 }

// Named counts the devices that an incident names.
func (r *IncidentScores) Named() int { return r.count(func(d *Device) bool { return d.Named }) }

// Found counts the devices that an incident names with their kind.
func (r *IncidentScores) Found() int { return r.count(func(d *Device) bool { return d.Found }) }

func (r *IncidentScores) count(is func(*Device) bool) (n int) {
	for i := range r.Devices {
		if is(&r.Devices[i]) {
			n++
		}
	}
	return n
}

// Wrong returns the incidents with the verdicts Doubled, wrongPlace and falseIncidents. The verdict
// wrongKind does not count as wrong, because the incident names the right component.
func (r *IncidentScores) Wrong() []Found {
	return slices.DeleteFunc(slices.Clone(r.Incidents), func(f Found) bool {
		return slices.Contains([]Verdict{Right, excused, doubtful, wrongKind}, f.Verdict)
	})
}

// Doubtful counts the incidents that name another possible cause, if this cause is true.
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

// judge compares incidents with the truth.
type judge struct {
	memory int64 // seconds after a fault in which incidents may still be about it
	truth  *simulate.Truth
	system *topology.System
	out    IncidentScores
}

// add adds a fault to the devices. Faults of the same kind at the same component become one device.
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

// name finds the incident of every device. An incident of the right kind is preferred to incidents
// of other kinds, and an earlier incident to a later one.
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

// note stores an incident as the incident of the device.
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

// during reports whether an incident was confirmed during the fault of a device or soon after it.
func (j *judge) during(d *Device, f *Found) bool {
	return f.Confirmed >= d.From.Unix() && f.Confirmed <= d.To.Unix()+j.memory
}

// kinds lists the names that incidents may give to a fault, for faults with other names than their
// own. A server that is down is silent, and has lost its attachments.
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

// touches reports whether an incident is at the device, or at a component that its fault hits.
func (d *Device) touches(f *Found) bool {
	return f.IsAt(d.Component) || slices.ContainsFunc(f.Members, func(m finding.Member) bool {
		_, ok := slices.BinarySearch(d.shows, m.Component)
		return ok
	})
}

// harmless returns the harmless event of a kind at the component of an incident, or nil if there is
// none.
func (j *judge) harmless(f *Found, kind simulate.Kind) *simulate.Fault {
	for i := range j.truth.Harmless {
		h := &j.truth.Harmless[i]
		if s := spanOf(h); h.Kind == kind && h.Component == f.Place.Name && f.Onset.Early <= s.to && f.Confirmed >= s.from {
			return h
		}
	}
	return nil
}
