package incident

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
)

// atKnownPlaces changes the place of a finding about several components if a known incident at
// another, wider place includes the finding (knownWider). The finding then gets the place of this
// incident. Without this change, a problem of an array that comes and goes could cause two reports:
// first about one controller, and later about the other controller.
func (t *Tracker) atKnownPlaces(found []finding.Finding) []finding.Finding {
	list := slices.Clone(found)
	for i := range list {
		if known := t.knownWider(&list[i]); known != nil {
			list[i].Place, list[i].Joined, list[i].Kind, list[i].Judged = known.Place, known.Joined, known.Kind, known.Judged
		}
	}
	return finding.MergeFindings(list)
}

// knownWider returns a known incident to which a finding about several slow components belongs,
// although the incident is at another place. It returns nil if there is no such incident. Three
// conditions must hold:
//
//   - All members of the finding depend on the place of the incident, or on one of its places
//     Joined.
//   - The incident has affected every member of the finding.
//   - The incident is open, or it has recovered without a repair.
func (t *Tracker) knownWider(f *finding.Finding) *entry {
	if f.Class != finding.Slow || !f.Place.CanBeShared() || len(f.Members) < 2 {
		return nil
	}
	all := slices.Concat(t.open, t.ended)
	at := slices.IndexFunc(all, func(in *entry) bool {
		lives := in.Phase != Pending && !in.merged && (in.Ending == "" || in.Ending == Recovered)
		return lives && in.Class == f.Class && in.Place != f.Place && in.Place.CanBeShared() && !slices.ContainsFunc(f.Members, func(m finding.Member) bool {
			return !in.hasAffected(m.Component) || !t.system.DependsOnAny(m.Component, in.Places())
		})
	})
	if at < 0 {
		return nil
	}
	return all[at]
}

// match returns the open incident that a finding belongs to, or nil if there is none. First it
// looks for an incident at the place of the finding. Incidents at other places may be parts of the
// same problem (isPart). match merges these parts into the incident at the place of the finding. If
// there is no incident at this place, match merges all parts into the first part, and returns this
// part.
func (t *Tracker) match(f *finding.Finding, shown map[*entry]bool, now int64) *entry {
	var in *entry
	var parts []*entry
	for _, other := range t.open {
		switch {
		case problemClass(other.Class) != problemClass(f.Class) || shown[other] || other.merged:
		case other.Place == f.Place:
			in = other
		case t.isPart(other, f):
			parts = append(parts, other)
		}
	}
	if in == nil && len(parts) > 0 {
		in, parts = parts[0], parts[1:]
	}
	for _, part := range parts {
		t.absorb(in, part, now)
	}
	return in
}

// isPart reports whether an incident is only a part of the problem of a finding. Nearly all
// components that the incident has affected must be members of the finding. If the field Gathers of
// the finding is false, a confirmed incident must meet three more conditions. The incident began
// within SameCauseSeconds of the finding. The class of the incident is not slow. The finding is not
// about a silent server. Gathers is set, for example, if drives of a bad batch became slow one by
// one.
func (t *Tracker) isPart(in *entry, f *finding.Finding) bool {
	if in.Class == finding.Slow && in.Phase != Pending && !f.Gathers {
		return false
	}
	apart := f.Onset.At - in.Onset.At
	if !f.Gathers && in.Phase != Pending && (f.Kind == finding.SilentServer || max(apart, -apart) > t.opts.Criteria.SameCauseSeconds) {
		return false
	}
	part := 0
	for i := range f.Members {
		if _, ok := in.lastAffected[f.Members[i].Component]; ok && f.Members[i].Role != finding.TookOver {
			part++
		}
	}
	return len(in.lastAffected) > 0 && float64(part) >= t.opts.Criteria.NearlyAllShare*float64(len(in.lastAffected))
}

// absorb makes the incident `part` a part of the incident `in`. The merged incident keeps the ID of
// `part` if `part` was confirmed first and mayName allows it. Otherwise it keeps the ID of `in`.
// The ID that it does not keep is no longer used.
func (t *Tracker) absorb(in, part *entry, now int64) {
	part.merged = true
	if t.mayName(part, in) && (in.ID == "" || part.Confirmed < in.Confirmed) {
		in.Incident, part.Incident = in.copyWithID(&part.Incident), part.copyWithID(&in.Incident)
		in.renamed = true
	}
	in.KeepWorst(part.Worst)
	in.Amount = max(in.Amount, part.Amount)
	for c, at := range part.lastAffected {
		in.lastAffected[c] = max(in.lastAffected[c], at)
	}
	if part.ID != "" {
		part.Spans[len(part.Spans)-1].To = part.Last
		part.Phase, part.Ending, part.Cleared, part.Into = Cleared, Merged, now, in.ID
		t.sendEvent(part, Clears, now)
	}
}

// mayName reports whether the ID of a part may become the ID of the whole. The ID of a harmless
// incident never becomes the ID of a fault, and the ID of a fault never becomes the ID of a
// harmless incident. The ID of an incident about pauses never becomes the ID of an incident of
// another class. The ID of an incident about a server becomes the ID of an incident about shared
// storage only if the two incidents are the same problem. Otherwise the ID would depend on which of
// the two was found first.
func (t *Tracker) mayName(part, whole *entry) bool {
	if part.ID == "" || part.Harmless() != whole.Harmless() || part.Class == finding.Pause && whole.Class != finding.Pause {
		return false
	}
	return !part.Class.IsAboutServer() || whole.Class.IsAboutServer() || t.problem(part) == t.problem(whole)
}

// copyWithID returns a copy of an incident with the ID and the history (times, phase, spans and
// comments) of another incident.
func (in *entry) copyWithID(as *Incident) Incident {
	out := in.Incident
	out.ID, out.Suspected, out.Confirmed, out.Phase, out.Comments = as.ID, as.Suspected, as.Confirmed, as.Phase, as.Comments
	out.Spans, out.Onset, out.Spell = as.Spans, as.Onset, as.Spell
	return out
}

// endedIncident returns the ended incident that is the same problem as the given incident, or nil.
// It may also return an ended incident of which the problem was only a part. This incident must
// have the ID of the problem, and list the problem in its field Also.
func (t *Tracker) endedIncident(in *entry) *entry {
	for _, old := range t.ended {
		if t.isSameProblem(old, in) || t.hasProblemInAlso(old, in) {
			return old
		}
	}
	return nil
}

// isSameProblem reports whether two incidents are the same problem. A fault of a server's disk and a
// fault of its network are different problems.
func (t *Tracker) isSameProblem(a, b *entry) bool {
	if t.problem(a) == t.problem(b) {
		return true
	}
	return problemClass(a.Class) == problemClass(b.Class) && (a.Place == b.Place || slices.Equal(a.Places(), b.Places())) &&
		(a.Class != finding.Resource || a.Kind == b.Kind || isDisk(a) && isDisk(b))
}

// problemClass returns the class by which a problem is identified. Slow answers to some requests
// (class tail) and slow answers to all requests (class slow) are the same problem of a component.
// So a finding of class tail continues an incident of class slow, and a finding of class slow
// continues an incident of class tail.
func problemClass(c finding.Class) finding.Class {
	if c == finding.Tail {
		return finding.Slow
	}
	return c
}

// isDisk reports whether an incident is a fault of a server's disk.
func isDisk(in *entry) bool {
	return in.Class == finding.Resource && (in.Kind == finding.DiskBusy || in.Kind == finding.DiskHog)
}

// hasProblemInAlso reports whether the ended incident `old` has the ID of the problem of the
// incident `other`, and lists this problem in its field Also.
func (t *Tracker) hasProblemInAlso(old, other *entry) bool {
	return old.ID == t.problem(other).id() && slices.ContainsFunc(old.Also, func(a SecondFinding) bool { return a.Class == other.Class && a.Place == other.Place })
}

// problem has the properties that distinguish one problem from another. The ID of an incident is
// computed from these properties. So a problem has the same ID in all runs, even in runs that use
// steps of different lengths.
type problem struct {
	class finding.Class
	place blame.Place
	kind  finding.Kind // empty except for faults of a server
}

// anyDisk is used as the kind if several drives of a server have a fault. The exact kind may change
// from window to window: a hog in one window, and slow drives in another.
const anyDisk finding.Kind = "disk"

// problem returns the problem of an incident. Two detectors can find the same slow drive: the
// detector of slow drives, and the detector of busy disks of a server. The length of the step
// decides which detector finds the drive first. Both report one problem. So a disk fault of a
// server that affects one drive or LUN counts as slowness of this drive or LUN.
func (t *Tracker) problem(in *entry) problem {
	if !isDisk(in) {
		p := problem{class: problemClass(in.Class), place: in.Place}
		if in.Class == finding.Resource {
			p.kind = in.Kind
		}
		return p
	}
	own := in.ownMembers()
	if len(own) == 0 {
		return problem{in.Class, in.Place, anyDisk}
	}
	place := t.system.PlaceIfAlone(own[0].Component)
	if slices.ContainsFunc(own, func(m finding.Member) bool { return t.system.PlaceIfAlone(m.Component) != place }) {
		return problem{in.Class, in.Place, anyDisk}
	}
	return problem{class: finding.Slow, place: place}
}

func (p problem) id() string {
	key := fmt.Sprintf("%s\x00%s\x00%s", p.class, p.place.Tier, p.place.Name)
	if p.class == finding.Resource {
		key += "\x00" + string(p.kind)
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:4])
}

// newID returns an ID for an incident: the ID of its problem. Another incident may already have
// this ID, because it moved to another place after it got the ID. newID then appends a number.
func (t *Tracker) newID(in *entry) string {
	own := t.problem(in).id()
	id := own
	for n := 2; t.isInUse(id); n++ {
		id = fmt.Sprintf("%s-%d", own, n)
	}
	return id
}

func (t *Tracker) isInUse(id string) bool {
	return slices.ContainsFunc(slices.Concat(t.open, t.ended), func(in *entry) bool { return in.ID == id && in.Ending != Merged })
}

// Two detectors may report the same drive. One detector may find that a drive is slower than its
// peers, and another detector may find that a disk of its server is at fault. Then one incident
// explains the finding of the other detector:
//
//   - The drive is a local drive of the server: the incident about the server explains the finding
//     about the drive.
//   - The drive is a path to a LUN: other servers depend on the LUN as well, so the incident about
//     the LUN explains the finding about the server.
//   - A drive with a finding of class tail is a member of an incident of class slow at another
//     place: this incident explains the finding.
//   - A server serves more than its peers because it has taken over the load of lost paths: the
//     incident about these paths explains the finding about the server.
//   - A server pauses because its disk completes no request: the incident about this disk explains
//     the pauses.

// explains reports whether the incident `by` explains a finding of another class. If the finding
// and the incident are at the same place, explains returns false, except for a pause. For example,
// a finding of class slow and an incident of class tail at one place are the same problem (match).
func (t *Tracker) explains(by *entry, class finding.Class, place blame.Place, members []finding.Member, evidence []finding.Evidence) bool {
	if by.merged || by.Phase == Pending || len(members) == 0 {
		return false
	}
	if class == finding.Pause {
		cause, _ := finding.LongestPause(evidence)
		return cause == table.ByDisk && t.isSlowDiskOf(by, place)
	}
	if by.Place == place {
		return false
	}
	affected := !slices.ContainsFunc(members, func(m finding.Member) bool { return !by.hasAffected(m.Component) })
	switch class {
	case finding.Tail:
		return affected && (by.Class == finding.Slow || t.isDiskOf(by, members))
	case finding.Slow, finding.Stall, finding.Load:
		return affected && t.isDiskOf(by, members)
	case finding.Resource:
		return t.isLUNOf(by, members)
	case finding.Imbalance:
		return t.isLUNOf(by, members) || t.movedLoad(by, place, members)
	}
	return false
}

// isLUNOf reports whether an incident is about slow LUNs, and all members of a finding are paths to
// these LUNs.
func (t *Tracker) isLUNOf(by *entry, members []finding.Member) bool {
	if by.Class != finding.Slow && by.Class != finding.Tail {
		return false
	}
	return !slices.ContainsFunc(members, func(m finding.Member) bool { return !t.affectsLUN(by, m.Component) })
}

// affectsLUN reports whether an incident has affected a path to the LUN of a component.
func (t *Tracker) affectsLUN(by *entry, c int) bool {
	lun := t.system.LUNOf[c]
	return lun >= 0 && slices.ContainsFunc(t.system.Paths[lun], by.hasAffected)
}

// movedLoad reports whether an incident about lost paths explains that a server serves more than
// its peers. Two conditions must hold. The server has a path to a LUN of the lost paths. The server
// began to serve more after these paths were lost, or at most SameCauseSeconds before their loss.
func (t *Tracker) movedLoad(by *entry, server blame.Place, members []finding.Member) bool {
	if by.Class != finding.Path {
		return false
	}
	earlier := func(m finding.Member) bool { return m.Since < by.Onset.Early-t.opts.Criteria.SameCauseSeconds }
	if slices.ContainsFunc(members, earlier) || slices.ContainsFunc(members, func(m finding.Member) bool { return t.system.LUNOf[m.Component] >= 0 }) {
		return false
	}
	for c := range by.lastAffected {
		lun := t.system.LUNOf[c]
		if lun >= 0 && slices.ContainsFunc(t.system.Paths[lun], func(path int) bool { return t.system.Component(path).Server == server.Name && !by.hasAffected(path) }) {
			return true
		}
	}
	return false
}

// isDiskOf reports whether an incident is about the disk of a server, and all members of a finding
// are local drives of this server.
func (t *Tracker) isDiskOf(by *entry, members []finding.Member) bool {
	disk := by.Kind == finding.DiskBusy || by.Kind == finding.DiskHog || by.Class == finding.Imbalance
	return disk && by.Class.IsAboutServer() && !slices.ContainsFunc(members, func(m finding.Member) bool {
		c := t.system.Component(m.Component)
		return by.Place != blame.Place{Tier: blame.Server, Name: c.Server} || c.LUN != ""
	})
}

// isSlowDiskOf reports whether an incident is about slow or busy disks of the given server, and of
// no other server.
func (t *Tracker) isSlowDiskOf(by *entry, server blame.Place) bool {
	switch {
	case by.Kind == finding.DiskBusy || by.Kind == finding.DiskHog:
		return by.Place == server
	case by.Class != finding.Slow && by.Class != finding.Tail && by.Class != finding.Stall:
		return false
	}
	for c := range by.lastAffected {
		if of := t.system.Component(c); of.Server != server.Name || of.LUN != "" {
			return false
		}
	}
	return len(by.lastAffected) > 0
}

// hasAffected reports whether an incident has affected a component.
func (in *entry) hasAffected(c int) bool {
	_, ok := in.lastAffected[c]
	return ok
}

// explainedBy returns the open incident that explains a finding of another class, or nil.
func (t *Tracker) explainedBy(f *finding.Finding) *entry {
	at := slices.IndexFunc(t.open, func(by *entry) bool { return t.explains(by, f.Class, f.Place, f.Members, f.Evidence) })
	if at < 0 {
		return nil
	}
	return t.open[at]
}

// addSecondFinding adds the finding of a second detector to an incident.
func (t *Tracker) addSecondFinding(by *entry, f *finding.Finding, k *Tick) {
	also := SecondFinding{f.Class, f.Kind, f.Place, f.Onset, f.Members, f.Evidence}
	at := slices.IndexFunc(by.Also, func(a SecondFinding) bool { return a.Class == f.Class && a.Place == f.Place })
	if at >= 0 {
		by.Also[at] = also
		return
	}
	by.Also = append(by.Also, also)
	t.sendEvent(by, Changed, k.Time)
}

// explainedIncidents returns all open incidents that the given incident explains.
func (t *Tracker) explainedIncidents(in *entry) (list []*entry) {
	for _, other := range t.open {
		if other != in && !other.merged && t.explains(in, other.Class, other.Place, other.ownMembers(), other.Evidence) {
			list = append(list, other)
		}
	}
	return list
}

// takeOver merges incidents into the given incident, which explains these incidents.
func (t *Tracker) takeOver(in *entry, parts []*entry, now int64) {
	for _, part := range parts {
		t.absorb(in, part, now)
	}
	if in.renamed {
		in.renamed, in.Phase = false, Active
		t.sendEvent(in, Changed, now)
	}
}

// ownMembers returns the members of an incident, without members that only took over load.
func (in *entry) ownMembers() []finding.Member {
	return slices.DeleteFunc(slices.Clone(in.Members), func(m finding.Member) bool { return m.Role == finding.TookOver })
}
