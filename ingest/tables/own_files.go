package tables

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// OwnFile describes one kind of the files that limpet writes or that configure limpet, such as a
// model or a topology. These files contain no measurements.
type OwnFile struct {
	Noun   string // noun for messages: "a topology file"
	Advice string // advice for the user: how to pass the file to limpet, or how to use the file otherwise
}

// begins lists the kinds of limpet's own files that are recognised by their first bytes.
var begins = []struct {
	with string
	own  OwnFile
}{
	{"limpet-changes ", OwnFile{"a file with the last report of limpet diagnose", "give this file with --changes"}},
	{`{"format":"limpet study`, OwnFile{"a result of limpet study", "give this file with --study, or to limpet study diff"}},
	{"{\"version\": 1,\n\"limpet\":", OwnFile{"a report of limpet", "name the data instead of the report"}},
	{"SQLite format 3\x00", OwnFile{"a database, such as the ledger of limpet serve", "name a directory of data, or use limpet incidents"}},
	{"<!doctype html", OwnFile{"a web page", "open this page in a browser, and name the data instead"}},
}

// keyed lists the kinds of limpet's own YAML files, which are recognised by their keys. A file is
// of a kind if it has all keys of the list `all`. If the list `any` is not empty, the file must
// also have at least one key of `any`.
var keyed = []struct {
	all, any []string
	own      OwnFile
}{
	{[]string{"time", "component", "group", "metrics"}, nil, OwnTables},
	{[]string{"component", "group", "metrics"}, nil, OwnFile{"a description file of series", "give this file with --series"}},
	{[]string{"group", "drive"}, nil, OwnFile{"a description file of drive records", "give this file to limpet study with --describe"}},
	{[]string{"system", "faults"}, nil, OwnFile{"a file with the faults of a simulation", "give this file to limpet evaluate with --truth"}},
	{nil, []string{"directories", "listen", "receivers", "scrape"}, OwnFile{"a configuration of limpet serve", "give this file with --config"}},
	{nil, []string{"servers", "arrays", "drives"}, OwnTopology},
}

// Kinds of limpet's own files that users pass with a flag. Package cmd/limpet checks that
// the file fits the flag.
var (
	OwnTables   = OwnFile{"a description file of tables", "give this file with --tables"}
	OwnTopology = OwnFile{"a topology file", "give this file with --topology"}
	OwnModel    = OwnFile{"a model of limpet train", "give this file with --model"}
	OwnFeedback = OwnFile{"a feedback file", "give this file with --feedback"}
)

var (
	yamlKey  = lazyregexp.New(`(?m)^([a-z_]+):(?:\s|$)`)
	feedback = lazyregexp.New(`(?m)^\d{4}-\d\d-\d\dT\S+\s+(resolve|mute|unmute|comment)\s`)
)

// Recognised returns the kind of a file if it is one of limpet's own files. Otherwise the field
// Noun of the result is empty. The parameter `head` is the beginning of the file.
func Recognised(head []byte) OwnFile {
	text := string(head)
	for _, b := range begins {
		if len(text) >= len(b.with) && strings.EqualFold(text[:len(b.with)], b.with) {
			return b.own
		}
	}
	switch {
	case !isText(text):
		return OwnFile{}
	case strings.HasPrefix(text, "{") && isModel(text):
		return OwnModel
	case feedback.MatchString(text):
		return OwnFeedback
	}
	return ofKeys(text)
}

// isModel reports whether a text of JSON has the keys of a model.
func isModel(text string) bool {
	return strings.Contains(text, `"options"`) && strings.Contains(text, `"win_size"`) && strings.Contains(text, `"measure"`)
}

// ofKeys compares the keys of a YAML file with the keys of each kind, and returns the first kind of
// file that fits. The caller passes the beginning of the file. The result is empty if no kind fits.
func ofKeys(text string) OwnFile {
	var keys []string
	for _, k := range yamlKey.FindAllStringSubmatch(text, -1) {
		keys = append(keys, k[1])
	}
	has := func(key string) bool { return slices.Contains(keys, key) }
	for _, k := range keyed {
		lacks := slices.ContainsFunc(k.all, func(key string) bool { return !has(key) })
		if !lacks && (len(k.any) == 0 || slices.ContainsFunc(k.any, has)) {
			return k.own
		}
	}
	return OwnFile{}
}
