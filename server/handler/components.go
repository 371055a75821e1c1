package handler

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

func ofGroup(g *topology.PeerGroup) api.Group {
	return api.Group{ID: g.ID, Name: g.Name, Members: len(g.Members), TooSmall: len(g.Members) < topology.MinPeers}
}

func (h *Handler) groups(*http.Request) (any, error) {
	out := api.GroupList{Groups: []api.Group{}}
	groups := h.now().Subject.System.Groups
	for i := range groups {
		out.Groups = append(out.Groups, ofGroup(&groups[i]))
	}
	return out, nil
}

// group returns a peer group with its last windows.
func (h *Handler) group(r *http.Request) (any, error) {
	v := h.now()
	id, err := strconv.Atoi(r.PathValue("group"))
	if groups := v.Subject.System.Groups; err != nil || id < 1 || id > len(groups) {
		return nil, missingf("there is no peer group %q; the peer groups have the numbers 1 to %d", r.PathValue("group"), len(groups))
	}
	out := ofGroup(&v.Subject.System.Groups[id-1])
	for i := range v.Windows {
		if v.Windows[i].Group == id-1 {
			out.Windows = append(out.Windows, document.OfWindow(v.sentences, &v.Windows[i]))
		}
	}
	return out, nil
}

// components lists the components that match the request, in the order of the system.
func (h *Handler) components(r *http.Request) (any, error) {
	v, p := h.now(), parametersOf(r)
	find, limit := strings.ToLower(p.Text("find")), p.Limit()
	group := int(p.Number("group", 0, 1, int64(len(v.Subject.System.Groups))))
	from := 0
	if name := p.Text("after"); name != "" {
		at, ok := v.Subject.System.Lookup(name)
		if !ok {
			p.Fail("the parameter \"after\" is not the name of a component; request the first page again, without \"after\"")
		}
		from = at + 1
	}
	if p.Err != nil {
		return nil, p.Err
	}
	out := api.ComponentList{Components: []api.Component{}}
	for i := range v.Subject.System.Components {
		c := &v.Subject.System.Components[i]
		if group != 0 && c.Group != group || !matches(c, find) {
			continue
		}
		out.Total++
		switch n := len(out.Components); {
		case i < from:
		case n < limit:
			out.Components = append(out.Components, v.component(i))
		case out.Next == "":
			out.Next = out.Components[n-1].Name
		}
	}
	return out, nil
}

// matches reports whether one of the names of a component contains the text find.
func matches(c *topology.Component, find string) bool {
	if find == "" {
		return true
	}
	for _, name := range []string{c.Name, c.Server, c.Device, c.WWN, c.LUN, c.Controller, c.Array, c.Drawer, c.Slot, c.Model, c.Serial, c.Volume} {
		if strings.Contains(strings.ToLower(name), find) {
			return true
		}
	}
	return false
}

func (v *view) component(i int) api.Component {
	c := &v.Subject.System.Components[i]
	return api.Component{
		Name: c.Name, Kind: c.Kind.String(), Group: c.Group, Server: c.Server, Device: c.Device, WWN: c.WWN, LUN: c.LUN,
		Controller: c.Controller, Array: c.Array, Drawer: c.Drawer, Slot: c.Slot, Set: c.Set, Model: c.Model,
		Serial: c.Serial, Firmware: c.Firmware, Enclosure: c.Enclosure, Rack: c.Rack, Pool: c.Pool, Volume: c.Volume, Made: c.Made,
		SizeBytes: c.SizeBytes, Priority: c.Priority,
		Scores: v.scores(i), Incidents: document.List(v.members()[i]),
	}
}

func (h *Handler) component(r *http.Request) (any, error) {
	v, name := h.now(), r.PathValue("name")
	at, ok := v.Subject.System.Lookup(name)
	if !ok {
		return nil, missingf("no component has the name %q; the path /components lists all names", name)
	}
	return v.component(at), nil
}
