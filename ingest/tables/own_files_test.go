package tables_test

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/ingest/tables"
)

// TestNoTable: commas in the comments of YAML make no table of it.
func TestNoTable(t *testing.T) {
	if what, _ := tables.Recognise([]byte("# two arrays, each with\n# LUNs, and more\nname: x\nnames: y\n")); what != "" {
		t.Errorf("it is %s", what)
	}
}

func TestOwn(t *testing.T) {
	for head, want := range map[string]string{
		"# The demonstration's storage: two arrays, each\n# LUNs, and more,\nname: demo\nservers: fs[1-8]\narrays:\n  - names: a\n": "a topology file",
		"time: {column: time}\ncomponent: \"{host}\"\ngroup: host\nmetrics:\n  latency: {unit: ms}\n":                               "a description file of tables",
		"time: ts\ngroup: host\ndrive: disk\n":                       "a description file of drive records",
		"system: demo\nseed: 1\nfaults:\n  - kind: single LUN\n":     "a file with the faults of a simulation",
		"listen: :9714\ndirectories: [/data]\n":                      "a configuration of limpet serve",
		"# said\n2011-05-18T00:30:00Z resolve ddn12\n":               "a feedback file",
		"limpet-changes 1 sha256 7e\n{}":                             "a file with the last report of limpet diagnose",
		"{\n \"options\": {\"measure\": \"cdf\", \"win_size\": 60}}": "a model of limpet train",
		"{\"format\":\"limpet study 1\",":                            "a result of limpet study",
		"{\"version\": 1,\n\"limpet\": \"x\"":                        "a report of limpet",
		"<!DOCTYPE html>\n<html>":                                    "a web page",
		"time,host,drive\n1,2,3\n":                                   "",
		"":                                                           "",
		"\x7fELF":                                                    "",
	} {
		if got := tables.Recognised([]byte(head)); got.Noun != want || (want != "") != (got.Advice != "") {
			t.Errorf("%q is %+v, want %q", strings.Split(head, "\n")[0], got, want)
		}
	}
}
