package config

import (
	"net/url"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/history"
)

// Shown is a configuration as it may be shown: it names files that hold secrets, and
// holds none.
type Shown struct {
	File        string          `json:"file,omitempty"`
	Listen      string          `json:"listen"`
	Address     string          `json:"address,omitempty"`
	State       string          `json:"state"`
	Directories []string        `json:"directories"`
	Topology    string          `json:"topology,omitempty"`
	Policy      string          `json:"policy,omitempty"`
	Diagnosis   engine.Options  `json:"diagnosis"`
	LateSeconds int64           `json:"late_seconds,omitempty"`
	Push        bool            `json:"push"`
	Scrape      []ShownJob      `json:"scrape"`
	Stores      []ShownStore    `json:"stores"`
	Results     string          `json:"results,omitempty"`
	Receivers   []string        `json:"receivers"`
	Alerts      ShownAlerts     `json:"alerts"`
	History     history.Options `json:"history"`
	KeepSeconds int64           `json:"keep_incidents_seconds"`
	Users       bool            `json:"users"`
	TLS         bool            `json:"tls"`
	Cluster     *ShownCluster   `json:"cluster,omitempty"`
}

// ShownCluster is the cluster that this process is a node of.
type ShownCluster struct {
	Name       string         `json:"name"`
	Node       string         `json:"node"`
	Roles      []cluster.Role `json:"roles"`
	Partitions int            `json:"partitions"`
	NATS       []string       `json:"nats"`
}

// ShownJob is what is pulled.
type ShownJob struct {
	Name            string   `json:"name"`
	Targets         []string `json:"targets,omitempty"`
	Files           []string `json:"files,omitempty"`
	IntervalSeconds float64  `json:"interval_seconds"`
}

// ShownStore is what is polled.
type ShownStore struct {
	Name            string  `json:"name"`
	URL             string  `json:"url"`
	IntervalSeconds float64 `json:"interval_seconds"`
}

// ShownAlerts are the times and bounds of alerts.
type ShownAlerts struct {
	FireSeconds    int64 `json:"fire_seconds"`
	ResolveSeconds int64 `json:"resolve_seconds"`
	Suspects       bool  `json:"suspects"`
	Harmless       bool  `json:"harmless"`
	MostPerPeriod  int   `json:"most_per_period"`
	PeriodSeconds  int64 `json:"period_seconds"`
}

// Shown is the configuration without secrets.
func (c *Config) Shown() Shown {
	a := &c.Alerts.Options
	s := Shown{
		File: c.File, Listen: c.Listen, Address: c.Address, State: c.State, Directories: append([]string{}, c.Directories...), Topology: c.Topology, Policy: c.Policy,
		Diagnosis: c.Diagnosis.Options, LateSeconds: c.Diagnosis.LateSeconds, Push: c.Push, Scrape: []ShownJob{}, Stores: []ShownStore{}, Receivers: []string{},
		Alerts:  ShownAlerts{a.FireSeconds, a.ResolveSeconds, a.Suspects, a.Harmless, a.MostPerPeriod, a.PeriodSeconds},
		History: c.History, KeepSeconds: c.Incidents.Seconds, Users: c.Access.Gate.UsersFile != "", TLS: c.Access.TLS.On(),
	}
	for _, one := range c.Intake.Stores {
		s.Stores = append(s.Stores, ShownStore{one.Name, one.Connect.Post.URL, one.Interval.Seconds()})
	}
	if c.Results != nil {
		s.Results = c.Results.Post.URL
	}
	for _, j := range c.Intake.Jobs {
		s.Scrape = append(s.Scrape, ShownJob{j.Name, j.Targets, j.Files, float64(j.Interval) / float64(time.Second)})
	}
	if o := c.Cluster; o != nil {
		s.Cluster = &ShownCluster{o.NATS.Cluster, o.NATS.Node, o.Roles, o.Partitions, bare(o.NATS.URLs)}
	}
	for _, r := range c.Alerts.Receivers() {
		s.Receivers = append(s.Receivers, r.Name)
	}
	return s
}

// bare are addresses without the secrets that people write into them.
func bare(addresses []string) []string {
	list := make([]string, len(addresses))
	for i, text := range addresses {
		if u, err := url.Parse(text); err == nil {
			list[i] = u.Redacted()
		}
	}
	return list
}
