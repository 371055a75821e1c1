package config

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/internal/checkout"
	"github.com/limpet-storage/limpet/internal/yamlfile"
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
		"listen":    c.Listen == "127.0.0.1:9715" && c.Address == "https://limpet.example/",
		"paths":     c.State == "/etc/limpet/state" && reflect.DeepEqual(c.Directories, []string{"/srv/activity", "/etc/limpet/more"}) && c.Topology == "/etc/limpet/site.yaml" && c.Policy == "/etc/limpet/actions.yaml",
		"metrics":   reflect.DeepEqual(d.Options.Metrics, []string{"await", "rd_sec"}) && d.Options.Criteria.FalseIncidentsPerYear == 0.5 && d.Options.Criteria.SmallestTimes == 1.2 && d.Options.Criteria.CostSeconds == 90,
		"step":      d.StepSeconds == 15 && d.LateSeconds == 60 && d.Peers == mustPeers(t, "name"),
		"ends":      d.Options.Criteria.RecoverSeconds == 300 && d.Options.Criteria.OverSeconds == 600,
		"push":      c.Push && c.Intake.Exporter.ServerLabel == "host" && c.Intake.Exporter.ByNodename && c.Intake.Exporter.Wait == 5*time.Second && c.Intake.Spool.KeepDays == 3,
		"scrape":    len(c.Intake.Jobs) == 1 && len(c.Intake.Jobs[0].Targets) == 2 && c.Intake.Jobs[0].Files[0] == "/etc/limpet/targets/*.json" && c.Intake.Jobs[0].Interval == 30*time.Second && c.Intake.Jobs[0].BearerFile == "/etc/limpet/token" && c.Intake.Jobs[0].Labels["site"] == "north",
		"holds":     c.Alerts.Options.FireSeconds == 120 && c.Alerts.Options.ResolveSeconds == 600 && c.Alerts.Options.Suspects && c.Alerts.Options.MostPerPeriod == 7 && c.Alerts.Options.PeriodSeconds == 300,
		"access":    c.Access.Gate.UsersFile == "/etc/limpet/users.yaml" && c.Access.Gate.AnyHost,
		"history":   c.History.Steps.Days == 3 && c.History.Steps.Bytes == 2<<30 && c.History.Quarters.Days == 100 && c.History.Windows.Bytes == 1<<30,
		"incidents": c.Incidents.Seconds == 90*24*3600 && c.Incidents.Bytes == 100<<20,
		"receivers": reflect.DeepEqual(c.Alerts.To, wholeReceivers()),
	} {
		if !ok {
			t.Errorf("%s is not what the file says: %+v", what, c)
		}
	}
}

// wholeReceivers are the receivers of whole.
func wholeReceivers() []Receiver {
	m := Alertmanager{Receiver: alert.Receiver{Name: "http://127.0.0.1:9093", Groups: true}}
	m.Options.URL, m.Options.Labels, m.Options.Remind = "http://127.0.0.1:9093", map[string]string{"site": "north"}, 30*time.Second
	w := Webhook{Receiver: alert.Receiver{Name: "tickets", Least: alert.Critical}}
	w.Options.URL, w.Options.SecretFile = "https://tickets.example/limpet", "/etc/limpet/secret"
	return []Receiver{
		m, w,
		Log{Receiver: alert.Receiver{Name: "log /etc/limpet/alerts.jsonl"}, To: "/etc/limpet/alerts.jsonl"},
		Log{Receiver: alert.Receiver{Name: "log journal"}, To: Journal},
	}
}

// TestReceiversAreDescribed: each list of receivers is parsed by a test, shown in the example, and
// described in docs.
func TestReceiversAreDescribed(t *testing.T) {
	texts := map[string]string{"whole in config_test.go": whole}
	for _, name := range []string{"examples/limpet.yaml", "docs/alerts.md"} {
		text, err := os.ReadFile(checkout.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for _, l := range lists() {
		for name, text := range texts {
			if !strings.Contains(text, "  "+l.key+":\n") {
				t.Errorf("%s has no list %s: add it with an entry", name, l.key)
			}
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
	c.source = nil // the text itself
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v\nwant\n%+v", c, want)
	}
}

// TestShortInterval: a job with an interval below the default timeout waits for one interval, and a
// timeout that is written beyond the interval is a mistake.
func TestShortInterval(t *testing.T) {
	c, err := Parse("limpet.yaml", []byte("state: s\nscrape: [{name: ceph, targets: [a:1], interval: 5s}]\n"))
	if err != nil || len(c.Intake.Jobs) != 1 || c.Intake.Jobs[0].Timeout != 5*time.Second {
		t.Errorf("%v, %+v", err, c.Intake.Jobs)
	}
	_, err = Parse("limpet.yaml", []byte("state: s\nscrape: [{name: ceph, targets: [a:1], interval: 5s, timeout: 6s}]\n"))
	if want := `section "scrape", job ceph: timeout 6s is not possible`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}

// Every mistake is named with its line, all in one run.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "limpet.yaml",
		"directory: x":                    "limpet.yaml:1",
		"listen: 0.0.0.0:9714":            "limpet.yaml:1",
		"address: limpet.example":         "https://limpet.example",
		"diagnosis: {metrics: [speed]}":   "speed",
		"diagnosis: {method: f10}":        "needs a model from limpet train, and limpet serve does not read models",
		"diagnosis: {late: 3 parsecs}":    "limpet.yaml:1",
		"diagnosis: {false_incidents: 0}": "limpet.yaml:1",
		"diagnosis: {recover_after: 3h}":  "limpet.yaml:1: recover_after is 3h, but clear_after is 2h by default: an incident cannot be over before it recovers. Set clear_after to 3h or more, or recover_after to 2h or less",
		"diagnosis: {recover_after: 9m, clear_after: 5m}":     "recover_after is 9m, but clear_after is 5m: an incident",
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

// TestShortEnding: a short clear_after alone makes recover_after short too, as --over of limpet
// diagnose does.
func TestShortEnding(t *testing.T) {
	c, err := Parse("limpet.yaml", []byte("diagnosis: {clear_after: 5m}"))
	if d := &c.Diagnosis.Options.Criteria; err != nil || d.OverSeconds != 300 || d.RecoverSeconds != 300 {
		t.Errorf("over after %d s, recovered after %d s, %v", d.OverSeconds, d.RecoverSeconds, err)
	}
}

// What is shown has no secret, and no file is opened for it.
func TestShown(t *testing.T) {
	c, err := Parse("limpet.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	s := c.Shown()
	if len(s.Receivers) != len(wholeReceivers()) || s.Receivers[1] != "tickets" || len(s.Scrape) != 1 || !s.Users || s.TLS {
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

// uncommented returns the example with the settings that are comments in it.
func uncommented(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(checkout.Path(t, "examples/limpet.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^# ( *(?:- )?(?:\{|[a-z_]+:(?: |$)))`).ReplaceAll(text, []byte("$1"))
}

// TestExampleHasEverySetting: the example has every setting that the program knows, in its section.
// To find the known settings, the test writes an unknown setting into each section: the mistake lists
// the known settings.
func TestExampleHasEverySetting(t *testing.T) {
	var root yaml.Node
	if err := yaml.Unmarshal(uncommented(t), &root); err != nil {
		t.Fatal(err)
	}
	const strange = "zzzzzzzz"
	eachSection(&root, func(n *yaml.Node) {
		n.Style = 0 // a line for each setting
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: strange}, &yaml.Node{Kind: yaml.ScalarNode, Value: "1"})
	})
	text, err := yaml.Marshal(&root)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &root); err != nil { // for the new numbers of lines
		t.Fatal(err)
	}
	written := map[int][]string{} // settings of a section, by the line of its unknown setting
	eachSection(&root, func(n *yaml.Node) {
		var keys []string
		for i := 0; i < len(n.Content); i += 2 {
			keys = append(keys, n.Content[i].Value)
		}
		written[n.Content[len(n.Content)-2].Line] = keys
	})
	_, err = Parse("limpet.yaml", text)
	unknown := regexp.MustCompile(`^the setting "` + strange + `" is unknown in (.*); the known settings are (.*)$`)
	known, has := map[string][]string{}, map[string][]string{}
	for _, mistake := range yamlfile.Each(err) {
		line, ok := errors.AsType[*yamlfile.LineError](mistake)
		if !ok {
			t.Errorf("%v", mistake)
			continue
		}
		if m := unknown.FindStringSubmatch(line.Text); m != nil {
			known[m[1]] = append(known[m[1]], strings.Split(m[2], ", ")...)
			has[m[1]] = append(has[m[1]], written[line.Line]...)
		}
	}
	if len(known) < 15 {
		t.Errorf("only %d sections found: %v", len(known), known)
	}
	for section, keys := range known {
		shown := has[section]
		if strings.HasPrefix(section, "a receiver ") { // the webhooks show the settings that all receivers have
			shown = append(shown, has["a receiver in the list webhooks"]...)
		}
		for _, key := range keys {
			if !slices.Contains(shown, key) {
				t.Errorf("examples/limpet.yaml has no setting %q of %s: add the setting with its default", key, section)
			}
		}
	}
}

// eachSection calls a function for each mapping below a node.
func eachSection(n *yaml.Node, do func(*yaml.Node)) {
	for _, child := range n.Content {
		eachSection(child, do)
	}
	if n.Kind == yaml.MappingNode {
		do(n)
	}
}

// TestExampleHasDefaults: numbers of the example are those of a server without a configuration.
func TestExampleHasDefaults(t *testing.T) {
	var sections map[string]any
	if err := yaml.Unmarshal(uncommented(t), &sections); err != nil {
		t.Fatal(err)
	}
	alerts := sections["alerts"].(map[string]any)
	for _, l := range lists() {
		delete(alerts, l.key)
	}
	for _, setting := range []string{"step", "late"} { // they follow the data by default
		delete(sections["diagnosis"].(map[string]any), setting)
	}
	some := map[string]any{}
	for _, name := range []string{"diagnosis", "push", "alerts", "history", "incidents"} {
		some[name] = sections[name]
	}
	text, err := yaml.Marshal(some)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("limpet.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	for what, pair := range map[string][2]any{
		"diagnosis": {c.Diagnosis, want.Diagnosis}, "push": {c.Intake.Exporter, want.Intake.Exporter}, "keep_days": {c.Intake.Spool.KeepDays, want.Intake.Spool.KeepDays},
		"alerts": {c.Alerts.Options, want.Alerts.Options}, "history": {c.History, want.History}, "incidents": {c.Incidents, want.Incidents},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %+v in examples/limpet.yaml, %+v by default", what, pair[0], pair[1])
		}
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
