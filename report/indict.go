package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/topology"
)

// acquit says why no server is indicted: because none differs, or because none
// could be judged. It says nothing where one is.
func (s *Subject) acquit(sum *Summary) string {
	least := s.Options.Patience()
	switch {
	case sum.Heard == 0:
		return "No server can be judged: there are no data of any."
	case sum.Heard < topology.MinPeers: // no drive, interface or host has peers
		return fmt.Sprintf("No server can be judged: there are data of only %d, and of two that differ nobody can say which is odd. Give those of at least %d.", sum.Heard, topology.MinPeers)
	case sum.Examined == 0:
		return fmt.Sprintf("No server could be judged: the data span %s, and an indictment takes at least %s of three busy servers.", seconds(sum.To-sum.From), seconds(least))
	case len(sum.Indictments) > 0:
		return ""
	case sum.To-sum.From < least:
		return fmt.Sprintf("No server is indicted, but none could be: the data span %s, and an indictment takes at least %s.", seconds(sum.To-sum.From), seconds(least))
	}
	return fmt.Sprintf("No server is indicted: none of %d stayed apart from its peers.", sum.Heard)
}

// limits says what else keeps a diagnosis from saying more.
func (s *Subject) limits(sum *Summary) []string {
	var all []string
	if names := sum.Limits.Unjudged; len(names) > 0 {
		all = append(all, fmt.Sprintf("Not judged, since fewer than three servers have data of it: %s.", strings.Join(names, ", ")))
	}
	for _, what := range sum.Limits.Unlike {
		all = append(all, fmt.Sprintf("Half of the servers show %s: they are no peers in that, and nobody is blamed for it. A topology says who is whose peer.", what))
	}
	if len(sum.Idle) > manyIdle {
		var names []string
		for _, i := range sum.Idle {
			names = append(names, i.Server)
		}
		return append(all, fmt.Sprintf("%d servers had no traffic for a window or longer while others had, and were not judged then: %s.", len(names), topology.Fold(names)))
	}
	for _, i := range sum.Idle {
		all = append(all, idleText(i))
	}
	return all
}

// manyIdle servers get a line together.
const manyIdle = 4

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

// sayCharge is an indictment in one line. What no window has shown for as long
// as one takes is over.
func (s *Subject) sayCharge(in *explain.Indictment, end int64) string {
	text := fmt.Sprintf("%s: %s since %s", in.Server, in.Cause, sayOnset(in.Onset))
	if in.To+s.Options.Patience() <= end {
		text += fmt.Sprintf(", until about %s", clock(in.To))
	}
	return text
}

func sayOnset(o explain.Onset) string {
	at := instant(o.At) + "Z"
	switch {
	case o.Earlier:
		return at + " or before: it was so as soon as there was any load"
	case o.Early == o.Late:
		return at
	}
	return fmt.Sprintf("%s (between %s and %s)", at, clock(o.Early), clock(o.Late))
}

// instant formats a time of a run that is judged every second.
func instant(t int64) string { return time.Unix(t, 0).UTC().Format(time.DateTime) }

// clock formats a time of a known day.
func clock(t int64) string { return time.Unix(t, 0).UTC().Format(time.TimeOnly) }

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
	e, not := &in.Next.Evidence, "not "+string(in.Next.Cause)
	if in.Next.Holds {
		return fmt.Sprintf("%s, though %s shows it: %s", not, e.Metric, sayOutweighed(in, how))
	}
	text := fmt.Sprintf("%s: %s %s (%s)", not, e.Metric, sayEvidence(e), sayScore(e))
	switch {
	case e.Doubt != "":
		text += ", but " + e.Doubt
	case e.Score >= e.Threshold:
		text += ", but it did not last"
	}
	return text
}

// sayOutweighed says why the cause outweighs another that shows as well.
func sayOutweighed(in *explain.Indictment, how diagnose.Indict) string {
	switch {
	case how == diagnose.ByChecklist:
		return fmt.Sprintf("F10's checklist asks for %s first", in.Cause)
	case in.Cause == explain.DiskHog && in.Next.Cause == explain.DiskBusy:
		return "the drive does more than its peers', and that makes requests wait"
	case in.Cause == explain.DiskBusy && in.Next.Cause == explain.DiskHog:
		return "what the drive does more at times it did less before"
	}
	return "the others show more"
}

func idleText(i diagnose.Idleness) string {
	how := fmt.Sprintf("from %s to %sZ", instant(i.From), clock(i.To))
	if i.Times > 1 {
		how = fmt.Sprintf("%d times between %s and %sZ, %s in all,", i.Times, instant(i.From), instant(i.To), seconds(i.Seconds))
	}
	return fmt.Sprintf("%s had no traffic %s while others had: it was not judged then.", i.Server, how)
}

// sentence makes one of words that stand in a line of their own in text.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] + "." }
