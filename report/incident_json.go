package report

import (
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/topology"
)

type jsonIncident struct {
	ID        int          `json:"id"`
	Component string       `json:"component"`
	Tier      string       `json:"tier"`
	Kind      string       `json:"kind"`
	State     string       `json:"state"`
	Muted     bool         `json:"muted,omitempty"`
	Resolved  bool         `json:"resolved,omitempty"`
	Onset     jsonBegin    `json:"onset"`
	Confirmed string       `json:"confirmed"`
	Last      string       `json:"last"`
	Unjudged  string       `json:"unjudged,omitempty"`
	Cleared   string       `json:"cleared,omitempty"`
	Spans     []jsonSpan   `json:"spans"`
	Severity  float64      `json:"severity"`
	Worst     float64      `json:"worst"`
	Value     int          `json:"value"`
	Evidence  float64      `json:"evidence"`
	Headline  string       `json:"headline"`
	Because   []string     `json:"because"`
	Otherwise string       `json:"otherwise,omitempty"`
	Metrics   []string     `json:"metrics,omitempty"`
	Members   []jsonMember `json:"members"`
}

type jsonBegin struct {
	At      string `json:"at"`
	Early   string `json:"early"`
	Late    string `json:"late"`
	Earlier bool   `json:"earlier,omitempty"`
}

type jsonSpan struct {
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

type jsonMember struct {
	Name  string  `json:"name"`
	Role  string  `json:"role"`
	Odd   bool    `json:"odd"`
	Value int     `json:"value"`
	Ratio float64 `json:"ratio"`
	Worst float64 `json:"worst"`
	Since string  `json:"since"`
}

func jsonIncidents(system *topology.System, list []incident.Incident) []jsonIncident {
	out := []jsonIncident{}
	for i := range list {
		in := &list[i]
		x := jsonIncident{
			ID: in.ID, Component: in.Component, Tier: string(in.Tier), Kind: string(in.Kind), State: string(in.State),
			Muted: in.Muted, Resolved: in.Resolved,
			Onset:     jsonBegin{rfc3339(in.Onset.At), rfc3339(in.Onset.Early), rfc3339(in.Onset.Late), in.Onset.Earlier},
			Confirmed: rfc3339(in.Confirmed), Last: rfc3339(in.Last), Unjudged: ended(in.Unjudged), Cleared: ended(in.Cleared),
			Severity: in.Severity, Worst: in.Worst, Value: in.Value, Evidence: in.Evidence,
			Headline: in.Headline, Because: in.Because, Otherwise: in.Otherwise, Metrics: in.Metrics, Members: []jsonMember{},
		}
		for _, s := range in.Spans {
			x.Spans = append(x.Spans, jsonSpan{rfc3339(s.From), ended(s.To)})
		}
		for _, m := range in.Members {
			x.Members = append(x.Members, jsonMember{system.Components[m.Component].Name, string(m.Role), m.Odd, m.Value, m.Ratio, m.Worst, rfc3339(m.Since)})
		}
		out = append(out, x)
	}
	return out
}

// ended formats an end, which there may not be yet.
func ended(at int64) string {
	if at == 0 {
		return ""
	}
	return rfc3339(at)
}
