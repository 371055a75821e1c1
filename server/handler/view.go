package handler

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/server/api"
)

// view is a result of the diagnosis, with the parts of answers that are computed from it. Each part
// is computed once, and all requests share it.
type view struct {
	*api.Result
	sentences *sentence.Writer

	diagnosis func() ([]byte, error)
	records   func() []api.Record        // records of the incidents, in the order of Incidents
	suspects  func() []document.Incident // as documents
	members   func() map[int][]string    // IDs of incidents by component
}

// now returns the view of the current result.
func (h *Handler) now() *view {
	s := h.Site.Result()
	if v := h.view.Load(); v != nil && v.Result == s {
		return v
	}
	v := newView(s)
	h.view.Store(v)
	return v
}

func newView(s *api.Result) *view {
	v := &view{Result: s, sentences: s.SentenceWriter()}
	v.diagnosis = sync.OnceValues(v.makeDiagnosis)
	v.records = sync.OnceValue(v.makeRecords)
	v.suspects = sync.OnceValue(v.makeSuspects)
	v.members = sync.OnceValue(v.makeMembers)
	return v
}

func (v *view) makeDiagnosis() ([]byte, error) {
	var out bytes.Buffer
	err := report.WriteJSON(&out, v.Subject, v.Result.Result)
	return out.Bytes(), err
}

func (v *view) makeRecords() []api.Record {
	list := make([]api.Record, len(v.Incidents))
	for i := range v.Incidents {
		in := &v.Incidents[i]
		list[i] = api.Record{
			Incident: document.Served(v.sentences, document.OfIncident(v.sentences, in)), Section: api.SectionName(sentence.SectionOf(in)), Note: v.Notes[in.ID],
		}
	}
	return list
}

func (v *view) makeSuspects() []document.Incident {
	list := []document.Incident{}
	for i := range v.Suspects {
		list = append(list, document.Served(v.sentences, document.OfSuspect(v.sentences, &v.Suspects[i])))
	}
	return list
}

// scores returns the scores of a component in the last windows. It searches the windows, because
// lists for each of a hundred thousand drives would need too much memory. The verdicts of a window
// have the order of the members of its group.
func (v *view) scores(component int) []api.Score {
	scores := []api.Score{}
	for i := range v.Windows {
		w := &v.Windows[i]
		at, ok := slices.BinarySearchFunc(w.Verdicts, component, func(x persistence.Verdict, c int) int { return cmp.Compare(x.Component, c) })
		if ok {
			scores = append(scores, v.score(w, &w.Verdicts[at]))
		}
	}
	return scores
}

func (v *view) score(w *persistence.Window, x *persistence.Verdict) api.Score {
	score, threshold := document.Compared(x)
	return api.Score{
		Metric: v.Subject.Schema.Metrics[w.Metric].Name, End: document.Time(w.End),
		State: x.State.String(), Reason: sentence.Reason(x.Reason), Score: score, Threshold: threshold,
		Own: document.Number(x.Median), Peers: document.Number(x.Peers), Suspect: x.Suspect,
	}
}

func (v *view) makeMembers() map[int][]string {
	members := map[int][]string{}
	for i := range v.Incidents {
		for _, m := range v.Incidents[i].Members {
			members[m.Component] = append(members[m.Component], v.Incidents[i].ID)
		}
	}
	return members
}
