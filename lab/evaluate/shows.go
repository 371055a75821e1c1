package evaluate

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// shows returns the components on which a fault shows.
//
// A fault hits attachments, of which only those with load can show it: the
// primaries, or all of them where it hits no primary. Those are Expected. The
// others that it hits are Allowed to show it, and so are the attachments that
// took over the load of a LUN whose path was lost (L13 §5.2.1): a suspect among
// them is right, but its absence is no miss.
type shows struct {
	Expected, Allowed []int // components, ascending
}

// showsOn finds the components that a fault shows on.
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

// canShow reports whether a fault of a server's is seen on a component of its: one
// of its disk on drives, of its network on interfaces or connections.
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

// hitBy are the attachments that the fault names, as far as they are watched,
// or all that belong to its component where it names none.
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

// tookOver are, of every LUN that lost paths, the first that is left.
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
