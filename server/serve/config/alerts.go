package config

import (
	"cmp"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
)

func (r *reader) alerts(n *yaml.Node, a *Alerts) {
	f := r.Fields(n, "alerts", "fire_after", "resolve_after", "suspects", "harmless", "most", "period", "alertmanagers", "webhooks", "logs")
	r.hold(f["fire_after"], &a.Options.FireSeconds)
	r.hold(f["resolve_after"], &a.Options.ResolveSeconds)
	r.yes(f["suspects"], &a.Options.Suspects)
	r.yes(f["harmless"], &a.Options.Harmless)
	r.value(f["most"], bounded.Int(&a.Options.MostPerPeriod, 1, mostAlerts, "alerts"))
	r.hold(f["period"], &a.Options.PeriodSeconds)
	for _, at := range r.Entries(f["alertmanagers"], "alertmanagers") {
		a.Alertmanagers = append(a.Alertmanagers, r.alertmanager(at))
	}
	for _, at := range r.Entries(f["webhooks"], "webhooks") {
		a.Webhooks = append(a.Webhooks, r.webhook(at))
	}
	for _, at := range r.Entries(f["logs"], "logs") {
		a.Logs = append(a.Logs, r.log(at))
	}
	o := a.Options
	o.Receivers = a.Receivers()
	r.check(n, o.Validate())
}

// hold reads for how long something has to last; 0 is at once.
func (r *reader) hold(n *yaml.Node, to *int64) {
	d := time.Duration(*to) * time.Second
	r.value(n, bounded.Duration(&d, 0, longestHold))
	*to = int64(d / time.Second)
}

// receiver are the keys that all who are told have.
var receiver = []string{"name", "least_severity"}

// reached are the keys of those that are reached by HTTP.
var reached = append([]string{"url", "url_file", "timeout", "ca", "certificate", "key", "server_name", "user", "password_file", "bearer_file", "credentials_in_clear"}, receiver...)

func (r *reader) receiver(f map[string]*yaml.Node, usual string, to *alert.Receiver) {
	to.Name = usual
	r.text(f["name"], &to.Name)
	if at := f["least_severity"]; at != nil {
		to.Least = alert.Severity(r.Text(at))
		switch to.Least {
		case alert.Critical, alert.Warning, alert.Info:
		default:
			r.Errorf(at, "severity %s is unknown; use critical, warning or info", to.Least)
		}
	}
}

func (r *reader) reached(f map[string]*yaml.Node, at *yaml.Node, o *post.Options) {
	if f["url"] == nil && f["url_file"] == nil {
		r.Errorf(at, "the setting \"url\" is missing; write the address of the receiver, such as url: http://127.0.0.1:9093")
	}
	r.text(f["url"], &o.URL)
	r.path(f["url_file"], &o.URLFile)
	r.value(f["timeout"], bounded.Duration(&o.Timeout, time.Second, time.Hour))
	r.path(f["ca"], &o.CAFile)
	r.path(f["certificate"], &o.CertFile)
	r.path(f["key"], &o.KeyFile)
	r.text(f["server_name"], &o.ServerName)
	r.text(f["user"], &o.Username)
	r.path(f["password_file"], &o.PasswordFile)
	r.path(f["bearer_file"], &o.BearerFile)
	r.yes(f["credentials_in_clear"], &o.CredentialsInClear)
}

// nameOf is what a receiver is called that has no name: an address in a file is a
// secret.
func nameOf(o *post.Options) string { return cmp.Or(o.URL, "the address in "+filepath.Base(o.URLFile)) }

func (r *reader) alertmanager(n *yaml.Node) Alertmanager {
	var m Alertmanager
	f := r.Fields(n, "an alertmanager", append([]string{"labels", "remind"}, reached...)...)
	r.reached(f, n, &m.Options.Options)
	r.receiver(f, nameOf(&m.Options.Options), &m.Receiver)
	m.Receiver.Groups = true
	m.Options.Labels = r.labels(f["labels"], "labels")
	r.value(f["remind"], bounded.Duration(&m.Options.Remind, 10*time.Second, time.Hour))
	return m
}

func (r *reader) webhook(n *yaml.Node) Webhook {
	var w Webhook
	f := r.Fields(n, "a webhook", append([]string{"secret_file"}, reached...)...)
	r.reached(f, n, &w.Options.Options)
	r.receiver(f, nameOf(&w.Options.Options), &w.Receiver)
	r.path(f["secret_file"], &w.Options.SecretFile)
	return w
}

func (r *reader) log(n *yaml.Node) Log {
	var l Log
	f := r.Fields(n, "a log", append([]string{"to"}, receiver...)...)
	r.Required(n, f, "to")
	r.text(f["to"], &l.To)
	if l.To != Stdout && l.To != Journal {
		l.To = r.resolve(l.To)
	}
	r.receiver(f, "log "+l.To, &l.Receiver)
	return l
}
