package evaluate

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// shows holds the components on which a fault shows.
//
// A fault hits attachments. Only attachments with load can show the fault: the primaries, or all of
// them if the fault hits no primary. These are Expected. Two kinds of attachments are Allowed: the
// others that the fault hits, and those that took over the load of a LUN whose path was lost (L13
// §5.2.1). A suspect among the Allowed is right, but a fault that does not show there is not
// missed.
type shows struct {
	Expected, Allowed []int // components, ascending
}

// showsOn returns the components on which a fault shows.
func showsOn(system *topology.System, f *simulate.Fault) (shows, error) {
	hit, err := hitBy(system, f)
	if err != nil {
		return shows{}, err
	}
	var s shows
	for _, c := range hit {
		if of := &system.Components[c]; of.Priority <= 1 && canShow(f.Kind, of.Kind) {
			s.Expected = append(s.Expected, c)
		} else {
			s.Allowed = append(s.Allowed, c)
		}
	}
	if len(s.Expected) == 0 {
		s.Expected, s.Allowed = s.Allowed, nil
	}
	if f.Kind == simulate.LostAttachment || f.Kind == simulate.SilentServer {
		s.Allowed = append(s.Allowed, tookOver(system, hit)...)
	}
	slices.Sort(s.Allowed)
	return s, nil
}

// canShow reports whether a fault of a server shows on a kind of component: a fault of its disk on
// drives, a fault of its network on interfaces or connections.
func canShow(f simulate.Kind, c topology.Kind) bool {
	switch f {
	case simulate.DiskHog, simulate.DiskBusy:
		return c == topology.Attachment
	case simulate.NetworkHog:
		return c == topology.Interface
	case simulate.PacketLoss:
		return c == topology.Host
	}
	return true
}

// hitBy returns the watched attachments that the fault names. If the fault names no attachments,
// hitBy returns all that belong to its component.
func hitBy(system *topology.System, f *simulate.Fault) ([]int, error) {
	var hit []int
	for _, name := range f.Attachments {
		if c, ok := system.Lookup(name); ok {
			hit = append(hit, c)
		}
	}
	if len(f.Attachments) == 0 {
		hit = system.Match(f.Component)
	}
	if len(hit) == 0 {
		return nil, fmt.Errorf("the truth file names component %s, but the data do not have this component: give the truth file of these data", f.Component)
	}
	slices.Sort(hit)
	return slices.Compact(hit), nil
}

// tookOver returns the first remaining attachment of each LUN that lost attachments.
func tookOver(system *topology.System, lost []int) []int {
	gone := map[int]bool{}
	luns := map[string]bool{}
	for _, c := range lost {
		gone[c] = true
		luns[system.Components[c].LUN] = true
	}
	first := map[string]int{}
	for i := range system.Components {
		c := &system.Components[i]
		if c.LUN == "" || !luns[c.LUN] || gone[i] {
			continue
		}
		if other, ok := first[c.LUN]; !ok || c.Priority < system.Components[other].Priority {
			first[c.LUN] = i
		}
	}
	var out []int
	for _, c := range first {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}
