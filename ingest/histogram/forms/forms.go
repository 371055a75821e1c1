package forms

import (
	"strings"

	"github.com/limpet-storage/limpet/ingest/histogram"
	"github.com/limpet-storage/limpet/ingest/histogram/cephosd"
	"github.com/limpet-storage/limpet/ingest/histogram/ddn"
	"github.com/limpet-storage/limpet/ingest/histogram/exposed"
	"github.com/limpet-storage/limpet/ingest/histogram/fio"
	"github.com/limpet-storage/limpet/ingest/histogram/netdata"
	"github.com/limpet-storage/limpet/ingest/histogram/zpool"
)

// All are the forms by name.
func All() []*histogram.Form {
	return []*histogram.Form{&cephosd.Form, &ddn.Form, &fio.Form, &netdata.Form, &exposed.Form, &zpool.Form}
}

// Lookup is the form of a name, nil where there is none.
func Lookup(name string) *histogram.Form {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Recognise is the form that a text is of by its beginning, nil where it is not
// known. fio's logs have no sign that only they have.
func Recognise(head string) *histogram.Form {
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
