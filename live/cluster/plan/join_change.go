package plan

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// earlierForm describes the steps of an earlier generation (version) of the system. After a change
// of the system, an ingest node still sends such steps until it has read the new plan. The Join
// uses these steps too.
type earlierForm struct {
	servers    []server // earlier servers, with component indexes of the present system
	newIndexes []int    // by earlier server: index of the server in the present system; -1 if the server was removed
}

// AcceptEarlier makes a Join also accept steps of an earlier generation of the system. The
// parameter s is the system of that generation.
func (j *Join) AcceptEarlier(generation int, s *topology.System, schema table.Schema) {
	schema.Components, schema.Servers = len(s.Components), len(s.Servers)
	o := &earlierForm{servers: newServers(s, schema), newIndexes: serversIn(s, j.system)}
	to := s.PlacesIn(j.system)
	for i := range o.servers {
		for k, c := range o.servers[i].components {
			o.servers[i].components[k] = to[c]
		}
	}
	j.older[generation] = o
}

// Change makes the Join continue with the system of another generation. Components and servers are
// matched by name. Incomplete rows keep their values. Steps of earlier generations may still come.
// So after Change, the caller must call AcceptEarlier for each of these generations.
func (j *Join) Change(generation int, s *topology.System, schema table.Schema) {
	components, servers := j.system.PlacesIn(s), serversIn(j.system, s)
	rows, last, spoke := j.open, j.last, j.lastMessage
	j.set(generation, s, schema)
	j.open, j.spare = nil, nil
	j.last, j.lastMessage = make([]int64, len(s.Servers)), make([]int64, len(s.Servers))
	for was, now := range servers {
		if now >= 0 {
			j.last[now], j.lastMessage[now] = last[was], spoke[was]
		}
	}
	for _, o := range rows {
		j.move(o, components, servers)
	}
}

// move copies an incomplete row of the earlier system into a row of the present system. For
// component c of the earlier system, components[c] is its index in the present system, or -1. For
// server s of the earlier system, servers[s] is its index in the present system, or -1.
func (j *Join) move(was *incompleteRow, components, servers []int) {
	o := j.openRow(was.row.End)
	for m, values := range was.row.Values {
		for c, v := range values {
			if components[c] >= 0 {
				o.row.Values[m][components[c]] = v
			}
		}
	}
	for c, work := range was.row.Upkeep {
		if components[c] >= 0 {
			o.row.Upkeep[components[c]] = work
		}
	}
	for c, l := range was.row.Latency {
		if components[c] >= 0 && l != nil {
			o.row.LatencyOf(components[c]).Add(l)
		}
	}
	for s, now := range servers {
		if now < 0 {
			continue
		}
		if o.row.Gauges != nil && was.row.Gauges != nil {
			o.row.Gauges[now] = was.row.Gauges[s].ForSystem(func(c int) int { return components[c] })
		}
		o.hasStep[now] = was.hasStep[s]
		if o.row.Heard != nil && was.row.Heard != nil {
			o.row.Heard[now] = was.row.Heard[s]
		}
	}
}

// serversIn returns the index of each server of the old system in the new system. The index is -1
// if the new system does not have the server. The parameter `was` is the old system.
func serversIn(was, now *topology.System) []int {
	at := map[string]int{}
	for s, name := range now.Servers {
		at[name] = s
	}
	to := make([]int, len(was.Servers))
	for s, name := range was.Servers {
		to[s] = -1
		if there, ok := at[name]; ok {
			to[s] = there
		}
	}
	return to
}
