package topology

import (
	"strconv"
	"strings"
)

// Match returns the components with a name, ascending: the component itself, or all components of a
// LUN, server, controller or array.
//
//	21.34.124      one attachment; also by its server and device, fs124/sdaj
//	2:21.34.124    the same, if it is in peer group 2
//	21.34          the attachments of a LUN
//	fs124          all of a server; ddn21, ddn21a: of an array, of a controller
//	fs[1-8]        ranges, as in the topology file
//	*.124, fs12?   * for any text, ? for one character
//	2:*            all of peer group 2
func (s *System) Match(pattern string) []int {
	group, rest := cutGroup(pattern)
	names, err := Expand(rest)
	if err != nil {
		names = []string{rest}
	}
	wanted := newWanted(names)
	var found []int
	for i := range s.Components {
		if c := &s.Components[i]; (group == 0 || c.Group == group) && wanted.has(c) {
			found = append(found, i)
		}
	}
	return found
}

// Matcher matches many names. The time for a name does not grow with the system.
type Matcher struct {
	system *System
	exact  map[string][]int
}

// NewMatcher returns a Matcher for the components of a system.
func NewMatcher(s *System) *Matcher {
	m := &Matcher{system: s, exact: map[string][]int{}}
	for i := range s.Components {
		for _, name := range namesOf(&s.Components[i]) {
			if list := m.exact[name]; len(list) == 0 || list[len(list)-1] != i {
				m.exact[name] = append(list, i)
			}
		}
	}
	delete(m.exact, "")
	return m
}

// Match returns the result of [System.Match]. Patterns with ranges, * or ? take as long as in
// System.Match. The caller must not change the result.
func (m *Matcher) Match(pattern string) []int {
	group, rest := cutGroup(pattern)
	names, err := Expand(rest)
	if err != nil {
		names = []string{rest}
	}
	switch {
	case len(names) != 1 || strings.ContainsAny(names[0], "*?"):
		return m.system.Match(pattern)
	case group == 0:
		return m.exact[names[0]]
	}
	var found []int
	for _, i := range m.exact[names[0]] {
		if m.system.Components[i].Group == group {
			found = append(found, i)
		}
	}
	return found
}

// namesOf returns the names by which a component is found.
func namesOf(c *Component) [6]string {
	return [...]string{c.Name, c.Server, c.LUN, c.Controller, c.Array, c.Server + "/" + c.Device}
}

// cutGroup splits a pattern such as 2:21.34.124 into the number of the peer group and the rest. The
// number is 0 if the pattern names no group: it then matches components of any group.
func cutGroup(pattern string) (group int, rest string) {
	id, rest, ok := strings.Cut(pattern, ":")
	if group, err := strconv.Atoi(id); ok && err == nil && group > 0 && isDigits(id) {
		return group, rest
	}
	return 0, pattern
}

type wanted struct {
	exact map[string]bool
	globs []string
}

func newWanted(names []string) wanted {
	w := wanted{exact: make(map[string]bool, len(names))}
	for _, name := range names {
		if strings.ContainsAny(name, "*?") {
			w.globs = append(w.globs, name)
		} else if name != "" {
			w.exact[name] = true
		}
	}
	return w
}

func (w wanted) has(c *Component) bool {
	for _, name := range namesOf(c) {
		if w.exact[name] || w.globbed(name) {
			return true
		}
	}
	return false
}

func (w wanted) globbed(name string) bool {
	for _, pattern := range w.globs {
		if name != "" && glob(pattern, name) {
			return true
		}
	}
	return false
}

// glob reports whether a name matches a pattern. * and ? match any character, also the slash of
// fs1/sdb. On a mismatch the last * takes one character more.
func glob(pattern, name string) bool {
	p, n, star, taken := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, taken = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			taken++
			p, n = star+1, taken
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
