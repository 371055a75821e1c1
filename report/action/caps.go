package action

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// The caps that no policy lifts. A policy may ask for less.
const (
	capAtOnce            = 4    // actions under way at the same time
	capAnHour            = 6    // actions that begin within an hour
	shortestPauseSeconds = 3600 // no action for this time after an action that did not help
	hourSeconds          = 3600
)

// Reason is why an action is refused. The values are a part of the JSON document.
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
	BeneathPart       Reason = "redundancy beneath" // the redundancy is that of the drives within the part
	RedundancyUsed    Reason = "redundancy"         // the group would have too little redundancy left
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
		UnknownStorage, UnknownRedundancy, NoRedundancy, BeneathPart, NoDriver, UnknownServer, UnknownName, AlreadyMasked, Rebuilding, RedundancyUsed, Pausing, OtherServer, AtOnce, AnHour,
	}
}

// Meaning returns what a reason means.
func (r Reason) Meaning() string { return meanings[r] }

// meanings are the lines of docs/act.md about refusals, and those of limpet act replay.
var meanings = map[Reason]string{
	Stopped: "the policy has stop: true, or an operator has stopped all actions", NotMaskable: "no action masks this kind of incident", SeveralParts: "the incident concerns several parts", NoRule: "no rule covers the part, or the rule is off",
	ActedBefore: "an operator refused or reversed an action on the incident, it did not help, a check refused it a short time ago, or an action that helped was reversed within the pause",
	IsMuted:     "an operator muted the incident", IsRecovering: "the incident recovers", NotJudged: "there are no present data of the part", MayBeOther: "a harmless cause would look the same", OtherPlace: "another place explains the problem about as well",
	KindNotIn: "the rule does not list the kind", OnlySuspect: "it is a suspect", RatioUnknown: "it is unknown how slow the part is", TooFast: "the part may be less slow than the rule wants", TooShort: "the problem has not lasted for long enough", WrongHour: "it is outside of the hours of the rule",
	UnknownStorage: "the topology lacks the kind of storage", UnknownRedundancy: "the topology lacks the redundancy of the part, or of another part of its group", NoRedundancy: "there is no redundancy", BeneathPart: "the redundancy is that of the drives within the part",
	NoDriver: "limpet has no command for this storage, redundancy and effect", UnknownServer: "the topology lacks the server", UnknownName: "the topology lacks a name that the command needs",
	AlreadyMasked: "the part is masked already", Rebuilding: "an array rebuilds or checks itself", RedundancyUsed: "too little redundancy would be left", Pausing: "an action did not help, a short time ago", OtherServer: "an action on another server is under way", AtOnce: "enough actions are under way", AnHour: "enough actions have begun within the hour",
}

// A Deed is an action of before.
type Deed struct {
	Component int
	Effect    Effect
	Began     int64 // Unix time
	Ended     int64 // Unix time of its undo; 0: it is under way
	Useless   bool  // it did not help
}

// reserve is how many further losses a group must bear after an action. A part that was relieved
// still takes writes: the data that only it could answer for are the only bound. A part that was
// taken out leaves its group open to the next failure, so one further loss must be borne.
func (e Effect) reserve() int {
	if e == TakeOut {
		return 1
	}
	return 0
}

// weakest is the redundancy of the member of a group that bears the fewest losses.
type weakest struct {
	topology.Redundancy
	unknown bool // the topology does not have the redundancy of some member
}

// A groupKey is the same for components that lose redundancy together with the same others.
type groupKey struct {
	kind                  topology.Kind
	storage, pool, server string
}

// weakest returns the redundancy of the weakest part that may be of one group with c. Data of several
// pools may lie on one part, so that a part with three copies may be one of two copies for its
// neighbour.
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
		if err != nil {
			w.unknown = true
		} else if first || r.Spares < w.Spares {
			w.Redundancy, first = r, false
		}
	}
	p.weak[key] = w
	return w
}

// upkeep lists the groups and the servers whose arrays rebuild or check themselves.
type upkeep struct {
	parts   []*topology.Component // one of each group
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
				if c.Server != "" {
					u.servers[c.Server] = true
				}
			}
		}
	}
	return u
}

// concerns reports whether a group with a component, or the component's server, rebuilds or checks
// itself.
func (u *upkeep) concerns(c *topology.Component) bool {
	if u.servers[c.Server] {
		return true
	}
	for _, other := range u.parts {
		if advice.LoseTogether(c, other) {
			return true
		}
	}
	return false
}

// timeCaps returns why no action may begin now, or an action of this component may not; empty: it may.
func (p *planner) timeCaps(c *topology.Component) Reason {
	atOnce, anHour := 0, 0
	pause := max(p.policy.PauseSeconds, shortestPauseSeconds)
	elsewhere, paused := false, false
	for i := range p.deeds {
		d := &p.deeds[i]
		if d.Ended == 0 {
			atOnce++
			elsewhere = elsewhere || p.system.Components[d.Component].Server != c.Server
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
