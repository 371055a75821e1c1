package watch

import (
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the input of a watch, its state directory and its outputs.
type Options struct {
	Paths      []string         // activity files to follow, and directories of them
	MayBeEmpty []string         // paths that may have no files; this is not reported as a trouble
	StateDir   string           // directory of the state
	System     *topology.System // topology; nil: the topology is derived from the files
	// ChangeTopology makes the watch accept a topology that differs from the topology of the
	// state. Incidents end at components that the new topology does not name.
	ChangeTopology bool
	Peers          topology.Peers // how components are grouped if System is nil
	Diagnose       engine.Options // settings of the engine

	StepSeconds int64            `name:"step seconds"` // length of a row; 0: the length follows from the first files
	LateSeconds int64            `name:"late seconds"` // how long a step waits for late servers; 0: the time of two steps
	Until       func() time.Time // steps after this time stay open, because files are still being written; nil: no bound
	Poll        time.Duration    // interval at which files are read; 0: the time of one step, at most fifteen seconds

	Alert     alert.Options
	History   history.Options
	Retention ledger.Retention

	// A snapshot is made at the interval SnapshotEvery, and whenever the log has
	// SnapshotBytes bytes.
	SnapshotEvery time.Duration `name:"snapshot interval" least:"1s"`
	SnapshotBytes int64         `name:"snapshot bytes" least:"1"`
	// TickSeconds is the interval at which alerts and suspects are updated, in row time.
	TickSeconds int64 `name:"tick seconds" least:"1"`
	// RereadSeconds is the length of the period before the last row that is read from the
	// files again, if the saved state cannot be used because another version or other
	// settings made it.
	RereadSeconds int64 `name:"reread seconds"`

	// Once makes Run read the files to their end, save the state and return.
	Once bool

	Version string
	Now     func() time.Time // the clock
	// Report receives a sentence when a trouble begins and when it ends.
	Report func(sentence string)
}

// DefaultOptions returns the default options. The caller must add what to watch and the
// clock. A snapshot every twelve hours means that a restart after a kill replays at most
// twelve hours of rows: about 25 seconds of CPU time for ten thousand components. Saving
// every hour would cost a tenth of the time of the diagnosis. Replaying 256 MB of log also
// takes about 25 seconds; while a backlog is read, the log reaches this size much sooner
// than in twelve hours. If the files of three days are read again, every incident that still
// lasts is found again.
func DefaultOptions() Options {
	return Options{
		Diagnose: engine.DefaultOptions(), Alert: alert.DefaultOptions(), History: history.DefaultOptions(), Retention: ledger.DefaultRetention(),
		SnapshotEvery: 12 * time.Hour, SnapshotBytes: 256 << 20, TickSeconds: 60, RereadSeconds: 3 * 24 * 3600,
		Report: func(string) {},
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(o), o.Diagnose.Validate(), o.Alert.Validate(), o.History.Validate(), o.Retention.Validate()}
	errs.Need(len(o.Paths) > 0, "nothing is watched: name a directory of activity files")
	errs.Need(o.Now != nil, "no clock is handed in")
	errs.Need(o.StateDir != "", "no directory for the state is named")
	return errs.Join()
}
