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

// DefaultListen is the address of a server whose configuration names none.
const DefaultListen = "127.0.0.1:9714"

// Config is the configuration of a server.
type Config struct {
	File        string // file that the configuration was read from; empty: none
	Listen      string // host:port, or unix:/path
	Address     string // address of the console, for links: https://limpet.example
	State       string // state directory
	Directories []string
	Topology    string // topology file; empty: the topology follows from the activity files
	Policy      string // path of the policy file; without a policy file no action is proposed

	Diagnosis Diagnosis
	Push      bool // the server accepts remote write
	Intake    intake.Options
	Results   *results.Options // destination of results; nil: results are not written
	Alerts    Alerts
	Access    Access
	History   history.Options
	Incidents ledger.Retention
	Cluster   *cluster.Options // options of this node of a cluster; nil: the server is a single process

	source *source // the text that the configuration was read from; nil: none
}

// Diagnosis holds the settings by which rows are made and judged.
type Diagnosis struct {
	Options     engine.Options
	Peers       topology.Peers
	StepSeconds int64
	LateSeconds int64
}

// Alerts holds the receivers of notifications, and the settings of alerts.
type Alerts struct {
	Options alert.Options // options without receivers; [Alerts.Receivers] returns them
	To      []Receiver    // in the order of [lists], and within a list in the order of the file
}

// Access holds the settings that decide which users may do what.
type Access struct {
	Gate access.Options
	TLS  access.TLS
	// InsecureOpenToNetwork allows a server at a network address without users and TLS.
	InsecureOpenToNetwork bool
}

// Default returns the configuration of a server without a configuration file.
func Default() Config {
	return Config{
		Listen: DefaultListen, Push: true, Diagnosis: Diagnosis{Options: engine.DefaultOptions()},
		Intake: intake.DefaultOptions(), Alerts: Alerts{Options: alert.DefaultOptions()}, History: history.DefaultOptions(), Incidents: ledger.DefaultRetention(),
	}
}

// Receivers returns all receivers, with the settings that decide which notifications they get.
func (a *Alerts) Receivers() []alert.Receiver {
	var list []alert.Receiver
	for _, to := range a.To {
		list = append(list, to.Notified())
	}
	return list
}
