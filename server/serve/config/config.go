package config

import (
	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest/intake"
	"github.com/limpet-storage/limpet/ingest/store/results"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/topology"
)

// DefaultListen is where a server answers that was told nothing else.
const DefaultListen = "127.0.0.1:9714"

// Config is what a server was told to do.
type Config struct {
	File        string // that it was read from, empty where there is none
	Listen      string // host:port, or unix:/path
	Address     string // how people reach it, for links: https://limpet.example
	State       string // directory
	Directories []string
	Topology    string // file; empty: what the files show
	Policy      string // path of the policy file; without a policy file no action is proposed

	Diagnosis Diagnosis
	Push      bool // remote write is taken
	Intake    intake.Options
	Results   *results.Options // where results are written to; nil: nowhere
	Alerts    Alerts
	Access    Access
	History   history.Options
	Incidents ledger.Retention
	Cluster   *cluster.Options // this node of a cluster; nil: one process does it all
}

// Diagnosis is how rows are made and judged.
type Diagnosis struct {
	Options     engine.Options
	Peers       topology.Peers
	StepSeconds int64
	LateSeconds int64
}

// Alerts are who is told what.
type Alerts struct {
	Options       alert.Options // without receivers: those follow from the rest
	Alertmanagers []Alertmanager
	Webhooks      []Webhook
	Logs          []Log
}

// Alertmanager is one to be told.
type Alertmanager struct {
	Receiver alert.Receiver
	Options  alert.AlertmanagerOptions
}

// Webhook is one to be told.
type Webhook struct {
	Receiver alert.Receiver
	Options  alert.WebhookOptions
}

// Log is a file, or a stream of the process, that notifications are written to.
type Log struct {
	Receiver alert.Receiver
	To       string // a file, or Stdout or Journal
}

// The logs that are no files.
const (
	Stdout  = "stdout"
	Journal = "journal" // standard error, with the priorities that journald reads
)

// Access is who may do what.
type Access struct {
	Gate access.Options
	TLS  access.TLS
	// InsecureOpenToNetwork answers anybody at any address.
	InsecureOpenToNetwork bool
}

// Default is the configuration of a server that was told nothing.
func Default() Config {
	return Config{
		Listen: DefaultListen, Push: true, Diagnosis: Diagnosis{Options: engine.DefaultOptions()},
		Intake: intake.DefaultOptions(), Alerts: Alerts{Options: alert.DefaultOptions()}, History: history.DefaultOptions(), Incidents: ledger.DefaultRetention(),
	}
}

// Receivers are all who are told, as far as that decides what is put into the outbox.
func (a *Alerts) Receivers() []alert.Receiver {
	var list []alert.Receiver
	for i := range a.Alertmanagers {
		list = append(list, a.Alertmanagers[i].Receiver)
	}
	for i := range a.Webhooks {
		list = append(list, a.Webhooks[i].Receiver)
	}
	for i := range a.Logs {
		list = append(list, a.Logs[i].Receiver)
	}
	return list
}
