package report

import (
	"encoding/json"
	"io"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// jsonReport writes one document: the head, then the hours with their windows if lists were asked
// for, then the end. Each window is written as soon as it is known, so memory does not grow with
// their number. Package document has the types.
type jsonReport struct {
	sink
	base
	begun bool // the head is written
	hours int
	open  bool // an hour is open
	wins  int  // windows in the open hour
}

func newJSON(w io.Writer, s Subject) *jsonReport {
	return &jsonReport{sink: sink{w: w}, base: newBase(s)}
}

// State writes or reads the memory of the document.
func (j *jsonReport) State(c *state.Codec, axes *blame.Axes) {
	j.incidentArchive.State(c, axes)
	c.Bool(&j.begun)
	state.Int(c, &j.hours)
	c.Bool(&j.open)
	state.Int(c, &j.wins)
}

// begin writes the head.
func (j *jsonReport) begin() {
	if j.begun {
		return
	}
	j.begun = true
	groups := document.Each(j.s.System.Groups, func(g topology.PeerGroup) any {
		return map[string]any{"id": g.ID, "name": g.Name, "members": len(g.Members)}
	})
	j.printf("{\"version\": %d,\n", document.Version)
	j.field("limpet", j.s.Version)
	j.field("system", j.s.System.Name)
	j.field("method", j.s.Options.Method)
	j.field("metrics", document.List(j.s.Options.Metrics))
	j.field("options", j.s.Options)
	j.field("trained", j.s.Trained)
	j.field("groups", groups)
	if j.s.Lists {
		j.printf("\"hours\": [")
	}
}

func (j *jsonReport) encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil && j.err == nil {
		j.err = err
	}
	return b
}

// field writes a field and a comma. It is not for the last field.
func (j *jsonReport) field(name string, v any) { j.printf("\"%s\": %s,\n", name, j.encode(v)) }

func (j *jsonReport) openHour() {
	j.begin()
	if j.open {
		return
	}
	if j.hours > 0 {
		j.printf(",")
	}
	j.printf("\n{\"windows\": [")
	j.open, j.wins = true, 0
}

func (j *jsonReport) Window(w *persistence.Window) {
	j.Judge(w)
	if !j.s.Lists {
		return
	}
	j.openHour()
	if j.wins++; j.wins > 1 {
		j.printf(",")
	}
	j.printf("\n%s", j.encode(document.OfWindow(j.sentences, w)))
}

func (j *jsonReport) List(l *engine.List) {
	if !j.s.Lists {
		return
	}
	j.openHour()
	j.printf("],\n\"hour\": %s,\n\"list\": %s}", j.encode(document.Time(l.Hour)), j.encode(document.OfEntries(j.sentences, l.Entries, j.s.Trained)))
	j.open = false
	j.hours++
}

// Finish closes the last hour and writes the end of the document.
func (j *jsonReport) Finish(s Summary) error {
	j.begin()
	if j.open { // the last hour has no list
		j.List(&engine.List{Hour: s.To / 3600 * 3600})
	}
	if j.s.Lists {
		j.printf("\n],\n")
	}
	all := j.chosen(&s)
	j.end(j.standing(&s, all))
	return j.err
}

// end writes the fields after the hours.
func (j *jsonReport) end(s Result) {
	j.field("from", document.Time(s.From))
	j.field("to", document.Time(s.To))
	j.field("servers_heard", s.Heard)
	j.field("server_windows", s.Examined)
	j.field("verdict", s.Verdict)
	j.field("incidents", document.Each(s.Incidents, func(in incident.Incident) document.Incident { return document.OfIncident(j.sentences, &in) }))
	j.field("suspects", document.Each(s.Suspects, func(q engine.Suspect) document.Incident { return document.OfSuspect(j.sentences, &q) }))
	j.field("silent", document.Each(s.Silent, func(q engine.Silence) document.Remark { return document.OfSilence(j.sentences, q) }))
	j.field("idle", document.Each(s.Idle, document.OfIdleness))
	j.field("lacks", document.Each(s.Lacks, func(l engine.Lack) document.Remark { return document.OfLack(j.sentences, l) }))
	j.field("apart", document.Each(s.Apart, document.OfPresence))
	j.field("unlike", document.Each(s.Unlike, sentence.Symptom))
	j.field("clocks", document.Each(s.Skews, document.OfSkew))
	if j.s.HostReport != nil {
		j.field("hosts", json.RawMessage(j.s.HostReport))
	}
	j.printf("\"warnings\": %s}\n", j.encode(document.List(s.Cautions())))
}
