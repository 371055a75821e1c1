package topology

import "go.yaml.in/yaml/v3"

// A controller lies between some servers and some LUNs of its array.
type controller struct {
	name          string
	servers, luns []bool // by place and by LUN; nil for all
}

// readControllers reads a: servers, or a: {servers: …, luns: …}.
func (p *parser) readControllers(a *arrays, n *yaml.Node) {
	if n == nil {
		return
	}
	for _, pair := range p.Pairs(n, "controllers") {
		c := controller{name: pair.Key}
		if pair.Value.Kind == yaml.MappingNode {
			f := p.Fields(pair.Value, "a controller", "servers", "luns")
			c.servers = chosen(f["servers"], p.placesOf(a, f["servers"]), a.perArray)
			c.luns = chosen(f["luns"], p.members(f["luns"], a.luns), len(a.luns.names))
		} else {
			c.servers = chosen(pair.Value, p.placesOf(a, pair.Value), a.perArray)
		}
		a.controllers = append(a.controllers, c)
	}
	p.checkControllers(a, n)
}

// chosen marks the indexes that a key names, nil where it is left out.
func chosen(n *yaml.Node, indexes []int, of int) []bool {
	if n == nil {
		return nil
	}
	marks := make([]bool, of)
	for _, i := range indexes {
		marks[i] = true
	}
	return marks
}

func has(marks []bool, i int) bool { return marks == nil || marks[i] }

// checkControllers wants each attachment on exactly one controller.
func (p *parser) checkControllers(a *arrays, n *yaml.Node) {
	for lun, order := range a.orders {
		for _, place := range order {
			names := a.controllersOf(place, lun)
			switch {
			case len(names) == 0:
				p.Errorf(n, "LUN %s has no controller for server number %d of the array; add the server or the LUN to a controller",
					a.luns.names[lun], place+1)
				return
			case len(names) > 1:
				p.Errorf(n, "for server number %[4]d of the array, LUN %[1]s belongs to two controllers, %[2]s and %[3]s; separate the controllers with the setting \"servers\" or \"luns\"",
					a.luns.names[lun], names[0], names[1], place+1)
				return
			}
		}
	}
}

func (a *arrays) controllersOf(place, lun int) []string {
	var names []string
	for _, c := range a.controllers {
		if has(c.servers, place) && has(c.luns, lun) {
			names = append(names, c.name)
		}
	}
	return names
}

// controllerName is ddn21a for controller a of ddn21, and netapp1/ctl0 where
// the controller has more than a letter.
func controllerName(array, controller string) string {
	switch len(controller) {
	case 0:
		return ""
	case 1:
		return array + controller
	}
	return array + "/" + controller
}
