package sentence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/topology"
)

// Next returns the steps for an operator, the first check first. An incident that is over has no
// steps.
func (w *Writer) Next(in *incident.Incident) []Step {
	if in.Phase == incident.Cleared {
		return nil
	}
	p := w.problem(in)
	var list []Step
	steps := advice.For(w.System, p, w.outlook(in, p))
	if len(steps) == 0 {
		return []Step{{Text: w.Action(in)}}
	}
	if in.Phase == incident.Recovering {
		steps = steps[:1] // a component that recovers is not taken out
	}
	if in.Kind == finding.SilentServer && w.Unusable[in.Place.Name] != "" {
		list = append(list, Step{Text: fmt.Sprintf("Check the files of %s first: the server may have no fault, because limpet cannot use all of its data.", in.Place.Name)})
	}
	if first, ok := w.beneathStep(in); ok { // the hosts show the cause: nothing has to be found
		steps = slices.DeleteFunc(steps, func(s advice.Step) bool { return s.Purpose == advice.Find || s.Purpose == advice.CheckLoad })
		list, steps = append(list, first), steps[1:]
	}
	for i := range steps {
		list = append(list, w.step(in, p, &steps[i]))
	}
	return list
}

// problem converts an incident to the input of package advice.
func (w *Writer) problem(in *incident.Incident) *advice.Problem {
	p := &advice.Problem{ID: in.ID, Kind: in.Kind, Place: in.Place, Seconds: in.Last - in.PresentOnset().At}
	p.NoLoad = w.loadUnknown(in)
	p.Stood, _ = finding.LongestPause(in.Evidence)
	p.Members = affected(in)
	for _, also := range in.Also {
		if also.Class == finding.Pause {
			continue // a pause is about the whole server, and the faulty part is a member already
		}
		if len(p.Members) == 0 || w.of(p.Members[0]).Kind != topology.Attachment {
			p.Members = append(p.Members, components(also.Members)...)
		}
	}
	if w.Open != nil {
		p.Open = w.Open()
	}
	return p
}

// Open lists the components of all incidents and suspects that are not over.
type Open = advice.Open

// NewOpen returns the components of all incidents and suspects that are not over, for advice.
func NewOpen(system *topology.System, open []incident.Incident) *Open {
	var shown []advice.Shown
	for i := range open {
		shown = append(shown, advice.Shown{ID: open[i].ID, Place: open[i].Place, Components: affected(&open[i])})
	}
	return advice.NewOpen(system, shown)
}

// affected returns the members of an open incident, worst first. Members that took over load are
// left out.
func affected(in *incident.Incident) []int {
	if in.Phase == incident.Cleared {
		return nil
	}
	return components(in.Members)
}

func components(members []finding.Member) []int {
	var list []int
	for i := range members {
		if members[i].Role != finding.TookOver {
			list = append(list, members[i].Component)
		}
	}
	return list
}

// outlook returns the prognosis from the study of this fleet, or else that of T16.
func (w *Writer) outlook(in *incident.Incident, p *advice.Problem) *advice.Prognosis {
	if in.Class != finding.Slow && in.Kind != finding.DiskBusy {
		return nil
	}
	ssd := slices.ContainsFunc(p.Members, func(c int) bool { return strings.HasPrefix(w.of(c).Device, "nvme") })
	if w.Outlook != nil {
		return w.Outlook(ssd)
	}
	return advice.Published(ssd)
}

// step returns the sentences of one step of advice.
func (w *Writer) step(in *incident.Incident, p *advice.Problem, s *advice.Step) Step {
	switch s.Purpose {
	case advice.Check:
		return Step{Text: w.Action(in), Command: s.Command}
	case advice.CheckPaths:
		if w.stillServed(in) != nil {
			return Step{Text: checkOwnPaths, Command: s.Command}
		}
		return Step{Text: checkPaths, Command: s.Command}
	}
	return stepOf(w.of(s.Component), s, p)
}
