package topology

import (
	"fmt"

	"github.com/limpet-storage/limpet/internal/english"
)

// refuse reports names that are used twice: of components, of devices, and of tiers (servers,
// arrays, controllers).
func (p *parser) refuse(s *System, clashes []clash) {
	p.refuseClashes(s, clashes)
	p.refuseSharedNames(s)
	kinds := make(map[string]string)
	for _, server := range s.Servers {
		kinds[server] = "a server"
	}
	for i := range s.Components {
		c := &s.Components[i]
		for _, t := range [][2]string{{c.Array, "an array"}, {c.Controller, "a controller"}} {
			name, kind := t[0], t[1]
			if was := kinds[name]; was != "" && was != kind {
				p.ErrorAt(c.Line, 0, "%s is the name of both %s and %s; rename one of the two", name, was, kind)
			}
			if name != "" {
				kinds[name] = kind
			}
		}
	}
}

// refuseSharedNames reports a LUN whose name is also the name of a LUN of another array. Names are
// unique only if the array is a part of them (lun_names: array).
func (p *parser) refuseSharedNames(s *System) {
	array := make(map[string]string)
	for i := range s.Components {
		c := &s.Components[i]
		if was, ok := array[c.LUN]; ok && c.LUN != "" && was != c.Array {
			p.ErrorAt(c.Line, 0, "LUN %s belongs to the arrays %s and %s; remove \"lun_names: whole\", or give each LUN its own name", c.LUN, was, c.Array)
			return
		}
		array[c.LUN] = c.Array
	}
}

// refuseClashes reports the first clash between two lines, and counts the others.
func (p *parser) refuseClashes(s *System, clashes []clash) {
	type lines struct {
		first, second int
		device        bool
	}
	count := make(map[lines]int)
	key := func(c clash) lines {
		return lines{s.Components[c.first].Line, s.Components[c.second].Line, c.device != ""}
	}
	for _, c := range clashes {
		count[key(c)]++
	}
	for _, c := range clashes {
		if n := count[key(c)]; n > 0 {
			p.ErrorAt(key(c).second, 0, "%s", s.clashText(c, n-1))
		}
		count[key(c)] = 0
	}
}

func (s *System) clashText(c clash, more int) string {
	first, second := &s.Components[c.first], &s.Components[c.second]
	also := ""
	if more > 0 {
		also = fmt.Sprintf(" (the same mistake: %s more components)", english.Thousands(more))
	}
	if c.device == "" {
		return fmt.Sprintf("%s is described twice, first in line %d%s; remove one of the two descriptions", second.Name, first.Line, also)
	}
	return fmt.Sprintf("device %s of server %s is given for two components, %s and %s%s; give each component its own device",
		c.device, second.Server, first.Name, second.Name, also)
}
