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

// view is a standing with what requests make of it, each part made once for all who
// ask.
type view struct {
	*api.Standing
	sentences *sentence.Writer

	diagnosis func() ([]byte, error)
	records   func() []api.Record        // by incident
	suspects  func() []document.Incident // as documents
	members   func() map[int][]string    // IDs of incidents by component
}

// now is the view of how things stand.
func (h *Handler) now() *view {
	s := h.Site.Standing()
	if v := h.view.Load(); v != nil && v.Standing == s {
		return v
	}
	v := newView(s)
	h.view.Store(v)
	return v
}

func newView(s *api.Standing) *view {
	v := &view{Standing: s, sentences: s.SentenceWriter()}
	v.diagnosis = sync.OnceValues(v.makeDiagnosis)
	v.records = sync.OnceValue(v.makeRecords)
	v.suspects = sync.OnceValue(v.makeSuspects)
	v.members = sync.OnceValue(v.makeMembers)
	return v
}

func (v *view) makeDiagnosis() ([]byte, error) {
	var out bytes.Buffer
	err := report.WriteJSON(&out, v.Subject, v.Standing.Standing)
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

// scores are what the last windows say of a component. They are looked up where they
// stand: a hundred thousand drives have no list of their own. A window has the members of
// its group in their order.
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
	return api.Score{
		Metric: v.Subject.Schema.Metrics[w.Metric].Name, End: document.Time(w.End),
		State: x.State.String(), Reason: sentence.Reason(x.Reason), Score: document.Number(x.Score), Threshold: document.Number(x.Threshold),
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
