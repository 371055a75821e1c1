package finding

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// Names of the measurements in the evidence of findings of class [Pause]. Package report/sentence
// contains the sentences about these measurements.
const (
	PauseCount  = "pauses"            // number of pauses in the last minutes
	PauseLength = "length of a pause" // mean length of a pause, in s
	PauseWorst  = "longest pause"     // length of the longest pause, in s
	PauseWindow = "time looked at"    // length of the time in which pauses were counted, in s
)

// pauseMeasurements has the name of one measurement for each cause: how long a server paused
// because of this cause.
var pauseMeasurements = [table.NumCauses]string{
	table.ByDisk: "wait for disks", table.ByCPU: "wait for processors", table.ByMemory: "wait for memory",
	table.ByNetwork: "wait for the network", table.ByProcess: "wait for a process",
}

// StandsForServer reports whether a component of a finding only stands for its server: the whole server
// pauses, and the component may be any drive of the server. A host component is the server itself.
func StandsForServer(class Class, server, component string) bool {
	return class == Pause && component != server
}

// PauseMeasurement returns the name of the measurement for a cause: how long a server paused
// because of this cause, in s.
func PauseMeasurement(c table.Cause) string { return pauseMeasurements[c] }

// LongestPause returns the cause with the longest pauses, and the length of these pauses in seconds.
// The cause is table.NumCauses if the evidence names no cause.
func LongestPause(evidence []Evidence) (cause table.Cause, seconds float64) {
	cause = table.NumCauses
	for i := range evidence {
		e := &evidence[i]
		if c := slices.Index(pauseMeasurements[:], e.Metric); c >= 0 && e.Own > seconds {
			cause, seconds = table.Cause(c), e.Own
		}
	}
	return cause, seconds
}

// Names of the measurements in the evidence of findings of class [Capacity].
const (
	FreeBytes  = "free bytes"     // free space of a file system, in MB (not in bytes); the field Peers has the size of the file system
	FreeInodes = "free inodes"    // free inodes of a file system; the field Peers has the number of all inodes
	FullIn     = "full in"        // time until the file system is full, if it fills at the rate of the last hour, in s
	Heat       = "heat"           // how far the temperature of a drive lies above the point at which the drive slows itself down, in K
	LimitBytes = "limit of bytes" // rate at which a component is throttled, in MB/s
	LimitTPS   = "limit of requests"
	WaitAtMost = "wait at the limit" // mean latency (await) while the rate is throttled, in ms; the field Peers has the await at a lower rate
)
