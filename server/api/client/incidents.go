package client

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// Query selects incidents.
type Query struct {
	All       bool // also incidents that are over, harmless or muted
	Component string
}

// Incidents returns the current incidents: the first page, of at most 1,000 incidents. The bytes
// are the JSON of the page.
func (c *Client) Incidents(ctx context.Context, q Query) (*api.IncidentList, []byte, error) {
	values := url.Values{"limit": {"1000"}}
	if !q.All {
		values.Set("section", "now,suspected,recovering")
	}
	if q.Component != "" {
		values.Set("component", q.Component)
	}
	list := &api.IncidentList{}
	data, err := c.Get(ctx, "/incidents", values, list)
	return list, data, err
}

// Incident returns an incident with its whole history.
func (c *Client) Incident(ctx context.Context, id string) (*api.Kept, []byte, error) {
	kept := &api.Kept{}
	data, err := c.Get(ctx, "/incidents/"+url.PathEscape(id), nil, kept)
	return kept, data, err
}

// Apply sends an operator's command about an incident.
func (c *Client) Apply(ctx context.Context, id string, f api.FeedbackRequest) (*api.Said, []byte, error) {
	said := &api.Said{}
	data, err := c.Post(ctx, "/incidents/"+url.PathEscape(id)+"/feedback", f, said)
	return said, data, err
}

// Until parses the end of a mute: a time in the future, or a duration from now such as 90m, 8h, 3d
// or 2w. An empty text means no end.
func Until(text string, clock period.Clock) (document.Time, error) {
	if text == "" {
		return 0, nil
	}
	if d, ok := length(text); ok {
		return document.Time(clock.Now.Add(d).Unix()), nil
	}
	at, err := clock.Parse(text, true)
	switch {
	case err != nil:
		return 0, fmt.Errorf("--until %q is not a time; write a duration such as 8h or 3d, or a time such as 2026-05-09 08:00", text)
	case !at.After(clock.Now):
		return 0, fmt.Errorf("--until %s is in the past; give a time in the future", text)
	}
	return document.Time(at.Unix()), nil
}

// length parses a duration and reports whether the text is one.
func length(text string) (time.Duration, bool) {
	const day = 24 * time.Hour
	unit := map[string]time.Duration{"d": day, "w": 7 * day}[text[len(text)-1:]]
	if unit != 0 {
		hours, err := time.ParseDuration(text[:len(text)-1] + "h")
		return hours / time.Hour * unit, err == nil && hours > 0 && hours/time.Hour < 1000
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}

// Done returns the sentence that confirms a command about an incident. A server of an earlier version
// does not return the full ID and the place: the sentence then has the ID that was given.
func Done(given string, said *api.Said) string {
	id := cmp.Or(said.Incident, given)
	named := id
	if said.Place != "" {
		named += " (" + said.Place + ")"
	}
	switch said.Verb {
	case command.Resolve:
		return fmt.Sprintf("Incident %s is resolved.", named)
	case command.Accept:
		return fmt.Sprintf("Incident %s is accepted: from now on, limpet treats the present speed as normal.", named)
	case command.Mute:
		if said.Until == 0 {
			return fmt.Sprintf("Incident %s is muted. To unmute the incident, run limpet incidents unmute %s.", named, id)
		}
		return fmt.Sprintf("Incident %s is muted until %s.", named, sentences.Time(int64(said.Until)))
	case command.Unmute:
		return fmt.Sprintf("Incident %s is no longer muted.", named)
	case api.Was:
		return fmt.Sprintf("The cause of incident %s is saved: %s.", named, strings.TrimSuffix(said.Text, "."))
	}
	return fmt.Sprintf("The comment on incident %s is saved.", named)
}
