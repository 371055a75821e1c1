package advice

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Purpose is the purpose of a step.
type Purpose uint8

// The purposes of steps, in the order in which they are taken.
const (
	Find       Purpose = iota // find the device of a drive that the data name in another way
	Check                     // find out which of the remaining explanations is right
	CheckLoad                 // find out whether load explains the slowness, if the data do not show the load
	CheckPaths                // check the paths to the part, if the part itself is in order
	Locate                    // find the part
	Wait                      // wait, because the part may recover by itself
	Relieve                   // keep work away from the part, without losing redundancy
	TakeOut                   // take the part out: redundancy is lost until the part is replaced
)

// A Step is one step of the advice.
type Step struct {
	Purpose   Purpose
	Component int    // component that the step is about; -1: none
	Command   string // command for an operator to read; empty: there is none, or redundancy does not allow it
	Guard     Guard  // check of redundancy, for [TakeOut]
	Outlook   *Prognosis
}

// Problem is the input of the advice.
type Problem struct {
	ID      string
	Kind    finding.Kind
	Place   blame.Place
	Members []int // components that are slow, lost or at fault, worst first
	// Stood is the cause for which a server stood still, if the kind is pauses; table.NumCauses:
	// unknown.
	Stood table.Cause
	// NoLoad reports whether the data do not show how much work the members have.
	NoLoad bool
	// Seconds is the duration of the problem.
	Seconds int64
	// Open lists the components of all open problems, including this one (by its ID and place);
	// nil: unknown.
	Open *Open
}

// For returns the steps for a problem. The first step is a check, or finds the device for the check.
func For(system *topology.System, p *Problem, o *Prognosis) []Step {
	if p.Kind.Harmless() {
		return nil
	}
	a := adviser{system, p}
	steps := []Step{a.check()}
	if p.Kind == finding.LostAttachment && hasPaths(p.Place.Tier) {
		// If a controller is lost, all paths to it are lost. So the controller is checked before
		// the paths.
		paths := steps[0]
		steps[0].Command, paths.Purpose = "", CheckPaths
		steps = append(steps, paths)
	}
	find, finds := a.find()
	if finds {
		steps[0].Command = found(a.of(find.Component))
		steps = append([]Step{find}, steps...)
	}
	worst, ok := a.worst()
	if ok && p.NoLoad && ofDrive(p.Kind) && isOSD(a.of(worst)) {
		steps = append(steps, a.load(worst))
	}
	if !ok || !ofParts(p.Kind) {
		return steps
	}
	if !finds || !isOSD(a.of(worst)) { // the step before has found the place of an OSD
		steps = append(steps, a.locate(worst))
	}
	if p.Place.CanBeShared() && !p.Place.Tier.IsAttribute() && p.Kind != finding.DiskBusy {
		return steps // the place is to be repaired, not one of its parts
	}
	if o != nil {
		steps = append(steps, Step{Purpose: Wait, Component: worst, Outlook: o})
	}
	return append(steps, a.away(worst)...)
}

// hasPaths reports whether servers reach a place of this tier over paths.
func hasPaths(t blame.Tier) bool { return t == blame.Controller || t == blame.Array || t == blame.LUN }

// ofParts reports whether problems of a kind are about parts that may be taken out.
func ofParts(k finding.Kind) bool {
	switch k {
	case finding.SlowDrive, finding.SlowTail, finding.SingleLUN, finding.DiskBusy, finding.StalledRequests, finding.SharedSlowness, finding.DrawerError:
		return true
	}
	return false
}

type adviser struct {
	system *topology.System
	*Problem
}

func (a *adviser) of(c int) *topology.Component { return &a.system.Components[c] }

// worst returns the worst member that is an attachment: the advice is about this member.
func (a *adviser) worst() (component int, ok bool) {
	at := slices.IndexFunc(a.Members, func(c int) bool { return a.of(c).Kind == topology.Attachment })
	if at < 0 {
		return -1, false
	}
	return a.Members[at], true
}

// away returns the steps that keep work away from a part and that take it out.
func (a *adviser) away(c int) []Step {
	v := vocabularyOf(a.of(c))
	var steps []Step
	if command := v.relieve(a.of(c)); command != "" {
		steps = append(steps, Step{Purpose: Relieve, Component: c, Command: command})
	}
	if v.takeOut == nil {
		return steps
	}
	out := Step{Purpose: TakeOut, Component: c, Guard: a.guard(c)}
	if out.Guard.Allowed {
		out.Command = v.takeOut(a.of(c))
	}
	return append(steps, out)
}
