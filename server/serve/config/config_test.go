package config

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/topology"
)

// whole is a configuration that says everything.
const whole = `
listen: 127.0.0.1:9715
address: https://limpet.example/
state: state
directories: [/srv/activity, more]
topology: site.yaml
policy: actions.yaml
diagnosis:
  method: default
  metrics: [await, rd_sec]
  false_incidents: 0.5
  smallest_times: 1.2
  cost: 90s
  step: 15s
  late: 1m
  peers: name
  recover_after: 5m
  clear_after: 10m
push: {server_label: host, by_nodename: true, wait: 5s, keep_days: 3}
scrape:
  - name: nodes
    targets: [fs1:9100, "https://fs2:9100/metrics"]
    files: [targets/*.json]
    labels: {site: north}
    interval: 30s
    timeout: 5s
    scheme: http
    path: /metrics
    bearer_file: token
alerts:
  fire_after: 2m
  resolve_after: 10m
  suspects: true
  harmless: false
  most: 7
  period: 5m
  alertmanagers:
    - url: http://127.0.0.1:9093
      labels: {site: north}
      remind: 30s
  webhooks:
    - {name: tickets, url: "https://tickets.example/limpet", secret_file: secret, least_severity: critical}
  logs:
    - to: alerts.jsonl
    - to: journal
access: {users: users.yaml, any_host: true}
history: {steps: {days: 3, size: 2G}, quarters: {days: 100}, windows: {days: 200, size: 1G}}
incidents: {days: 90, size: 100M}
`

func TestParse(t *testing.T) {
	c, err := Parse("/etc/limpet/limpet.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	d := &c.Diagnosis
	for what, ok := range map[string]bool{
		"listen":        c.Listen == "127.0.0.1:9715" && c.Address == "https://limpet.example/",
		"paths":         c.State == "/etc/limpet/state" && reflect.DeepEqual(c.Directories, []string{"/srv/activity", "/etc/limpet/more"}) && c.Topology == "/etc/limpet/site.yaml" && c.Policy == "/etc/limpet/actions.yaml",
		"metrics":       reflect.DeepEqual(d.Options.Metrics, []string{"await", "rd_sec"}) && d.Options.Criteria.FalseIncidentsPerYear == 0.5 && d.Options.Criteria.SmallestTimes == 1.2 && d.Options.Criteria.CostSeconds == 90,
		"step":          d.StepSeconds == 15 && d.LateSeconds == 60 && d.Peers == mustPeers(t, "name"),
		"ends":          d.Options.Criteria.RecoverSeconds == 300 && d.Options.Criteria.OverSeconds == 600,
		"push":          c.Push && c.Intake.Exporter.ServerLabel == "host" && c.Intake.Exporter.ByNodename && c.Intake.Exporter.Wait == 5*time.Second && c.Intake.Spool.KeepDays == 3,
		"scrape":        len(c.Intake.Jobs) == 1 && len(c.Intake.Jobs[0].Targets) == 2 && c.Intake.Jobs[0].Files[0] == "/etc/limpet/targets/*.json" && c.Intake.Jobs[0].Interval == 30*time.Second && c.Intake.Jobs[0].BearerFile == "/etc/limpet/token" && c.Intake.Jobs[0].Labels["site"] == "north",
		"holds":         c.Alerts.Options.FireSeconds == 120 && c.Alerts.Options.ResolveSeconds == 600 && c.Alerts.Options.Suspects && c.Alerts.Options.MostPerPeriod == 7 && c.Alerts.Options.PeriodSeconds == 300,
		"alertmanagers": len(c.Alerts.Alertmanagers) == 1 && c.Alerts.Alertmanagers[0].Receiver.Groups && c.Alerts.Alertmanagers[0].Options.Remind == 30*time.Second,
		"webhooks":      len(c.Alerts.Webhooks) == 1 && c.Alerts.Webhooks[0].Receiver == alert.Receiver{Name: "tickets", Least: alert.Critical} && c.Alerts.Webhooks[0].Options.SecretFile == "/etc/limpet/secret",
		"logs":          len(c.Alerts.Logs) == 2 && c.Alerts.Logs[0].To == "/etc/limpet/alerts.jsonl" && c.Alerts.Logs[1].To == Journal,
		"access":        c.Access.Gate.UsersFile == "/etc/limpet/users.yaml" && c.Access.Gate.AnyHost,
		"history":       c.History.Steps.Days == 3 && c.History.Steps.Bytes == 2<<30 && c.History.Quarters.Days == 100 && c.History.Windows.Bytes == 1<<30,
		"incidents":     c.Incidents.Seconds == 90*24*3600 && c.Incidents.Bytes == 100<<20,
		"receivers":     len(c.Alerts.Receivers()) == 4,
	} {
		if !ok {
			t.Errorf("%s is not what the file says: %+v", what, c)
		}
	}
}

func mustPeers(t *testing.T, text string) topology.Peers {
	t.Helper()
	p, err := topology.ParsePeers(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A file that says little leaves the rest as it is by default.
func TestDefaultsStay(t *testing.T) {
	c, err := Parse("limpet.yaml", []byte("directories: /srv/activity\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.File, want.Directories = "limpet.yaml", []string{"/srv/activity"}
	want.Intake.Now, c.Intake.Now = nil, nil
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v\nwant\n%+v", c, want)
	}
}

// Every mistake is named with its line, all in one run.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                    "limpet.yaml",
		"directory: x":                                        "limpet.yaml:1",
		"listen: 0.0.0.0:9714":                                "limpet.yaml:1",
		"address: limpet.example":                             "https://limpet.example",
		"diagnosis: {metrics: [speed]}":                       "speed",
		"diagnosis: {method: f10}":                            "needs a model from limpet train, and limpet serve does not read models",
		"diagnosis: {late: 3 parsecs}":                        "limpet.yaml:1",
		"diagnosis: {false_incidents: 0}":                     "limpet.yaml:1",
		"diagnosis: {clear_after: 5m}":                        "must not be shorter than the time until recovery",
		"scrape: [{targets: [a:1]}]":                          "name",
		"alerts: {alertmanagers: [{labels: {a: b}}]}":         `the setting "url" is missing`,
		"alerts: {webhooks: [{url: x, least_severity: bad}]}": "use critical, warning or info",
		"alerts: {logs: [{name: x}]}":                         "to",
		"access: {tls: {certificate: a.pem}}":                 "key",
		"history: {steps: {days: -1}}":                        "limpet.yaml:1",
		"push: {enabled: maybe}":                              "limpet.yaml:1",
	} {
		_, err := Parse("limpet.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	_, err := Parse("limpet.yaml", []byte("listen: [1]\nstate: [2]\ntopologie: x\n"))
	if n := strings.Count(err.Error(), "limpet.yaml:"); n < 3 {
		t.Errorf("%d of 3 mistakes are named: %v", n, err)
	}
}

// What is shown has no secret, and no file is opened for it.
func TestShown(t *testing.T) {
	c, err := Parse("limpet.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	s := c.Shown()
	if len(s.Receivers) != 4 || s.Receivers[1] != "tickets" || len(s.Scrape) != 1 || !s.Users || s.TLS {
		t.Errorf("%+v", s)
	}
}

// The example that is shipped is in order.
func TestExample(t *testing.T) {
	name := checkout.Path(t, "examples/limpet.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Parse(name, data); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("limpet.yaml", data)
		if err == nil {
			c.Shown()
		}
	})
}
