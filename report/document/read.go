package document

import (
	"encoding/json"
	"slices"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// What a document leaves out is missing, and not zero: these methods read it as
// such, so that a document which was read is written as it was.

// UnmarshalJSON reads an incident.
func (in *Incident) UnmarshalJSON(data []byte) error {
	type plain Incident
	p := plain{TimesSlower: missing, Low: missing, High: missing, Now: missing, Worst: missing, Amount: missing, Nats: missing, Waited: missing, ChanceYears: missing}
	err := json.Unmarshal(data, &p)
	*in = Incident(p)
	if in.Now.IsZero() {
		in.upgrade()
	}
	return err
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
	p := plain{Times: missing, Mean: missing, Low: missing, High: missing, Now: missing, Worst: missing, Own: missing, Peers: missing, Load: missing}
	err := json.Unmarshal(data, &p)
	*m = Member(p)
	return err
}
