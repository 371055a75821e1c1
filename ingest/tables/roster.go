package tables

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// A roster numbers the components of a file as they come up.
type roster struct {
	d      *Description
	listed []topology.Listed
	byName map[string]int32
	torn   []int32 // components with lines that put them into different places
}

func newRoster(d *Description) *roster { return &roster{d: d, byName: make(map[string]int32)} }

// enlist describes a component by the fields of its lines and path. Its name
// may have come up before, where another field than those of the name differs.
func (r *roster) enlist(value func(field string) string) int32 {
	l := r.d.Describe(value)
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
