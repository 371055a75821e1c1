package plan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// Division is a system and its partitions.
type Division struct {
	System      *topology.System
	Partitions  []Partition
	PartitionOf []int // by server: index of the server's partition
}

// Partition is a part of a system that one engine judges.
type Partition struct {
	Name         string
	System       *topology.System
	WholeIndexes []int // by component: index of the component in the whole system
	Servers      []int // by server: index of the server in the whole system
	Groups       []int // by peer group: index of the group in the whole system
}

// Divide divides a system into at most the given number of partitions. Each partition has at least
// one connected part of the system.
func Divide(s *topology.System, partitions int) *Division {
	parts := parts(s)
	items := make([]Item, len(parts))
	for i := range parts {
		items[i] = Item{Name: parts[i].Name, Weight: weight(&parts[i])}
	}
	bins := binNames(partitions, len(parts))
	given := Assign(items, bins)
	home := map[string]string{}
	for i := range parts {
		settle(home, &parts[i], given[parts[i].Name])
	}
	d := newDivision(s, bins, home)
	d.Partitions = slices.DeleteFunc(d.Partitions, func(p Partition) bool { return len(p.Servers) == 0 })
	d.number()
	return d
}

// Next divides the next generation (version) of the system. The parts are the connected parts of
// the system (parts.go):
//   - An existing part stays in its partition, because the state of an engine cannot be split.
//   - If a change has joined parts of several partitions, the joined part goes to the partition
//     that had most of its servers.
//   - A new part goes to the partition with the fewest components. This may be a new partition.
//   - A partition that has lost all its parts stays, so that its engine can end its incidents.
func (d *Division) Next(s *topology.System, partitions int) *Division {
	was, load := d.homes(), map[string]int{}
	parts := parts(s)
	bins := d.Names()
	for _, name := range binNames(partitions, len(parts)) {
		if !slices.Contains(bins, name) {
			bins = append(bins, name)
		}
	}
	slices.Sort(bins)
	home := map[string]string{}
	var fresh []*part
	for i := range parts {
		name := largestPartition(was, parts[i].Servers)
		if name == "" {
			fresh = append(fresh, &parts[i])
			continue
		}
		settle(home, &parts[i], name)
		load[name] += weight(&parts[i])
	}
	slices.SortFunc(fresh, func(a, b *part) int { return cmp.Or(weight(b)-weight(a), cmp.Compare(a.Name, b.Name)) })
	for _, p := range fresh {
		name := slices.MinFunc(bins, func(a, b string) int { return cmp.Or(load[a]-load[b], cmp.Compare(a, b)) })
		settle(home, p, name)
		load[name] += weight(p)
	}
	next := newDivision(s, bins, home)
	next.Partitions = slices.DeleteFunc(next.Partitions, func(p Partition) bool { return len(p.Servers) == 0 && d.Find(p.Name) == nil })
	next.number()
	return next
}

func weight(p *part) int { return max(p.Components, 1) }

func binNames(partitions, parts int) []string {
	bins := make([]string, max(1, min(partitions, parts)))
	for i := range bins {
		bins[i] = fmt.Sprintf("p%03d", i)
	}
	return bins
}

// settle assigns all servers of a part to a partition.
func settle(home map[string]string, p *part, name string) {
	for _, server := range p.Servers {
		home[server] = name
	}
}

// largestPartition returns the name of the partition that has the largest number of the given
// servers. If several partitions have the same largest number, largestPartition returns the name
// that is first in the alphabet. It returns an empty name if all servers are new.
func largestPartition(home map[string]string, servers []string) (name string) {
	n := map[string]int{}
	for _, server := range servers {
		if h := home[server]; h != "" {
			n[h]++
			if n[h] > n[name] || n[h] == n[name] && h < name {
				name = h
			}
		}
	}
	return name
}

// newDivision divides a system. For each server, home[server] is the name of its partition.
func newDivision(s *topology.System, names []string, home map[string]string) *Division {
	d := &Division{System: s}
	for _, name := range names {
		d.Partitions = append(d.Partitions, newPartition(s, name, home))
	}
	d.number()
	return d
}

// number computes Division.PartitionOf from the servers of the partitions.
func (d *Division) number() {
	d.PartitionOf = make([]int, len(d.System.Servers))
	for i := range d.Partitions {
		for _, server := range d.Partitions[i].Servers {
			d.PartitionOf[server] = i
		}
	}
}

// Find returns the partition with the given name. It returns nil if no partition has this name.
func (d *Division) Find(name string) *Partition {
	for i := range d.Partitions {
		if d.Partitions[i].Name == name {
			return &d.Partitions[i]
		}
	}
	return nil
}

// Names returns the names of the partitions.
func (d *Division) Names() (list []string) {
	for i := range d.Partitions {
		list = append(list, d.Partitions[i].Name)
	}
	return list
}

// homes returns a map from the name of each server to the name of its partition.
func (d *Division) homes() map[string]string {
	home := map[string]string{}
	for s, p := range d.PartitionOf {
		home[d.System.Servers[s]] = d.Partitions[p].Name
	}
	return home
}

func newPartition(s *topology.System, name string, home map[string]string) Partition {
	p := Partition{Name: name}
	p.System, p.WholeIndexes = s.Only(func(server string) bool { return home[server] == name })
	for i, server := range s.Servers {
		if home[server] == name {
			p.Servers = append(p.Servers, i)
		}
	}
	for _, g := range p.System.Groups {
		p.Groups = append(p.Groups, s.Components[p.WholeIndexes[g.Members[0]]].Group-1)
	}
	return p
}

// Components returns the number of components of a partition.
func (p *Partition) Components() int { return len(p.System.Components) }

// Items returns the partitions with their weights, for Assign.
func (d *Division) Items() []Item {
	list := make([]Item, len(d.Partitions))
	for i := range d.Partitions {
		list[i] = Item{Name: d.Partitions[i].Name, Weight: max(d.Partitions[i].Components(), 1)}
	}
	return list
}
