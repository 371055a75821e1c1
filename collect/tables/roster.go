package tables

import (
	"bytes"
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// A roster numbers the components of a file as they come up. What names a
// component are some columns of the file, its key, and the fields of its path.
type roster struct {
	d      *Description
	path   map[string]string
	keys   []string // the columns of a key
	listed []topology.Listed

	byKey  map[string]int32
	byName map[string]int32
	key    []byte // of the last line
	last   int32
	text   []byte
	torn   []int32 // components with lines that put them into different places
}

// nobody is the number of a line without a component.
const nobody = -1

func newRoster(d *Description, path map[string]string) *roster {
	r := &roster{d: d, path: path, byKey: make(map[string]int32), byName: make(map[string]int32), last: nobody}
	for _, field := range d.usedFields() {
		if _, ok := path[field]; !ok {
			r.keys = append(r.keys, field)
		}
	}
	return r
}

// find returns the component of a key, whose values stand in the order of the
// columns.
func (r *roster) find(values [][]byte) int32 {
	key := r.join(values)
	if r.key != nil && bytes.Equal(key, r.key) {
		return r.last
	}
	id, ok := r.byKey[string(key)]
	if !ok {
		id = r.enlist(values)
		r.byKey[string(key)] = id
	}
	r.key, r.last = append(r.key[:0], key...), id
	return id
}

// join puts a NUL between the values, which no text has.
func (r *roster) join(values [][]byte) []byte {
	if len(values) == 1 {
		return values[0]
	}
	r.text = r.text[:0]
	for _, v := range values {
		r.text = append(append(r.text, v...), 0)
	}
	return r.text
}

// enlist describes a component that has not come up under this key. Its name
// may have, where another column than those of the name differs.
func (r *roster) enlist(values [][]byte) int32 {
	value := func(field string) string {
		if text, ok := r.path[field]; ok {
			return text
		}
		return string(bytes.TrimSpace(values[slices.Index(r.keys, field)]))
	}
	if lacking(r.d.component, value) || lacking(r.d.group, value) {
		return nobody
	}
	l := topology.Listed{Peers: r.d.group.fill(value)}
	l.Name = r.d.component.fill(value)
	for _, t := range r.d.traits {
		*t.of(&l.Component) = t.text.fill(value)
	}
	id, known := r.byName[l.Name]
	if !known {
		id = int32(len(r.listed))
		r.byName[l.Name] = id
		r.listed = append(r.listed, l)
	} else if r.listed[id] != l && !slices.Contains(r.torn, id) {
		r.torn = append(r.torn, id)
	}
	return id
}

// lacking reports whether a template has a field without a value.
func lacking(t template, value func(string) string) bool {
	return slices.ContainsFunc(t.fields(), func(field string) bool { return isMissing([]byte(value(field))) })
}
