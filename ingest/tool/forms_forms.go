// This file lists the tools whose histograms are read. A new one is a package
// beside histogram and a line here.

package tool

import (
	"strings"
)

// All are the forms by name.
func All() []*HistogramForm {
	return []*HistogramForm{&cephHistogramForm, &ddnForm, &fioForm, &netdataForm, &exposedForm, &zpoolHistogramForm}
}

// LookupHistogram is the form of a name, nil where there is none.
func LookupHistogram(name string) *HistogramForm {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Recognise is the form that a text is of by its beginning, nil where it is not
// known. fio's logs have no sign that only they have.
func Recognise(head string) *HistogramForm {
	for _, f := range All() {
		found := len(f.Signs) > 0
		for _, sign := range f.Signs {
			found = found && strings.Contains(head, sign)
		}
		if found {
			return f
		}
	}
	return nil
}
