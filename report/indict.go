package report

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
)

// indict prints the servers that F10's checklist accuses, each with the
// metrics that decided and then those in which it differs besides:
//
//	server  cause     onset                 metric         score  threshold  value
//	ios3    disk-hog  2026-03-01 12:02:24Z  rd_sec         4.31         1.2  ios3/sda 52000 sectors/s, its peers 9030
//	                                        (also await)   2.9          0.8  ios3/sda 41 ms, its peers 12
func (t *text) indict(list []explain.Indictment) {
	if len(list) == 0 {
		t.printf("\nNo server is indicted: none of %d stayed apart from its peers (%d passing anomalies).\n", len(t.s.System.Servers), t.odd)
		return
	}
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "  server\tcause\tonset\tmetric\tscore\tthreshold\tevidence\n")
	for _, in := range list {
		head := fmt.Sprintf("%s\t%s\t%s", in.Server, in.Cause, time.Unix(in.From, 0).UTC().Format("2006-01-02 15:04:05Z"))
		for _, e := range ordered(&in) {
			fmt.Fprintf(tw, "  %s\t%s\t%.3g\t%.3g\t%s\n", head, role(&in, &e), e.Score, e.Threshold, sayEvidence(&e))
			head = "\t\t"
		}
	}
	_ = tw.Flush() // into memory
	t.printf("\nIndicted:\n%s", out.String())
}

// ordered puts the metrics that decided before the others.
func ordered(in *explain.Indictment) []explain.Evidence {
	var first, rest []explain.Evidence
	for _, e := range in.Metrics {
		if in.Cause.Decides(e.Metric) {
			first = append(first, e)
		} else {
			rest = append(rest, e)
		}
	}
	return append(first, rest...)
}

func role(in *explain.Indictment, e *explain.Evidence) string {
	if in.Cause.Decides(e.Metric) {
		return e.Metric
	}
	return "(also " + e.Metric + ")"
}

func sayEvidence(e *explain.Evidence) string {
	m, _ := metric.Lookup(e.Metric) // those that indict are known
	return fmt.Sprintf("%s %s, its peers %s", e.Component, quantity(e.Median, m.Unit), quantity(e.Peers, ""))
}

type jsonIndictment struct {
	Server  string         `json:"server"`
	Cause   string         `json:"cause"`
	From    string         `json:"from"`
	To      string         `json:"to"`
	Metrics []jsonEvidence `json:"metrics"`
}

type jsonEvidence struct {
	Metric    string   `json:"metric"`
	Decides   bool     `json:"decides"`
	Component string   `json:"component"`
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Median    *float64 `json:"median,omitempty"`
	Peers     *float64 `json:"peers,omitempty"`
	From      string   `json:"from"`
	To        string   `json:"to"`
}

func jsonIndictments(list []explain.Indictment) []jsonIndictment {
	out := make([]jsonIndictment, len(list))
	for i, in := range list {
		out[i] = jsonIndictment{Server: in.Server, Cause: string(in.Cause), From: rfc3339(in.From), To: rfc3339(in.To)}
		for _, e := range ordered(&in) {
			out[i].Metrics = append(out[i].Metrics, jsonEvidence{
				Metric: e.Metric, Decides: in.Cause.Decides(e.Metric), Component: e.Component,
				Score: e.Score, Threshold: e.Threshold, Median: known(e.Median), Peers: known(e.Peers),
				From: rfc3339(e.From), To: rfc3339(e.To),
			})
		}
	}
	return out
}
