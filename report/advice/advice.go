package advice

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Purpose is what a step is for.
type Purpose uint8

// The purposes of steps, in the order in which they are taken.
const (
	Check      Purpose = iota // what tells the remaining explanations apart
	CheckPaths                // the paths to what was checked first, if it is in order
	Locate                    // where the part is
	Wait                      // how likely it is to recover by itself
	Relieve                   // keep work away from it, without losing redundancy
	TakeOut                   // take it out: redundancy is lost until it is replaced
)

// A Step is something to do.
type Step struct {
	Purpose   Purpose
	Component int    // that it is about; -1 for none
	Command   string // to be read; empty where there is none, or where it is not allowed
	Guard     Guard  // of [TakeOut]
	Outlook   *Prognosis
}

// Problem is what advice is asked for.
type Problem struct {
	ID      string
	Kind    finding.Kind
	Place   blame.Place
	Members []int // components that are slow, lost or at fault, worst first
	// Stood is the cause for which a server stood still, if the kind is pauses; table.NumCauses if it
	// is not known.
	Stood table.Cause
	// Seconds is for how long it has lasted.
	Seconds int64
	// Open is what all problems show on that are not over, this one among them by its ID
	// and place; nil where that is not known.
	Open *Open
}

// For says what to do about a problem. The first step says what to look at.
func For(system *topology.System, p *Problem, o *Prognosis) []Step {
	if p.Kind.Harmless() {
		return nil
	}
	a := adviser{system, p}
	steps := []Step{a.check()}
	if p.Kind == finding.LostAttachment && hasPaths(p.Place.Tier) {
		// A lost controller takes all paths to it along: it is looked at before the paths.
		paths := steps[0]
		steps[0].Command, paths.Purpose = "", CheckPaths
		steps = append(steps, paths)
	}
	worst, ok := a.worst()
	if !ok || !ofParts(p.Kind) {
		return steps
	}
	steps = append(steps, a.locate(worst))
	if p.Place.CanBeShared() && !p.Place.Tier.IsAttribute() && p.Kind != finding.DiskBusy {
		return steps // what holds its parts is to be repaired, not one of them
	}
	if o != nil {
		steps = append(steps, Step{Purpose: Wait, Component: worst, Outlook: o})
	}
	return append(steps, a.away(worst)...)
}

// hasPaths says whether servers reach a place of this tier by paths.
func hasPaths(t blame.Tier) bool { return t == blame.Controller || t == blame.Array || t == blame.LUN }

// ofParts says whether a kind is of parts that may be taken out.
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

// worst is the member that advice is about.
func (a *adviser) worst() (component int, ok bool) {
	at := slices.IndexFunc(a.Members, func(c int) bool { return a.of(c).Kind == topology.Attachment })
	if at < 0 {
		return -1, false
	}
	return a.Members[at], true
}

// away is how to keep work from a part, and how to take it out.
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
