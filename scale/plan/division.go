package plan

import (
	"fmt"

	"github.com/limpet-storage/limpet/scale/divide"
	"github.com/limpet-storage/limpet/topology"
)

// Division is a system and what it is divided into.
type Division struct {
	System     *topology.System
	Partitions []Partition
	Of         []int // by server: its partition
}

// Partition is a part of a system that one engine judges.
type Partition struct {
	Name    string
	System  *topology.System
	Was     []int // by component: its place in the whole
	Servers []int // by server: its place in the whole
	Groups  []int // by peer group: its place in the whole
}

// Divide divides a system into partitions, as many as asked for or as it has connected
// parts. Those that nothing falls to are left out.
func Divide(s *topology.System, partitions int) *Division {
	parts := divide.Parts(s)
	items := make([]divide.Item, len(parts))
	for i, p := range parts {
		items[i] = divide.Item{Name: p.Name, Weight: max(p.Components, 1)}
	}
	bins := make([]string, max(1, min(partitions, len(parts))))
	for i := range bins {
		bins[i] = fmt.Sprintf("p%03d", i)
	}
	home := map[string]string{} // by server
	given := divide.Assign(items, bins)
	for _, p := range parts {
		for _, server := range p.Servers {
			home[server] = given[p.Name]
		}
	}
	d := &Division{System: s, Of: make([]int, len(s.Servers))}
	for _, bin := range bins {
		if part := newPartition(s, bin, home); len(part.Servers) > 0 {
			for _, server := range part.Servers {
				d.Of[server] = len(d.Partitions)
			}
			d.Partitions = append(d.Partitions, part)
		}
	}
	return d
}

func newPartition(s *topology.System, name string, home map[string]string) Partition {
	p := Partition{Name: name}
	p.System, p.Was = s.Only(func(server string) bool { return home[server] == name })
	for i, server := range s.Servers {
		if home[server] == name {
			p.Servers = append(p.Servers, i)
		}
	}
	for _, g := range p.System.Groups {
		p.Groups = append(p.Groups, s.Components[p.Was[g.Members[0]]].Group-1)
	}
	return p
}

// Components counts those of a partition.
func (p *Partition) Components() int { return len(p.System.Components) }

// Items are the partitions with what each has to do, to be given to workers.
func (d *Division) Items() []divide.Item {
	list := make([]divide.Item, len(d.Partitions))
	for i := range d.Partitions {
		list[i] = divide.Item{Name: d.Partitions[i].Name, Weight: max(d.Partitions[i].Components(), 1)}
	}
	return list
}
