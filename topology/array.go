package topology

import (
	"cmp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// arrays is one entry of the section arrays: arrays that differ only in their servers. LUNs and
// servers are indexes, so that one description holds for each array.
type arrays struct {
	entry    *yaml.Node
	names    []string
	servers  []string // servers of all arrays
	perArray int
	places   roster // servers of one array; they have names only if all arrays share them
	luns     roster
	traits
	orders      [][]int // by LUN: the places of its servers
	ranked      bool    // the orders are priorities
	controllers []controller
	rules       []deviceRule
	peers       map[string]bool
	serves      storage
	whole       bool // the name of a LUN is the name in the file, without the array
}

func (p *parser) readArrays(n *yaml.Node) {
	f := p.Fields(n, "an entry of arrays", "names", "servers", "servers_per_array", "luns", "priority",
		"controllers", "sets", "models", "sizes", "drawers", "devices", "except", "peers", "kind", "redundancy", "lun_names")
	if !p.required(n, f, "names", "luns") {
		return
	}
	a := &arrays{entry: n, names: p.names(f["names"]), servers: p.serversOf(n, f["servers"])}
	a.luns = newRoster("LUN", p.names(f["luns"]))
	if !p.shareOut(a, f["servers_per_array"], f["servers"]) || !p.fits(n, len(a.names), a.perArray, len(a.luns.names)) {
		return
	}
	if len(a.luns.at) < len(a.luns.names) {
		p.Errorf(f["luns"], "the names of some LUNs differ only in leading zeros; write all names with the same number of digits")
	}
	a.traits = p.readTraits(f, a.luns)
	a.peers = p.readPeers(f, "all", "array", "server", "model", "class")
	a.serves = p.readStorage(f)
	a.whole = p.readLUNNames(f["lun_names"])
	p.readPriority(a, f["priority"])
	p.readControllers(a, f["controllers"])
	sound := p.readDevices(a, f["devices"], f["except"])
	if bare := p.attach(a); sound && len(a.rules) > 0 && len(bare) > 0 {
		p.Errorf(n, "%s without a device on at least one server; add the missing devices to the setting \"devices\"", subject("LUN", bare))
	}
}

// readLUNNames reports whether LUNs keep their names in the file.
func (p *parser) readLUNNames(n *yaml.Node) (whole bool) {
	text := p.Text(n)
	if n != nil && text != "array" && text != "whole" {
		p.Errorf(n, "the value %q for the setting \"lun_names\" is unknown; write array (LUN 34 of ddn6 gets the name 6.34) or whole (a LUN keeps the name in the file)", text)
	}
	return text == "whole"
}

// shareOut gives each array its servers: the next perArray servers, or all. It returns false if
// there are no arrays or no servers, or if the number of servers is wrong.
func (p *parser) shareOut(a *arrays, n, servers *yaml.Node) bool {
	if len(a.names) == 0 || len(a.servers) == 0 {
		return false
	}
	a.perArray = len(a.servers)
	if n != nil {
		a.perArray = p.number(n)
		wanted := a.perArray * len(a.names)
		if wanted > 0 && wanted != len(a.servers) {
			p.Errorf(cmp.Or(servers, p.servers, n), "the entry names %s, but %[3]d arrays with %[2]d servers each need %[4]d servers; correct the list of servers", plural(len(a.servers), "server"), a.perArray, len(a.names), wanted)
		}
		if wanted != len(a.servers) {
			return false
		}
	}
	a.places = newRoster("server", a.servers[:a.perArray])
	return true
}

// placesOf reads servers of an array: a number is a place among them, from 1. It stops at the first
// name or number that is no server of the array.
func (p *parser) placesOf(a *arrays, n *yaml.Node) []int {
	places := []int{}
	for _, name := range p.names(n) {
		place, err := strconv.Atoi(name)
		i, named := a.places.at[name]
		switch {
		case err == nil && 1 <= place && place <= a.perArray:
			places = append(places, place-1)
		case err == nil:
			p.Errorf(n, "server number %d does not exist, because an array has %[2]d servers; write numbers from 1 to %[2]d", place, a.perArray)
			return places
		case a.perArray != len(a.servers):
			p.Errorf(n, "server %s does not belong to every array of this entry; instead of names, write the numbers of the servers within an array, such as 1-%d", name, a.perArray)
			return places
		case !named:
			p.Errorf(n, "%s is not one of the servers %s; name one of these servers", name, brief(a.servers))
			return places
		default:
			places = append(places, i)
		}
	}
	return places
}

// readPriority fills in the orders: for each LUN, its servers, the primary first.
func (p *parser) readPriority(a *arrays, n *yaml.Node) {
	a.ranked = n != nil
	a.orders = make([][]int, len(a.luns.names))
	switch {
	case n == nil:
		a.orderAll(round(0, a.perArray))
	case n.Value == "rotate":
		for i, number := range numbersOf(a.luns.names) {
			a.orders[i] = round(number%a.perArray, a.perArray)
		}
	case n.Kind == yaml.MappingNode:
		p.readOrders(a, n)
	default:
		a.orderAll(p.placesOf(a, n))
	}
}

func (a *arrays) orderAll(order []int) {
	for i := range a.orders {
		a.orders[i] = order
	}
}

func (p *parser) readOrders(a *arrays, n *yaml.Node) {
	for _, pair := range p.Pairs(n, "priority") {
		order := p.placesOf(a, pair.Value)
		for _, i := range p.members(pair.At, a.luns) {
			a.orders[i] = order
		}
	}
	if i := slices.IndexFunc(a.orders, func(o []int) bool { return o == nil }); i >= 0 {
		p.Errorf(n, "the priority of the servers of LUN %s is missing; add the LUN to the setting \"priority\"", a.luns.names[i])
	}
}

// numbersOf returns the names of the LUNs as numbers if all of them are numbers, otherwise their
// places in the list.
func numbersOf(luns []string) []int {
	numbers := make([]int, len(luns))
	for i, lun := range luns {
		number, err := strconv.Atoi(lun)
		if err != nil || number < 0 {
			return round(0, len(luns))
		}
		numbers[i] = number
	}
	return numbers
}

// round returns the numbers from first to n-1, then from 0 to first-1.
func round(first, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = (first + i) % n
	}
	return order
}

// attach adds an attachment for each array, LUN and server. It returns the LUNs that have no device
// on at least one server.
func (p *parser) attach(a *arrays) (bare []string) {
	without := make([]bool, len(a.luns.names))
	for array := range a.names {
		for lun, order := range a.orders {
			for rank, place := range order {
				c := a.attachment(array, lun, place)
				if a.ranked {
					c.Priority = rank + 1
				}
				without[lun] = without[lun] || c.Device == "" && c.WWN == ""
				p.add(c, a.peerKeyOf(&c))
			}
		}
	}
	for lun, name := range a.luns.names {
		if without[lun] {
			bare = append(bare, name)
		}
	}
	return bare
}

// attachment returns the attachment of a LUN of an array to the array's server at a place.
func (a *arrays) attachment(array, lun, place int) Component {
	server := array*a.perArray%len(a.servers) + place
	c := Component{Array: a.names[array], LUN: a.luns.names[lun], Server: a.servers[server], Line: a.entry.Line}
	a.give(&c, lun, c.Array)
	a.serves.give(&c)
	if names := a.controllersOf(place, lun); len(names) > 0 {
		c.Controller = controllerName(c.Array, names[0])
	}
	for _, r := range slices.Backward(a.rules) {
		if r.covers(array, server, lun) {
			c.Line = r.line
			c.setDevice(parseDevice(fill(r.templates[lun], &c)))
			break
		}
	}
	if a.whole {
		c.Name = c.LUN + "." + c.Server
		if wwn, ok := ParseWWN(c.LUN); ok && c.WWN == "" {
			c.WWN = wwn
		}
	}
	return c
}

func (a *arrays) peerKeyOf(c *Component) peerKey {
	l := peerKey{tier: tierLUN}
	if a.peers["class"] {
		l.class = c.Class()
	}
	if a.peers["array"] {
		l.array = c.Array
	}
	if a.peers["server"] {
		l.server = c.Server
	}
	if a.peers["model"] {
		l.model = c.Model
	}
	return l
}
