package cluster

import (
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
)

// View returns the present result of the partition, encoded. It returns nil before the first row.
func (m *partitionTask) View() ([]byte, error) {
	if m.join.End() == 0 {
		return nil, nil
	}
	s := View{Version: viewVersion, Generation: m.stage.Generation, Row: m.join.End(), Late: m.join.Late, Summary: m.Engine.Summary(incident.Combined), Mutes: m.MutedUntil()}
	m.renumber(&s.Summary)
	for _, w := range m.Windows() {
		s.Windows = append(s.Windows, m.window(&w))
	}
	return Encode(s)
}

// OpenIncidents returns the time of the last row and the open incidents of the partition.
func (m *partitionTask) OpenIncidents() (row int64, list []Event) {
	for _, in := range m.Engine.Open(incident.Combined).Incidents {
		if in.Phase != incident.Cleared {
			in = in.Clone()
			in.Renumber(m.partition.WholeIndexes)
			list = append(list, Event{Generation: m.stage.Generation, Time: m.join.End(), Incident: in})
		}
	}
	return m.join.End(), list
}

// renumber replaces the component indexes of a summary by indexes of the whole system.
func (m *partitionTask) renumber(s *engine.Summary) {
	for i := range s.Incidents {
		s.Incidents[i] = s.Incidents[i].Clone()
		s.Incidents[i].Renumber(m.partition.WholeIndexes)
	}
	for i := range s.Suspects {
		s.Suspects[i].Incident = s.Suspects[i].Clone()
		s.Suspects[i].Renumber(m.partition.WholeIndexes)
	}
	for _, list := range []*[]persistence.Entry{&s.Top, &s.Accumulators} {
		*list = slices.Clone(*list)
		for i := range *list {
			e := &(*list)[i]
			e.Component, e.Last.Component = m.partition.WholeIndexes[e.Component], m.partition.WholeIndexes[e.Last.Component]
		}
	}
}

func (m *partitionTask) window(w *persistence.Window) persistence.Window {
	out := *w
	out.Group = m.partition.Groups[w.Group]
	out.Verdicts = slices.Clone(w.Verdicts)
	for i := range out.Verdicts {
		out.Verdicts[i].Component = m.partition.WholeIndexes[out.Verdicts[i].Component]
	}
	return out
}
