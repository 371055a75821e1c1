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

// Situation is the input of a plan.
type Situation struct {
	System      *topology.System
	Now         int64               // Unix time: the end of the data
	Open        []incident.Incident // all incidents and suspects that are not over
	Silent      []string            // servers without present data; their parts may be down
	PastActions []PastAction        // earlier actions; of ended actions, at least those within the last pause
	// Stopped: an operator has stopped all actions.
	Stopped bool
	// Decided reports whether an operator or an earlier action has decided about an incident, so
	// that no further action is wanted; nil: no such decisions are known.
	Decided func(*incident.Incident) bool
}

// Decision is the action that limpet proposes for one incident, or the reason why it proposes none.
type Decision struct {
	Component int           // part that the decision is about; -1: there is no single part
	Refused   Reason        // empty: the action is proposed
	Rule      *Rule         // rule that covers the part; nil: no rule does
	Guard     *advice.Guard // redundancy of the group, for refusals because of redundancy; else nil
	Missing   string        // setting that the topology file lacks, if Refused is UnknownName or UnknownServer

	// Steps has the driver of the action, if there is one, even if the action is refused. Its other
	// fields are empty if a name is missing.
	Steps
}

// Plan holds the decisions about all incidents that are open and not harmless.
type Plan struct {
	Policy    *Policy
	decisions map[problem]Decision
}

// problem identifies an incident, or a suspect. A suspect has no ID.
type problem struct {
	id    string
	kind  finding.Kind
	place blame.Place
}

func problemOf(in *incident.Incident) problem { return problem{in.ID, in.Kind, in.Place} }

// For returns the decision about an incident, and false if the incident needs no decision.
func (p *Plan) For(in *incident.Incident) (Decision, bool) {
	if p == nil || in.Phase == incident.Cleared {
		return Decision{}, false
	}
	d, ok := p.decisions[problemOf(in)]
	return d, ok
}

// New makes the decisions. It first decides about the incident that was confirmed first. A proposed
// action counts as under way for the later incidents. So the plan does not depend on the order of
// the incidents. The plan is empty if the policy is nil or off.
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
			p.pastActions = append(p.pastActions, PastAction{Component: d.Component, Effect: d.Driver.Effect, Began: s.Now})
			p.masked[p.of(d.Component).PartName()] = true
		}
		plan.decisions[problemOf(in)] = d
	}
	return plan
}

// Decide makes the decision about one incident as if it were the first of the situation. It is for
// the moment at which an action begins. The parts of all other open incidents count as lost, but no
// action that could be proposed for them counts against the caps.
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
	p := &planner{system: s.System, policy: policy, now: s.Now, pastActions: slices.Clone(s.PastActions), masked: map[string]bool{}, weak: map[groupKey]weakest{}, upkeep: upkeepOf(s.System, open), decided: s.Decided, stopped: s.Stopped}
	for _, d := range p.pastActions {
		if d.Ended == 0 {
			p.masked[s.System.Components[d.Component].PartName()] = true
		}
	}
	p.open = p.shown(open, s.Silent)
	return p, open
}

type planner struct {
	system      *topology.System
	policy      *Policy
	now         int64
	pastActions []PastAction    // earlier actions, and those that this plan proposes
	masked      map[string]bool // by LUN or drive: an action is under way or proposed
	open        *advice.Open
	upkeep      upkeep
	weak        map[groupKey]weakest

	decided func(*incident.Incident) bool
	stopped bool
}

func (p *planner) of(c int) *topology.Component { return &p.system.Components[c] }

// masking is the ID of shown parts that count as lost, but belong to no incident of their own:
// parts that an action masked, parts of silent servers, and parts that only another detector names.
const masking = "\x00masked"

// shown lists the parts that are slow, masked, or on servers without data. All of them count as
// lost.
func (p *planner) shown(open []incident.Incident, silent []string) *advice.Open {
	var list []advice.Shown
	silent = slices.Clone(silent)
	for i := range open {
		in := &open[i]
		list = append(list, advice.Shown{ID: in.ID, Place: in.Place, Components: affected(in)})
		if in.Kind == finding.SilentServer { // its parts may be down
			silent = append(silent, in.Place.Name)
		}
		for _, also := range in.Also { // parts that only another detector names are lost too
			if also.Class == finding.Pause {
				continue // a pause names only the server, and its slow disk is a member already
			}
			list = append(list, advice.Shown{ID: masking, Components: componentsOf(also.Members)})
		}
	}
	if len(silent) > 0 {
		list = append(list, advice.Shown{ID: masking, Components: p.withoutData(silent)})
	}
	for _, d := range p.pastActions {
		if d.Ended == 0 {
			list = append(list, advice.Shown{ID: masking, Components: []int{d.Component}})
		}
	}
	return advice.NewOpen(p.system, list)
}

// withoutData returns the parts of servers that send no data. An OSD and its drive are two components
// of one part, and it is enough if one of the two sources sends data: the host, or the manager of the
// cluster. The manager may also send data while an OSD is down. So before an action Ceph itself is
// asked whether every OSD is up.
func (p *planner) withoutData(silent []string) (parts []int) {
	services, reported := map[string]bool{}, map[string]bool{}
	for i := range p.system.Components {
		switch c := p.of(i); {
		case c.Kind != topology.Attachment:
		case slices.Contains(silent, c.Server):
			parts = append(parts, i)
			services[c.PartName()] = services[c.PartName()] || c.Service
		default:
			reported[c.PartName()] = true
			services[c.PartName()] = services[c.PartName()] || c.Service
		}
	}
	return slices.DeleteFunc(parts, func(i int) bool { return services[p.of(i).PartName()] && reported[p.of(i).PartName()] })
}

// affected returns the members of an incident, without members that took over load.
func affected(in *incident.Incident) []int { return componentsOf(in.Members) }

func componentsOf(members []finding.Member) (list []int) {
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, members[i].Component)
		}
	}
	return list
}

// decide decides about one incident. It checks the diagnosis first, then the policy, then the caps.
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
	if p.findDriver(in, c, &d); d.Refused != "" {
		return d
	}
	switch {
	case p.masked[c.PartName()]:
		d.Refused = AlreadyMasked
	case p.upkeep.concerns(c):
		d.Refused = Rebuilding
	case d.Guard.Lost+1+d.Driver.Effect.reserve() > d.Guard.Spares:
		d.Refused = RedundancyUsed
	case p.hasNoOtherPlace(c, &d):
		d.Refused = NoOtherPlace
	default:
		d.Refused = p.timeCaps(c)
	}
	if d.Refused != RedundancyUsed && d.Refused != NoOtherPlace {
		d.Guard = nil
	}
	return d
}

// hasNoOtherPlace reports whether Ceph could not store the data of an OSD elsewhere if the OSD were out.
// Ceph then keeps using the OSD: on a real Ceph with 4+2 and six OSDs, the writes of clients stayed as
// slow as before.
func (p *planner) hasNoOtherPlace(c *topology.Component, d *Decision) bool {
	if c.Storage != "ceph" || d.Driver.Effect != TakeOut {
		return false
	}
	widest, others := p.weakest(c).widest, p.others(c)-d.Guard.Lost
	if others >= widest.Width {
		return false
	}
	d.Guard.Name, d.Guard.Width, d.Guard.Others = widest.Name, widest.Width, others
	return true
}

// single finds the one part that an action would mask, or returns why there is none.
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
		case *component >= 0: // also for several paths to one LUN, because an action would mask only one path
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

// wanted returns why the policy, or the state of the incident, forbids an action; empty: an action
// is allowed.
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
	return max(o.At, o.Late, in.LatestSince())
}

// findDriver finds the driver and its names. It refuses if the topology lacks the storage, the
// redundancy or a name.
func (p *planner) findDriver(in *incident.Incident, c *topology.Component, d *Decision) {
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
	for _, e := range Effects() { // Relieve first, because it loses no redundancy
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
