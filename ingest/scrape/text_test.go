package scrape

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// theirs is the series of a text by the format's own parser, sorted.
func theirs(text []byte) ([]string, error) {
	p := expfmt.NewTextParser(model.UTF8Validation)
	families, err := p.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var list []string
	for name, family := range families {
		if !exporter.Wanted([]byte(name)) {
			continue
		}
		for _, m := range family.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			slices.Sort(labels)
			v := m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
			list = append(list, fmt.Sprint(name, labels, v))
		}
	}
	slices.Sort(list)
	return list, nil
}

// ours is the same by this package.
func ours(text []byte) (list []string, err error) {
	for line := range bytes.Lines(text) {
		p := parser{time: 1}
		p.Batch.Reset("instance")
		line = bytes.TrimSuffix(line, []byte("\n"))
		if err := p.line(line); err != nil {
			return nil, err
		}
		if len(p.labels) == 0 {
			continue
		}
		var labels []string
		for _, l := range p.labels[1:] {
			labels = append(labels, fmt.Sprintf("%s=%q", l.Name, l.Value))
		}
		slices.Sort(labels)
		rest, _ := p.series(line[bytes.IndexAny(line, "{ \t"):])
		v, _ := number(rest)
		list = append(list, fmt.Sprint(string(p.labels[0].Value), labels, v))
	}
	slices.Sort(list)
	return list, nil
}

// TestParserTwin: real text of node_exporter and of limpet-record is read as
// the format's own parser reads it.
func TestParserTwin(t *testing.T) {
	for _, file := range []string{"testdata/node_exporter.txt", checkout.Path(t, "record/agent/testdata/metrics.txt")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := theirs(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ours(text)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || len(want) < 20 {
			t.Errorf("%s: %d series, not %d:\n%s\n\n%s", file, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestLines: what is allowed in a line and what is not.
func TestLines(t *testing.T) {
	const name = "node_disk_read_bytes_total"
	for _, c := range []struct{ line, want string }{
		{name + `{device="sda"} 12`, `sda 12`},
		{name + `{device="sda",} 12 1700000000000`, `sda 12`},
		{name + ` { device = "sda" , x="y" }	1.2e1 `, `sda 12`},
		{name + `{device="a\\b\"c\nd"} 1`, "a\\b\"c\nd 1"},
		{name + `{device="a,b}c"} +Inf`, `a,b}c +Inf`},
		{name + `{device="sda"} NaN` + "\r", `sda NaN`},
		{"# anything {", ""},
		{"", ""},
		{`other{device="sda" 12`, ""}, // it is not used, and not looked at
		{name + `{device="sda"}`, "error"},
		{name + `{device="sda"} x`, "error"},
		{name + `{device="sda"} 0x10`, "error"},
		{name + `{device="sda"} 1_0`, "error"},
		{name + `{device="sda"} 1 x`, "error"},
		{name + `{device="sda} 1`, "error"},
		{name + `{device=sda} 1`, "error"},
		{name + `{device="sda" x="y"} 1`, "error"},
		{name + `{device="sda"`, "error"},
		{name + `{="sda"} 1`, "error"},
		{name + `{device="` + "\xff" + `"} 1`, "error"},
		{"{", "error"},
		{"novalue", "error"},
		{name + "{" + strings.Repeat(`a="b",`, 100) + "} 1", "error"},
	} {
		p := parser{time: 1}
		p.Batch.Reset("instance")
		err := p.line([]byte(c.line))
		got := ""
		switch {
		case err != nil:
			got = "error"
		case len(p.labels) > 1:
			rest, _ := p.series([]byte(c.line[len(name):]))
			v, _ := number([]byte(strings.TrimSuffix(string(rest), "\r")))
			got = fmt.Sprint(string(p.labels[1].Value), " ", v)
			if math.IsInf(v, 1) {
				got = string(p.labels[1].Value) + " +Inf"
			}
		}
		if got != c.want {
			t.Errorf("%q: %q (%v), not %q", c.line, got, err, c.want)
		}
	}
}

// TestTargetLabelsWin: an endpoint does not say which machine it is.
func TestTargetLabelsWin(t *testing.T) {
	var p parser
	text := []byte("node_boot_time_seconds{instance=\"fs9:1\",job=\"x\"} 1\n")
	if err := p.Read(text, map[string]string{"instance": "fs1:9100", "job": "node"}, "instance", time.Unix(1_750_000_000, 0)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range p.labels {
		got = append(got, fmt.Sprintf("%s=%s", l.Name, l.Value))
	}
	if want := "[__name__=node_boot_time_seconds instance=fs1:9100 job=node]"; fmt.Sprint(got) != want {
		t.Error(got)
	}
}

func nodeTextExposition(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/node_exporter.txt")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func BenchmarkParse(b *testing.B) {
	text := nodeTextExposition(b)
	labels := map[string]string{"instance": "fs1:9100", "job": "node"}
	var p parser
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Read(text, labels, "instance", time.Unix(1_750_000_000, 0)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseTwin(b *testing.B) {
	text := nodeTextExposition(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		p := expfmt.NewTextParser(model.UTF8Validation)
		if _, err := p.TextToMetricFamilies(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzText: whatever an endpoint answers is read or refused; what the format's
// own parser takes is read alike.
func FuzzText(f *testing.F) {
	f.Add([]byte("node_disk_read_bytes_total{device=\"sda\"} 1\n"))
	f.Add([]byte("node_boot_time_seconds 1.7e9 12\n# x\nlimpet_tcp_sockets{remote=\"10.0.0.1\",side=\"dialled\"} 1\n"))
	f.Add([]byte(`node_disk_info{device="a\\\"\n",wwn="x"} 1` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := ours(text)
		if err != nil {
			return
		}
		want, theirErr := theirs(append(bytes.Clone(text), '\n'))
		if theirErr == nil && fmt.Sprint(got) != fmt.Sprint(want) && !bytes.ContainsAny(text, "#\r\x00") && len(slices.Compact(slices.Clone(want))) == len(want) {
			t.Errorf("%q\n\t%q\nnot\n\t%q", text, got, want)
		}
	})
}
