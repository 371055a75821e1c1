package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// indicted is the report of a window in which something was judged, and of
// what came of it.
func indicted(t *testing.T, format string, list []explain.Indictment) string {
	t.Helper()
	o, err := diagnose.Preset("f10")
	if err != nil {
		t.Fatal(err)
	}
	system := &topology.System{
		Servers:    []string{"ios2", "ios3"},
		Components: []topology.Component{{Name: "ios3/sda", Server: "ios3", Group: 1}},
		Groups:     []topology.PeerGroup{{ID: 1, Name: "sd", Members: []int{0}}},
	}
	var out bytes.Buffer
	w, err := New(format, &out, Subject{System: system, Schema: table.Schema{Metrics: metric.All()}, Options: o, Trained: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Window(&detect.Window{Verdicts: []detect.Verdict{{State: detect.Normal}}})
	w.List(&diagnose.List{})
	if err := w.Finish(Summary{Indictments: list}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func evidence() []explain.Indictment {
	at := time.Date(2026, 3, 1, 12, 2, 24, 0, time.UTC).Unix()
	return []explain.Indictment{{
		Server: "ios3", Cause: explain.PacketLoss, From: at - 30, To: at + 300,
		Metrics: []explain.Evidence{
			{Metric: "txbyt", Component: "ios3/eth0", Score: 2.91, Threshold: 0.8, Median: 91_000_000, Peers: 45_600_000, From: at, To: at + 300},
			{Metric: "cwnd_in", Component: "ios3", Score: 0.612, Threshold: 0.3, Median: 3.2, Peers: 28, From: at - 30, To: at + 60},
		},
	}}
}

func TestIndictmentsInText(t *testing.T) {
	want := `
Indicted:
  server  cause        onset                 metric        score  threshold  evidence
  ios3    packet loss  2026-03-01 12:01:54Z  cwnd_in       0.612  0.3        ios3 3.2 segments, its peers 28
                                             (also txbyt)  2.91   0.8        ios3/eth0 91000000 B/s, its peers 45600000
`
	if got := indicted(t, "text", evidence()); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant%s", got, want)
	}
	if got := indicted(t, "text", nil); !strings.Contains(got, "\nNo server is indicted: none of 2 ") {
		t.Errorf("without an indictment: %s", got)
	}
}

func TestIndictmentsInJSON(t *testing.T) {
	for want, list := range map[string][]explain.Indictment{
		`[]`: nil,
		`[{"server":"ios3","cause":"packet loss","from":"2026-03-01T12:01:54Z","to":"2026-03-01T12:07:24Z","metrics":[` +
			`{"metric":"cwnd_in","decides":true,"component":"ios3","score":0.612,"threshold":0.3,"median":3.2,"peers":28,"from":"2026-03-01T12:01:54Z","to":"2026-03-01T12:03:24Z"},` +
			`{"metric":"txbyt","decides":false,"component":"ios3/eth0","score":2.91,"threshold":0.8,"median":91000000,"peers":45600000,"from":"2026-03-01T12:02:24Z","to":"2026-03-01T12:07:24Z"}]}]`: evidence(),
	} {
		var doc struct{ Indictments json.RawMessage }
		if err := json.Unmarshal([]byte(indicted(t, "json", list)), &doc); err != nil {
			t.Fatal(err)
		}
		if got := string(doc.Indictments); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
