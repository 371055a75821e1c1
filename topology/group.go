package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Components of different tiers are never peers. Groups are numbered in the order of tiers.
type tier uint8

const (
	tierLUN tier = iota // attachments of LUNs
	tierDrive
	tierInterface
	tierHost
)

func (t tier) String() string {
	return [...]string{"paths", "drives", "interfaces", "hosts"}[t]
}

// A peerKey holds the properties that peers have in common: components are peers if all fields are
// equal. A field that does not matter for a component is empty.
type peerKey struct {
	tier     tier
	priority int
	server   string
	array    string
	set      string
	model    string
	class    string // class of the device, or the interface's name
}

// name returns "primary old", "jbod1 sd", "eth0" or "all dm* paths".
func (l peerKey) name() string {
	words := []string{l.server, l.array, ordinal(l.priority), l.set, l.model, l.class}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	switch {
	case l.tier == tierLUN && l.class != "":
		if words[len(words)-1] += "*"; len(words) == 1 {
			words = append([]string{"all"}, words...)
		}
		words = append(words, l.tier.String())
	case len(words) == 0:
		words = append(words, l.tier.String())
	}
	return strings.Join(words, " ")
}

// ordinal returns the name of a priority. From the fourth on it is a number, because few people
// know the word "quaternary".
func ordinal(priority int) string {
	switch priority {
	case 0:
		return ""
	case 1:
		return "primary"
	case 2:
		return "secondary"
	case 3:
		return "tertiary"
	}
	switch suffix := priority % 100; {
	case suffix%10 == 1 && suffix != 11:
		return fmt.Sprintf("%dst", priority)
	case suffix%10 == 2 && suffix != 12:
		return fmt.Sprintf("%dnd", priority)
	case suffix%10 == 3 && suffix != 13:
		return fmt.Sprintf("%drd", priority)
	}
	return fmt.Sprintf("%dth", priority)
}

// An assembly is a system under construction: its components, and the peerKey of each.
type assembly struct {
	System
	peerKeys []peerKey
}

func (a *assembly) add(c Component, l peerKey) {
	l.priority, l.set = c.Priority, c.Set
	a.Components = append(a.Components, c)
	a.peerKeys = append(a.peerKeys, l)
}

// finish fills tiers, groups and maps, and returns the clashes.
func (a *assembly) finish() (*System, []clash) {
	a.listTiers()
	a.listGroups()
	s := a.System
	return &s, s.index()
}

// listTiers lists servers, arrays and so on, in the order in which they appear.
func (a *assembly) listTiers() {
	lists := []*[]string{&a.Servers, &a.Arrays, &a.Controllers, &a.LUNs, &a.Sets}
	seen := make([]map[string]bool, len(lists))
	for i, list := range lists {
		seen[i] = map[string]bool{"": true}
		for _, name := range *list {
			seen[i][name] = true
		}
	}
	for i := range a.Components {
		c := &a.Components[i]
		for i, name := range []string{c.Server, c.Array, c.Controller, c.LUN, c.Set} {
			if !seen[i][name] {
				seen[i][name] = true
				*lists[i] = append(*lists[i], name)
			}
		}
	}
}

// listGroups groups components with an equal peerKey. Groups are numbered by tier, then priority,
// then set in the order of the file, then in the order in which they appear: at Intrepid group 1 is
// primary old, and group 2 is primary new.
func (a *assembly) listGroups() {
	members := make(map[peerKey][]int)
	for i, l := range a.peerKeys {
		members[l] = append(members[l], i)
	}
	order := make([]peerKey, 0, len(members))
	for l := range members {
		order = append(order, l)
	}
	setOrder := make(map[string]int)
	for i, set := range a.Sets {
		setOrder[set] = i + 1
	}
	slices.SortFunc(order, func(x, y peerKey) int {
		return cmp.Or(
			cmp.Compare(x.tier, y.tier),
			cmp.Compare(uint(x.priority-1), uint(y.priority-1)), // no priority comes last
			cmp.Compare(setOrder[x.set], setOrder[y.set]),
			cmp.Compare(members[x][0], members[y][0]),
		)
	})
	for i, l := range order {
		for _, m := range members[l] {
			a.Components[m].Group = i + 1
		}
		a.Groups = append(a.Groups, PeerGroup{ID: i + 1, Name: l.name(), Members: members[l]})
	}
}
