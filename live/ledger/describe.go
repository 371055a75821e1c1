package ledger

import (
	"cmp"
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

// Incident is the ledger's entry of an incident. Queries select incidents by the values in this
// entry. The field Document has the incident in the same form as in reports.
type Incident struct {
	Number    int64  // number of the event that opened the incident; no other incident ever gets this number
	ID        string // ID, unique in the ledger; if a later incident needs the same ID, this incident gets another ID (see numberFor)
	Phase     incident.Phase
	Kind      finding.Kind
	Class     finding.Class
	Place     blame.Place
	Harmless  bool
	Muted     bool
	Onset     int64 // Onset, Confirmed and Cleared are Unix times; 0 if the incident has no such time yet
	Confirmed int64
	Cleared   int64
	Changed   int64 // time of the last change of this entry
	Ending    incident.Ending
	Into      string // ID of the larger incident into which this incident was merged
	Severity  float64
	Worst     float64
	Title     string
	Headline  string
	Document  json.RawMessage // the incident as JSON (package document)

	names  []string // names by which queries find the incident
	search string
}

// Describe returns the ledger's entry of an incident, with sentences from the writer v.
func Describe(v *sentence.Writer, in *incident.Incident) (Incident, error) {
	doc := document.OfIncident(v, in)
	text, err := json.Marshal(doc)
	if err != nil {
		return Incident{}, err
	}
	return Incident{
		ID: in.ID, Phase: in.Phase, Kind: in.Kind, Class: in.Class, Place: in.Place, Harmless: in.Harmless(), Muted: in.Muted,
		Onset: in.Onset.At, Confirmed: in.Confirmed, Cleared: in.Cleared, Ending: in.Ending, Into: in.Into,
		Severity: in.Severity, Worst: cmp.Or(in.WorstEffect(), in.Worst), Title: doc.Title, Headline: doc.Headline, Document: text,
		names: namesOf(v.System, in), search: searchable(in, &doc),
	}, nil
}

// namesOf returns the names by which people may look for an incident: the names of its places and of
// its members, the names of the parts of the system that contain a member (such as a server or an
// array), and the models of its members.
func namesOf(system *topology.System, in *incident.Incident) []string {
	var list []string
	for _, p := range in.Places() {
		list = append(list, p.Name)
	}
	for i := range in.Members {
		c := &system.Components[in.Members[i].Component]
		list = append(list, c.Name, c.Server, c.LUN, c.Controller, c.Array, c.Drawer, c.Slot, c.Model)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(n string) bool { return n == "" })
}

// searchable returns the texts of an incident that people may search for, in lower case.
func searchable(in *incident.Incident, doc *document.Incident) string {
	parts := append([]string{in.ID, doc.Title, doc.Headline}, doc.Because...)
	for _, c := range in.Comments {
		parts = append(parts, c.Text)
	}
	return strings.ToLower(strings.Join(parts, "\n"))
}
