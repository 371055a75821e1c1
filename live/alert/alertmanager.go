// The type Alertmanager sends alerts to a Prometheus Alertmanager, through the API v2.
//
// An Alertmanager identifies an alert by the labels of the alert. It treats an alert as resolved if
// the alert is not repeated. So every firing alert is sent again each minute. When an alert
// resolves, it is sent once more, with the time at which it resolved. An Alertmanager that was down
// later gets only the latest notification of each alert.
//
// In a cluster of Alertmanagers, each member gets all alerts. Prometheus sends its alerts in the
// same way. The cluster decides which member notifies people.

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
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// Alertmanager is the [Sender] that delivers to one Alertmanager.
type Alertmanager struct {
	client *post.Client
	labels map[string]string
	remind time.Duration
	now    func() time.Time
}

// AlertmanagerOptions are the address of an Alertmanager, additional labels, and the
// interval of reminders.
type AlertmanagerOptions struct {
	post.Options                   // the URL is the address of the Alertmanager's page: https://alerts.example:9093
	Labels       map[string]string // labels that are added to every alert: {"site": "north"}
	Remind       time.Duration     // interval of reminders; 0 means one minute
	Now          func() time.Time
}

// defaultRemind is the default interval of reminders. The interval must be well below five minutes,
// because an Alertmanager treats an alert as resolved if the alert was not repeated for five
// minutes.
const defaultRemind = time.Minute

// maxAlertsPerRequest is the largest number of new notifications in a request. It limits the size
// of a request to some megabytes.
const maxAlertsPerRequest = 1000

// NewAlertmanager returns the sender that delivers to one Alertmanager.
func NewAlertmanager(o AlertmanagerOptions) (*Alertmanager, error) {
	for name := range o.Labels {
		if !labelName(name) {
			return nil, yamlfile.InSetting("labels", errors.New("label "+name+" is not allowed: a label has only letters, digits and _, and does not begin with a digit"))
		}
	}
	if o.Now == nil {
		return nil, errors.New("internal error: the Alertmanager receiver has no source of the current time")
	}
	client, err := post.New(o.Options)
	if err != nil {
		return nil, err
	}
	if o.Remind == 0 {
		o.Remind = defaultRemind
	}
	return &Alertmanager{client, o.Labels, o.Remind, o.Now}, nil
}

func labelName(s string) bool {
	ok := func(r rune) bool {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsFunc(s, func(r rune) bool { return !ok(r) })
}

// Policy returns the size of a batch and the interval of reminders.
func (m *Alertmanager) Policy() Policy {
	return Policy{MaxBatch: maxAlertsPerRequest, RemindEvery: m.remind}
}

// posted is an alert in the JSON form that the API of Alertmanager accepts.
type posted struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Starts      time.Time         `json:"startsAt"`
	Ends        time.Time         `json:"endsAt,omitzero"`
	Generator   string            `json:"generatorURL,omitempty"`
}

// Send posts the new notifications and all firing alerts.
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

// fold returns the latest notification of each alert in the batch, ordered by labels. If the labels
// of an alert have changed, the list also has the alert with the old labels, as resolved.
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

// form converts a notification to the JSON of the API. The parameter `ends` is the end of the
// alert, or the zero time if the alert fires. If the end were in the future, Alertmanager would
// treat the alert as firing until this end. So form limits the start and the end to the present
// time, and limits the start to the end.
func (m *Alertmanager) form(labels map[string]string, n *Notification, ends time.Time) posted {
	p := posted{Labels: maps.Clone(labels), Starts: earlier(n.Starts, m.now()), Generator: n.Link, Annotations: map[string]string{
		"summary": n.Headline, "number": n.Number, "action": n.Action,
	}}
	if n.LimpetAction != "" {
		p.Annotations["limpet_action"] = n.LimpetAction
	}
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

// fingerprint returns a text that is equal for equal labels.
func fingerprint(labels map[string]string) string {
	var s strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		s.WriteString(name + "\x00" + labels[name] + "\x00")
	}
	return s.String()
}
