package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/server/access"
	"github.com/limpet-storage/limpet/topology"
)

// MaxBytes is the largest size of a configuration.
const MaxBytes = 1 << 20

// proposedLine is the first line that the error for an empty file proposes.
const proposedLine = "directories: [/var/log/limpet]"

// Parse reads a configuration. The name is the name of its file.
func Parse(name string, data []byte) (Config, error) {
	r := &reader{yamlfile.New(name), filepath.Dir(name)}
	c := Default()
	c.File = name
	root := r.Root(data, proposedLine)
	c.source = &source{r.Decoder, root, map[string]bool{}}
	f := r.Fields(root, "the configuration", "listen", "address", "state", "directories", "topology", "policy",
		"diagnosis", "push", "scrape", "stores", "results", "alerts", "access", "history", "incidents", "cluster")
	r.text(f["listen"], &c.Listen)
	r.address(f["address"], &c.Address)
	r.path(f["state"], &c.State)
	r.paths(f["directories"], &c.Directories)
	r.path(f["topology"], &c.Topology)
	r.path(f["policy"], &c.Policy)
	r.diagnosis(f["diagnosis"], &c.Diagnosis)
	r.push(f["push"], &c)
	r.scrape(f["scrape"], &c.Intake.Jobs)
	r.stores(f["stores"], &c.Intake.Stores)
	r.results(f["results"], &c.Results)
	r.alerts(f["alerts"], &c.Alerts)
	r.access(f["access"], &c.Access)
	r.history(f["history"], &c.History)
	r.incidents(f["incidents"], &c)
	r.cluster(f["cluster"], &c)
	r.protected(f, &c)
	return c, r.Err()
}

// address reads the address of the console.
func (r *reader) address(n *yaml.Node, to *string) {
	r.text(n, to)
	if u, err := url.Parse(*to); n != nil && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		r.Errorf(n, "address %s is not a web address; write the address as in a browser, such as https://limpet.example", *to)
	}
}

// protected refuses an address that other machines can reach without protection.
func (r *reader) protected(f map[string]*yaml.Node, c *Config) {
	at := f["listen"]
	if at == nil || at.Kind != yaml.ScalarNode { // r.text has reported a listen that is not a text
		return
	}
	r.check(at, access.CheckAddress(c.Listen, c.Protection()))
}

// Protection returns the settings that protect the server from other machines.
func (c *Config) Protection() access.Protection {
	return access.Protection{TLS: c.Access.TLS.On(), Users: c.Access.Gate.UsersFile != "", InsecureOpenToNetwork: c.Access.InsecureOpenToNetwork}
}

// Bounds of settings whose options have no bounds of their own.
const (
	longestStep  = 3600 * time.Second
	longestLate  = 24 * time.Hour
	longestHold  = 7 * 24 * time.Hour
	longestCost  = 365 * 24 * time.Hour
	mostBytes    = 1 << 50
	mostDays     = 36500
	leastAYear   = 1e-4
	mostAYear    = 1000
	leastTimes   = 1.02
	mostTimes    = 10
	mostAlerts   = 100_000
	leastHistory = 1 << 20
)

func (r *reader) diagnosis(n *yaml.Node, d *Diagnosis) {
	f := r.Fields(n, "diagnosis", "method", "metrics", "false_incidents", "smallest_times", "cost", "step", "late", "peers", "recover_after", "clear_after")
	if at := f["method"]; at != nil {
		o, err := engine.Preset(r.Text(at))
		if err == nil && o.HasQuestion(engine.Checklist) {
			err = fmt.Errorf("method %s needs a model from limpet train, and limpet serve does not read models; use the method \"default\" or the method \"servers\"", r.Text(at))
		}
		if r.check(at, err); err == nil {
			d.Options = o
		}
	}
	r.metrics(f["metrics"], d)
	r.value(f["false_incidents"], bounded.Float(&d.Options.Criteria.FalseIncidentsPerYear, leastAYear, mostAYear, "incidents"))
	r.value(f["smallest_times"], bounded.Float(&d.Options.Criteria.SmallestTimes, leastTimes, mostTimes, "times"))
	cost := time.Duration(d.Options.Criteria.CostSeconds * float64(time.Second))
	r.value(f["cost"], bounded.Duration(&cost, time.Millisecond, longestCost))
	d.Options.Criteria.CostSeconds = cost.Seconds()
	r.seconds(f["step"], &d.StepSeconds, longestStep)
	r.seconds(f["late"], &d.LateSeconds, longestLate)
	r.ending(f["recover_after"], f["clear_after"], &d.Options.Criteria)
	if at := f["peers"]; at != nil {
		peers, err := topology.ParsePeers(r.Text(at))
		r.check(at, err)
		d.Peers = peers
	}
	r.check(n, d.Options.Validate())
}

// ending reads the times after which an incident recovers and is over. A short clear_after without
// recover_after makes both short, as --over of limpet diagnose does. If the times contradict each
// other, they keep their defaults, so that the checks that follow do not report them again.
func (r *reader) ending(recovers, over *yaml.Node, c *criteria.Options) {
	usual := *c
	r.seconds(recovers, &c.RecoverSeconds, longestHold)
	r.seconds(over, &c.OverSeconds, longestHold)
	if recovers == nil {
		c.RecoverSeconds = min(c.RecoverSeconds, c.OverSeconds)
	}
	if c.RecoverSeconds <= c.OverSeconds {
		return
	}
	byDefault := ""
	if over == nil {
		byDefault = " by default"
	}
	r.Errorf(recovers, "recover_after is %s, but clear_after is %s%s: an incident cannot be over before it recovers. Set clear_after to %[1]s or more, or recover_after to %[2]s or less",
		written(c.RecoverSeconds), written(c.OverSeconds), byDefault)
	c.RecoverSeconds, c.OverSeconds = usual.RecoverSeconds, usual.OverSeconds
}

// written returns a number of seconds as a configuration has it: 22m30s.
func written(seconds int64) string {
	return bounded.FormatDuration(time.Duration(seconds) * time.Second)
}

// metrics reads the metrics by which components are judged. The word "all" means all metrics of a
// device.
func (r *reader) metrics(n *yaml.Node, d *Diagnosis) {
	names := r.Texts(n)
	if len(names) == 0 {
		return
	}
	d.Options.Metrics = nil
	for _, name := range names {
		if name == "all" {
			for _, m := range metric.Device() {
				d.Options.Metrics = append(d.Options.Metrics, m.Name)
			}
			continue
		}
		_, err := metric.Lookup(name)
		r.check(n, err)
		d.Options.Metrics = append(d.Options.Metrics, name)
	}
}

// seconds reads a duration in whole seconds.
func (r *reader) seconds(n *yaml.Node, to *int64, most time.Duration) {
	d := time.Duration(*to) * time.Second
	r.value(n, bounded.Duration(&d, time.Second, most))
	*to = int64(d / time.Second)
}

func (r *reader) access(n *yaml.Node, a *Access) {
	f := r.Fields(n, "access", "users", "tls", "any_host", "insecure_open_to_network")
	r.path(f["users"], &a.Gate.UsersFile)
	r.boolean(f["any_host"], &a.Gate.AnyHost)
	r.boolean(f["insecure_open_to_network"], &a.InsecureOpenToNetwork)
	t := r.Fields(f["tls"], "tls", "certificate", "key", "client_ca")
	r.path(t["certificate"], &a.TLS.CertificateFile)
	r.path(t["key"], &a.TLS.KeyFile)
	r.path(t["client_ca"], &a.TLS.ClientCAFile)
	r.check(f["tls"], a.TLS.Validate())
}

func (r *reader) history(n *yaml.Node, o *history.Options) {
	f := r.Fields(n, "history", "steps", "quarters", "windows")
	r.retention(f["steps"], "steps", &o.Steps)
	r.retention(f["quarters"], "quarters", &o.Quarters)
	r.retention(f["windows"], "windows", &o.Windows)
	r.check(n, o.Validate())
}

func (r *reader) retention(n *yaml.Node, what string, to *history.Retention) {
	f := r.Fields(n, what, "days", "size")
	r.value(f["days"], bounded.Float(&to.Days, 0, mostDays, "days"))
	r.value(f["size"], bounded.Bytes(&to.Bytes, leastHistory, mostBytes))
}

func (r *reader) incidents(n *yaml.Node, c *Config) {
	f := r.Fields(n, "incidents", "days", "size")
	days := int(c.Incidents.Seconds / (24 * 3600))
	r.value(f["days"], bounded.Int(&days, 1, mostDays, "days"))
	c.Incidents.Seconds = int64(days) * 24 * 3600
	r.value(f["size"], bounded.Bytes(&c.Incidents.Bytes, leastHistory, mostBytes))
	r.check(n, c.Incidents.Validate())
}
