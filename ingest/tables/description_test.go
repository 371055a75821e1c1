package tables

import (
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// parsed reads a description that has no mistake.
func parsed(t testing.TB, text string) *Description {
	t.Helper()
	d, err := parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(yamlfile.Explain(err))
	}
	return d
}

func TestParseDescription(t *testing.T) {
	data, err := os.ReadFile(checkout.Path(t, "examples/perseus.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := parse("examples/perseus.yaml", data)
	if err != nil {
		t.Fatal(yamlfile.Explain(err))
	}
	latency := metric.Metric{Name: "latency", Unit: "us", Worse: metric.Higher, PerIO: true}
	throughput := metric.Metric{Name: "throughput", Unit: "B/s", Worse: metric.Either, Noise: 10000}
	if len(d.Metrics) != 2 || d.Metrics[0] != latency || d.Metrics[1] != throughput {
		t.Errorf("metrics %v", d.Metrics)
	}
	if d.Name != "perseus" || d.Load != 1 || !d.Weighted[0] || d.Weighted[1] || d.AbsenceTells || d.Tidy {
		t.Errorf("description %+v", d)
	}
	if got := strings.Join(d.UsedFields(), " "); got != "host disk_id" {
		t.Errorf("fields used: %s", got)
	}
}

const shortest = "time: ts\ncomponent: '{disk}'\ngroup: all\nmetrics: {latency: {worse: higher}}\n"

func TestDescriptionDefaults(t *testing.T) {
	d := parsed(t, shortest)
	if d.Files.String() != "*.csv or *.parquet" || d.Time.Column != "ts" || d.Time.Clock.UnitSeconds() != 1 || d.Load != -1 || d.Weighted[0] {
		t.Errorf("description %+v", d)
	}
}

func TestDescriptionMistakes(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"empty":              {"", "t.yaml:1: the file is empty"},
		"no mapping":         {"- a\n", "t.yaml:1: a description file of tables must have lines of the form \"key: value\""},
		"syntax":             {"time: ts\n  bad: x\n", "t.yaml:2: the line is indented too far; indent the line like the other lines of its block"},
		"braces":             {"time: ts\ncomponent: {disk}/x\n", "t.yaml:2: the line does not fit the lines above it; check its indentation, check that a colon follows each key"},
		"alias":              {"time: &a ts\ngroup: *a\n", "t.yaml:2: alias *a is not supported"},
		"keys missing":       {"time: ts\n", "t.yaml:1: the setting \"component\" is missing; add this setting\nt.yaml:1: the setting \"group\" is missing; add this setting\nt.yaml:1: the setting \"metrics\" is missing"},
		"unknown key":        {shortest + "metric: x\n", `t.yaml:5: the setting "metric" is unknown in a description file of tables; did you mean metrics?`},
		"key twice":          {shortest + "time: t\n", "t.yaml:5: the key \"time\" is listed twice"},
		"no value":           {shortest + "name:\n", `t.yaml:5: the setting "name" has no value`},
		"unquoted template":  {shortest + "server: {host}\n", "t.yaml:5: a single value is needed here; put the value in quotes"},
		"open brace":         {shortest + "server: '{host'\n", "t.yaml:5: \"{host\" has a { without a name or without a }"},
		"closing brace":      {shortest + "server: 'host}'\n", "t.yaml:5: \"host}\" has a } without a {"},
		"empty template":     {shortest + "server: ''\n", "t.yaml:5: the text is empty"},
		"files twice a name": {shortest + "files: '{a}/{a}.csv'\n", "t.yaml:5: \"{a}/{a}.csv\" has {a} twice"},
		"files empty":        {shortest + "files: []\n", "t.yaml:5: the list is empty"},
		"files of nothing":   {shortest + "files: ['*.csv', '']\n", `t.yaml:5: "" names no file`},
		"separator":          {shortest + "separator: '|'\n", `t.yaml:5: separator "|" is unknown`},
		"absence":            {shortest + "absence: alarm\n", `t.yaml:5: "alarm" is not possible here; write ignore or tells`},
		"tidy":               {shortest + "tidy: {metric: m}\n", `t.yaml:5: the setting "value" is missing`},
		"time format":        {"time: {column: ts, format: '%H:%M'}\n" + shortest[9:], `t.yaml:1: format "%H:%M" lacks year, month or day`},
		"time conversion":    {"time: {column: ts, format: '%Y-%m-%d %Q'}\n" + shortest[9:], "t.yaml:1: format \"%Y-%m-%d %Q\" has an unknown letter after %"},
		"zone":               {"time: {column: ts, zone: Nowhere/Now}\n" + shortest[9:], `t.yaml:1: time zone "Nowhere/Now" is unknown`},
		"no metrics":         {"time: ts\ncomponent: x\ngroup: x\nmetrics: {}\n", "t.yaml:4: the description file has no metric"},
		"worse missing":      {"time: ts\ncomponent: x\ngroup: x\nmetrics:\n  latency: {unit: us}\n", `t.yaml:5: the setting "worse" is missing`},
		"worse":              {"time: ts\ncomponent: x\ngroup: x\nmetrics:\n  latency: {worse: more}\n", `t.yaml:5: direction "more" is unknown`},
		"noise":              {"time: ts\ncomponent: x\ngroup: x\nmetrics:\n  a: {worse: higher, noise: -1}\n", `t.yaml:5: the value "-1" of the setting "noise" is not a number that is 0 or more`},
		"two loads":          {"time: ts\ncomponent: x\ngroup: x\nmetrics:\n  a: {worse: higher, load: true}\n  b: {worse: higher, load: true}\n", "t.yaml:6: metric a already has \"load: true\""},
		"column twice":       {"time: ts\ncomponent: x\ngroup: x\nmetrics:\n  a: {worse: higher}\n  b: {worse: higher, column: a}\n", `t.yaml:6: the column "a" is given for two metrics`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := parse("t.yaml", []byte(tt.in))
			if d != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
		})
	}
}

func TestMistakesAreShownWithTheirLines(t *testing.T) {
	_, err := parse("t.yaml", []byte(shortest+"abscence: tells\n"))
	want := "    5 | abscence: tells\n      | ^"
	if text := yamlfile.Explain(err); !strings.HasSuffix(text, want) {
		t.Errorf("got %s\nwant it to end in\n%s", text, want)
	}
}

func FuzzParseDescription(f *testing.F) {
	example, err := os.ReadFile(checkout.Path(f, "examples/perseus.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	f.Add([]byte(shortest))
	f.Add([]byte(shortest + "files: ['{a}/*.csv', '/x{b}']\ntidy: {metric: m, value: v}\n"))
	f.Add([]byte("time: {column: [], format: {}}\ncomponent: []\ngroup: {}\nmetrics: [a]\nfiles: [[a]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parse("fuzz.yaml", data)
		if (d == nil) != (err != nil) {
			t.Fatalf("description %v with error %v", d, err)
		}
		if err != nil {
			yamlfile.Explain(err)
			return
		}
		if len(d.Metrics) == 0 || len(d.Metrics) != len(d.Columns) || len(d.Metrics) != len(d.Weighted) || len(d.Files) == 0 {
			t.Errorf("%q gives %+v", data, d)
		}
	})
}

// TestDeviceLabel: a device of a table is a label, and a device that iostat prints is one of the
// server.
func TestDeviceLabel(t *testing.T) {
	fields := map[string]string{"host": "host_22", "disk_id": "disk11", "device": "mpatha"}
	value := func(field string) string { return fields[field] }
	for name, want := range map[string]bool{"../../examples/perseus.yaml": true, "presets/iostat.yaml": false} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Describe(value); got.DeviceLabel != want || got.Device == "" {
			t.Errorf("%s: device %q, label %t", name, got.Device, got.DeviceLabel)
		}
	}
}
