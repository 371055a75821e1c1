// This file tells alerts to a Prometheus Alertmanager, by its API v2.
//
// Alertmanager knows an alert by its labels, groups and silences by them, and
// forgets one that is not repeated. So everything that fires is sent again each
// minute, and what is over once more with its end. Of what piled up while it was
// down it gets the last word on each alert.
//
// Several Alertmanagers that form a cluster are each told by themselves, as
// Prometheus does it: they agree on who sends the message.

package alert

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/post"
)

// Alertmanager is one to be told.
type Alertmanager struct {
	client *post.Client
	labels map[string]string
	remind time.Duration
	now    func() time.Time
}

// AlertmanagerOptions are how one is told.
type AlertmanagerOptions struct {
	post.Options                   // the URL is that of its page: https://alerts.example:9093
	Labels       map[string]string // added to every alert: {"site": "north"}
	Remind       time.Duration     // how often it is told what fires; 0 is each minute
	Now          func() time.Time
}

// remindUsually is well below the five minutes after which Alertmanager takes an
// alert for over.
const remindUsually = time.Minute

// mostAtOnce is how many alerts one request may hold: some megabytes.
const mostAtOnce = 1000

// NewAlertmanager returns a receiver.
func NewAlertmanager(o AlertmanagerOptions) (*Alertmanager, error) {
	for name := range o.Labels {
		if !labelName(name) {
			return nil, errors.New("label " + name + ": use letters, digits and _, and no digit first")
		}
	}
	if o.Now == nil {
		return nil, errors.New("an Alertmanager needs a clock")
	}
	client, err := post.New(o.Options)
	if err != nil {
		return nil, err
	}
	if o.Remind == 0 {
		o.Remind = remindUsually
	}
	return &Alertmanager{client, o.Labels, o.Remind, o.Now}, nil
}

func labelName(s string) bool {
	ok := func(r rune) bool {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, func(r rune) bool { return !ok(r) })
}

// Manner says how it wants to be told.
func (m *Alertmanager) Manner() Manner {
	return Manner{AtOnce: mostAtOnce, Remind: m.remind}
}

// posted is an alert in the form of the API.
type posted struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Starts      time.Time         `json:"startsAt"`
	Ends        time.Time         `json:"endsAt,omitzero"`
	Generator   string            `json:"generatorURL,omitempty"`
}

// Send posts what is new and all that fires.
func (m *Alertmanager) Send(ctx context.Context, b Batch) error {
	body, err := json.Marshal(m.fold(b))
	if err != nil {
		return err
	}
	err = m.client.Post(ctx, "api/v2/alerts", body, nil)
	var failure *post.Failure
	if errors.As(err, &failure) && failure.Refuses() {
		return &Refusal{Err: err}
	}
	return err
}

// fold is the last word on each alert, in the order of their labels.
func (m *Alertmanager) fold(b Batch) []posted {
	last := map[string]posted{}
	say := func(labels map[string]string, n *Notification, ends time.Time) {
		p := m.form(labels, n, ends)
		last[fingerprint(p.Labels)] = p
	}
	for i := range b.Firing {
		say(b.Firing[i].Labels, &b.Firing[i], time.Time{})
	}
	for i := range b.New {
		n := &b.New[i]
		if len(n.Previous) > 0 {
			say(n.Previous, n, n.Time)
		}
		say(n.Labels, n, n.Ends)
	}
	return slices.AppendSeq([]posted{}, func(yield func(posted) bool) {
		for _, key := range slices.Sorted(maps.Keys(last)) {
			if !yield(last[key]) {
				return
			}
		}
	})
}

// form writes an alert as the API has it. An end may not lie ahead, or Alertmanager
// would take the alert to fire until then; and no alert ends before it starts.
func (m *Alertmanager) form(labels map[string]string, n *Notification, ends time.Time) posted {
	p := posted{Labels: maps.Clone(labels), Starts: earlier(n.Starts, m.now()), Generator: n.Link, Annotations: map[string]string{
		"summary": n.Headline, "number": n.Number, "action": n.Action,
	}}
	maps.Copy(p.Labels, m.labels)
	if !ends.IsZero() {
		p.Ends = earlier(ends, m.now())
		p.Starts = earlier(p.Starts, p.Ends)
	}
	return p
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b.UTC().Truncate(time.Second)
	}
	return a
}

// fingerprint is the same for the same labels.
func fingerprint(labels map[string]string) string {
	var s strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		s.WriteString(name + "\x00" + labels[name] + "\x00")
	}
	return s.String()
}
