package topology

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Part holds facts about a component that do not decide its peers: properties that it may share
// with components of other servers, its place, and the storage that it belongs to. All facts are
// optional; "": unknown.
type Part struct {
	Serial    string `json:",omitempty"` // serial number of the drive
	Firmware  string `json:",omitempty"`
	Enclosure string `json:",omitempty"` // shelf of the drive; storcli's is written c0/e252
	Expander  string `json:",omitempty"` // expander that the drive is attached to
	Link      string `json:",omitempty"` // speed of the link: "6.0 Gbit"
	Batch     string `json:",omitempty"` // batch, if more is known than the serial number shows
	Made      string `json:",omitempty"` // date of manufacture: 2021, 2021-03 or 2021-03-17
	Kernel    string `json:",omitempty"` // kernel of its server
	Rack      string `json:",omitempty"`

	// The storage system, and its redundancy.
	Storage    string `json:",omitempty"` // "gpfs": one of [StorageKinds]; the key kind of a topology file
	Redundancy string `json:",omitempty"` // in a form that [ParseRedundancy] reads
	Pool       string `json:",omitempty"` // array, pool or vdev whose members the redundancy covers
	Volume     string `json:",omitempty"` // its name in the file system: an NSD, OST, OSD, brick or target
}

// StorageKinds returns the kinds of storage system for which there is advice.
func StorageKinds() []string {
	return []string{"gpfs", "lustre", "ceph", "zfs", "md", "multipath", "raid", "limpet", "gluster", "beegfs", "hdfs"}
}

// partFields are the fields of a component that a part may set.
var partFields = []struct {
	key string
	of  func(*Component) *string
}{
	{"model", func(c *Component) *string { return &c.Model }},
	{"serial", func(c *Component) *string { return &c.Serial }},
	{"firmware", func(c *Component) *string { return &c.Firmware }},
	{"slot", func(c *Component) *string { return &c.Slot }},
	{"enclosure", func(c *Component) *string { return &c.Enclosure }},
	{"expander", func(c *Component) *string { return &c.Expander }},
	{"link", func(c *Component) *string { return &c.Link }},
	{"batch", func(c *Component) *string { return &c.Batch }},
	{"made", func(c *Component) *string { return &c.Made }},
	{"kernel", func(c *Component) *string { return &c.Kernel }},
	{"rack", func(c *Component) *string { return &c.Rack }},
	{"kind", func(c *Component) *string { return &c.Storage }},
	{"redundancy", func(c *Component) *string { return &c.Redundancy }},
	{"pool", func(c *Component) *string { return &c.Pool }},
	{"volume", func(c *Component) *string { return &c.Volume }},
}

// PartKeys returns the keys of a part in a topology file, in their order.
func PartKeys() []string {
	var keys []string
	for _, f := range partFields {
		keys = append(keys, f.key)
	}
	return keys
}

// Fact returns the value of a component for a key of [PartKeys].
func (c *Component) Fact(key string) string {
	for _, f := range partFields {
		if f.key == key {
			return *f.of(c)
		}
	}
	return ""
}

// Clear removes the value of a component for a key of [PartKeys].
func (c *Component) Clear(key string) {
	for _, f := range partFields {
		if f.key == key {
			*f.of(c) = ""
		}
	}
}

// storage is the kind and the redundancy of an entry, or of the whole file.
type storage struct{ kind, redundancy string }

// readStorage reads the keys kind and redundancy.
func (p *parser) readStorage(f map[string]*yaml.Node) storage {
	s := storage{p.Text(f["kind"]), p.Text(f["redundancy"])}
	p.checkFact(f["kind"], "kind", s.kind)
	p.checkFact(f["redundancy"], "redundancy", s.redundancy)
	return s
}

// give sets the kind and the redundancy of a component, unless a more specific entry has set them.
func (s storage) give(c *Component) {
	if c.Storage == "" {
		c.Storage = s.kind
	}
	if c.Redundancy == "" {
		c.Redundancy = s.redundancy
	}
}

// checkFact reports values that advice would not understand.
func (p *parser) checkFact(n *yaml.Node, key, text string) {
	if text == "" {
		return
	}
	switch key {
	case "kind":
		if !slices.Contains(StorageKinds(), text) {
			p.Errorf(n, "the kind of storage %q is unknown; write one of %s", text, strings.Join(StorageKinds(), ", "))
		}
	case "redundancy":
		if _, err := ParseRedundancy(text); err != nil {
			p.Errorf(n, "%v", err)
		}
	case "made":
		if !isMade(text) {
			p.Errorf(n, "%q is not a date of manufacture; write 2021, 2021-03 or 2021-03-17", text)
		}
	}
}

// isMade reports whether a text is a year, a month or a day: 2021, 2021-03, 2021-03-17.
func isMade(text string) bool {
	parts := strings.Split(text, "-")
	for i, part := range parts {
		if !isDigits(part) || len(part) != []int{4, 2, 2}[min(i, 2)] {
			return false
		}
	}
	return len(parts) <= 3
}

// readParts reads the facts about components. A name stands for a component, for all components of
// a server, for the paths of a LUN, or for the LUNs of an array. A later fact replaces an earlier
// one.
func (p *parser) readParts(n *yaml.Node) {
	if n == nil {
		return
	}
	index := p.partIndex()
	for _, pair := range p.Pairs(n, "parts") {
		f := p.Fields(pair.Value, "a part", append(PartKeys(), "wwn")...)
		for _, name := range p.names(pair.At) {
			if len(index[name]) == 0 {
				p.Errorf(pair.At, "%s is not a component, server, LUN or array of this file; write a name as limpet's reports show it, such as box1/sdb or 6.00", name)
				return
			}
			for _, c := range index[name] {
				p.givePart(&p.Components[c], f)
			}
		}
	}
}

func (p *parser) givePart(c *Component, f map[string]*yaml.Node) {
	if n := f["wwn"]; n != nil {
		wwn, ok := ParseWWN(p.Text(n))
		if !ok {
			p.Errorf(n, "%q is not a WWN; write 16 or 32 hexadecimal digits, such as naa.5000c500a1b2c3d4", p.Text(n))
			return
		}
		c.WWN = wwn
	}
	for _, field := range partFields {
		if n := f[field.key]; n != nil {
			*field.of(c) = p.Text(n)
			p.checkFact(n, field.key, n.Value)
		}
	}
}

// partIndex lists components by their names, and by their server, LUN and array.
func (p *parser) partIndex() map[string][]int {
	index := make(map[string][]int, len(p.Components))
	for i := range p.Components {
		c := &p.Components[i]
		for _, name := range []string{c.Name, c.Server, c.LUN, c.Array} {
			if list := index[name]; name != "" && (len(list) == 0 || list[len(list)-1] != i) {
				index[name] = append(index[name], i)
			}
		}
	}
	return index
}

// Redundancy is the number of members that a group may lose.
type Redundancy struct {
	Name   string // as it was written
	Spares int    // number of members of a group that may be lost at once
	Width  int    // number of members of a group; 0: not known
	Copies bool   // replicas, not parity
}

// ParseRedundancy parses the redundancy of a group: raid6, raidz2, 8+2, mirror, "3 replicas", none.
func ParseRedundancy(text string) (Redundancy, error) {
	r := Redundancy{Name: text}
	word := strings.ToLower(strings.TrimSpace(text))
	named := map[string]Redundancy{
		"none": {}, "raid0": {}, "stripe": {},
		"mirror": {Spares: 1, Copies: true}, "raid1": {Spares: 1, Copies: true}, "raid10": {Spares: 1, Copies: true},
		"raid4": {Spares: 1}, "raid5": {Spares: 1}, "raid50": {Spares: 1}, "raidz": {Spares: 1}, "raidz1": {Spares: 1},
		"raid6": {Spares: 2}, "raid60": {Spares: 2}, "raidz2": {Spares: 2}, "raidz3": {Spares: 3},
	}
	if known, ok := named[word]; ok {
		r.Spares, r.Copies = known.Spares, known.Copies
		return r, nil
	}
	var data, parity int
	if n, err := fmt.Sscanf(word, "%d+%d", &data, &parity); n == 2 && err == nil && word == fmt.Sprintf("%d+%d", data, parity) && data >= 1 && parity >= 0 {
		r.Spares, r.Width = parity, data+parity
		return r, nil
	}
	var copies int
	if n, err := fmt.Sscanf(word, "%d replica", &copies); n == 1 && err == nil && copies >= 1 && strings.TrimSuffix(word, "s") == fmt.Sprintf("%d replica", copies) {
		r.Spares, r.Width, r.Copies = copies-1, copies, true
		return r, nil
	}
	return r, fmt.Errorf("the redundancy %q is unknown; write one of raid6, raidz2, mirror, 8+2, \"3 replicas\" or none", text)
}
