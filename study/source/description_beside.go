package source

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/study"
)

// An Inventory describes the columns of an inventory of drives. For example, as CSV:
//
//	drive,group,slot,role,kind,raid,model,vendor,flash,interface,rpm,capacity_gb,deployed
//	d00001-01,d00001,1,data,disk,raid6,A7-1000,A,,SATA,7200,1000,2023-05-17
//
// Other columns are ignored.
type Inventory struct {
	Drive  tabular.Template
	Traits []Trait
}

// A Trait is the column of a fact about drives.
type Trait struct {
	Key     string // one of traitKeys
	Column  string
	Assumed bool // a default column, which may be missing
}

// deployed is the only trait that is a day or a time. All others are texts.
const deployed = "deployed"

var traitKeys = []string{"group", "role", "kind", "model", "vendor", "flash", "interface", "capacity", "rpm", deployed}

// usualColumns has the default columns whose names differ from the key.
var usualColumns = map[string]string{"capacity": "capacity_gb"}

func (r *descriptionReader) readInventory(n *yaml.Node) {
	var f map[string]*yaml.Node
	if n != nil {
		f = r.Fields(n, "inventory", append([]string{"drive"}, traitKeys...)...)
	}
	r.Inventory.Drive = r.template(f["drive"], "drive")
	for _, key := range traitKeys {
		t := Trait{Key: key, Column: cmp.Or(usualColumns[key], key), Assumed: true}
		if f[key] != nil {
			t.Column, t.Assumed = r.Text(f[key]), false
		}
		r.Inventory.Traits = append(r.Inventory.Traits, t)
	}
}

// Events describes the columns of a log of drives' events. For example, as CSV:
//
//	time,drive,event
//	2026-01-04T13:05:51Z,d00017-03,unplugged
type Events struct {
	Time  string // column
	Event string // column
	Drive tabular.Template
	Clock *tabular.Clock
	words map[string]study.What // by the word of the log, in lower case
}

// knownEvents lists the events with a meaning in a study.
var knownEvents = []study.What{study.NotSpinning, study.NotResponding, study.Unplugged, study.Replugged}

func (r *descriptionReader) readEvents(n *yaml.Node) {
	e := &r.Events
	e.Time, e.Event, e.words = "time", "event", make(map[string]study.What)
	for _, what := range knownEvents {
		e.words[string(what)] = what
	}
	var f map[string]*yaml.Node
	if n != nil {
		f = r.Fields(n, "events", "time", "format", "zone", "drive", "event", "words")
	}
	if f["time"] != nil {
		e.Time = r.Text(f["time"])
	}
	if f["event"] != nil {
		e.Event = r.Text(f["event"])
	}
	e.Drive = r.template(f["drive"], "drive")
	e.Clock = r.ReadClock(n, r.Text(f["format"]), r.Text(f["zone"]))
	if f["words"] != nil {
		r.readWords(f["words"])
	}
}

// readWords reads the words of a log for the known events.
func (r *descriptionReader) readWords(n *yaml.Node) {
	for _, p := range r.Pairs(n, "words") {
		what := study.What(p.Key)
		if !slices.Contains(knownEvents, what) {
			r.Errorf(p.At, "%q is not a known event; the known events are \"not spinning\", \"not responding\", \"unplugged\" and \"replugged\"", p.Key)
			continue
		}
		for _, word := range r.Texts(p.Value) {
			r.Events.words[strings.ToLower(word)] = what
		}
	}
}

// What returns the event for a word of a log.
func (e *Events) What(text string) study.What {
	if what, ok := e.words[strings.ToLower(text)]; ok {
		return what
	}
	return study.What(text)
}
