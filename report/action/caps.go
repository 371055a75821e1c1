package action

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// The caps that no policy can raise. A policy can lower them.
const (
	capAtOnce            = 4    // largest number of actions under way
	capAnHour            = 6    // largest number of actions that begin within an hour
	shortestPauseSeconds = 3600 // shortest time without actions after an action that did not help
	hourSeconds          = 3600
)

// Reason is the reason why an action is refused. The values are a part of the JSON document.
type Reason string

// The reasons of the policy and of the diagnosis.
const (
	Stopped      Reason = "stopped"       // the switch that stops all actions is on
	NotMaskable  Reason = "kind"          // no action masks this kind of incident
	SeveralParts Reason = "several parts" // the place holds several parts, or several parts are slow
	NoRule       Reason = "no rule"       // no rule covers the part, or the rule is off
	KindNotIn    Reason = "kind not in rule"
	OnlySuspect  Reason = "suspect"
	TooFast      Reason = "times slower" // less slow than the rule wants
	RatioUnknown Reason = "ratio unknown"
	TooShort     Reason = "too short" // has not lasted for long enough
	WrongHour    Reason = "hours"
	IsMuted      Reason = "muted"
	IsRecovering Reason = "recovering"
	NotJudged    Reason = "not judged"   // there are no present data of the part
	MayBeOther   Reason = "may be other" // a harmless cause would look the same
	OtherPlace   Reason = "other place"  // another place explains the problem about as well
	ActedBefore  Reason = "acted before" // an operator or an earlier action has decided about the incident
)

// The reasons of caps.
const (
	UnknownStorage    Reason = "storage unknown"
	UnknownRedundancy Reason = "redundancy unknown"
	UnknownServer     Reason = "server unknown"
	UnknownName       Reason = "name unknown" // the topology lacks a name that the command needs
	NoDriver          Reason = "no driver"
	NoRedundancy      Reason = "no redundancy"
	BeneathPart       Reason = "redundancy beneath" // the redundancy is inside the part, among its drives
	RedundancyUsed    Reason = "redundancy"         // the group would have too little redundancy left
	NoOtherPlace      Reason = "no other place"     // the storage could not store the data of the part elsewhere
	Rebuilding        Reason = "rebuild"
	AlreadyMasked     Reason = "already masked"
	OtherServer       Reason = "other server" // an action on another server is under way
	AtOnce            Reason = "at once"
	AnHour            Reason = "an hour"
	Pausing           Reason = "pause"
)

// Reasons returns all reasons.
func Reasons() []Reason {
	return []Reason{
		Stopped, NotMaskable, SeveralParts, ActedBefore, NoRule, IsMuted, IsRecovering, NotJudged, MayBeOther, OtherPlace, KindNotIn, OnlySuspect, RatioUnknown, TooFast, TooShort, WrongHour,
		UnknownStorage, UnknownRedundancy, NoRedundancy, BeneathPart, NoDriver, UnknownServer, UnknownName, AlreadyMasked, Rebuilding, RedundancyUsed, NoOtherPlace, Pausing, OtherServer, AtOnce, AnHour,
	}
}

// Meaning returns the explanation of a reason.
func (r Reason) Meaning() string { return meanings[r] }

// meanings has the sentences about refusals in docs/act.md and in the output of limpet act replay.
var meanings = map[Reason]string{
	Stopped: "the policy has stop: true, or an operator has stopped all actions", NotMaskable: "no action masks this kind of incident", SeveralParts: "the incident concerns several parts", NoRule: "no rule covers the part, or the rule is off",
	ActedBefore: "an operator refused or undid an action on the incident, it did not help, a check refused it a short time ago, or an action that helped was undone within the pause",
	IsMuted:     "an operator muted the incident", IsRecovering: "the incident recovers", NotJudged: "there are no present data of the part", MayBeOther: "a harmless cause would look the same", OtherPlace: "another place explains the problem about as well",
	KindNotIn: "the rule does not list the kind", OnlySuspect: "it is a suspect", RatioUnknown: "it is unknown how slow the part is", TooFast: "the part may be less slow than the rule wants", TooShort: "the problem has not lasted for long enough", WrongHour: "it is outside of the hours of the rule",
	UnknownStorage: "the topology lacks the kind of storage", UnknownRedundancy: "the topology lacks the redundancy of the part, or of another part of its group", NoRedundancy: "there is no redundancy", BeneathPart: "the redundancy is that of the drives within the part",
	NoDriver: "limpet has no command for this storage, redundancy and effect", UnknownServer: "the topology lacks the server", UnknownName: "the topology lacks a name that the command needs",
	AlreadyMasked: "the part is already masked", Rebuilding: "an array rebuilds or checks itself", RedundancyUsed: "too little redundancy would be left", NoOtherPlace: "too few other parts would be left to store the data of the part, so the storage would keep using it", Pausing: "an action did not help, a short time ago", OtherServer: "an action on another server is under way", AtOnce: "enough actions are under way", AnHour: "enough actions have begun within the hour",
}

// A PastAction is an action that began earlier.
type PastAction struct {
	Component int
	Effect    Effect
	Began     int64 // Unix time
	Ended     int64 // Unix time of its undo; 0: it is under way
	Useless   bool  // it did not help
}

// reserve returns the number of further losses that a group must survive after an action. A part
// that was relieved still takes writes, so no redundancy is lost. A part that was taken out is
// missing in its group, so the group must survive one further loss.
func (e Effect) reserve() int {
	if e == TakeOut {
		return 1
	}
	return 0
}

// weakest is the lowest redundancy of the members of a group.
type weakest struct {
	topology.Redundancy
	unknown bool                // the topology lacks the redundancy of some member
	widest  topology.Redundancy // redundancy that spreads the data of an object over the most parts
}

// A groupKey is the same for components that belong to the same redundancy groups.
type groupKey struct {
	kind                  topology.Kind
	storage, pool, server string
}

// weakest returns the lowest redundancy of all parts that may belong to one group with c. The parts
// can differ, because one part can have data of several pools: of a pool with three copies and of a
// pool with two, for example.
func (p *planner) weakest(c *topology.Component) weakest {
	key := groupKey{c.Kind, c.Storage, c.Pool, c.Server}
	if w, ok := p.weak[key]; ok {
		return w
	}
	w, first := weakest{}, true
	seen := map[string]bool{} // thousands of parts have a few kinds of redundancy
	for i := range p.system.Components {
		other := p.of(i)
		if !advice.LoseTogether(c, other) || seen[other.Redundancy] {
			continue
		}
		seen[other.Redundancy] = true
		r, err := topology.ParseRedundancy(other.Redundancy)
		if err == nil && r.Width > w.widest.Width {
			w.widest = r
		}
		if err != nil {
			w.unknown = true
		} else if first || r.Spares < w.Spares {
			w.Redundancy, first = r, false
		}
	}
	p.weak[key] = w
	return w
}

// upkeep lists the groups and the servers with an array that rebuilds or checks itself.
type upkeep struct {
	parts   []*topology.Component // one component of each group
	servers map[string]bool
}

func upkeepOf(system *topology.System, open []incident.Incident) upkeep {
	u := upkeep{servers: map[string]bool{}}
	type group struct{ storage, pool, server string }
	known := map[group]bool{}
	for i := range open {
		in := &open[i]
		for _, part := range in.Parts() {
			for _, m := range part.Members {
				if m.Role != finding.Rebuilds && m.Role != finding.Checked && part.Kind != finding.ArrayUpkeep {
					continue
				}
				c := &system.Components[m.Component]
				if g := (group{c.Storage, c.Pool, c.Server}); !known[g] {
					known[g] = true
					u.parts = append(u.parts, c)
				}
				if server := hostOf(c); server != "" {
					u.servers[server] = true
				}
			}
		}
	}
	return u
}

// concerns reports whether an array in the group of a component, or on its server, rebuilds or
// checks itself.
func (u *upkeep) concerns(c *topology.Component) bool {
	if u.servers[hostOf(c)] {
		return true
	}
	for _, other := range u.parts {
		if advice.LoseTogether(c, other) {
			return true
		}
	}
	return false
}

// others returns the number of other OSDs on which Ceph may store the data of an OSD. Drives that hold
// only databases do not count. Ceph may keep the copies of an object on different hosts. So if the
// OSD is the only OSD of its host, the result is the number of other hosts with OSDs.
func (p *planner) others(c *topology.Component) int {
	parts, hosts := map[string]bool{}, map[string]bool{}
	for i := range p.system.Components {
		other := p.of(i)
		if other.Kind != topology.Attachment || !osdName.MatchString(other.Volume) || !advice.LoseTogether(c, other) || other.PartName() == c.PartName() {
			continue
		}
		parts[other.PartName()], hosts[hostOf(other)] = true, true
	}
	if !hosts[hostOf(c)] {
		return len(hosts)
	}
	return len(parts)
}

// hostOf returns the server on which a part is. All parts of this server may fail together. The server
// of an OSD is its host, and not the cluster that reports about the OSD.
func hostOf(c *topology.Component) string {
	server, _ := c.RunsOn()
	return server
}

// timeCaps returns why no action, or no action on this component, may begin now; empty: it may
// begin.
func (p *planner) timeCaps(c *topology.Component) Reason {
	atOnce, anHour := 0, 0
	pause := max(p.policy.PauseSeconds, shortestPauseSeconds)
	elsewhere, paused := false, false
	for i := range p.pastActions {
		d := &p.pastActions[i]
		if d.Ended == 0 {
			atOnce++
			elsewhere = elsewhere || hostOf(p.of(d.Component)) != hostOf(c)
		}
		if d.Began > p.now-hourSeconds {
			anHour++
		}
		if d.Useless && max(d.Began, d.Ended) > p.now-pause {
			paused = true
		}
	}
	switch {
	case paused:
		return Pausing
	case elsewhere:
		return OtherServer
	case atOnce >= min(p.policy.MostAtOnce, capAtOnce):
		return AtOnce
	case anHour >= min(p.policy.MostAnHour, capAnHour):
		return AnHour
	}
	return ""
}
