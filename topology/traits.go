package topology

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A roster finds the members of a list by name. Leading zeros of a number do not matter.
type roster struct {
	what  string // "LUN"
	names []string
	at    map[string]int
}

func newRoster(what string, names []string) roster {
	r := roster{what, names, make(map[string]int, len(names))}
	for i, name := range names {
		r.at[unpadded(name)] = i
	}
	return r
}

func unpadded(name string) string {
	if isDigits(name) {
		return strings.TrimLeft(name[:len(name)-1], "0") + name[len(name)-1:]
	}
	return name
}

// members reads names and returns their indexes in the roster.
func (d *decoder) members(n *yaml.Node, r roster) []int {
	var found []int
	var strange []string
	for _, name := range d.names(n) {
		if i, ok := r.at[unpadded(name)]; ok {
			found = append(found, i)
		} else {
			strange = append(strange, name)
		}
	}
	if len(strange) > 0 {
		d.Errorf(n, "%s not one of %s; use only these names", subject(r.what, strange), brief(r.names))
	}
	return found
}

// partition reads one label for all members of a roster, or a table of labels and their members. It
// returns the label of every member, and the labels in the order of the file.
func (d *decoder) partition(n *yaml.Node, key string, r roster) (labels, order []string) {
	if n == nil {
		return nil, nil
	}
	labels = make([]string, len(r.names))
	if n.Kind != yaml.MappingNode {
		label := d.Text(n)
		for i := range labels {
			labels[i] = label
		}
		return labels, []string{label}
	}
	for _, p := range d.Pairs(n, key) {
		order = append(order, p.Key)
		d.assign(labels, p, key, r)
	}
	d.complete(n, labels, key, r)
	return labels, order
}

func (d *decoder) assign(labels []string, p yamlfile.Pair, key string, r roster) {
	var twice []string
	for _, i := range d.members(p.Value, r) {
		if labels[i] != "" {
			twice = append(twice, r.names[i])
		}
		labels[i] = p.Key
	}
	if len(twice) > 0 {
		d.Errorf(p.Value, "%s in more than one of the %s; write each name only once", subject(r.what, twice), key)
	}
}

func (d *decoder) complete(n *yaml.Node, labels []string, key string, r roster) {
	var without []string
	for i, label := range labels {
		if label == "" {
			without = append(without, r.names[i])
		}
	}
	if len(without) > 0 {
		d.Errorf(n, "%s in none of the %s; add the missing names", subject(r.what, without), key)
	}
}

// traits are the properties in which LUNs or drives of one entry may differ, by their index.
type traits struct {
	sets, models, drawers, slots []string
	sizes                        []uint64
}

// readTraits reads the traits of an entry, and declares the sets in the order of the file.
func (p *parser) readTraits(f map[string]*yaml.Node, r roster) traits {
	var t traits
	var order []string
	t.sets, order = p.partition(f["sets"], "sets", r)
	p.declareSets(order)
	t.models, _ = p.partition(f["models"], "models", r)
	t.drawers, _ = p.partition(f["drawers"], "drawers", r)
	t.slots = p.readSlots(f["slots"], r)
	sizes, _ := p.partition(f["sizes"], "sizes", r)
	t.sizes = p.readSizes(f["sizes"], sizes)
	return t
}

func (p *parser) declareSets(order []string) {
	for _, set := range order {
		if !slices.Contains(p.Sets, set) {
			p.Sets = append(p.Sets, set)
		}
	}
}

func (p *parser) readSlots(n *yaml.Node, r roster) []string {
	slots := p.names(n)
	if n != nil && len(slots) != len(r.names) {
		p.Errorf(n, "the setting \"slots\" names %s for %s; name one slot for each device", plural(len(slots), "slot"), plural(len(r.names), "device"))
		return nil
	}
	return slots
}

func (p *parser) readSizes(n *yaml.Node, labels []string) []uint64 {
	sizes := make([]uint64, len(labels))
	for i, label := range labels {
		size, ok := parseSize(label)
		if !ok && label != "" {
			p.Errorf(n, "%q is not a size; write 8TB, 7.68TB or 16TiB", label)
			return nil
		}
		sizes[i] = size
	}
	return sizes
}

var sizeForm = lazyregexp.New(`^(\d+(?:\.\d+)?) ?([MGTP])(i?)B$`)

// parseSize reads decimal units (7.68TB, as drives are sold) and binary units (16TiB).
func parseSize(text string) (bytes uint64, ok bool) {
	m := sizeForm.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	number, err := strconv.ParseFloat(m[1], 64)
	unit := 1000.0
	if m[3] != "" {
		unit = 1024
	}
	for range 2 + strings.Index("MGTP", m[2]) {
		number *= unit
	}
	return uint64(number), err == nil && number < 1<<63
}

// give sets the traits of the i-th LUN or drive; owner is the array or server of its drawer.
func (t traits) give(c *Component, i int, owner string) {
	c.Set = nth(t.sets, i)
	c.Model = nth(t.models, i)
	c.Slot = nth(t.slots, i)
	if drawer := nth(t.drawers, i); drawer != "" {
		c.Drawer = owner + "/" + drawer
	}
	if i < len(t.sizes) {
		c.SizeBytes = t.sizes[i]
	}
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// readPeers reads the properties that peers must share, in addition to priority and set. The first
// word is the default.
func (p *parser) readPeers(f map[string]*yaml.Node, words ...string) map[string]bool {
	if f["peers"] == nil {
		return map[string]bool{words[0]: true}
	}
	peers := make(map[string]bool)
	for _, word := range p.names(f["peers"]) {
		peers[word] = true
		needs := word + "s"
		switch {
		case !slices.Contains(words, word):
			p.Errorf(f["peers"], "the value %q for the setting \"peers\" is unknown; write one or more of %s", word, strings.Join(words, ", "))
		case (word == "set" || word == "model") && f[needs] == nil:
			p.Errorf(f["peers"], "\"peers: %s\" needs the setting \"%s\"; add \"%s\" to this entry", word, needs, needs)
		}
	}
	return peers
}
