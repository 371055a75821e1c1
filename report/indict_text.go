package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/limpet-storage/limpet/explain"
)

// indict prints the servers that are accused, each with the metrics that
// decided, those in which it differs besides, and what speaks against the next
// best explanation:
//
//	ios3: disk-hog since 2026-03-01 12:02:15Z (between 12:02:12 and 12:02:17)
//	  rd_sec        ios3/sda 66.7 MB/s, its peers 38.4  score 42 % of a drive's time, threshold 8
//	  (also await)  ios3/sda 1170 ms, its peers 79      score 14.8 times its peers', threshold 1.5
//	  not packet loss: retr_out ios3 0.07 % of segments, its peers 0.26 (score …)
func (t *text) indict(s *Summary) {
	if words := t.s.acquit(s); words != "" {
		t.printf("%s\n", words)
	}
	for i := range s.Indictments {
		t.indictment(&s.Indictments[i], s.To)
	}
	for _, text := range t.s.limits(s) {
		t.printf("%s\n", text)
	}
}

func (t *text) indictment(in *explain.Indictment, end int64) {
	t.printf("%s\n", t.s.sayCharge(in, end))
	var out strings.Builder
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, e := range ordered(in) {
		fmt.Fprintf(tw, "  %s\t%s\t%s\n", role(in, &e), sayEvidence(&e), sayScore(&e))
	}
	_ = tw.Flush() // into memory
	t.printf("%s", out.String())
	if in.Next != nil {
		t.printf("  %s\n", sayNext(in, t.s.Options.Indict))
	}
}

func role(in *explain.Indictment, e *explain.Evidence) string {
	if in.Cause.Decides(e.Metric) {
		return e.Metric
	}
	return "(also " + e.Metric + ")"
}
