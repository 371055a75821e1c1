package forms

import (
	"slices"

	"github.com/limpet-storage/limpet/ingest/tabular/cephosd"
	"github.com/limpet-storage/limpet/ingest/tabular/collectl"
	"github.com/limpet-storage/limpet/ingest/tabular/darshan"
	"github.com/limpet-storage/limpet/ingest/tabular/form"
	"github.com/limpet-storage/limpet/ingest/tabular/iostat"
	"github.com/limpet-storage/limpet/ingest/tabular/sar"
	"github.com/limpet-storage/limpet/ingest/tabular/zpool"
)

func all() []*form.Form {
	return []*form.Form{&cephosd.Form, &collectl.Form, &darshan.Form, &iostat.Form, &sar.Form, &zpool.Form}
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

// Lookup is the form of a name, nil where there is none.
func Lookup(name string) *form.Form {
	for _, f := range all() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
