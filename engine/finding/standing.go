package finding

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
)

// Names of the measurements in evidence of class [Pause]. Package report/sentence contains the
// sentences about these measurements.
const (
	PauseCount  = "pauses"            // number of pauses in the last minutes
	PauseLength = "length of a pause" // mean, in s
	PauseWorst  = "longest pause"     // s
	PauseWindow = "time looked at"    // s
)

// stoodBy are the names of the measurements of how long a server stood still, by cause.
var stoodBy = [table.NumCauses]string{
	table.ByDisk: "wait for disks", table.ByCPU: "wait for processors", table.ByMemory: "wait for memory",
	table.ByNetwork: "wait for the network", table.ByProcess: "wait for a process",
}

// StoodBy returns the name of the measurement of how long a server stood still for a cause, in s.
func StoodBy(c table.Cause) string { return stoodBy[c] }

// StoodLongest returns the cause for which a server stood still the longest, and the seconds. The cause
// is table.NumCauses if the evidence names none.
func StoodLongest(evidence []Evidence) (cause table.Cause, seconds float64) {
	cause = table.NumCauses
	for i := range evidence {
		e := &evidence[i]
		if c := slices.Index(stoodBy[:], e.Metric); c >= 0 && e.Own > seconds {
			cause, seconds = table.Cause(c), e.Own
		}
	}
	return cause, seconds
}

// Names of the measurements in evidence of class [Capacity].
const (
	FreeBytes  = "free bytes"     // of a file system, in MB; Peers has its size
	FreeInodes = "free inodes"    // of a file system; Peers has their number
	FullIn     = "full in"        // time until the file system is full at the rate of the last hour, in s
	Heat       = "heat"           // K above the temperature from which on a drive protects itself
	LimitBytes = "limit of bytes" // rate at which a component is throttled, in MB/s
	LimitTPS   = "limit of requests"
	WaitAtMost = "wait at the limit" // await while the rate stands at the limit, in ms; Peers has the wait below the limit
)
