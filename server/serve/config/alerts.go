package config

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/post"
	"github.com/limpet-storage/limpet/live/alert"
)

func (r *reader) alerts(n *yaml.Node, a *Alerts) {
	keys := []string{"fire_after", "resolve_after", "suspects", "harmless", "most", "period"}
	for _, l := range lists() {
		keys = append(keys, l.key)
	}
	f := r.Fields(n, "alerts", keys...)
	r.holdTime(f["fire_after"], &a.Options.FireSeconds)
	r.holdTime(f["resolve_after"], &a.Options.ResolveSeconds)
	r.boolean(f["suspects"], &a.Options.Suspects)
	r.boolean(f["harmless"], &a.Options.Harmless)
	r.value(f["most"], bounded.Int(&a.Options.MostPerPeriod, 1, mostAlerts, "alerts"))
	r.holdTime(f["period"], &a.Options.PeriodSeconds)
	for _, l := range lists() {
		for _, at := range r.Entries(f[l.key], l.key) {
			a.To = append(a.To, l.read(r, at))
		}
	}
	o := a.Options
	o.Receivers = a.Receivers()
	r.check(n, o.Validate())
}

// holdTime reads the time that a condition must last before it has an effect; 0: at once.
func (r *reader) holdTime(n *yaml.Node, to *int64) {
	d := time.Duration(*to) * time.Second
	r.value(n, bounded.Duration(&d, 0, longestHold))
	*to = int64(d / time.Second)
}

// receiver are the keys of every receiver.
var receiver = []string{"name", "least_severity"}

// reached are the keys of receivers that are reached by HTTP.
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
	if f["url"] == nil && f["url_file"] == nil && !r.HasNoValue(at, "url") && !r.HasNoValue(at, "url_file") {
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
	r.boolean(f["credentials_in_clear"], &o.CredentialsInClear)
}
