// This file lists what tools print that is read as a table. A new form is a
// package beside tabular and a line here.

package tool

import (
	"slices"
)

func all() []*TableForm {
	return []*TableForm{&cephPerfForm, &collectlForm, &darshanForm, &iostatForm, &sarForm, &zpoolForm}
}

// Names are those of the forms, sorted.
func Names() []string {
	var names []string
	for _, f := range all() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// LookupTable is the form of a name, nil where there is none.
func LookupTable(name string) *TableForm {
	for _, f := range all() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
