package watch

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/topology"
)

// leastShared is the share of the present components that a new topology must name. A topology that
// names fewer components counts as the topology of another system. After a drive was replaced or an
// array was added, a topology still names more than this share. A topology of another system usually
// names none of the components.
const leastShared = 0.5

// refusal is the error that is returned if a saved state must not be used with the given options.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// checkTopologyKept returns an error if the saved state was made with a topology file and the options
// have no topology. Without a topology, the watch would find the components in the activity files,
// and the components would get other names. So every incident would end.
func (o *Options) checkTopologyKept(was *topology.System) error {
	if was.File == "" || o.System != nil || o.ChangeTopology {
		return nil
	}
	return refusal{fmt.Errorf("limpet made the saved state in %s with the topology file %s: give this file again (-t %s, or the setting \"topology\" in the configuration). "+
		"Or start with --change-topology: limpet then continues without this file, and ends the incidents of components that no longer exist", o.StateDir, was.File, was.File)}
}

// Accepts checks a new topology. It returns an error if two conditions hold: open incidents would end,
// and the topology names a smaller share of the present components than leastShared. The topology is
// then probably the wrong file. If Accepts returns an error, no data is lost, because the saved state
// stays unchanged.
func (s *Result) Accepts(next *topology.System) error {
	was := s.Subject.System
	if next == nil || len(was.Components) == 0 {
		return nil
	}
	shared := sharedComponents(was, next)
	lost, open := s.losses(next)
	if lost == 0 || float64(shared) >= leastShared*float64(len(was.Components)) {
		return nil
	}
	cure := fmt.Sprintf("start with the previous topology file (%s)", was.File)
	if was.File == "" {
		cure = "start without a topology file, as before"
	}
	return refusal{fmt.Errorf("topology file %s names only %d of the %s of the saved state in %s. So %d of %s would end. To keep these incidents, %s. "+
		"Or start with --change-topology if these incidents may end, or with --state and another directory to begin a new state",
		next.File, shared, english.Count(len(was.Components), "component"), s.StateDir, lost, english.Count(open, "open incident"), cure)}
}

// sharedComponents returns the number of components that are in both systems.
func sharedComponents(was, next *topology.System) (n int) {
	for i := range was.Components {
		if _, ok := next.Lookup(was.Components[i].Name); ok {
			n++
		}
	}
	return n
}

// losses returns two numbers: the number of open incidents whose place the next system does not
// have, and the number of all open incidents.
func (s *Result) losses(next *topology.System) (lost, open int) {
	at := blame.NewMap(next)
	for i := range s.Incidents {
		in := &s.Incidents[i]
		if in.Phase == incident.Cleared {
			continue
		}
		open++
		if !at.HasPlace(in.Place) {
			lost++
		}
	}
	return lost, open
}
