package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/symptom"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// indicted is the report of a diagnosis that came to a summary.
func indicted(t *testing.T, format string, how diagnose.Indict, servers int, s Summary) string {
	t.Helper()
	o := diagnose.ServersOptions()
	if o.Indict = how; how == diagnose.ByChecklist {
		o, _ = diagnose.Preset("f10")
	}
	system := &topology.System{Components: []topology.Component{{Name: "ios3/sda", Server: "ios3", Group: 1}}}
	for i := range servers {
		system.Servers = append(system.Servers, fmt.Sprintf("ios%d", i+1))
	}
	s.Heard = servers
	var out bytes.Buffer
	w, err := New(format, &out, Subject{System: system, Schema: table.Schema{Metrics: metric.All()}, Options: o})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// at is when the fault of evidence begins.
var at = time.Date(2026, 3, 1, 12, 2, 24, 0, time.UTC).Unix()

func evidence() Summary {
	return Summary{Examined: 20, From: at - 135, To: at + 500, Indictments: []explain.Indictment{
		{
			Server: "ios3", Cause: explain.PacketLoss, Onset: explain.Onset{At: at, Early: at - 1, Late: at + 2}, From: at - 30, To: at + 300,
			Metrics: []explain.Evidence{
				{Metric: "txbyt", Component: "ios3/eth0", Score: 2.91, Threshold: 0.8, Median: 91_000_000, Peers: 45_600_000, Unit: "B/s", From: at, To: at + 300},
				{Metric: "cwnd_in", Component: "ios3", Score: 0.612, Threshold: 0.3, Median: 3.2, Peers: 28, Unit: "segments", From: at - 30, To: at + 60},
			},
			Next: &explain.Alternative{Cause: explain.NetworkHog, Holds: true, Evidence: explain.Evidence{
				Metric: "txbyt", Component: "ios3/eth0", Score: 2.91, Threshold: 0.8, Median: 91_000_000, Peers: 45_600_000, Unit: "B/s", From: at, To: at + 300,
			}},
		},
		{
			Server: "ios7", Cause: explain.DiskHog, Onset: explain.Onset{At: at - 135, Earlier: true}, From: at - 135, To: at + 300,
			Metrics: []explain.Evidence{
				{Metric: "rd_sec", Component: "ios7/sda", Score: 42.1, Threshold: 8, Scale: "% of a drive's time", Median: 130_000, Peers: 75_000, Unit: "sectors/s"},
				{Metric: "await", Component: "ios7/sda", Score: 14.8, Threshold: 1.5, Scale: "times its peers'", Median: 1170, Peers: 79, Unit: "ms"},
			},
			Next: &explain.Alternative{Cause: explain.PacketLoss, Evidence: explain.Evidence{
				Metric: "retr_out", Component: "ios7", Score: 1.2, Threshold: 1, Scale: "% of segments beyond its peers'", Median: 1.4, Peers: 0.2, Unit: "% of segments",
				Doubt: "its congestion windows are too large for that",
			}},
		},
	}}
}

func TestIndictmentsInText(t *testing.T) {
	want := `ios3: packet loss since 2026-03-01 12:02:24Z (between 12:02:23 and 12:02:26), until about 12:07:24
  cwnd_in       ios3 3.2 segments, its peers 28    score 0.612, threshold 0.3
  (also txbyt)  ios3/eth0 91 MB/s, its peers 45.6  score 2.91, threshold 0.8
  not network-hog, though txbyt shows it: the others show more
ios7: disk-hog since 2026-03-01 12:00:09Z or before: it was so as soon as there was any load, until about 12:07:24
  rd_sec        ios7/sda 66.6 MB/s, its peers 38.4  score 42.1 % of a drive's time, threshold 8
  (also await)  ios7/sda 1170 ms, its peers 79      score 14.8 times its peers', threshold 1.5
  not packet loss: retr_out ios7 1.4 % of segments, its peers 0.2 (score 1.2 % of segments beyond its peers', threshold 1), but its congestion windows are too large for that
`
	if got := indicted(t, "text", diagnose.BySymptoms, 10, evidence()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := indicted(t, "text", diagnose.ByChecklist, 10, evidence()); !strings.Contains(got, "F10's checklist asks for packet loss first") {
		t.Error(got)
	}
}

// TestNothingIsInvented: what cannot be judged is said, with what is missing.
func TestNothingIsInvented(t *testing.T) {
	for name, tt := range map[string]struct {
		servers int
		s       Summary
		want    string
	}{
		"nobody": {10, Summary{Examined: 20, From: at, To: at + 640}, "No server is indicted: none of 10 stayed apart from its peers.\n"},
		"two":    {2, Summary{From: at, To: at + 640}, "No server can be judged: there are data of only 2, and of two that differ nobody can say which is odd. Give those of at least 3.\n"},
		"short":  {10, Summary{From: at, To: at + 50}, "No server could be judged: the data span 50s, and an indictment takes at least 2m8s of three busy servers.\n"},
		"hasty":  {10, Summary{Examined: 2, From: at, To: at + 100}, "No server is indicted, but none could be: the data span 1m40s, and an indictment takes at least 2m8s.\n"},
		"idle": {
			10,
			Summary{Examined: 20, From: at, To: at + 640, Idle: []diagnose.Idleness{{Server: "ios4", From: at, To: at + 600, Times: 1, Seconds: 600}}},
			"No server is indicted: none of 10 stayed apart from its peers.\nios4 had no traffic from 2026-03-01 12:02:24 to 12:12:24Z while others had: it was not judged then.\n",
		},
	} {
		if got := indicted(t, "text", diagnose.BySymptoms, tt.servers, tt.s); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestIndictmentsInJSON(t *testing.T) {
	var got struct {
		Indictments []jsonIndictment
		Options     symptom.Options
		Windows     int `json:"judged_windows"`
		Idle        []jsonIdle
	}
	s := evidence()
	s.Idle = []diagnose.Idleness{{Server: "ios4", From: at, To: at + 600}}
	text := indicted(t, "json", diagnose.BySymptoms, 10, s)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if got.Options.SlowRatio != 1.5 {
		t.Errorf("settings that judged are missing: %s", text)
	}
	if got.Windows != 20 || len(got.Idle) != 1 || got.Idle[0].Server != "ios4" || len(got.Indictments) != 2 {
		t.Fatalf("%+v", got)
	}
	loss, hog := got.Indictments[0], got.Indictments[1]
	if loss.Onset != (jsonOnset{"2026-03-01T12:02:24Z", "2026-03-01T12:02:23Z", "2026-03-01T12:02:26Z", false}) || !hog.Onset.Earlier {
		t.Errorf("onsets %+v, %+v", loss.Onset, hog.Onset)
	}
	if m := loss.Metrics[0]; m.Metric != "cwnd_in" || !m.Decides || *m.Own != 3.2 || *m.Peers != 28 || m.Unit != "segments" || m.Score != 0.612 || m.Threshold != 0.3 {
		t.Errorf("%+v", m)
	}
	if n := hog.Next; n.Cause != "packet loss" || n.Shows || n.Evidence.Metric != "retr_out" || !strings.Contains(n.Text, "too large") {
		t.Errorf("%+v", n)
	}
	plain := indicted(t, "json", diagnose.Nobody, 10, Summary{})
	if strings.Contains(plain, "indictments") {
		t.Errorf("nobody is to be indicted: %s", plain)
	}
}
