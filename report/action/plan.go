package action

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// Situation is what a plan is made for.
type Situation struct {
	System *topology.System
	Now    int64               // Unix time: the end of the data
	Open   []incident.Incident // all incidents and suspects that are not over
	Silent []string            // servers without present data; their parts may be down
	Deeds  []Deed              // the actions of before; of those that ended, at least those of the last pause
	// Stopped: an operator has stopped all actions.
	Stopped bool
	// Decided reports whether an operator or an earlier action has decided about an incident, so that
	// no further action is wanted; nil: there is none.
	Decided func(*incident.Incident) bool
}

// Decision is what limpet would do about one incident, or why it would do nothing.
type Decision struct {
	Component int           // the part that the decision is about; -1: there is no single part
	Refused   Reason        // empty: the action is proposed
	Rule      *Rule         // that covers the part; nil: none does
	Guard     *advice.Guard // of refusals that are about redundancy, else nil
	Missing   string        // the setting of the topology file that is missing, of UnknownName

	// Steps has the driver of a proposed action, and of a refused action that has one. Its other
	// fields are empty if a name is missing.
	Steps
}

// Plan has the decisions about all incidents that are open and not harmless.
type Plan struct {
	Policy    *Policy
	decisions map[problem]Decision
}

// problem identifies an incident or a suspect, which has no ID.
type problem struct {
	id    string
	kind  finding.Kind
	place blame.Place
}

func problemOf(in *incident.Incident) problem { return problem{in.ID, in.Kind, in.Place} }

// For returns the decision about an incident. It is false for an incident that needs no decision.
func (p *Plan) For(in *incident.Incident) (Decision, bool) {
	if p == nil || in.Phase == incident.Cleared {
		return Decision{}, false
	}
	d, ok := p.decisions[problemOf(in)]
	return d, ok
}

// New makes the decisions. The incident that was confirmed first is decided first, and an action
// that is proposed counts as under way for the incidents after it. So the plan does not depend on
// the order of the incidents. A policy that is nil or off has an empty plan.
func New(policy *Policy, s Situation) *Plan {
	plan := &Plan{Policy: policy, decisions: map[problem]Decision{}}
	if policy == nil || policy.Mode == Off {
		return plan
	}
	p, open := newPlanner(policy, &s)
	slices.SortStableFunc(open, func(a, b incident.Incident) int {
		suspect := func(in *incident.Incident) int { return map[bool]int{true: 1}[in.Confirmed == 0] }
		return cmp.Or(cmp.Compare(suspect(&a), suspect(&b)), cmp.Compare(a.Confirmed, b.Confirmed), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Place.Tier, b.Place.Tier), cmp.Compare(a.Place.Name, b.Place.Name), cmp.Compare(a.Kind, b.Kind))
	})
	for i := range open {
		in := &open[i]
		if in.Harmless() {
			continue
		}
		d := p.decide(in)
		if d.Refused == "" {
			p.deeds = append(p.deeds, Deed{Component: d.Component, Effect: d.Driver.Effect, Began: s.Now})
			p.masked[advice.Thing(p.of(d.Component))] = true
		}
		plan.decisions[problemOf(in)] = d
	}
	return plan
}

// Decide makes the decision about one incident of a situation before those about the others. It is
// for the moment at which an action begins: all others that are open count as lost, and none of them
// takes a part of the budget.
func Decide(policy *Policy, s Situation, in *incident.Incident) Decision {
	if policy == nil || policy.Mode == Off || in.Phase == incident.Cleared || in.Harmless() {
		return Decision{Component: -1, Refused: NoRule}
	}
	p, _ := newPlanner(policy, &s)
	return p.decide(in)
}

// newPlanner returns a planner, and the incidents that are not over.
func newPlanner(policy *Policy, s *Situation) (*planner, []incident.Incident) {
	open := slices.DeleteFunc(slices.Clone(s.Open), func(in incident.Incident) bool { return in.Phase == incident.Cleared })
	p := &planner{system: s.System, policy: policy, now: s.Now, deeds: slices.Clone(s.Deeds), masked: map[string]bool{}, weak: map[groupKey]weakest{}, upkeep: upkeepOf(s.System, open), decided: s.Decided, stopped: s.Stopped}
	for _, d := range p.deeds {
		if d.Ended == 0 {
			p.masked[advice.Thing(&s.System.Components[d.Component])] = true
		}
	}
	p.open = p.shown(open, s.Silent)
	return p, open
}

type planner struct {
	system *topology.System
	policy *Policy
	now    int64
	deeds  []Deed          // of before, and those that this plan proposes
	masked map[string]bool // by LUN or drive: an action is under way or proposed
	open   *advice.Open
	upkeep upkeep
	weak   map[groupKey]weakest

	decided func(*incident.Incident) bool
	stopped bool
}

func (p *planner) of(c int) *topology.Component { return &p.system.Components[c] }

// masking is the ID under which parts that were masked before count as lost.
const masking = "\x00masked"

// shown lists the parts that are slow, masked, or on servers without data. All of them count as lost.
func (p *planner) shown(open []incident.Incident, silent []string) *advice.Open {
	var list []advice.Shown
	for _, server := range silent {
		list = append(list, advice.Shown{ID: masking, Components: blame.AttachmentsWith(p.system, blame.Place{Tier: blame.Server, Name: server})})
	}
	for i := range open {
		in := &open[i]
		list = append(list, advice.Shown{ID: in.ID, Place: in.Place, Components: affected(in)})
		if in.Kind == finding.SilentServer { // its parts may be down
			list = append(list, advice.Shown{ID: masking, Components: blame.AttachmentsWith(p.system, in.Place)})
		}
		for _, also := range in.Also { // parts that only another detector names are lost too
			if also.Class == finding.Pause {
				continue // it names the server, whose slow disk is a member already
			}
			list = append(list, advice.Shown{ID: masking, Components: componentsOf(also.Members)})
		}
	}
	for _, d := range p.deeds {
		if d.Ended == 0 {
			list = append(list, advice.Shown{ID: masking, Components: []int{d.Component}})
		}
	}
	return advice.NewOpen(p.system, list)
}

// affected returns the components that an incident shows on.
func affected(in *incident.Incident) []int { return componentsOf(in.Members) }

func componentsOf(members []finding.Member) (list []int) {
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, members[i].Component)
		}
	}
	return list
}

// decide decides about one incident: first what the diagnosis says, then the policy, then the caps.
func (p *planner) decide(in *incident.Incident) Decision {
	d := Decision{Component: -1}
	if p.policy.Stop || p.stopped {
		d.Refused = Stopped
		return d
	}
	if d.Refused = p.single(in, &d.Component); d.Refused != "" {
		return d
	}
	if p.decided != nil && p.decided(in) {
		d.Refused = ActedBefore
		return d
	}
	c := p.of(d.Component)
	d.Rule = p.policy.ruleFor(c)
	if d.Refused = p.wanted(in, d.Rule); d.Refused != "" {
		return d
	}
	if p.known(in, c, &d); d.Refused != "" {
		return d
	}
	switch {
	case p.masked[advice.Thing(c)]:
		d.Refused = AlreadyMasked
	case p.upkeep.concerns(c):
		d.Refused = Rebuilding
	case d.Guard.Lost+1+d.Driver.Effect.reserve() > d.Guard.Spares:
		d.Refused = RedundancyUsed
	default:
		d.Refused = p.timeCaps(c)
	}
	if d.Refused != RedundancyUsed {
		d.Guard = nil
	}
	return d
}

// single finds the one part that an action would mask.
func (p *planner) single(in *incident.Incident, component *int) Reason {
	if !slices.Contains(Kinds(), in.Kind) {
		return NotMaskable
	}
	if in.Place.CanBeShared() || len(in.Joined) > 0 {
		return SeveralParts
	}
	for _, c := range affected(in) {
		switch {
		case p.of(c).Kind != topology.Attachment:
		case *component >= 0: // several paths to one LUN too: an action would mask one of them
			*component = -1
			return SeveralParts
		default:
			*component = c
		}
	}
	if *component < 0 {
		return NotMaskable
	}
	return ""
}

// wanted returns why the policy, or the state of the incident, does not want an action.
func (p *planner) wanted(in *incident.Incident, u *Rule) Reason {
	effect := in.Effect()
	low := effect.Low
	if in.Class == finding.Stall { // a stall is one event, and its ratio has no interval
		low = effect.Times
	}
	switch {
	case u == nil || u.Mode == Off:
		return NoRule
	case in.Muted:
		return IsMuted
	case in.Phase == incident.Recovering:
		return IsRecovering
	case in.Unjudged > 0:
		return NotJudged
	case in.MayBe != "":
		return MayBeOther
	case len(in.Alike) > 0:
		return OtherPlace
	case !slices.Contains(u.Kinds, in.Kind):
		return KindNotIn
	case in.Confirmed == 0 && !u.Suspects:
		return OnlySuspect
	case in.HasTimeRatio() && !(low > 0):
		return RatioUnknown
	case in.HasTimeRatio() && low < u.TimesSlower:
		return TooFast
	case p.now-begin(in) < u.LastedSeconds:
		return TooShort
	case !u.Hours.Contains(p.now):
		return WrongHour
	}
	return ""
}

// begin returns the latest time at which the present problem may have begun.
func begin(in *incident.Incident) int64 {
	o := cmp.Or(in.Spell, in.Onset)
	return max(o.At, o.Late)
}

// known finds the driver, and refuses what the topology does not know.
func (p *planner) known(in *incident.Incident, c *topology.Component, d *Decision) {
	g := advice.GuardOf(p.system, &advice.Problem{ID: in.ID, Kind: in.Kind, Place: in.Place, Members: affected(in), Open: p.open}, d.Component)
	d.Guard = &g
	switch g.Reason {
	case advice.NoKind:
		d.Refused = UnknownStorage
	case advice.NotSaid, advice.NotKnown:
		d.Refused = UnknownRedundancy
	case advice.NoneLeft:
		d.Refused = NoRedundancy
	case advice.Beneath:
		d.Refused = BeneathPart
	}
	if d.Refused != "" {
		return
	}
	r, err := topology.ParseRedundancy(c.Redundancy)
	weak := p.weakest(c)
	if err != nil || weak.unknown {
		d.Refused = UnknownRedundancy
		return
	}
	g.Spares, g.Name = weak.Spares, weak.Name
	for _, e := range Effects() { // the one that loses no redundancy first
		if d.Driver == nil && slices.Contains(d.Rule.Effects, e) {
			if d.Driver = driverOf(c, r, e); d.Driver == nil && Lookup(c.Storage, e) == nil {
				d.Driver = p.policy.Lookup(c.Storage, e)
			}
		}
	}
	if d.Driver == nil {
		d.Refused = NoDriver
		return
	}
	names, missing := namesOf(c, in.ID)
	if d.Driver.external {
		names, missing = externalNames(c, d.Driver.Effect)
	}
	switch {
	case missing == "server":
		d.Refused, d.Missing = UnknownServer, missing
	case missing != "":
		d.Refused, d.Missing = UnknownName, missing
	default:
		d.Steps = d.Driver.Steps(names)
	}
}
