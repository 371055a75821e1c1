package handler

import (
	"bytes"
	"sync"

	"github.com/limpet-storage/limpet/api"
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/words"
)

// view is a standing with what requests make of it, each part made once for all who
// ask.
type view struct {
	*api.Standing
	voice *words.Voice

	diagnosis func() ([]byte, error)
	records   func() []api.Record        // by incident
	suspects  func() []document.Incident // as documents
	scores    func() map[int][]api.Score // by component
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
	v := &view{Standing: s, voice: s.Voice()}
	v.diagnosis = sync.OnceValues(v.makeDiagnosis)
	v.records = sync.OnceValue(v.makeRecords)
	v.suspects = sync.OnceValue(v.makeSuspects)
	v.scores = sync.OnceValue(v.makeScores)
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
			Incident: document.OfIncident(v.voice, in), Section: api.SectionName(words.SectionOf(in)), Note: v.Notes[in.ID],
		}
	}
	return list
}

func (v *view) makeSuspects() []document.Incident {
	list := []document.Incident{}
	for i := range v.Suspects {
		list = append(list, document.OfSuspect(v.voice, &v.Suspects[i]))
	}
	return list
}

func (v *view) makeScores() map[int][]api.Score {
	scores := map[int][]api.Score{}
	for i := range v.Windows {
		w := &v.Windows[i]
		for _, x := range w.Verdicts {
			scores[x.Component] = append(scores[x.Component], v.score(w, &x))
		}
	}
	return scores
}

func (v *view) score(w *detect.Window, x *detect.Verdict) api.Score {
	return api.Score{
		Metric: v.Subject.Schema.Metrics[w.Metric].Name, End: document.Time(w.End),
		State: x.State.String(), Reason: words.Reason(x.Reason), Score: document.Number(x.Score), Threshold: document.Number(x.Threshold),
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
