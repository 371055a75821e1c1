package document

import (
	"encoding/json"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// A field that is absent in a document is missing, not zero. These methods keep the difference, so
// that a document does not change when it is read and written again.

// UnmarshalJSON reads an incident.
func (in *Incident) UnmarshalJSON(data []byte) error {
	type plain Incident
	p := plain{TimesSlower: missing, Low: missing, High: missing, Now: missing, Worst: missing, Peak: missing, Amount: missing, Nats: missing, Waited: missing, ChanceYears: missing}
	err := json.Unmarshal(data, &p)
	*in = Incident(p)
	if in.Now.IsZero() {
		in.upgrade()
	}
	if in.Peak.IsZero() {
		in.upgradeWorst()
	}
	return err
}

// upgradeWorst sets the worst effect of an incident that an earlier version wrote. In such a document
// worst_times_slower is the peak of the incident, and peak_times_slower is absent.
func (in *Incident) upgradeWorst() {
	in.Peak = in.Worst
	most := missing
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver && !m.Times.IsZero() && !(most >= m.Times) {
			most = m.Times
		}
	}
	if !in.Worst.IsZero() && !most.IsZero() {
		in.Worst = most
	}
}

// upgrade sets the numbers of an incident that an earlier version wrote. In such a document
// times_slower is the present ratio of the worst member, and now_times_slower is absent.
// The number of the headline follows from the members.
func (in *Incident) upgrade() {
	var times []float64
	var only *Member
	for i := range in.Members {
		if m := &in.Members[i]; m.Role != finding.TookOver && !m.Mean.IsZero() {
			m.Times, only = m.Mean, m
			times = append(times, float64(m.Mean))
		}
	}
	switch len(times) {
	case 0:
	case 1:
		in.TimesSlower, in.Low, in.High = only.Mean, only.Low, only.High
	default:
		slices.Sort(times)
		in.TimesSlower, in.Low, in.High = Number(quantile.Median(times)), Number(times[0]), Number(times[len(times)-1])
	}
}

// UnmarshalJSON reads a member.
func (m *Member) UnmarshalJSON(data []byte) error {
	type plain Member
	was := struct {
		Worst Number `json:"worst_times_slower"` // an earlier name of the peak
	}{missing}
	p := plain{Times: missing, Mean: missing, Low: missing, High: missing, Now: missing, Peak: missing, Own: missing, Peers: missing, Load: missing}
	if err := json.Unmarshal(data, &was); err != nil {
		return err
	}
	err := json.Unmarshal(data, &p)
	if *m = Member(p); m.Peak.IsZero() {
		m.Peak = was.Worst
	}
	return err
}
