package ledger

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Incident is an incident in the ledger: the columns of queries, and the document that
// reports contain.
type Incident struct {
	Number    int64  // of the event that opened it; unlike the ID it is unique for ever
	ID        string // unique at any time; see [Record] for IDs that come again
	Phase     incident.Phase
	Kind      finding.Kind
	Class     finding.Class
	Place     blame.Place
	Harmless  bool
	Muted     bool
	Onset     int64 // Unix times; 0: none
	Confirmed int64
	Cleared   int64
	Changed   int64 // time of the last write
	Ending    incident.Ending
	Into      string // ID of the incident that contains this one
	Severity  float64
	Worst     float64
	Title     string
	Headline  string
	Document  json.RawMessage // see package document

	names  []string // names that queries find the incident by
	search string
}

// Describe returns the ledger's entry of an incident, with sentences of a writer.
func Describe(v *sentence.Writer, in *incident.Incident) (Incident, error) {
	doc := document.OfIncident(v, in)
	text, err := json.Marshal(doc)
	if err != nil {
		return Incident{}, err
	}
	return Incident{
		ID: in.ID, Phase: in.Phase, Kind: in.Kind, Class: in.Class, Place: in.Place, Harmless: in.Harmless(), Muted: in.Muted,
		Onset: in.Onset.At, Confirmed: in.Confirmed, Cleared: in.Cleared, Ending: in.Ending, Into: in.Into,
		Severity: in.Severity, Worst: in.Worst, Title: doc.Title, Headline: doc.Headline, Document: text,
		names: namesOf(v.System, in), search: searchable(in, &doc),
	}, nil
}

// namesOf returns the names of the place, of all members, and of the components that the
// members hang on.
func namesOf(system *topology.System, in *incident.Incident) []string {
	list := []string{in.Place.Name}
	for i := range in.Members {
		c := &system.Components[in.Members[i].Component]
		list = append(list, c.Name, c.Server, c.LUN, c.Controller, c.Array, c.Drawer, c.Slot, c.Model)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(n string) bool { return n == "" })
}

// searchable returns the texts that people may remember of an incident, in lower case.
func searchable(in *incident.Incident, doc *document.Incident) string {
	parts := append([]string{in.ID, doc.Title, doc.Headline}, doc.Because...)
	for _, c := range in.Comments {
		parts = append(parts, c.Text)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}
