package report

import (
	"strconv"

	"github.com/limpet-storage/limpet/incident"
)

// incident writes a line for an incident and one for each component of it.
// Time is its onset, value its accumulator, score its evidence.
func (c *csvReport) incident(in *incident.Incident) {
	id := strconv.Itoa(in.ID)
	c.line("incident", rfc3339(in.Onset.At), "", in.Component, "", "", strconv.Itoa(in.Value), number(in.Evidence), "",
		string(in.State), "", "", "", "", "", "", "", "", "",
		id, string(in.Kind), string(in.Tier), rfc3339(in.Confirmed), ended(in.Cleared), number(in.Worst), in.Headline)
	for _, m := range in.Members {
		of := &c.s.System.Components[m.Component]
		c.line("member", rfc3339(m.Since), strconv.Itoa(of.Group), of.Name, "", "", strconv.Itoa(m.Value), "", "",
			string(m.Role), "", "", "", strconv.FormatBool(m.Odd), "", "", of.Server, "", "",
			id, string(in.Kind), "", "", "", number(m.Worst), "")
	}
}
