package topology

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// A deviceRule holds the names of some LUNs of some arrays on some servers.
type deviceRule struct {
	line            int
	arrays, servers []bool   // nil: all
	templates       []string // by LUN; "": the rule has none
}

// readDevices reads the rule for all servers, then the exceptions, and reports whether they have no
// mistakes.
func (p *parser) readDevices(a *arrays, n, except *yaml.Node) bool {
	mistakes := p.Mistakes()
	all := round(0, len(a.luns.names))
	if n != nil {
		a.rules = append(a.rules, deviceRule{line: n.Line, templates: p.templates(a, n, all)})
	}
	for _, entry := range p.Entries(except, "except") {
		f := p.Fields(entry, "an entry of \"except\"", "servers", "arrays", "luns", "devices")
		if !p.required(entry, f, "devices") {
			continue
		}
		luns := all
		if f["luns"] != nil {
			luns = p.members(f["luns"], a.luns)
		}
		a.rules = append(a.rules, deviceRule{
			line:      f["devices"].Line,
			arrays:    chosen(f["arrays"], p.members(f["arrays"], newRoster("array", a.names)), len(a.names)),
			servers:   chosen(f["servers"], p.members(f["servers"], newRoster("server", a.servers)), len(a.servers)),
			templates: p.templates(a, f["devices"], luns),
		})
	}
	return p.Mistakes() == mistakes
}

// templates reads the devices of some LUNs: a list in the order of the LUNs, a pattern for all
// LUNs, or a table.
func (p *parser) templates(a *arrays, n *yaml.Node, luns []int) []string {
	templates := make([]string, len(a.luns.names))
	if n.Kind == yaml.MappingNode {
		for _, pair := range p.Pairs(n, "devices") {
			some := p.members(pair.At, a.luns)
			part := p.templates(a, pair.Value, some)
			for _, lun := range some {
				templates[lun] = part[lun]
			}
		}
		return templates
	}
	names := p.names(n)
	if len(names) == 1 && strings.Contains(names[0], "{") {
		names = slices.Repeat(names, len(luns))
	}
	if len(names) != len(luns) {
		p.Errorf(n, "the setting \"devices\" names %s for %s; name one device for each LUN, or write a pattern with {lun}", plural(len(names), "device"), plural(len(luns), "LUN"))
		return templates
	}
	for i, lun := range luns {
		templates[lun] = names[i]
	}
	p.checkTemplates(a, n, slices.Compact(names))
	return templates
}

// covers reports whether the rule has a device for a LUN of an array on a server.
func (r *deviceRule) covers(array, server, lun int) bool {
	return r.templates[lun] != "" && has(r.arrays, array) && has(r.servers, server)
}

var placeholder = lazyregexp.New(`\{(array|lun|server|controller)(?::([1-9]))?\}`)

// checkTemplates reports unknown placeholders, and placeholders with digits for names without a
// number, so that fill cannot fail.
func (p *parser) checkTemplates(a *arrays, n *yaml.Node, templates []string) {
	for _, t := range templates {
		if strings.ContainsAny(placeholder.ReplaceAllString(t, ""), "{}") {
			p.Errorf(n, "%q has an unknown placeholder; write {array}, {lun}, {server}, {controller}, or {lun:3} for three digits", t)
			return
		}
		for _, m := range placeholder.FindAllStringSubmatch(t, -1) {
			if name := a.withoutNumber(m[1]); m[2] != "" && name != "" {
				p.Errorf(n, "the placeholder %[2]s needs a number at the end of each name, but the name %[1]s does not end with a number; write {%[3]s}", name, m[0], m[1])
				return
			}
		}
	}
}

// withoutNumber returns a name without a number at its end, which cannot fill a placeholder with
// digits such as {lun:3}; "": all names have a number.
func (a *arrays) withoutNumber(word string) string {
	names := map[string][]string{"array": a.names, "lun": a.luns.names, "server": a.servers}[word]
	for _, c := range a.controllers {
		if word == "controller" {
			names = append(names, c.name)
		}
	}
	for _, name := range names {
		if _, number := splitNumber(name); number == "" {
			return name
		}
	}
	return ""
}

// fill replaces the placeholders by names.
func fill(template string, c *Component) string {
	if !strings.Contains(template, "{") {
		return template
	}
	names := map[string]string{"array": c.Array, "lun": c.LUN, "server": c.Server}
	names["controller"] = strings.TrimPrefix(strings.TrimPrefix(c.Controller, c.Array), "/")
	return placeholder.ReplaceAllStringFunc(template, func(text string) string {
		m := placeholder.FindStringSubmatch(text)
		name := names[m[1]]
		if m[2] == "" {
			return name
		}
		_, number := splitNumber(name)
		width, _ := strconv.Atoi(m[2])
		number = strings.TrimLeft(number, "0")
		return strings.Repeat("0", max(width-len(number), 0)) + number
	})
}
