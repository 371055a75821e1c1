package testbed

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
)

// A run of the loop shows what limpet does by itself: limpet serve watches a Ceph while clients write,
// a fault begins, and a policy lets limpet take the slow OSD out. loop.csv has one line for each run.

// LoopFile is the name of the file with the results.
const LoopFile = "loop.csv"

// loopRuns are the runs of the loop, in turn: ten faults and ten runs without a fault, then two slow
// OSDs at the same time, and a pool with two copies, whose redundancy does not allow the action.
var loopRuns = []struct {
	fault  Fault
	volume Volume // empty: as the seed draws it
}{
	{fault: DiskDelay},
	{fault: None},
	{fault: DaemonSlow},
	{fault: Load},
	{fault: DiskDelay},
	{fault: Recovery},
	{fault: DiskTail},
	{fault: DeepScrub},
	{fault: DiskDelay},
	{fault: Load},
	{fault: DiskSlow},
	{fault: Scrub},
	{fault: DiskDelay},
	{fault: Backfill},
	{fault: DaemonSlow},
	{fault: None},
	{fault: DiskDelay},
	{fault: Recovery},
	{fault: DiskBusyW},
	{fault: DeepScrub},
	{fault: TwoDelays, volume: Replicated},
	{fault: DiskDelay, volume: Mirrored},
}

// ecWidth is the number of OSDs on which the data of an object of an erasure-coded pool are: 4+2.
const ecWidth = 6

// LoopRuns returns how many runs the loop has before it begins again with other draws.
func LoopRuns() int { return len(loopRuns) }

// The times of a run of the loop. limpet must first see how the cluster works without a fault. A fault
// lasts long enough for an incident, the action, and the copies that Ceph then makes.
const (
	loopBefore   = 120 * time.Second
	loopDuring   = 480 * time.Second
	loopHarmless = 300 * time.Second // of runs without a fault
	loopAfter    = 10 * time.Second
)

// largestLoopKB is the size of the largest objects: clients must do many writes in a second, so that the
// rate of writes can be measured in seconds.
const largestLoopKB = 64

// DrawLoop draws run i, from 0, of the loop of a seed. All clients write.
func DrawLoop(seed uint64, i int) Run {
	which := loopRuns[i%len(loopRuns)]
	r := Ceph.draw(seed, i, which.fault, "l", false)
	r.Workload = RadosWrite
	c := &r.Ceph
	if r.Volume == Dispersed && c.OSDs() <= ecWidth { // Ceph could not store the data of a slow OSD elsewhere
		r.Volume = Replicated
	}
	if which.volume != "" {
		r.Volume = which.volume
	}
	c.ObjectKB, c.OtherKB = min(c.ObjectKB, largestLoopKB), min(c.OtherKB, largestLoopKB)
	r.Before, r.During, r.After = loopBefore, loopDuring, loopAfter
	if r.Fault.Harmless() {
		r.During = loopHarmless
	}
	return r
}

// LoopResult is what happened in a run of the loop. Times are counted from the start of the fault. A
// negative time means that the event did not happen. The times of incident and action are those about
// an OSD that the fault hits.
type LoopResult struct {
	Run                  *Run
	Before, Lowest, Last float64 // writes per second: before the fault, at the worst half minute of the fault, and at its end
	Incident, Action     time.Duration
	Recovered            time.Duration // from then on writes are above RecoveredShare of Before for half a minute
	Actions              []string      // the actions of limpet: "ceph osd out osd.3: helped"
	Refusals             []string      // why limpet did not act on an incident
	Wrong                []string      // incidents and actions before the fault, or about other OSDs
}

// NoteIncident adds an incident about a component to the result.
func (l *LoopResult) NoteIncident(component, title string, after time.Duration) {
	l.note(&l.Incident, component, title, after)
}

// NoteAction adds an action on a component to the result. The parameter began is false if no command
// of the action was run.
func (l *LoopResult) NoteAction(component, text string, after time.Duration, began bool) {
	l.Actions = append(l.Actions, text)
	if began {
		l.note(&l.Action, component, text, after)
	}
}

// note keeps the time of the first right event, and lists the wrong events.
func (l *LoopResult) note(first *time.Duration, component, text string, after time.Duration) {
	if after < 0 || l.Run.Fault.Harmless() || !slices.Contains(l.Run.hitOSDs(), component) {
		l.Wrong = append(l.Wrong, text)
		return
	}
	if *first < 0 || after < *first {
		*first = after
	}
}

// RecoveredShare is the share of the former rate of writes above which a cluster has recovered.
const RecoveredShare = 0.8

var loopColumns = []string{
	"run", "volume", "fault", "server", "osd", "strength", "unit", "writes_per_second_before", "writes_per_second_lowest", "writes_per_second_last",
	"seconds_to_incident", "seconds_to_action", "seconds_to_recovery", "actions", "refusals", "wrong",
}

func (l *LoopResult) line() []string {
	seconds := func(d time.Duration) string {
		if d < 0 {
			return ""
		}
		return strconv.FormatFloat(d.Seconds(), 'f', 0, 64)
	}
	rate := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	r := l.Run
	return []string{
		r.Name, string(r.Volume), string(r.Fault), r.ServerName(), r.OSDName(), strconv.FormatFloat(r.Strength, 'g', -1, 64), r.Fault.Unit(),
		rate(l.Before), rate(l.Lowest), rate(l.Last), seconds(l.Incident), seconds(l.Action), seconds(l.Recovered),
		strings.Join(l.Actions, "; "), strings.Join(l.Refusals, "; "), strings.Join(l.Wrong, "; "),
	}
}

// AddLoop notes the result of a run at the end of a file, which it makes if there is none.
func AddLoop(path string, l *LoopResult) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := writeLine(file, loopColumns); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return writeLine(file, l.line())
}

// LoopNames returns the names of the runs that a file has results of; none if there is no file.
func LoopNames(path string) ([]string, error) {
	data, err := bounded.ReadFile(path, bounded.MaxResult, "a file with results of the loop")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var names []string
	for _, line := range lines[min(1, len(lines)):] {
		names = append(names, line[0])
	}
	return names, nil
}

// Rate is a count of writes of the whole cluster at a time.
type Rate struct {
	At     time.Time
	Writes float64 // since the OSDs started
}

// loopSpan is the time over which a rate of writes is taken. A cluster that writes for a moment has not
// recovered.
const loopSpan = 30 * time.Second

// Measure sets the rates of writes and the time to recovery, from counts in the order of time.
func (l *LoopResult) Measure(counts []Rate, begin, end time.Time) {
	l.Before = rateBetween(counts, time.Time{}, begin)
	l.Lowest, l.Last, l.Recovered = l.Before, rateBetween(counts, end.Add(-loopSpan), end), -1
	fell := false
	for _, c := range counts {
		to := c.At.Add(loopSpan)
		if c.At.Before(begin) || to.After(end) {
			continue
		}
		rate := rateBetween(counts, c.At, to)
		l.Lowest = min(l.Lowest, rate)
		switch {
		case rate < RecoveredShare*l.Before:
			fell, l.Recovered = true, -1
		case fell && l.Recovered < 0:
			l.Recovered = c.At.Sub(begin)
		}
	}
}

// rateBetween returns the writes per second between the first and the last count within two times.
func rateBetween(counts []Rate, from, to time.Time) float64 {
	within := slices.DeleteFunc(slices.Clone(counts), func(c Rate) bool { return c.At.Before(from) || c.At.After(to) })
	if len(within) < 2 {
		return 0
	}
	first, last := within[0], within[len(within)-1]
	return (last.Writes - first.Writes) / last.At.Sub(first.At).Seconds()
}
