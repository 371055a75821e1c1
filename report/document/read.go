package document

import "encoding/json"

// What a document leaves out is missing, and not zero: these methods read it as
// such, so that a document which was read is written as it was.

// UnmarshalJSON reads an incident.
func (in *Incident) UnmarshalJSON(data []byte) error {
	type plain Incident
	p := plain{TimesSlower: missing, Worst: missing, Amount: missing, Nats: missing, Waited: missing, ChanceYears: missing}
	err := json.Unmarshal(data, &p)
	*in = Incident(p)
	return err
}

// UnmarshalJSON reads a member.
func (m *Member) UnmarshalJSON(data []byte) error {
	type plain Member
	p := plain{Ratio: missing, Worst: missing, Mean: missing, Low: missing, High: missing, Own: missing, Peers: missing, Load: missing}
	err := json.Unmarshal(data, &p)
	*m = Member(p)
	return err
}
