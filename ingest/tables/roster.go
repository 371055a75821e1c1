package tables

import (
	"slices"

	"github.com/limpet-storage/limpet/topology"
)

// A roster gives each component of a file a number. The component that occurs first in the file
// gets the number 0, the next new component gets the number 1, and so on.
type roster struct {
	d             *Description
	listed        []topology.Listed
	byName        map[string]int32
	contradictory []int32 // components whose lines have different peer groups, servers or other properties
}

func newRoster(d *Description) *roster { return &roster{d: d, byName: make(map[string]int32)} }

// numberOf returns the number of the component that the fields of a line describe. A new
// name gets the next number. If an earlier line has the same name, but another property such as the
// peer group differs, numberOf adds the component to r.contradictory.
func (r *roster) numberOf(value func(field string) string) int32 {
	l := r.d.Describe(value)
	id, known := r.byName[l.Name]
	if !known {
		id = int32(len(r.listed))
		r.byName[l.Name] = id
		r.listed = append(r.listed, l)
	} else if r.listed[id] != l && !slices.Contains(r.contradictory, id) {
		r.contradictory = append(r.contradictory, id)
	}
	return id
}
