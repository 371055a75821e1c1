package sentence

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
)

// paused makes the headline of a server that stands still: the number of pauses, their length, and
// their cause.
func (w *Writer) paused(in *incident.Incident) string {
	text := fmt.Sprintf("%s %s again and again", in.Place.Name, tense(in, "pauses", "paused"))
	count, window, mean, longest := evidenceOf(in, finding.PauseCount), evidenceOf(in, finding.PauseWindow), evidenceOf(in, finding.PauseLength), evidenceOf(in, finding.PauseWorst)
	if count == nil || window == nil || mean == nil || longest == nil {
		return text
	}
	text += fmt.Sprintf(": %s in %s, %s s each on average and %s s at most", english.Count(int(count.Own), "pause"), english.Seconds(int64(window.Own)),
		english.Digits(mean.Own), english.Digits(longest.Own))
	if cause, _ := finding.LongestPause(in.Evidence); cause < table.NumCauses {
		text += "; cause: " + pauseCauses[cause]
	}
	return text
}

// pauseCauses has the end of the headline of a server that stands still, by cause.
var pauseCauses = [table.NumCauses]string{
	table.ByDisk:    "its disk completed no request",
	table.ByCPU:     "no task could run on its CPUs",
	table.ByMemory:  "all tasks waited for memory",
	table.ByNetwork: "no remote host accepted its data",
	table.ByProcess: "a process did not read the requests of clients",
}

// pauseActions has the first step for a server that stands still, by cause.
var pauseActions = [table.NumCauses]string{
	table.ByDisk:    "Find out why the disk of %s completes no request: the kernel log, the SMART values of the disk, and other programs that use the disk.",
	table.ByCPU:     "Find out what uses the processors of %s: other programs, or a hypervisor that takes the processors away.",
	table.ByMemory:  "Find out what uses the memory of %s: its largest programs, and paging.",
	table.ByNetwork: "Check the network of %s: errors and drops of its interfaces, its cable, and the port of the switch.",
	table.ByProcess: "Find out what stops the file server on %s: its log at the time of a pause, and the tasks that wait.",
}

// pauseFacts lists how long the server stood still by cause, and how often its peers did.
func (w *Writer) pauseFacts(in *incident.Incident) (lines []string) {
	if e := evidenceOf(in, finding.PauseCount); e != nil {
		score, threshold := Score(e)
		lines = append(lines, fmt.Sprintf("%s, median of its peers: %s (%s, threshold %s)", english.Count(int(e.Own), "pause"), english.Digits(e.Peers), score, threshold))
	}
	for c := range table.NumCauses {
		if e := evidenceOf(in, finding.PauseMeasurement(c)); e != nil && e.Own > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s s", e.Metric, english.Digits(e.Own)))
		}
	}
	return lines
}

// atLimit makes the headline of a component that has reached a limit.
func (w *Writer) atLimit(in *incident.Incident) string {
	who := named(in.Place)
	switch in.Kind {
	case finding.Throttled:
		return fmt.Sprintf("%s %s limited to %s: a request %s %s", who, be(in, 1), limitOf(in), tense(in, "takes", "took"), waitsAt(in))
	case finding.Overheated:
		text := fmt.Sprintf("%s %s so hot that it %s itself down", who, be(in, 1), tense(in, "slows", "slowed"))
		if e := evidenceOf(in, finding.Heat); e != nil && e.Own >= 0 {
			text += fmt.Sprintf(" (%s °C above its limit)", english.Digits(e.Own))
		}
		return text
	}
	text := fmt.Sprintf("%s %s a file system that %s nearly full: %s", who, tense(in, "has", "had"), be(in, 1), roomOf(in))
	if e := evidenceOf(in, finding.FullIn); e != nil && goesOn(in) {
		text += fmt.Sprintf("; at the rate of the last hour, the file system will be full in about %s", english.Seconds(int64(e.Own)))
	}
	return text
}

// limitOf prints the rate to which a component is limited: "3000 requests a second".
func limitOf(in *incident.Incident) string {
	if e := evidenceOf(in, finding.LimitTPS); e != nil {
		return english.Digits(e.Own) + " requests a second"
	}
	if e := evidenceOf(in, finding.LimitBytes); e != nil {
		return english.Quantity(e.Own, "MB/s")
	}
	return "a constant rate"
}

// waitsAt prints the wait at the limit and below it: "14 ms, but only 0.9 ms at rates below the limit".
func waitsAt(in *incident.Incident) string {
	e := evidenceOf(in, finding.WaitAtMost)
	if e == nil {
		return "longer than at rates below the limit"
	}
	return fmt.Sprintf("%s, but only %s at rates below the limit", english.Quantity(e.Own, e.Unit), english.Quantity(e.Peers, e.Unit))
}

// roomOf prints the free bytes or the free inodes, whichever are scarcer: "12 MB of 1200 MB are
// free".
func roomOf(in *incident.Incident) string {
	bytes, inodes := evidenceOf(in, finding.FreeBytes), evidenceOf(in, finding.FreeInodes)
	switch {
	case inodes != nil && bytes != nil && inodes.Score > bytes.Score:
		return fmt.Sprintf("%s of %s inodes %s free", english.Digits(inodes.Own), english.Digits(inodes.Peers), be(in, 2))
	case bytes != nil:
		return fmt.Sprintf("%s of %s %s free", sizeOf(bytes.Own), sizeOf(bytes.Peers), be(in, 2))
	}
	return "little space is left"
}

// limitFacts lists the measurements of a component that has reached a limit.
func (w *Writer) limitFacts(in *incident.Incident) (lines []string) {
	for i := range in.Evidence {
		e := &in.Evidence[i]
		switch e.Metric {
		case finding.FreeBytes:
			lines = append(lines, fmt.Sprintf("%s of %s are free (%s %%)", sizeOf(e.Own), sizeOf(e.Peers), english.Digits(100*(1-e.Score))))
		case finding.FreeInodes:
			lines = append(lines, fmt.Sprintf("%s of %s inodes are free (%s %%)", english.Digits(e.Own), english.Digits(e.Peers), english.Digits(100*(1-e.Score))))
		case finding.FullIn:
			lines = append(lines, "the free space became smaller in every minute of the last hour")
		case finding.LimitTPS, finding.LimitBytes:
			lines = append(lines, fmt.Sprintf("for ten minutes or longer the rate stayed at %s while requests waited", limitOf(in)))
		case finding.WaitAtMost:
			lines = append(lines, "a request takes "+waitsAt(in))
		case finding.Heat:
			lines = append(lines, "the drive itself reports its temperature and its temperature limit (hwmon)")
		}
	}
	return lines
}

// pauseAmount states the size of pauses: "6 pauses in 10 min, 3.2 s each".
func (w *Writer) pauseAmount(in *incident.Incident) string {
	count, window, mean := evidenceOf(in, finding.PauseCount), evidenceOf(in, finding.PauseWindow), evidenceOf(in, finding.PauseLength)
	if count == nil || window == nil || mean == nil {
		return KindName(in.Kind)
	}
	return fmt.Sprintf("%s in %s, %s s each on average", english.Count(int(count.Own), "pause"), english.Seconds(int64(window.Own)), english.Digits(mean.Own))
}

// limitAmount states how near a component is to its limit.
func (w *Writer) limitAmount(in *incident.Incident) string {
	switch in.Kind {
	case finding.Throttled:
		return "limited to " + limitOf(in)
	case finding.Overheated:
		return "too hot"
	}
	return roomOf(in)
}

// sizeOf prints megabytes in the unit that people use for a file system of this size.
func sizeOf(mb float64) string {
	switch {
	case mb >= 1e7:
		return english.Quantity(mb/1e6, "TB")
	case mb >= 1e4:
		return english.Quantity(mb/1e3, "GB")
	}
	return english.Quantity(mb, "MB")
}
