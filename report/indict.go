package report

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/topology"
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
	switch {
	case t.tooFew():
		t.printf("No server can be judged: there are data of %d, and of two that differ nobody can say which is odd. Give those of at least %d.\n",
			len(t.s.System.Servers), topology.MinPeers)
	case s.Examined == 0:
		t.printf("No server could be judged: the data span %s, and an indictment takes at least %s of busy servers.\n", t.span(s), t.patience())
	case len(s.Indictments) == 0 && s.To-s.From < t.s.Options.Patience():
		t.printf("No server is indicted, but none could be: the data span %s, and an indictment takes at least %s.\n", t.span(s), t.patience())
	case len(s.Indictments) == 0:
		t.printf("No server is indicted: none of %d stayed apart from its peers.\n", len(t.s.System.Servers))
	}
	for i := range s.Indictments {
		t.indictment(&s.Indictments[i])
	}
	for _, i := range s.Idle {
		t.printf("%s\n", idleText(i))
	}
}

// tooFew says whether no group of drives, interfaces or hosts can be judged.
func (t *text) tooFew() bool { return len(t.s.System.Servers) < topology.MinPeers }

func (t *text) span(s *Summary) time.Duration { return time.Duration(s.To-s.From) * time.Second }

func (t *text) patience() time.Duration {
	return time.Duration(t.s.Options.Patience()) * time.Second
}

func (t *text) indictment(in *explain.Indictment) {
	t.printf("%s: %s since %s\n", in.Server, in.Cause, sayOnset(in.Onset))
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

const clockTime = "15:04:05"

func sayOnset(o explain.Onset) string {
	at := time.Unix(o.At, 0).UTC().Format("2006-01-02 " + clockTime + "Z")
	switch {
	case o.Earlier:
		return at + " or before: it was so when the data began"
	case o.Early == o.Late:
		return at
	}
	return fmt.Sprintf("%s (between %s and %s)", at, time.Unix(o.Early, 0).UTC().Format(clockTime), time.Unix(o.Late, 0).UTC().Format(clockTime))
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
	own, unit := legible(e.Median, e.Unit)
	peers, _ := legible(e.Peers, e.Unit)
	return fmt.Sprintf("%s %s %s, its peers %s", e.Component, quantity(own, ""), unit, quantity(peers, ""))
}

// legible turns throughput into megabytes.
func legible(v float64, unit string) (float64, string) {
	switch unit {
	case "sectors/s":
		return v * 512 / 1e6, "MB/s"
	case "B/s":
		return v / 1e6, "MB/s"
	}
	return v, unit
}

func sayScore(e *explain.Evidence) string {
	scale := ""
	if e.Scale != "" {
		scale = " " + e.Scale
	}
	return fmt.Sprintf("score %.3g%s, threshold %.3g", e.Score, scale, e.Threshold)
}

// sayNext says why the next best explanation is not the cause.
func sayNext(in *explain.Indictment, how diagnose.Indict) string {
	e := &in.Next.Evidence
	why := ""
	switch {
	case !in.Next.Holds && e.Doubt != "":
		why = ", but " + e.Doubt
	case !in.Next.Holds && e.Score >= e.Threshold:
		why = ", but it did not last"
	case !in.Next.Holds:
	case in.Cause == explain.DiskHog && in.Next.Cause == explain.DiskBusy:
		why = ", but the drive does more than its peers', and that makes requests wait"
	case how == diagnose.ByChecklist:
		why = fmt.Sprintf(", but F10's checklist asks for %s first", in.Cause)
	default:
		why = ", but the others show more"
	}
	return fmt.Sprintf("not %s: %s %s (%s)%s", in.Next.Cause, e.Metric, sayEvidence(e), sayScore(e), why)
}

func idleText(i diagnose.Idleness) string {
	return fmt.Sprintf("%s had no traffic from %s to %sZ while the others had: it was not judged then.",
		i.Server, time.Unix(i.From, 0).UTC().Format("2006-01-02 "+clockTime), time.Unix(i.To, 0).UTC().Format(clockTime))
}
